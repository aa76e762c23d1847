/* SPDX-License-Identifier: BSD-3-Clause */
/* Richardson-Lucy deconvolution. An iteration is two calls of the FFT engine: forward, x to y / (H x +
 * background), and adjoint, to the next x. The divisions and products run in the store of the transforms,
 * so that there are no other passes. The estimate x has n + k - 1 elements along each axis and begins at
 * element -high of the image. Both plans share the kernel spectrum; the adjoint conjugates it. The scale
 * of the transforms is part of the spectrum, because a plan's own scale would act after the functions at
 * the store. Buffers: x, the next x, the ratio, 1 / w. */
#include "conv/deconv/lucy.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"
#include "base/plain.h"
#include "fft/plan/waiting.h"

/* Lower bound of w: elements of x that contribute less than this to the image are not determined by the
 * image. */
static const double LEAST_WEIGHT = 0.01;

static int rank_of(const argand_deconv *d)
{
    return d->conv->options.rank;
}

static argand_fft_options common(const argand_deconv *d, int64_t batch)
{
    argand_fft_options f = {
        .type = d->conv->options.type, .rank = rank_of(d), .batch = batch, .effort = d->conv->options.effort};
    for (int i = 0; i < f.rank; i++) f.n[i] = d->lucy->points[i];
    return f;
}

static argand_status make_kernel_plan(argand_deconv *d)
{
    argand_fft_options f = common(d, d->conv->options.kernel_channels);
    for (int i = 0; i < f.rank; i++)
        f.input.window[i] = (argand_window){.count = d->conv->axis[i].k, .first = d->conv->axis[i].low};
    return fft_create_waiting(&d->lucy->kernel, d->conv->device, &f);
}

/* Makes the plan from x to y, or with `back` the adjoint plan from y to x. */
static argand_status make_plan(argand_deconv *d, bool back)
{
    lucy *l = d->lucy;
    argand_fft_options f = common(d, d->conv->options.channels);
    for (int i = 0; i < f.rank; i++) {
        const argand_window image = {.count = l->n[i]},
                            estimate = {.count = l->estimate[i], .first = -d->conv->axis[i].high};
        f.input.window[i] = back ? image : estimate;
        f.output.window[i] = back ? estimate : image;
    }
    f.access = back ? l->back_access : l->there_access;
    return fft_create_waiting(back ? &l->back : &l->there, d->conv->device, &f);
}

static argand_status new_array(argand_array **array, const argand_deconv *d, argand_device *device,
                               argand_type type, const int64_t *n, int64_t channels, bool scratch)
{
    int64_t dims[4];
    const int rank = rank_of(d);
    for (int i = 0; i < rank; i++) dims[i] = n[i];
    dims[rank] = channels;
    return scratch ? array_scratch(array, device, type, rank + 1, dims)
                   : argand_array_create(array, device, type, rank + 1, dims);
}

argand_status lucy_array(argand_array **array, const argand_deconv *d, argand_device *device,
                         const int64_t *n, bool scratch)
{
    const argand_conv_options *o = &d->conv->options;
    return new_array(array, d, device, o->type, n, o->channels, scratch);
}

static argand_status image_array(argand_array **array, const argand_deconv *d, const int64_t *n)
{
    return lucy_array(array, d, d->conv->device, n, true);
}

static argand_status make_arrays(argand_deconv *d)
{
    lucy *l = d->lucy;
    const argand_conv_options *o = &d->conv->options;
    const int64_t half[3] = {l->points[0] / 2 + 1, l->points[1], l->points[2]};
    TRY(new_array(&l->spectrum, d, d->conv->device, type_is_double(o->type) ? ARGAND_C64 : ARGAND_C32, half,
                  o->kernel_channels, false));
    return lucy_array(&l->weights, d, d->conv->device, l->estimate, false);
}

static void make_chains(argand_deconv *d)
{
    lucy *l = d->lucy;
    const bool is_double = type_is_double(d->conv->options.type);
    argand_accessor *there = l->there_access.store, *back = l->back_access.store;
    const argand_accessor product = {.kind = ARGAND_ACCESS_MULTIPLY, .array = l->spectrum};
    l->there_access.spectrum[0] = l->back_access.spectrum[0] = product;
    l->back_access.spectrum[0].conjugate = true;
    there[0] = lucy_ratio(rank_of(d), is_double, l->texts[0]);
    lucy_parameters(&there[0], l->n, 0, 0);
    back[0] = lucy_update(rank_of(d), is_double, l->texts[1]);
    lucy_parameters(&back[0], l->estimate, 0, 0);
    back[1] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = l->weights};
}

