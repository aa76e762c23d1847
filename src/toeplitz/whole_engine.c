/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of devices without host-addressable memory for one kernel without diagonal. One FFT plan
 * reads the images times coil maps, transforms to the doubled grid, multiplies by the spectrum and
 * transforms back. Windows skip zeros and unneeded points, so that an axis is doubled only while it is
 * transformed. The last axis is transformed forward and back in registers. */
#include "toeplitz/apply.h"

#include "array/array.h"
#include "fft/plan/waiting.h"

/* Chooses the number of vectors at a time: equal shares whose doubled grids fit into an eighth of the
 * memory. */
static argand_status choose_share(toeplitz_apply *a)
{
    const argand_toeplitz *t = a->t;
    const int64_t grid = t->grid[0] * t->grid[1] * t->grid[2] * (int64_t)argand_type_size(t->type),
                  fit = (int64_t)(device_traits_of(t->device)->memory / 8) / grid, most = fit < 1 ? 1 : fit,
                  shares = (a->vectors + most - 1) / most;
    a->vectors_at_once = (a->vectors + shares - 1) / shares;
    return ARGAND_OK;
}

argand_status toeplitz_images(argand_array **view, const toeplitz_apply *a, const argand_array *images,
                              int64_t first, int64_t vectors)
{
    const argand_toeplitz *t = a->t;
    int64_t dims[4] = {t->n[0], t->n[1], t->n[2]}, strides[4] = {1, t->n[0], t->n[0] * t->n[1]};
    dims[t->rank] = vectors;
    strides[t->rank] = t->pixels;
    return argand_array_view(view, images, t->rank + 1, dims, strides, first * t->pixels);
}

static argand_status make_plan(argand_fft **plan, const toeplitz_apply *a, int64_t vectors)
{
    const argand_toeplitz *t = a->t;
    argand_array *spectrum = NULL, *maps = NULL;
    argand_fft_options f = {.type = t->type, .rank = t->rank, .batch = vectors};
    argand_status status;
    for (int d = 0; d < t->rank; d++) {
        f.n[d] = t->grid[d];
        f.input.window[d] = f.output.window[d] = (argand_window){.count = t->n[d]};
    }
    TRY_OR_DONE(argand_array_reshape(&spectrum, t->spectrum, t->rank, t->grid));
    f.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = spectrum};
    if (a->maps) {
        TRY_OR_DONE(toeplitz_images(&maps, a, a->maps, 0, vectors));
        f.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps};
    }
    status = fft_create_waiting(plan, t->device, &f);
done:
    argand_array_destroy(maps);
    argand_array_destroy(spectrum);
    return status;
}

argand_status whole_engine_open(toeplitz_apply *a)
{
    TRY(choose_share(a));
    TRY(make_plan(&a->whole, a, a->vectors_at_once));
    const int64_t left = a->vectors % a->vectors_at_once;
    return left ? make_plan(&a->rest, a, left) : ARGAND_OK;
}

/* Convolves the image times each map into `work`. */
static argand_status convolve_under_maps(const toeplitz_apply *a, const argand_fft *plan, argand_array *work,
                                         const argand_array *in, int64_t first, int64_t vectors)
{
    const argand_toeplitz *t = a->t;
    argand_array *image = NULL, *images = NULL, *maps = NULL, *spectrum = NULL;
    argand_fft_access access = {.load = {{.kind = ARGAND_ACCESS_MULTIPLY}},
                                .spectrum = {{.kind = ARGAND_ACCESS_MULTIPLY}}};
    argand_status status;
    TRY_OR_DONE(toeplitz_images(&image, a, in, 0, 1));
    TRY_OR_DONE(toeplitz_images(&images, a, work, 0, vectors));
    TRY_OR_DONE(toeplitz_images(&maps, a, a->maps, first, vectors));
    TRY_OR_DONE(argand_array_reshape(&spectrum, t->spectrum, t->rank, t->grid));
    access.load[0].array = maps;
    access.spectrum[0].array = spectrum;
    status = argand_fft_apply_access(plan, images, image, ARGAND_FORWARD, &access);
done:
    argand_array_destroy(spectrum);
    argand_array_destroy(maps);
    argand_array_destroy(images);
    argand_array_destroy(image);
    return status;
}

static argand_status run_under_maps(const toeplitz_apply *a, const argand_fft *plan, argand_array *out,
                                    const argand_array *in, int64_t first, int64_t vectors)
{
    const int64_t count = a->t->pixels * vectors;
    toeplitz_batch b = {.vector = first, .vectors = vectors, .kernels = 1};
    TRY(array_scratch(&b.work, a->t->device, a->t->type, 1, &count));
    argand_status status = convolve_under_maps(a, plan, b.work, in, first, vectors);
    if (status == ARGAND_OK) status = toeplitz_store(a, &b, out, first > 0);
    argand_array_destroy(b.work);
    return status;
}

static argand_status run_plain(const toeplitz_apply *a, const argand_fft *plan, argand_array *out,
                               const argand_array *in, int64_t first, int64_t vectors)
{
    argand_array *from = NULL, *to = NULL;
    argand_status status;
    TRY_OR_DONE(toeplitz_images(&from, a, in, first, vectors));
    TRY_OR_DONE(toeplitz_images(&to, a, out, first, vectors));
    status = argand_fft_apply(plan, to, from, ARGAND_FORWARD);
done:
    argand_array_destroy(to);
    argand_array_destroy(from);
    return status;
}

argand_status whole_engine_run(const toeplitz_apply *a, argand_array *out, const argand_array *in)
{
    for (int64_t first = 0; first < a->vectors; first += a->vectors_at_once) {
        const int64_t left = a->vectors - first;
        const bool is_rest = left < a->vectors_at_once;
        const int64_t vectors = is_rest ? left : a->vectors_at_once;
        const argand_fft *plan = is_rest ? a->rest : a->whole;
        TRY(a->maps ? run_under_maps(a, plan, out, in, first, vectors)
                    : run_plain(a, plan, out, in, first, vectors));
    }
    return ARGAND_OK;
}
