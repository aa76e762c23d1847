/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolves a tile in double precision. If the dynamic range exceeds double precision, the tile is split
 * into layers of decreasing brightness. A layer of few elements is added by direct sums. Any other layer
 * is convolved separately, and its results are added where the kernel reaches one of its elements:
 * elsewhere they are rounding errors. Results that are rounding errors alone become 0. Layers stay on the
 * host; the device computes the transforms. */
#include <math.h>
#include <pthread.h>
#include "array/layout.h"
#include "base/memory.h"
#include "conv/wide.h"

struct conv_layers {
    argand_device *host;
    conv_limits limits;
    pthread_mutex_t lock; /* protects the members below */
    argand_array *taps;   /* {axes..., kernel channels}, on the host */
    double sharpness;     /* sharpness of `blend` */
    argand_array *blend;  /* the taps blended with the identity; NULL: not computed yet */
    double *sums;         /* for each kernel channel: sum of |tap|, then the shape (conv_range_rounding) */
    argand_conv *reach;   /* kernel of ones where there are taps; NULL: not made yet */
};

argand_status conv_layers_new(conv_layers **layers, conv_limits limits, argand_device *host)
{
    TRY(NEW(*layers, 1));
    (*layers)->host = host;
    (*layers)->limits = limits;
    pthread_mutex_init(&(*layers)->lock, NULL);
    return ARGAND_OK;
}

static void forget(conv_layers *l)
{
    argand_array_destroy(l->blend);
    memory_free(l->sums);
    argand_conv_destroy(l->reach);
    l->blend = NULL;
    l->sums = NULL;
    l->reach = NULL;
}

void conv_layers_kernel(conv_layers *l, argand_array *taps)
{
    forget(l);
    argand_array_destroy(l->taps);
    l->taps = taps;
}

void conv_layers_release(conv_layers *l)
{
    if (!l) return;
    conv_layers_kernel(l, NULL);
    pthread_mutex_destroy(&l->lock);
    memory_free(l);
}

/* ---- taps ---- */

static int parts_of(const argand_array *a)
{
    return type_is_complex(a->type) ? 2 : 1;
}

/* Returns the number of elements of one channel. */
static int64_t count_each(const argand_array *a, int axes)
{
    return argand_array_count(a) / a->dims[axes];
}

static void blend_taps(double *to, const double *taps, const argand_conv *inner, int parts, int64_t count)
{
    const argand_conv_options *o = &inner->options;
    const double s = inner->sharpness;
    int64_t centre = 0, each = 1;
    for (int d = 0; d < o->rank; d++) {
        centre += o->centre[d] * each;
        each *= o->kernel[d];
    }
    for (int64_t i = 0; i < parts * count; i++) to[i] = (1 - s) * taps[i];
    for (int64_t i = centre; i < count; i += each) to[parts * i] += s;
}

static void sum_taps(double *sum, double *shape, const double *taps, int parts, int64_t count)
{
    double square = 0;
    *sum = 0;
    for (int64_t i = 0; i < count; i++) {
        const double size = parts == 2 ? hypot(taps[2 * i], taps[2 * i + 1]) : fabs(taps[i]);
        *sum += size;
        square += size * size;
    }
    *shape = *sum > 0 ? sqrt(square) / *sum : 0;
}

static argand_status make_blend(conv_layers *l, const argand_conv *inner)
{
    const argand_array *taps = l->taps;
    const int axes = inner->options.rank, parts = parts_of(taps);
    const int64_t channels = taps->dims[axes], each = count_each(taps, axes);
    TRY(argand_array_create(&l->blend, l->host, taps->type, taps->rank, taps->dims));
    TRY(NEW(l->sums, 2 * channels));
    double *to = argand_array_data(l->blend);
    blend_taps(to, argand_array_data(taps), inner, parts, channels * each);
    for (int64_t c = 0; c < channels; c++)
        sum_taps(l->sums + 2 * c, l->sums + 2 * c + 1, to + c * each * parts, parts, each);
    return ARGAND_OK;
}

static argand_status need_blend(conv_layers *l, const argand_conv *inner)
{
    argand_status status = ARGAND_OK;
    pthread_mutex_lock(&l->lock);
    if (l->sums && l->sharpness != inner->sharpness) forget(l);
    l->sharpness = inner->sharpness;
    if (!l->sums) status = make_blend(l, inner);
    if (status != ARGAND_OK) forget(l);
    pthread_mutex_unlock(&l->lock);
    return status;
}

