/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of all devices. A batch of vectors and parities of kernels takes a load (padding, coil map,
 * diagonal and circular shift in one launch), an FFT, a product with the spectrum, an inverse FFT and a
 * store (the conjugate of the load, summed over the batch). */
#include "toeplitz/apply.h"

#include <stdio.h>
#include <string.h>
#include "array/array.h"
#include "fft/plan/waiting.h"
#include "kernels/params.h"

/* Elements of a work group. On GPUs each work item has one element, so that there are enough groups. */
enum { CHUNK = 1024, GPU_CHUNK = 256 };
/* Memory of a batch. On the host a batch fits the caches; on other devices a large batch needs few launches.
 */
static const int64_t HOST_BYTES = 1 << 20, DEVICE_BYTES = 256 << 20;

static int64_t points(const argand_toeplitz *t)
{
    return t->half[0] * t->half[1] * t->half[2];
}

static argand_status make_fft(argand_fft **plan, const toeplitz_apply *a, int64_t batch)
{
    argand_fft_options options = {.type = a->t->type, .rank = a->t->rank, .batch = batch};
    for (int d = 0; d < a->t->rank; d++) options.n[d] = a->t->half[d];
    return fft_create_waiting(plan, a->t->device, &options);
}

static int64_t at_most(int64_t value, int64_t most)
{
    return value < 1 ? 1 : value < most ? value : most;
}

argand_status device_engine_open(toeplitz_apply *a)
{
    const int64_t kernels = (int64_t)a->t->parities * a->t->kernels;
    const int64_t fit = (device_is_host(a->t->device) ? HOST_BYTES : DEVICE_BYTES) /
                        (points(a->t) * (int64_t)argand_type_size(a->t->type));
    a->vectors_at_once = at_most(fit, a->vectors);
    a->kernels_at_once = a->vectors_at_once < a->vectors ? 1 : at_most(fit / a->vectors, kernels);
    const int64_t vectors_left = a->vectors % a->vectors_at_once, kernels_left = kernels % a->kernels_at_once;
    TRY(make_fft(&a->whole, a, a->vectors_at_once * a->kernels_at_once));
    if (vectors_left) return make_fft(&a->rest, a, vectors_left);
    if (kernels_left) return make_fft(&a->rest, a, a->vectors * kernels_left);
    return ARGAND_OK;
}

void device_engine_close(toeplitz_apply *a)
{
    argand_fft_destroy(a->rest);
    argand_fft_destroy(a->whole);
}

/* The parameters of both kernels, but for the cut into chunks. */
static struct toeplitz_params params_of(const toeplitz_apply *a, const toeplitz_batch *b,
                                        const argand_array *image)
{
    const argand_toeplitz *t = a->t;
    struct toeplitz_params params = {.pixels = t->pixels,
                                     .points = points(t),
                                     .vectors = b->vectors,
                                     .kernels = b->kernels,
                                     .first_kernel = b->kernel,
                                     .work = 2 * b->work->offset,
                                     .twiddles = 2 * t->phases->offset,
                                     .parities = t->parities,
                                     .has_maps = a->maps != NULL,
                                     .has_space = t->space != NULL};
    for (int d = 0; d < 3; d++) {
        params.n[d] = t->n[d];
        params.m[d] = t->half[d];
        params.bits[d] = t->bits[d];
    }
    params.image = 2 * (image->offset + (a->maps ? 0 : b->vector * t->pixels));
    if (a->maps) params.maps = 2 * (a->maps->offset + b->vector * t->pixels);
    if (t->space) params.space = 2 * t->space->offset;
    return params;
}

/* Starts a kernel that writes `count` elements `times` times, from one memory to another. */
static argand_status start(const toeplitz_apply *a, const char *kernel, struct toeplitz_params *params,
                           int64_t count, int64_t times, storage *to, storage *from)
{
    const argand_toeplitz *t = a->t;
    char key[64];
    params->chunk = storage_address(to) ? CHUNK : GPU_CHUNK;
    params->chunks = (count + params->chunk - 1) / params->chunk;
    storage *const memory[5] = {to, from, t->phases->storage, (a->maps ? a->maps : t->phases)->storage,
                                (t->space ? t->space : t->phases)->storage};
    snprintf(key, sizeof key, "%s REAL=%s", kernel, toeplitz_is_double(t) ? "double" : "float");
    const kernel_run launch = {.key = key,
                               .groups = params->chunks * times,
                               .memory = memory,
                               .memory_count = 5,
                               .params = params,
                               .params_bytes = sizeof *params};
    return kernel_start(t->device, &launch);
}

