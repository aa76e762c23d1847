/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolves images tile by tile (overlap-save). The input of a tile is copied into a box, with its
 * borders, and a plan of the box's size convolves it. A call thus needs memory for a box instead of an
 * image, and images may come from files or from another device. */
#include "conv/wide.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"
#include "conv/extend.h"

struct conv_tiles {
    argand_conv *inner;
    argand_device *host;
    int64_t out[3];      /* results of a tile */
    int64_t many[3];     /* number of tiles along each axis */
    double rest;         /* bytes of the limit that a tile leaves free */
    conv_layers *layers; /* for a high dynamic range; NULL: not handled */
};

/* ---- how large ---- */

static int64_t taps_along(const conv_axis *a)
{
    return a->fold_high - a->fold_low + 1;
}

/* Returns the bytes of a call with tiles of out[] results: box, input, results twice, spectra of box and
 * kernel. */
static double bytes_of(const argand_conv *c, const int64_t *out)
{
    const argand_conv_options *o = &c->options;
    double box = 1, results = 1, taps = 1;
    for (int d = 0; d < 3; d++) {
        box *= (double)(out[d] + taps_along(&c->axis[d]) - 1);
        results *= (double)out[d];
        taps *= (double)taps_along(&c->axis[d]);
    }
    const double points = 1.07 * box, layers = c->limits.range > 0 ? 1.5 : 1; /* those on the host */
    return layers * (double)argand_type_size(o->type) *
           ((double)o->channels * (2 * box + 2 * points + 2 * results) +
            (double)o->kernel_channels * (2 * points + 2 * taps));
}

/* Returns the cost of all tiles: points that are transformed. Tiles of whole rows get a discount, because
 * files are read and written by rows. */
static double cost_of(const argand_conv *c, const int64_t *out)
{
    double cost = 1;
    for (int d = 0; d < 3; d++) {
        const conv_axis *a = &c->axis[d];
        const int64_t many = (a->out + out[d] - 1) / out[d];
        cost *= (double)(many * (out[d] + taps_along(a) - 1));
        if (many > 1 && d + 1 < c->options.rank) cost *= 1.05;
    }
    return cost;
}

/* Returns the next smaller size of a tile along an axis: one tile more, or a tenth more. */
static int64_t smaller(const conv_axis *a, int64_t out)
{
    const int64_t many = (a->out + out - 1) / out, more = many + 1 + many / 10;
    const int64_t next = (a->out + more - 1) / more;
    return out == 1 ? 0 : next < out ? next : out - 1;
}

/* Finds the cheapest tiles that need at most `most` bytes. Sets t->out and returns their bytes; 0: no tile
 * fits. fewest, least: bytes and size of the smallest tile. */
static double search(conv_tiles *t, const argand_conv *c, double most, double *fewest, int64_t *least)
{
    const conv_axis *a = c->axis;
    double best = 0, taken = 0;
    int64_t out[3];
    *fewest = 0;
    for (out[2] = a[2].out; out[2]; out[2] = smaller(&a[2], out[2]))
        for (out[1] = a[1].out; out[1]; out[1] = smaller(&a[1], out[1]))
            for (out[0] = a[0].out; out[0]; out[0] = smaller(&a[0], out[0])) {
                const double bytes = bytes_of(c, out), cost = cost_of(c, out);
                if (*fewest == 0 || bytes < *fewest) {
                    *fewest = bytes;
                    memcpy(least, out, sizeof out);
                }
                if (bytes > most) continue;
                if (best > 0 && cost >= best) break;
                best = cost;
                taken = bytes;
                memcpy(t->out, out, sizeof out);
            }
    return taken;
}

/* Chooses the size of tiles. Leaves half of the limit for the second plan (high range) if possible. */
static argand_status choose(conv_tiles *t, const argand_conv *c)
{
    const conv_axis *a = c->axis;
    const double most = (double)c->options.memory;
    const bool has_answer = c->options.range != ARGAND_CONV_RANGE_NARROW,
               has_limit = c->limits.range == 0 || c->wide_memory;
    double fewest;
    int64_t least[3];
    double taken = search(t, c, has_answer ? most / 2 : most, &fewest, least);
    if (taken == 0 && has_answer) taken = search(t, c, most, &fewest, least);
    if (taken == 0 && !has_limit) {
        memcpy(t->out, least, sizeof least);
        taken = fewest;
    }
    CHECK(taken > 0, ARGAND_MEMORY,
          "argand_conv_create: memory of %.3g bytes is too little for the smallest tile, which takes %.3g",
          most, fewest);
    t->rest = most - taken;
    for (int d = 0; d < 3; d++) t->many[d] = (a[d].out + t->out[d] - 1) / t->out[d];
    return ARGAND_OK;
}