static argand_status make_reach(conv_layers *l, const argand_conv *inner)
{
    argand_array *ones;
    const double *taps = argand_array_data(l->blend);
    const int parts = parts_of(l->blend);
    TRY(argand_conv_create(&l->reach, inner->device, &inner->options));
    TRY(argand_array_create(&ones, l->host, l->blend->type, l->blend->rank, l->blend->dims));
    double *to = argand_array_data(ones);
    for (int64_t i = 0; i < argand_array_count(ones); i++)
        to[parts * i] = taps[parts * i] != 0 || taps[parts * (i + 1) - 1] != 0;
    const argand_status status = argand_conv_set_kernel(l->reach, ones);
    argand_array_destroy(ones);
    return status;
}

static argand_status need_reach(conv_layers *l, const argand_conv *inner)
{
    argand_status status = ARGAND_OK;
    pthread_mutex_lock(&l->lock);
    if (!l->reach) status = make_reach(l, inner);
    if (status != ARGAND_OK) {
        argand_conv_destroy(l->reach);
        l->reach = NULL;
    }
    pthread_mutex_unlock(&l->lock);
    return status;
}

/* Returns sum and shape of the taps for a channel of the image. */
static const double *sums_of(const conv_layers *l, const argand_conv *inner, int64_t channel)
{
    return l->sums + 2 * (inner->options.kernel_channels > 1 ? channel : 0);
}

static bool is_beyond(const conv_layers *l, const argand_conv *inner, const conv_range *ranges)
{
    for (int64_t i = 0; i < inner->options.channels; i++)
        if (conv_range_is_high(&ranges[i], sums_of(l, inner, i)[1], l->limits.range)) return true;
    return false;
}

/* ---- results that are rounding ---- */

static argand_array channel_of(const argand_array *x, int axes, int64_t channel)
{
    argand_array one = *x;
    one.rank = axes;
    one.offset += channel * x->strides[axes];
    one.count /= x->dims[axes];
    return one;
}

static argand_status flush_channel(argand_array *y, double most)
{
    struct pointwise_params p = {.a = layout_scalar(most, 0)};
    int64_t groups;
    TRY(layout_make(&p.at, &groups, "argand_conv_apply", 0, 1, (const argand_array *const[]){y}));
    storage *const memory[1] = {y->storage};
    const kernel_run run = {.key = "conv_flush REAL=double",
                            .groups = groups,
                            .memory = memory,
                            .memory_count = 1,
                            .params = &p,
                            .params_bytes = sizeof p};
    return kernel_start(argand_array_device(y), &run);
}

/* Convolves a tile and sets results to 0 that are rounding errors alone. Without a run of zeros in the
 * tile there are none. */
static argand_status convolve(const conv_layers *l, const argand_conv *inner, argand_array *out,
                              const argand_array *in, const conv_range *ranges)
{
    const int axes = inner->options.rank;
    TRY(argand_conv_apply(inner, out, in));
    for (int64_t i = 0; i < inner->options.channels && l->limits.zeros; i++) {
        const double *sums = sums_of(l, inner, i);
        argand_array channel = channel_of(out, axes, i);
        if (ranges[i].zeros)
            TRY(flush_channel(&channel, 0x1p-52 * sums[0] * conv_range_rounding(&ranges[i], sums[1])));
    }
    return ARGAND_OK;
}

/* ---- layers ---- */

/* A tile on the host: the remaining elements, the current layer, its results and the sum of all results. */
typedef struct tile {
    conv_layers *l;
    const argand_conv *inner;
    argand_array *in, *out;                      /* on the device */
    argand_array *rest, *layer, *part, *sum, *y; /* on the host */
    conv_range *ranges;
} tile;

static double size_at(const double *x, int parts, int64_t i)
{
    return parts == 2 ? fabs(x[2 * i]) + fabs(x[2 * i + 1]) : fabs(x[i]);
}

