/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of transforms, with a second plan in double precision. The range of each
 * image is measured before the image is transformed. If the plan's precision would leave too few digits in
 * dark regions, the image goes tile by tile through the second plan, which is made at the first such image
 * (on the host if the device has no doubles). */
#include "conv/wide.h"

#include <math.h>
#include <pthread.h>
#include "base/memory.h"

struct conv_wide {
    pthread_mutex_t lock;
    argand_conv *plan; /* NULL: not made yet */
    size_t memory;     /* memory limit of the plan; 0: the default */
    double shape;      /* shape of the taps (conv_range_rounding), largest of all channels */
    _Atomic int64_t calls;
};

/* Returns the largest accepted rounding error, in units of the precision, relative to the darkest region:
 * 3e-5 in single precision, 7e-12 in double. */
static double limit_of(const argand_conv *c)
{
    return type_is_double(c->options.type) ? 65536 : 512;
}

/* Returns the limits of the second plan: 5e-7 of the darkest region for single-precision images. Layers
 * keep the remaining digits for kernels of a high range. */
static conv_limits limits_of(const argand_conv *c)
{
    return type_is_double(c->options.type) ? (conv_limits){65536, 256, false}
                                           : (conv_limits){0x1p32, 0x1p16, true};
}

static argand_status make(argand_conv *c)
{
    TRY(conv_transform_make(c));
    if (c->options.range == ARGAND_CONV_RANGE_NARROW || c->limits.range > 0) return ARGAND_OK;
    TRY(NEW(c->wide, 1));
    c->wide->memory = c->options.range_memory;
    pthread_mutex_init(&c->wide->lock, NULL);
    return ARGAND_OK;
}

static void find_shape(conv_wide *w, const argand_conv *c)
{
    const conv_axis *a = c->axis;
    const int64_t centre = (-a[2].low * a[1].k - a[1].low) * a[0].k - a[0].low;
    w->shape = 0;
    for (int64_t i = 0; i < c->taps.channels; i++) {
        const double *at = c->taps.at + 2 * i * c->taps.count, s = c->sharpness;
        double sum = 0, square = 0;
        for (int64_t u = 0; u < c->taps.count; u++) {
            const double re = (1 - s) * at[2 * u] + (u == centre ? s : 0),
                         size = fabs(re) + fabs((1 - s) * at[2 * u + 1]);
            sum += size;
            square += size * size;
        }
        if (sum > 0) w->shape = fmax(w->shape, sqrt(square) / sum);
    }
}

void conv_wide_kernel(argand_conv *c)
{
    if (!c->wide) return;
    argand_conv_destroy(c->wide->plan);
    c->wide->plan = NULL;
    if (c->taps.at) find_shape(c->wide, c);
}

/* Drops the taps, unless the second plan may need them. */
static argand_status take_kernel(argand_conv *c)
{
    TRY(conv_transform_kernel(c));
    conv_wide_kernel(c);
    if (!c->wide) conv_taps_release(&c->taps);
    return ARGAND_OK;
}

static argand_status blend(argand_conv *c)
{
    TRY(conv_transform_blend(c));
    if (!c->wide || !c->taps.at) return ARGAND_OK;
    find_shape(c->wide, c);
    /* if the second plan cannot change its sharpness, the next image that needs it makes a new one */
    if (c->wide->plan && argand_conv_set_sharpness(c->wide->plan, c->sharpness) != ARGAND_OK) {
        argand_conv_destroy(c->wide->plan);
        c->wide->plan = NULL;
    }
    return ARGAND_OK;
}

static void release(argand_conv *c)
{
    conv_transform_release(c);
    if (!c->wide) return;
    argand_conv_destroy(c->wide->plan);
    pthread_mutex_destroy(&c->wide->lock);
    memory_free(c->wide);
    c->wide = NULL;
}

int64_t conv_wide_calls(const argand_conv *c)
{
    return c->wide ? c->wide->calls : 0;
}

/* ---- the second plan ---- */

static argand_type double_of(argand_type type)
{
    return type_is_complex(type) ? ARGAND_C64 : ARGAND_R64;
}

/* Returns the options of the same convolution for one image, in double precision; the kernel is the taps
 * in their order. */
static argand_conv_options wide_options(const argand_conv *c)
{
    static const size_t DEFAULT_MEMORY = (size_t)1 << 30;
    argand_conv_options o = c->options;
    o.type = o.in_type = o.out_type = double_of(o.type);
    o.batch = 1;
    o.interleaved = o.correlate = false;
    o.normalise = ARGAND_CONV_AS_IT_IS;
    o.centre_given = true;
    for (int d = 0; d < 3; d++) o.centre[d] = -c->axis[d].low;
    o.effort = ARGAND_ESTIMATE;
    o.range = ARGAND_CONV_RANGE_NARROW;
    o.memory = c->wide->memory ? c->wide->memory : DEFAULT_MEMORY;
    return o;
}