/* ---- life ---- */

/* Returns the bytes that the second plan of a tile may take. */
static size_t range_memory(const conv_tiles *t, const argand_conv *c)
{
    const double limit = fmin(fmax(t->rest, 1), 0x1p62), most = (double)c->options.range_memory;
    return (size_t)(most > 0 ? fmin(limit, most) : limit);
}

static argand_status make_inner(conv_tiles *t, const argand_conv *c)
{
    argand_conv_options o = {.type = c->options.type,
                             .rank = c->options.rank,
                             .channels = c->options.channels,
                             .kernel_channels = c->options.kernel_channels,
                             .mode = ARGAND_CONV_VALID,
                             .method = c->options.method,
                             .effort = c->options.effort,
                             .range = c->options.range,
                             .range_memory = range_memory(t, c),
                             .centre_given = true};
    for (int d = 0; d < o.rank; d++) {
        o.kernel[d] = taps_along(&c->axis[d]);
        o.n[d] = t->out[d] + o.kernel[d] - 1;
        o.centre[d] = -c->axis[d].fold_low;
    }
    return argand_conv_create(&t->inner, c->device, &o);
}

static argand_status make(argand_conv *c)
{
    TRY(NEW(c->tiles, 1));
    TRY(device_host(&c->tiles->host, c->device));
    for (int d = 0; d < 3; d++) conv_axis_reach(&c->axis[d]);
    TRY(choose(c->tiles, c));
    if (c->limits.range > 0) TRY(conv_layers_new(&c->tiles->layers, c->limits, c->tiles->host));
    return make_inner(c->tiles, c);
}

static void release_tiles(argand_conv *c)
{
    if (!c->tiles) return;
    conv_layers_release(c->tiles->layers);
    argand_conv_destroy(c->tiles->inner);
    memory_free(c->tiles);
}

static argand_status take_kernel(argand_conv *c)
{
    argand_array *folded;
    TRY(conv_folded(&folded, c, c->tiles->host, c->options.type));
    conv_taps_release(&c->taps); /* the plan of a tile reads the kernel again */
    const argand_status status = argand_conv_set_kernel(c->tiles->inner, folded);
    if (c->tiles->layers)
        conv_layers_kernel(c->tiles->layers, folded);
    else
        argand_array_destroy(folded);
    return status;
}

static argand_status blend(argand_conv *c)
{
    return argand_conv_set_sharpness(c->tiles->inner, c->sharpness);
}

const argand_conv *conv_tiles_inner(const argand_conv *c, int64_t *out)
{
    for (int d = 0; d < 3; d++) out[d] = c->tiles->out[d];
    return c->tiles->inner;
}

/* ---- calls ---- */

/* Data of one call. */
typedef struct call {
    const argand_conv *c;
    conv_box box;
    const conv_part *part;  /* region whose dynamic range counts; NULL: the whole image */
    argand_array *in, *out; /* of a tile, {axes..., channels} */
    argand_array *results;  /* all results, or NULL: */
    argand_conv_write write;
} call;

/* Returns the part of the box that lies inside the image. */
static conv_part part_of(const call *k)
{
    conv_part part;
    for (int d = 0; d < 3; d++) {
        part.first[d] = (k->part ? k->part->first[d] : 0) - k->box.first[d];
        part.count[d] = k->part ? k->part->count[d] : k->c->axis[d].n;
    }
    return part;
}

/* Makes a view of the count[d] results of an image from result at[d] on. */
static argand_status cut(argand_array **view, const argand_array *x, int rank, const int64_t *at,
                         const int64_t *count)
{
    argand_array v = *x;
    int64_t offset = 0;
    for (int d = 0; d < rank; d++) {
        v.dims[d] = count[d];
        offset += at ? at[d] * x->strides[d] : 0;
    }
    return argand_array_view(view, x, v.rank, v.dims, v.strides, offset);
}