/* Moves elements brighter than max |x| / range from the rest to the layer; returns their number. */
static int64_t split(tile *t, double range)
{
    const int parts = parts_of(t->rest);
    double *rest = argand_array_data(t->rest), *layer = argand_array_data(t->layer), most = 0;
    const int64_t count = argand_array_count(t->rest);
    int64_t moved = 0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, size_at(rest, parts, i));
    for (int64_t i = 0; i < count; i++) {
        const double size = size_at(rest, parts, i); /* overflows to infinity if re and im are too large */
        const bool is_bright = size > most / range || (isinf(most) && isinf(size));
        moved += is_bright;
        for (int p = 0; p < parts; p++) {
            layer[parts * i + p] = is_bright ? rest[parts * i + p] : 0;
            if (is_bright) rest[parts * i + p] = 0;
        }
    }
    return moved;
}

/* Returns true if direct sums take less time than two convolutions, or little time at all. */
static bool is_sparse(const tile *t, int64_t elements)
{
    static const double OF_POINT = 100, LITTLE = 1e8;
    const double taps = (double)count_each(t->l->blend, t->inner->options.rank);
    return (double)elements * taps < LITTLE + OF_POINT * (double)argand_array_count(t->layer);
}

/* Adds x times a row of taps to y; parts: 1 for real numbers, 2 for complex. */
static void add_row(double *y, const double *taps, int64_t count, const double *x, int parts)
{
    if (parts == 1)
        for (int64_t i = 0; i < count; i++) y[i] += taps[i] * x[0];
    else
        for (int64_t i = 0; i < count; i++) {
            y[2 * i] += taps[2 * i] * x[0] - taps[2 * i + 1] * x[1];
            y[2 * i + 1] += taps[2 * i] * x[1] + taps[2 * i + 1] * x[0];
        }
}

/* Adds the contribution of element x at position at[] to all its results: tap u contributes to result
 * at[d] - (k - 1) + u, if this is one of the out[d] results. */
static void add_element(const tile *t, const int64_t at[3], int64_t channel, const double *x)
{
    const int axes = t->inner->options.rank, parts = parts_of(t->y);
    int64_t k[3], out[3], first[3], last[3];
    for (int d = 0; d < 3; d++) {
        k[d] = d < axes ? t->l->blend->dims[d] : 1;
        out[d] = d < axes ? t->y->dims[d] : 1;
        const int64_t from = at[d] - (k[d] - 1);
        first[d] = from < 0 ? -from : 0;
        last[d] = from + k[d] > out[d] ? out[d] - from : k[d];
    }
    const double *taps = argand_array_data(t->l->blend);
    double *y = argand_array_data(t->y);
    if (t->inner->options.kernel_channels > 1) taps += parts * channel * k[0] * k[1] * k[2];
    y += parts * channel * out[0] * out[1] * out[2];
    if (first[0] >= last[0]) return;
    for (int64_t w = first[2]; w < last[2]; w++)
        for (int64_t v = first[1]; v < last[1]; v++) {
            const int64_t row = (at[2] - (k[2] - 1) + w) * out[1] + at[1] - (k[1] - 1) + v;
            add_row(y + parts * (row * out[0] + at[0] - (k[0] - 1) + first[0]),
                    taps + parts * ((w * k[1] + v) * k[0] + first[0]), last[0] - first[0], x, parts);
        }
}

static void add_sums(const tile *t)
{
    const int axes = t->inner->options.rank, parts = parts_of(t->layer);
    const double *layer = argand_array_data(t->layer);
    for (int64_t i = 0; i < argand_array_count(t->layer); i++) {
        int64_t at[3], rest = i;
        if (size_at(layer, parts, i) == 0) continue;
        for (int d = 0; d < 3; d++) {
            const int64_t n = d < axes ? t->layer->dims[d] : 1;
            at[d] = rest % n;
            rest /= n;
        }
        add_element(t, at, rest, layer + parts * i);
    }
}

/* Convolves the layer by a plan of the device and downloads the result. */
static argand_status transform(const tile *t, const argand_conv *by, argand_array *result)
{
    TRY(argand_array_copy(t->in, t->layer));
    TRY(argand_conv_apply(by, t->out, t->in));
    TRY(argand_array_copy(result, t->out));
    return argand_device_wait(t->l->host);
}