argand_status lucy_make(argand_deconv *d)
{
    lucy *l;
    TRY(NEW(l, 1));
    d->lucy = l;
    for (int i = 0; i < 3; i++) {
        const conv_axis *a = &d->conv->axis[i];
        l->n[i] = a->n;
        l->estimate[i] = a->n + a->k - 1;
    }
    if (d->conv->options.memory) return lucy_tiles_make(d);
    for (int i = 0; i < 3; i++)
        l->points[i] =
            l->estimate[i] == 1 ? 1 : argand_fft_fast_size(d->conv->device, l->estimate[i], i == 0);
    TRY(make_arrays(d));
    make_chains(d);
    TRY(make_kernel_plan(d));
    TRY(make_plan(d, false));
    return make_plan(d, true);
}

void lucy_release(argand_deconv *d)
{
    lucy *l = d->lucy;
    if (!l) return;
    argand_fft_destroy(l->there);
    argand_fft_destroy(l->back);
    argand_fft_destroy(l->kernel);
    argand_array_destroy(l->spectrum);
    argand_array_destroy(l->weights);
    lucy_tiles_release(l->tiles);
    memory_free(l);
}

/* ---- the kernel ---- */

static argand_status check_sign(const conv_taps *t)
{
    for (int64_t i = 0; i < t->count * t->channels; i++)
        CHECK(t->at[2 * i] >= 0, ARGAND_NUMERIC,
              "argand_deconv_set_kernel: element %lld of channel %lld of the kernel is %g; Richardson-Lucy "
              "needs a kernel without negative elements",
              (long long)(i % t->count), (long long)(i / t->count), t->at[2 * i]);
    return ARGAND_OK;
}

argand_status lucy_invert_weights(argand_array *weights)
{
    const bool is_double = type_is_double(weights->type);
    const int64_t count = argand_array_count(weights);
    double largest = 0;
    void *w;
    TRY(memory_take(&w, memory_product((size_t)count, argand_type_size(weights->type))));
    argand_status status = argand_array_download(weights, w);
    for (int64_t i = 0; i < count && status == ARGAND_OK; i++)
        largest = fmax(largest, is_double ? ((double *)w)[i] : ((float *)w)[i]);
    for (int64_t i = 0; i < count && status == ARGAND_OK; i++) {
        const double at = is_double ? ((double *)w)[i] : ((float *)w)[i],
                     over = at > LEAST_WEIGHT * largest ? 1 / at : 0;
        if (is_double)
            ((double *)w)[i] = over;
        else
            ((float *)w)[i] = (float)over;
    }
    if (status == ARGAND_OK) status = argand_array_upload(weights, w);
    memory_free(w);
    return status;
}

/* Computes w = H^T 1 by the adjoint of an image of ones; ones also stand in for x and 1 / w during this
 * call. */
static argand_status make_weights(argand_deconv *d)
{
    lucy *l = d->lucy;
    const argand_scalar one = {1, 0};
    argand_array *ones = NULL, *image = NULL, *w = NULL;
    argand_status status = image_array(&ones, d, l->estimate);
    if (status == ARGAND_OK) status = image_array(&image, d, l->n);
    if (status == ARGAND_OK) status = image_array(&w, d, l->estimate);
    if (status == ARGAND_OK) status = argand_array_fill(ones, one);
    if (status == ARGAND_OK) status = argand_array_fill(image, one);
    argand_fft_access access = l->back_access;
    access.store[0].array = access.store[1].array = ones;
    if (status == ARGAND_OK) status = argand_fft_apply_access(l->back, w, image, ARGAND_FORWARD, &access);
    if (status == ARGAND_OK) status = argand_array_copy(l->weights, w);
    argand_array_destroy(w);
    argand_array_destroy(image);
    argand_array_destroy(ones);
    return status == ARGAND_OK ? lucy_invert_weights(l->weights) : status;
}

argand_status lucy_kernel(argand_deconv *d, const argand_array *kernel)
{
    argand_array *taps;
    TRY(check_sign(&d->conv->taps));
    if (d->lucy->tiles) return lucy_tiles_kernel(d, kernel);
    TRY(conv_folded(&taps, d->conv, d->conv->device, d->conv->options.type));
    const lucy *l = d->lucy;
    const double points = (double)l->points[0] * (double)l->points[1] * (double)l->points[2];
    argand_status status = argand_fft_apply(l->kernel, l->spectrum, taps, ARGAND_FORWARD);
    if (status == ARGAND_OK) status = argand_array_scale(l->spectrum, (argand_scalar){1 / points, 0});
    argand_array_destroy(taps);
    return status == ARGAND_OK ? make_weights(d) : status;
}