static argand_status write_part(const call *k, const argand_array *from, const int64_t *at,
                                const int64_t *count)
{
    argand_array *numbers, view;
    TRY(conv_box_array(&numbers, &k->box, k->c->options.out_type, count));
    conv_order_dims(&view, numbers, &k->c->options);
    view.rank = from->rank;
    argand_status status = argand_array_copy(&view, from);
    if (status == ARGAND_OK) status = argand_device_wait(k->c->tiles->host);
    if (status == ARGAND_OK) status = k->write(k->box.context, numbers, at, k->box.number);
    argand_array_destroy(numbers);
    return status;
}

static argand_status store_tile(const call *k, const int64_t *at, const int64_t *count)
{
    const int rank = k->c->options.rank;
    argand_array *from, *to;
    argand_status status;
    TRY(cut(&from, k->out, rank, NULL, count));
    if (k->results) {
        status = cut(&to, k->results, rank, at, count);
        if (status == ARGAND_OK) {
            status = argand_array_copy(to, from);
            argand_array_destroy(to);
        }
    } else
        status = write_part(k, from, at, count);
    argand_array_destroy(from);
    return status;
}

static argand_status do_tile(call *k, int64_t tile)
{
    const conv_tiles *t = k->c->tiles;
    int64_t at[3], count[3];
    for (int d = 0; d < 3; d++) {
        const conv_axis *a = &k->c->axis[d];
        at[d] = tile % t->many[d] * t->out[d];
        tile /= t->many[d];
        count[d] = a->out - at[d] < t->out[d] ? a->out - at[d] : t->out[d];
        k->box.first[d] = a->first + at[d] - a->fold_high;
    }
    TRY(conv_box_fill(&k->box, k->in));
    const conv_part part = part_of(k);
    TRY(t->layers ? conv_layers_apply(t->layers, t->inner, k->out, k->in)
                  : conv_apply(t->inner, k->out, k->in, &part));
    return store_tile(k, at, count);
}

static argand_status make_boxes(call *k)
{
    int64_t dims[4];
    const int rank = k->c->options.rank;
    for (int d = 0; d < rank; d++) dims[d] = k->c->tiles->inner->options.n[d];
    dims[rank] = k->c->options.channels;
    TRY(array_scratch(&k->in, k->c->device, k->c->options.type, rank + 1, dims));
    for (int d = 0; d < rank; d++) dims[d] = k->c->tiles->out[d];
    return array_scratch(&k->out, k->c->device, k->c->options.type, rank + 1, dims);
}

static argand_status do_tiles(call *k)
{
    const conv_tiles *t = k->c->tiles;
    const int64_t tiles = t->many[0] * t->many[1] * t->many[2];
    TRY(make_boxes(k));
    for (int64_t i = 0; i < tiles; i++) {
        TRY(observe("tiles",
                    ((double)k->box.number + (double)i / (double)tiles) / (double)k->c->options.batch));
        TRY(do_tile(k, i));
    }
    return ARGAND_OK;
}

static argand_status do_image(call *k)
{
    const argand_status status = do_tiles(k);
    argand_array_destroy(k->in);
    argand_array_destroy(k->out);
    k->in = k->out = NULL;
    return status;
}

static argand_status apply(const argand_conv *c, argand_array *out, const argand_array *in,
                           const conv_part *part)
{
    for (int64_t i = 0; i < c->options.batch; i++) {
        const argand_array image = conv_image_of(in, c->options.rank, i);
        argand_array results = conv_image_of(out, c->options.rank, i);
        call k = {.c = c, .box = {.c = c, .image = &image, .number = i, .host = c->tiles->host}};
        k.results = &results;
        k.part = part;
        TRY(do_image(&k));
    }
    return ARGAND_OK;
}

static argand_status apply_boxes(const argand_conv *c, argand_conv_write write, argand_conv_read read,
                                 void *context)
{
    for (int64_t i = 0; i < c->options.batch; i++) {
        call k = {.c = c,
                  .write = write,
                  .box = {.c = c, .read = read, .context = context, .number = i, .host = c->tiles->host}};
        TRY(do_image(&k));
    }
    return ARGAND_OK;
}

static size_t bytes(const argand_conv *c)
{
    return c->tiles->inner->engine->bytes(c->tiles->inner);
}

const conv_engine conv_tiles_engine = {.name = "tiles",
                                       .make = make,
                                       .kernel = take_kernel,
                                       .blend = blend,
                                       .apply = apply,
                                       .apply_boxes = apply_boxes,
                                       .bytes = bytes,
                                       .release = release_tiles};
