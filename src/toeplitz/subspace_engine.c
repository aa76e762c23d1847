/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of all devices for kernels with factors: K images share samples. A batch of vectors (coils) is
 * transformed to the doubled grid, image by image, with coil maps at the load. One kernel multiplies the K
 * values of each point by a Hermitian matrix of K x K elements, and all are transformed back. */
#include "toeplitz/apply.h"

#include <stdio.h>
#include "array/array.h"
#include "fft/plan/waiting.h"
#include "kernels/params.h"

enum { CHUNK = 1024, GPU_CHUNK = 256 };
static const int64_t HOST_BYTES = 32 << 20; /* of a batch: few vectors, so that it stays near the cache */

/* The spectra of a batch, {grid..., vectors, images}, twice if images cannot be replaced in place; and its
 * images {n..., vectors, images}. */
typedef struct batch {
    int64_t first, vectors;
    bool is_rest;
    argand_array *spectra, *images;
} batch;

static int64_t points_of(const argand_toeplitz *t)
{
    return t->grid[0] * t->grid[1] * t->grid[2];
}

static int copies_of(const argand_toeplitz *t)
{
    return t->images > MIX_ROWS ? 2 : 1;
}

static void choose_share(toeplitz_apply *a)
{
    const argand_toeplitz *t = a->t;
    const int64_t bytes = points_of(t) * t->images * copies_of(t) * (int64_t)argand_type_size(t->type),
                  limit = device_is_host(t->device) ? HOST_BYTES
                                                    : (int64_t)(device_traits_of(t->device)->memory / 8),
                  most = limit / bytes < 1 ? 1 : limit / bytes, shares = (a->vectors + most - 1) / most;
    a->vectors_at_once = (a->vectors + shares - 1) / shares;
}

/* Makes the forward plan of one image for some vectors. Without maps each vector has images of its own. */
static argand_status make_forward(argand_fft **plan, const toeplitz_apply *a, int64_t vectors)
{
    const argand_toeplitz *t = a->t;
    argand_array *maps = NULL;
    argand_fft_options f = {.type = t->type, .rank = t->rank, .batch = vectors};
    for (int d = 0; d < t->rank; d++) {
        f.n[d] = t->grid[d];
        f.input.window[d] = (argand_window){.count = t->n[d]};
    }
    if (a->maps) {
        TRY(toeplitz_images(&maps, a, a->maps, 0, vectors));
        f.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps};
    }
    const argand_status status = fft_create_waiting(plan, t->device, &f);
    argand_array_destroy(maps);
    return status;
}

static argand_status make_inverse(argand_fft **plan, const toeplitz_apply *a, int64_t vectors)
{
    const argand_toeplitz *t = a->t;
    argand_fft_options f = {.type = t->type, .rank = t->rank, .batch = vectors * t->images};
    for (int d = 0; d < t->rank; d++) {
        f.n[d] = t->grid[d];
        f.output.window[d] = (argand_window){.count = t->n[d]};
    }
    return fft_create_waiting(plan, t->device, &f);
}

argand_status subspace_engine_open(toeplitz_apply *a)
{
    choose_share(a);
    const int64_t left = a->vectors % a->vectors_at_once;
    TRY(make_forward(&a->whole, a, a->vectors_at_once));
    TRY(make_inverse(&a->inverse, a, a->vectors_at_once));
    if (!left) return ARGAND_OK;
    TRY(make_forward(&a->rest, a, left));
    return make_inverse(&a->inverse_rest, a, left);
}

void subspace_engine_close(toeplitz_apply *a)
{
    argand_fft_destroy(a->inverse_rest);
    argand_fft_destroy(a->inverse);
}

/* Makes a view {grid..., count} of consecutive spectra. */
static argand_status view_spectra(argand_array **view, const toeplitz_apply *a, const batch *b, int64_t first,
                                  int64_t count)
{
    const argand_toeplitz *t = a->t;
    int64_t dims[4] = {t->grid[0], t->grid[1], t->grid[2]},
            strides[4] = {1, t->grid[0], t->grid[0] * t->grid[1]};
    dims[t->rank] = count;
    strides[t->rank] = points_of(t);
    return argand_array_view(view, b->spectra, t->rank + 1, dims, strides, first * points_of(t));
}

/* Makes a view of image k for the vectors of the batch: one image for all of them if there are maps. */
static argand_status view_input(argand_array **view, const toeplitz_apply *a, const batch *b,
                                const argand_array *in, int k)
{
    const argand_toeplitz *t = a->t;
    int64_t dims[4] = {t->n[0], t->n[1], t->n[2]}, strides[4] = {1, t->n[0], t->n[0] * t->n[1]};
    if (a->maps) return toeplitz_images(view, a, in, k, 1);
    dims[t->rank] = b->vectors;
    strides[t->rank] = t->pixels * t->images;
    return argand_array_view(view, in, t->rank + 1, dims, strides, (b->first * t->images + k) * t->pixels);
}

/* Transforms image k, times the maps of the batch. */
static argand_status forward(const toeplitz_apply *a, const batch *b, const argand_array *in, int k)
{
    argand_array *image = NULL, *spectra = NULL, *maps = NULL;
    argand_fft_access access = {.load = {{.kind = ARGAND_ACCESS_MULTIPLY}}};
    const argand_fft *plan = b->is_rest ? a->rest : a->whole;
    argand_status status;
    TRY_OR_DONE(view_input(&image, a, b, in, k));
    TRY_OR_DONE(view_spectra(&spectra, a, b, k * b->vectors, b->vectors));
    if (a->maps) {
        TRY_OR_DONE(toeplitz_images(&maps, a, a->maps, b->first, b->vectors));
        access.load[0].array = maps;
        status = argand_fft_apply_access(plan, spectra, image, ARGAND_FORWARD, &access);
    } else {
        status = argand_fft_apply(plan, spectra, image, ARGAND_FORWARD);
    }
done:
    argand_array_destroy(maps);
    argand_array_destroy(spectra);
    argand_array_destroy(image);
    return status;
}