/* ---- a call ---- */

typedef struct work {
    argand_array *y, *x, *next, *ratio;
} work;

static argand_status make_work(work *w, const argand_deconv *d)
{
    const lucy *l = d->lucy;
    TRY(image_array(&w->x, d, l->estimate));
    TRY(image_array(&w->next, d, l->estimate));
    return image_array(&w->ratio, d, l->n);
}

/* Fills x with the mean of the image. */
argand_status lucy_begin(argand_array *x, const argand_array *y, double background, double *largest)
{
    argand_scalar sum;
    bool finite;
    TRY(argand_array_is_finite(&finite, y));
    CHECK(finite, ARGAND_NUMERIC,
          "argand_deconv_apply: the image holds NaN or infinity; replace these elements first");
    TRY(argand_array_sum(&sum, y));
    TRY(argand_array_max_abs(largest, y));
    double mean = sum.re / (double)argand_array_count(y) - background;
    if (mean <= 0) mean = *largest > 0 ? *largest : 1;
    return argand_array_fill(x, (argand_scalar){mean, 0});
}

static argand_status iterate(const argand_deconv *d, work *w, double largest)
{
    const lucy *l = d->lucy;
    argand_fft_access there = l->there_access, back = l->back_access;
    const double least = 1e-7 * (largest > 0 ? largest : 1);
    there.store[0].array = w->y;
    lucy_parameters(&there.store[0], l->n, d->options.background, least);
    lucy_parameters(&back.store[0], l->estimate, d->options.total_variation, least * least);
    for (int i = 0; i < d->options.iterations; i++) {
        TRY(observe("iterations", (double)i / d->options.iterations));
        TRY(argand_fft_apply_access(l->there, w->ratio, w->x, ARGAND_FORWARD, &there));
        back.store[0].array = w->x;
        TRY(argand_fft_apply_access(l->back, w->next, w->ratio, ARGAND_FORWARD, &back));
        argand_array *const x = w->x;
        w->x = w->next;
        w->next = x;
    }
    return ARGAND_OK;
}

/* Copies the part of x that lies inside the image to out. */
argand_status lucy_store(const argand_deconv *d, argand_array *out, const argand_array *x)
{
    argand_array part = *x;
    for (int i = 0; i < rank_of(d); i++) {
        part.dims[i] = d->lucy->n[i];
        part.offset += d->conv->axis[i].high * x->strides[i];
    }
    part.count = out->count;
    return argand_array_copy(out, &part);
}

/* Copies the image into a contiguous array, because an accessor reads it. */
static argand_status take_image(work *w, const argand_deconv *d, const argand_array *in)
{
    TRY(image_array(&w->y, d, d->lucy->n));
    return argand_array_copy(w->y, in);
}

static argand_status do_image(const argand_deconv *d, argand_array *out, const argand_array *in)
{
    work w = {0};
    double largest;
    const bool together = argand_array_is_contiguous(in);
    argand_array y = *in;
    if (together) w.y = &y;
    argand_status status = together ? ARGAND_OK : take_image(&w, d, in);
    if (status == ARGAND_OK) status = make_work(&w, d);
    if (status == ARGAND_OK) status = lucy_begin(w.x, w.y, d->options.background, &largest);
    if (status == ARGAND_OK) status = iterate(d, &w, largest);
    if (status == ARGAND_OK) status = lucy_store(d, out, w.x);
    argand_array_destroy(w.ratio);
    argand_array_destroy(w.next);
    argand_array_destroy(w.x);
    if (!together) argand_array_destroy(w.y);
    return status;
}

argand_status lucy_apply(const argand_deconv *d, argand_array *out, const argand_array *in)
{
    const int rank = rank_of(d);
    for (int64_t i = 0; i < d->conv->options.batch; i++) {
        argand_array y = *in, x = *out;
        y.rank = x.rank = rank + 1;
        y.count /= d->conv->options.batch;
        x.count /= d->conv->options.batch;
        y.offset += i * in->strides[rank + 1];
        x.offset += i * out->strides[rank + 1];
        TRY(d->lucy->tiles ? lucy_tiles_image(d, &x, &y) : do_image(d, &x, &y));
    }
    return ARGAND_OK;
}