/* Convolves the layer and adds the results at positions where the kernel reaches an element of the layer. */
static argand_status add_transformed(const tile *t)
{
    const int parts = parts_of(t->layer);
    const double *part = argand_array_data(t->part), *sum = argand_array_data(t->sum);
    double *layer = argand_array_data(t->layer), *y = argand_array_data(t->y);
    TRY(need_reach(t->l, t->inner));
    TRY(transform(t, t->inner, t->part));
    for (int64_t i = 0; i < argand_array_count(t->layer); i++) {
        layer[parts * i] = size_at(layer, parts, i) > 0;
        if (parts == 2) layer[2 * i + 1] = 0;
    }
    TRY(transform(t, t->l->reach, t->sum));
    for (int64_t i = 0; i < argand_array_count(t->y); i++)
        for (int p = 0; p < parts; p++)
            if (fabs(sum[parts * i]) > 0.5) y[parts * i + p] += part[parts * i + p];
    return ARGAND_OK;
}

/* Convolves the remaining elements as an ordinary tile and adds the results. */
static argand_status add_rest(tile *t)
{
    const int64_t numbers = argand_array_count(t->y) * parts_of(t->y);
    const double *part = argand_array_data(t->part);
    double *y = argand_array_data(t->y);
    TRY(argand_array_copy(t->in, t->rest));
    TRY(convolve(t->l, t->inner, t->out, t->in, t->ranges));
    TRY(argand_array_copy(t->part, t->out));
    TRY(argand_device_wait(t->l->host));
    for (int64_t i = 0; i < numbers; i++) y[i] += part[i];
    return ARGAND_OK;
}

static argand_status add_layers(tile *t)
{
    const int axes = t->inner->options.rank;
    TRY(conv_range_read(t->ranges, t->rest, axes));
    while (is_beyond(t->l, t->inner, t->ranges)) {
        const int64_t elements = split(t, t->l->limits.layer);
        if (is_sparse(t, elements))
            add_sums(t);
        else
            TRY(add_transformed(t));
        TRY(conv_range_read(t->ranges, t->rest, axes));
    }
    return add_rest(t);
}

static argand_status do_tile(tile *t)
{
    conv_nonfinite *nonfinite;
    TRY(argand_array_copy(t->rest, t->in));
    TRY(argand_device_wait(t->l->host));
    TRY(conv_nonfinite_take(&nonfinite, t->rest, t->inner->options.rank));
    argand_status status = add_layers(t);
    if (status == ARGAND_OK)
        status = conv_nonfinite_put(nonfinite, t->y, t->l->blend, t->inner->options.rank);
    if (status == ARGAND_OK) status = argand_array_copy(t->out, t->y);
    if (status == ARGAND_OK) status = argand_device_wait(argand_array_device(t->out));
    conv_nonfinite_free(nonfinite);
    return status;
}

static argand_status on_host(conv_layers *l, const argand_conv *inner, argand_array *out, argand_array *in,
                             conv_range *ranges)
{
    tile t = {.l = l, .inner = inner, .in = in, .out = out, .ranges = ranges};
    argand_array **const boxes[] = {&t.rest, &t.layer}, **const results[] = {&t.part, &t.sum, &t.y};
    argand_status status = ARGAND_OK;
    for (int i = 0; i < 2 && status == ARGAND_OK; i++)
        status = argand_array_create(boxes[i], l->host, in->type, in->rank, in->dims);
    for (int i = 0; i < 3 && status == ARGAND_OK; i++)
        status = argand_array_create(results[i], l->host, out->type, out->rank, out->dims);
    if (status == ARGAND_OK) status = do_tile(&t);
    for (int i = 0; i < 2; i++) argand_array_destroy(*boxes[i]);
    for (int i = 0; i < 3; i++) argand_array_destroy(*results[i]);
    return status;
}

argand_status conv_layers_apply(conv_layers *l, const argand_conv *inner, argand_array *out, argand_array *in)
{
    const int64_t channels = inner->options.channels;
    conv_range *ranges;
    bool is_nonfinite = false;
    TRY(need_blend(l, inner));
    TRY(NEW(ranges, channels));
    argand_status status = conv_range_read(ranges, in, inner->options.rank);
    for (int64_t i = 0; i < channels; i++) is_nonfinite = is_nonfinite || ranges[i].nonfinite;
    if (status == ARGAND_OK)
        status = is_nonfinite || is_beyond(l, inner, ranges) ? on_host(l, inner, out, in, ranges)
                                                             : convolve(l, inner, out, in, ranges);
    memory_free(ranges);
    return status;
}