/* Returns the number of the first spectrum that mix() writes. */
static int64_t mixed_at(const toeplitz_apply *a, const batch *b)
{
    return (copies_of(a->t) - 1) * a->t->images * b->vectors;
}

/* Multiplies the spectra of all images by the matrix of each point. */
static argand_status mix(const toeplitz_apply *a, const batch *b)
{
    const argand_toeplitz *t = a->t;
    const int64_t points = points_of(t);
    const bool on_host = storage_address(b->spectra->storage);
    const int64_t chunk = on_host ? CHUNK : GPU_CHUNK, chunks = (points + chunk - 1) / chunk,
                  together = on_host ? 1 : MIX_TOGETHER_ON_GPU,
                  parts = (b->vectors + together - 1) / together;
    const struct toeplitz_mix_params params = {.points = points,
                                               .vectors = b->vectors,
                                               .chunk = chunk,
                                               .chunks = chunks,
                                               .out = 2 * (b->spectra->offset + mixed_at(a, b) * points),
                                               .in = 2 * b->spectra->offset,
                                               .kernels = t->spectrum->offset,
                                               .images = t->images,
                                               .is_complex = t->is_complex};
    storage *const memory[2] = {b->spectra->storage, t->spectrum->storage};
    char key[64];
    snprintf(key, sizeof key, "toeplitz_mix REAL=%s", toeplitz_is_double(t) ? "double" : "float");
    const kernel_run launch = {.key = key,
                               .groups = chunks * parts,
                               .memory = memory,
                               .memory_count = 2,
                               .params = &params,
                               .params_bytes = sizeof params};
    return kernel_start(t->device, &launch);
}

static argand_status inverse(const toeplitz_apply *a, const batch *b)
{
    const int64_t count = b->vectors * a->t->images;
    argand_array *images = NULL, *spectra = NULL;
    argand_status status;
    TRY_OR_DONE(view_spectra(&spectra, a, b, mixed_at(a, b), count));
    TRY_OR_DONE(toeplitz_images(&images, a, b->images, 0, count));
    status = argand_fft_apply(b->is_rest ? a->inverse_rest : a->inverse, images, spectra, ARGAND_INVERSE);
done:
    argand_array_destroy(spectra);
    argand_array_destroy(images);
    return status;
}

/* Sums image k of all vectors, times conjugate maps, into image k of `out`. */
static argand_status store_under_maps(const toeplitz_apply *a, const batch *b, argand_array *out, int k)
{
    const int64_t count = a->t->pixels * b->vectors;
    toeplitz_batch one = {.vector = b->first, .vectors = b->vectors, .kernels = 1};
    argand_array *image = NULL;
    argand_status status;
    TRY_OR_DONE(toeplitz_images(&image, a, out, k, 1));
    TRY_OR_DONE(argand_array_view(&one.work, b->images, 1, &count, NULL, k * count));
    status = toeplitz_store(a, &one, image, b->first > 0);
done:
    argand_array_destroy(one.work);
    argand_array_destroy(image);
    return status;
}

/* Copies image k of all vectors to `out`. */
static argand_status store_plain(const toeplitz_apply *a, const batch *b, argand_array *out, int k)
{
    argand_array *from = NULL, *to = NULL;
    argand_status status;
    TRY_OR_DONE(toeplitz_images(&from, a, b->images, k * b->vectors, b->vectors));
    TRY_OR_DONE(view_input(&to, a, b, out, k));
    status = argand_array_copy(to, from);
done:
    argand_array_destroy(to);
    argand_array_destroy(from);
    return status;
}

static argand_status run_batch(const toeplitz_apply *a, batch *b, argand_array *out, const argand_array *in)
{
    const argand_toeplitz *t = a->t;
    const int64_t spectra = points_of(t) * b->vectors * t->images * copies_of(t),
                  images = t->pixels * b->vectors * t->images;
    argand_status status;
    TRY_OR_DONE(array_scratch(&b->spectra, t->device, t->type, 1, &spectra));
    TRY_OR_DONE(array_scratch(&b->images, t->device, t->type, 1, &images));
    for (int k = 0; k < t->images; k++) TRY_OR_DONE(forward(a, b, in, k));
    TRY_OR_DONE(mix(a, b));
    status = inverse(a, b);
    for (int k = 0; k < t->images && !status; k++)
        status = a->maps ? store_under_maps(a, b, out, k) : store_plain(a, b, out, k);
done:
    argand_array_destroy(b->images);
    argand_array_destroy(b->spectra);
    return status;
}

argand_status subspace_engine_run(const toeplitz_apply *a, argand_array *out, const argand_array *in)
{
    for (int64_t first = 0; first < a->vectors; first += a->vectors_at_once) {
        const int64_t left = a->vectors - first;
        const bool is_rest = left < a->vectors_at_once;
        batch b = {.first = first, .vectors = is_rest ? left : a->vectors_at_once, .is_rest = is_rest};
        TRY(run_batch(a, &b, out, in));
    }
    return ARGAND_OK;
}