/* Loads images into the work memory of a batch, once for each kernel. */
static argand_status load(const toeplitz_apply *a, const toeplitz_batch *b, const argand_array *image)
{
    struct toeplitz_params params = params_of(a, b, image);
    return start(a, "toeplitz_load", &params, points(a->t), b->kernels, b->work->storage, image->storage);
}

argand_status toeplitz_store(const toeplitz_apply *a, const toeplitz_batch *b, const argand_array *image,
                             bool add)
{
    struct toeplitz_params params = params_of(a, b, image);
    params.add = add;
    return start(a, "toeplitz_store", &params, a->t->pixels, 1, image->storage, b->work->storage);
}

/* Multiplies the work memory by the spectrum, which is the same for all vectors. */
static argand_status multiply(const toeplitz_apply *a, const toeplitz_batch *b)
{
    const int64_t size = points(a->t), dims[3] = {size, b->vectors, b->kernels}, strides[3] = {1, 0, size};
    argand_array *spectrum = NULL, *work = NULL;
    argand_status status;
    TRY_OR_DONE(argand_array_view(&spectrum, a->t->spectrum, 3, dims, strides, b->kernel * size));
    TRY_OR_DONE(argand_array_reshape(&work, b->work, 3, dims));
    status = argand_array_multiply(work, spectrum, work, ARGAND_PRODUCT);
done:
    argand_array_destroy(work);
    argand_array_destroy(spectrum);
    return status;
}

/* Transforms a batch, viewed as {half..., batch} with the rank of the FFT plan. */
static argand_status transform(const toeplitz_apply *a, const toeplitz_batch *b, argand_direction direction)
{
    const bool whole = b->vectors == a->vectors_at_once && b->kernels == a->kernels_at_once;
    int64_t dims[4];
    argand_array *work;
    for (int d = 0; d < a->t->rank; d++) dims[d] = a->t->half[d];
    dims[a->t->rank] = b->vectors * b->kernels;
    TRY(argand_array_reshape(&work, b->work, a->t->rank + 1, dims));
    const argand_status status = argand_fft_apply(whole ? a->whole : a->rest, work, work, direction);
    argand_array_destroy(work);
    return status;
}

static argand_status run_batch(const toeplitz_apply *a, toeplitz_batch *b, argand_array *out,
                               const argand_array *in)
{
    const int64_t count = points(a->t) * b->vectors * b->kernels;
    argand_status status;
    TRY(array_scratch(&b->work, a->t->device, a->t->type, 1, &count));
    TRY_OR_DONE(load(a, b, in));
    TRY_OR_DONE(transform(a, b, ARGAND_FORWARD));
    TRY_OR_DONE(multiply(a, b));
    TRY_OR_DONE(transform(a, b, ARGAND_INVERSE));
    status = toeplitz_store(a, b, out, b->kernel > 0 || (a->maps && b->vector > 0));
done:
    argand_array_destroy(b->work);
    return status;
}

argand_status device_engine_run(const toeplitz_apply *a, argand_array *out, const argand_array *in)
{
    const int64_t kernels = (int64_t)a->t->parities * a->t->kernels;
    for (int64_t v = 0; v < a->vectors; v += a->vectors_at_once)
        for (int64_t k = 0; k < kernels; k += a->kernels_at_once) {
            toeplitz_batch b = {.vector = v,
                                .vectors = at_most(a->vectors_at_once, a->vectors - v),
                                .kernel = k,
                                .kernels = at_most(a->kernels_at_once, kernels - k)};
            TRY(run_batch(a, &b, out, in));
        }
    return ARGAND_OK;
}