static argand_status taps_array(argand_array **kernel, const argand_conv *c, argand_device *host)
{
    const argand_type type = double_of(c->options.type);
    int64_t dims[4];
    for (int d = 0; d < c->options.rank; d++) dims[d] = c->options.kernel[d];
    dims[c->options.rank] = c->options.kernel_channels;
    TRY(argand_array_create(kernel, host, type, c->options.rank + 1, dims));
    for (int64_t i = 0; i < c->taps.count * c->taps.channels; i++)
        conv_tap_put(argand_array_data(*kernel), type, i, c->taps.at + 2 * i);
    return ARGAND_OK;
}

static argand_status use_taps(argand_conv *plan, const argand_conv *c, argand_device *host)
{
    argand_array *kernel;
    TRY(taps_array(&kernel, c, host));
    argand_status status = argand_conv_set_kernel(plan, kernel);
    argand_array_destroy(kernel);
    if (status == ARGAND_OK) status = argand_conv_set_sharpness(plan, c->sharpness);
    return status;
}

static argand_status make_plan(argand_conv **plan, const argand_conv *c)
{
    const argand_conv_options o = wide_options(c);
    argand_device *host;
    TRY(device_host(&host, c->device));
    argand_status status = conv_begin(plan, device_has_double(c->device) ? c->device : host, &o);
    if (status == ARGAND_OK) {
        conv_set_valid(*plan, c->valid);
        (*plan)->limits = limits_of(c);
        (*plan)->wide_memory = c->wide->memory;
        (*plan)->engine = &conv_tiles_engine;
        status = (*plan)->engine->make(*plan);
    }
    if (status == ARGAND_OK) status = use_taps(*plan, c, host);
    if (status == ARGAND_OK) return ARGAND_OK;
    argand_conv_destroy(*plan);
    *plan = NULL;
    return status_prefix(status, "the image has a high dynamic range and so needs double precision (range "
                                 "narrow keeps single precision): ");
}

static argand_status need_plan(const argand_conv **plan, const argand_conv *c)
{
    conv_wide *w = c->wide;
    pthread_mutex_lock(&w->lock);
    const argand_status status = w->plan ? ARGAND_OK : make_plan(&w->plan, c);
    *plan = w->plan;
    pthread_mutex_unlock(&w->lock);
    return status;
}

/* ---- calls ---- */

/* Includes the constant border in the range, because it is transformed with the image. */
static void add_constant(conv_range *r, const argand_conv *c)
{
    const double size = hypot(c->options.constant.re, c->options.constant.im);
    double points = 1, elements = 1;
    bool constant = false;
    for (int d = 0; d < c->options.rank; d++) {
        const conv_axis *a = &c->axis[d];
        points *= (double)a->points;
        elements *= (double)a->n;
        constant = constant || a->before == ARGAND_BORDER_CONSTANT || a->after == ARGAND_BORDER_CONSTANT;
    }
    if (!constant) return;
    r->rms = sqrt(r->rms * r->rms + size * size * (points - elements) / elements);
    r->norm = r->rms * sqrt(elements);
    r->brightest = fmax(r->brightest, size);
    r->darkest = fmin(r->darkest, size);
}

static bool is_wide(const argand_conv *c, const conv_range *r)
{
    const bool zeros = r->zeros && r->rms > 0 && limits_of(c).zeros;
    return r->nonfinite || zeros || conv_range_is_high(r, c->wide->shape, limit_of(c));
}

/* Marks the images of the batch that need the second plan; returns their number. */
static int64_t choose(bool *wide, conv_range *ranges, const argand_conv *c)
{
    const argand_conv_options *o = &c->options;
    int64_t count = 0;
    for (int64_t b = 0; b < o->batch; b++) {
        for (int64_t i = b * o->channels; i < (b + 1) * o->channels; i++) {
            add_constant(&ranges[i], c);
            wide[b] = wide[b] || is_wide(c, &ranges[i]);
        }
        count += wide[b];
    }
    return count;
}

/* Measures the darkest region inside the image itself: zeros or copies at a border would mislead. A part
 * that is shorter than a run along all axes gives no measurement. */
