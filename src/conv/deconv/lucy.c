/* SPDX-License-Identifier: BSD-3-Clause */
/* Richardson-Lucy deconvolution. An iteration is two calls of the FFT engine: forward, x to y / (H x +
 * background), and adjoint, to the next x. The divisions and products run in the store of the transforms,
 * so that forward are no other passes. The estimate x has n + k - 1 elements along each axis and begins at
 * element -high of the image. Both plans share the kernel spectrum; the adjoint conjugates it. The scale
 * of the transforms is part of the spectrum, because a plan's own scale would act after the functions at
 * the store. Buffers: x, the next x, the ratio, 1 / w. */
#include "conv/deconv/lucy.h"

#include "base/memory.h"
#include "base/observe.h"
#include "fft/plan/waiting.h"

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

/* Makes the forward plan, from x to y, or the adjoint plan, from y to x. */
static argand_status make_plan(argand_deconv *d, bool is_adjoint)
{
    lucy *l = d->lucy;
    argand_fft_options f = common(d, d->conv->options.channels);
    for (int i = 0; i < f.rank; i++) {
        const argand_window image = {.count = l->n[i]},
                            estimate = {.count = l->estimate[i], .first = -d->conv->axis[i].high};
        f.input.window[i] = is_adjoint ? image : estimate;
        f.output.window[i] = is_adjoint ? estimate : image;
    }
    f.access = is_adjoint ? l->adjoint_access : l->forward_access;
    return fft_create_waiting(is_adjoint ? &l->adjoint : &l->forward, d->conv->device, &f);
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
    TRY(lucy_array_of(&l->spectrum, d, d->conv->device, type_is_double(o->type) ? ARGAND_C64 : ARGAND_C32,
                      half, o->kernel_channels, false));
    return lucy_array(&l->weights, d, d->conv->device, l->estimate, false);
}

static void make_chains(argand_deconv *d)
{
    lucy *l = d->lucy;
    const bool is_double = type_is_double(d->conv->options.type);
    argand_accessor *forward = l->forward_access.store, *adjoint = l->adjoint_access.store;
    const argand_accessor product = {.kind = ARGAND_ACCESS_MULTIPLY, .array = l->spectrum};
    l->forward_access.spectrum[0] = l->adjoint_access.spectrum[0] = product;
    l->adjoint_access.spectrum[0].conjugate = true;
    forward[0] = lucy_ratio(rank_of(d), is_double, l->texts[0]);
    lucy_parameters(&forward[0], l->n, 0, 0);
    adjoint[0] = lucy_update(rank_of(d), is_double, l->texts[1]);
    lucy_parameters(&adjoint[0], l->estimate, 0, 0);
    adjoint[1] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = l->weights};
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
    argand_fft_destroy(l->forward);
    argand_fft_destroy(l->adjoint);
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
    argand_fft_access access = l->adjoint_access;
    access.store[0].array = access.store[1].array = ones;
    if (status == ARGAND_OK) status = argand_fft_apply_access(l->adjoint, w, image, ARGAND_FORWARD, &access);
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

static argand_status iterate(const argand_deconv *d, work *w, double largest)
{
    const lucy *l = d->lucy;
    argand_fft_access forward = l->forward_access, adjoint = l->adjoint_access;
    const double least = 1e-7 * (largest > 0 ? largest : 1);
    forward.store[0].array = w->y;
    lucy_parameters(&forward.store[0], l->n, d->options.background, least);
    lucy_parameters(&adjoint.store[0], l->estimate, d->options.total_variation, least * least);
    for (int i = 0; i < d->options.iterations; i++) {
        TRY(observe("iterations", (double)i / d->options.iterations));
        TRY(argand_fft_apply_access(l->forward, w->ratio, w->x, ARGAND_FORWARD, &forward));
        adjoint.store[0].array = w->x;
        TRY(argand_fft_apply_access(l->adjoint, w->next, w->ratio, ARGAND_FORWARD, &adjoint));
        argand_array *const x = w->x;
        w->x = w->next;
        w->next = x;
    }
    return ARGAND_OK;
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