static argand_status read_dark(conv_range *ranges, const argand_array *in, const conv_part *part, int axes,
                               int64_t images)
{
    argand_array seen = *in;
    conv_range *dark;
    int64_t longest = 0;
    const bool any = conv_image_part(&seen, part, axes);
    for (int d = 0; d < axes && any; d++)
        if (seen.dims[d] > longest) longest = seen.dims[d];
    if (any && seen.count == in->count) return ARGAND_OK;
    for (int64_t i = 0; i < images && longest < CONV_RUN; i++) {
        ranges[i].darkest = INFINITY;
        ranges[i].zeros = false;
    }
    if (longest < CONV_RUN) return ARGAND_OK;
    TRY(NEW(dark, images));
    const argand_status status = conv_range_read(dark, &seen, axes);
    for (int64_t i = 0; i < images; i++) {
        ranges[i].darkest = dark[i].darkest;
        ranges[i].zeros = dark[i].zeros;
    }
    memory_free(dark);
    return status;
}

/* Waits for the numbers of conv_range_begin and chooses the images for the second plan. */
static argand_status look(bool *wide, int64_t *count, const argand_conv *c, conv_range_numbers *numbers,
                          const argand_array *in, const conv_part *part)
{
    const argand_conv_options *o = &c->options;
    const int64_t images = o->batch * o->channels;
    conv_range *ranges;
    argand_status status = NEW(ranges, images);
    if (status == ARGAND_OK) status = conv_range_end(ranges, numbers);
    if (status == ARGAND_OK && part) status = read_dark(ranges, in, part, o->rank, images);
    if (status == ARGAND_OK) *count = choose(wide, ranges, c);
    memory_free(ranges);
    return status;
}

/* Convolves the chosen images by the second plan. */
static argand_status apply_wide(const argand_conv *c, argand_array *out, const argand_array *in,
                                const bool *wide, int64_t count)
{
    const argand_conv *plan;
    if (!count) return ARGAND_OK;
    TRY(need_plan(&plan, c));
    c->wide->calls += count;
    for (int64_t b = 0; b < c->options.batch; b++) {
        argand_array y = conv_image_of(out, c->options.rank, b);
        const argand_array x = conv_image_of(in, c->options.rank, b);
        if (wide[b]) TRY(plan->engine->apply(plan, &y, &x, NULL));
    }
    return ARGAND_OK;
}

/* Convolves a batch. Few images need the second plan: the transforms are queued at once, and the device
 * works while the host waits for the numbers. If the transforms would overwrite the input, or the host
 * computes, the host waits first. */
static argand_status apply_chosen(const argand_conv *c, argand_array *out, const argand_array *in,
                                  const conv_part *part, bool *wide)
{
    const bool early = !device_is_host(c->device) && out->storage != in->storage;
    int64_t count = 0;
    conv_range_numbers numbers;
    TRY(conv_range_begin(&numbers, in, c->options.rank));
    argand_status status = early ? conv_transform_apply(c, out, in) : ARGAND_OK;
    if (status == ARGAND_OK) status = look(wide, &count, c, &numbers, in, part);
    conv_range_free(&numbers);
    TRY(status);
    if (!early && count < c->options.batch) TRY(conv_transform_apply(c, out, in));
    return apply_wide(c, out, in, wide, count);
}

static argand_status apply(const argand_conv *c, argand_array *out, const argand_array *in,
                           const conv_part *part)
{
    bool *wide;
    const bool can_look = c->wide && c->taps.at && !device_is_captured(c->device);
    CHECK(can_look || !c->wide || c->options.range != ARGAND_CONV_RANGE_WIDE, ARGAND_UNSUPPORTED,
          "argand_conv_apply: the range \"wide\" works neither during a CUDA graph capture nor with a kernel "
          "that was given as a spectrum; use range narrow");
    if (!can_look) return conv_transform_apply(c, out, in);
    TRY(NEW(wide, c->options.batch));
    const bool all = c->options.range == ARGAND_CONV_RANGE_WIDE;
    for (int64_t b = 0; b < c->options.batch; b++) wide[b] = all;
    const argand_status status =
        all ? apply_wide(c, out, in, wide, c->options.batch) : apply_chosen(c, out, in, part, wide);
    memory_free(wide);
    return status;
}

static size_t bytes_of(const argand_array *array)
{
    return array ? (size_t)argand_array_count(array) * argand_type_size(array->type) : 0;
}

static size_t bytes(const argand_conv *c)
{
    return bytes_of(c->spectrum) + bytes_of(c->unblended);
}

const conv_engine conv_fft_engine = {.name = "fft",
                                     .make = make,
                                     .kernel = take_kernel,
                                     .blend = blend,
                                     .apply = apply,
                                     .bytes = bytes,
                                     .release = release};
