/* SPDX-License-Identifier: BSD-3-Clause */
/* Both directions, some vectors at a time. */
#include "nufft/gpu/gpu.h"

/* A call's arrays, or copies of them: the image or grid contiguous, the samples of all vectors at a
 * constant distance. */
typedef struct gpu_call {
    nufft_gpu *g;
    const transform *t;
    bool is_centred;
    argand_array *gridded, *samples;
    int64_t vectors, vector_stride; /* of samples, in elements */
} gpu_call;

/* Returns the distance of neighbouring vectors, which are the dimensions from 1 on; 0 where it varies */
static int64_t constant_stride(const argand_array *samples)
{
    int64_t stride = 0, count = 1;
    for (int d = 1; d < samples->rank; d++) {
        if (samples->dims[d] == 1) continue;
        if (count == 1) stride = samples->strides[d];
        if (samples->strides[d] != stride * count) return 0;
        count *= samples->dims[d];
    }
    return count == 1 ? samples->dims[0] : stride;
}

static argand_status take(argand_array **to, const argand_array *array, bool as_it_is, bool is_input)
{
    if (as_it_is) return argand_array_view(to, array, array->rank, array->dims, array->strides, 0);
    TRY(array_scratch(to, argand_array_device(array), array->type, array->rank, array->dims));
    return is_input ? argand_array_copy(*to, array) : ARGAND_OK;
}

/* The pixels of `count` vectors in one line: the image's own memory, where it has the transform's order, or
 * memory for them. */
static argand_status pixels_of(const gpu_call *c, argand_array **image, int64_t first, int count)
{
    const int64_t pixels = c->g->pixels * count, stride = 1;
    if (c->is_centred) return argand_array_view(image, c->gridded, 1, &pixels, &stride, first * c->g->pixels);
    return array_scratch(image, c->g->device, c->gridded->type, 1, &pixels);
}

static argand_status to_grid(const gpu_call *c, const argand_fft *plan, argand_array *grid, int64_t first,
                             int count)
{
    nufft_gpu *g = c->g;
    argand_array *image = NULL;
    if (c->t->window_alone)
        return gpu_move_grid(g, grid, c->gridded, first * g->cells, count, c->is_centred, false);
    argand_status status = pixels_of(c, &image, first, count);
    if (!status && !c->is_centred)
        status = gpu_move_image(g, image, c->gridded, first * g->pixels, count, false);
    if (!status) status = argand_fft_apply(plan, grid, image, ARGAND_FORWARD);
    argand_array_destroy(image);
    return status;
}

static argand_status from_grid(const gpu_call *c, const argand_fft *plan, argand_array *grid, int64_t first,
                               int count)
{
    nufft_gpu *g = c->g;
    argand_array *image = NULL;
    if (c->t->window_alone)
        return gpu_move_grid(g, grid, c->gridded, first * g->cells, count, c->is_centred, true);
    argand_status status = pixels_of(c, &image, first, count);
    if (!status) status = argand_fft_apply(plan, image, grid, ARGAND_INVERSE);
    if (!status && !c->is_centred)
        status = gpu_move_image(g, image, c->gridded, first * g->pixels, count, true);
    argand_array_destroy(image);
    return status;
}

/* Has the window's kernels compiled while those of the FFT are, at the first call with so many vectors. */
static void want_kernels(const gpu_call *c, int vectors)
{
    const unsigned bit = 1u << (vectors - 1);
    if (atomic_fetch_or(&c->g->wanted[c->t->adjoint], bit) & bit) return;
    if (c->t->adjoint)
        gpu_want_spread(c->g, vectors);
    else
        gpu_want_interpolate(c->g, vectors);
}

/* Some rounds of `count` vectors each */
static argand_status run_rounds(const gpu_call *c, int64_t first, int count, int rounds)
{
    nufft_gpu *g = c->g;
    const int all = count * rounds;
    const int64_t cells = g->cells * all;
    const gpu_samples samples = {.array = c->samples,
                                 .offset = first * c->vector_stride,
                                 .vector_stride = c->vector_stride,
                                 .vectors = count,
                                 .rounds = rounds};
    argand_array *grid = NULL;
    storage *scales = NULL;
    gpu_transforms transforms = {NULL};
    argand_status status;
    want_kernels(c, count);
    if (!c->t->window_alone) TRY(gpu_transforms_for(&transforms, g, count, rounds));
    TRY(array_scratch(&grid, g->device, c->samples->type, 1, &cells));
    if (c->t->adjoint) {
        TRY_OR_DONE(gpu_spread(g, grid, &samples));
        TRY_OR_DONE(gpu_add_margins(g, grid, count, rounds));
        status = from_grid(c, transforms.to_image, grid, first, all);
    } else {
        TRY_OR_DONE(to_grid(c, transforms.to_grid, grid, first, all));
        TRY_OR_DONE(gpu_fill_margins(g, grid, count, rounds));
        if (!c->t->window_alone && gpu_interpolates_by_tensor(g, count))
            TRY_OR_DONE(gpu_scales_of_image(&scales, g, c->gridded, first * g->pixels, count, rounds));
        status = gpu_interpolate(g, &samples, grid, scales);
    }
done:
    storage_release(scales);
    argand_array_destroy(grid);
    return status;
}

static int64_t share(int64_t all, int64_t most)
{
    const int64_t shares = (all + most - 1) / most;
    return (all + shares - 1) / shares;
}

/* Equal shares of at most `batch`, each of equal rounds; where memory is too little for them, smaller ones.
 * A cell holds all vectors of a round, so that the window alone takes one at a time. */
static argand_status run_all(const gpu_call *c)
{
    for (int64_t first = 0; first < c->vectors;) {
        const int most = c->g->batch, lanes = most < GPU_VECTORS ? most : GPU_VECTORS;
        const int64_t left = c->vectors - first, count = share(left, lanes),
                      rounds = c->t->window_alone ? 1 : share(left / count, most / lanes);
        const argand_status status = run_rounds(c, first, (int)count, (int)rounds);
        if (status == ARGAND_MEMORY && rounds * count > 1) {
            c->g->batch = (int)(rounds > 1 ? rounds / 2 * lanes : count / 2);
            continue;
        }
        TRY(status);
        first += rounds * count;
    }
    return ARGAND_OK;
}

/* Starts the launches of one vector's call as one where the host takes as long for them as the device for
 * the call. Longer calls overlap when they are launched one by one. */
static argand_status run_joined(const gpu_call *c)
{
    enum { MOST_BYTES = 16 << 20 };
    int wanted = 1;
    nufft_tuning_value("joined", &wanted);
    if (!wanted || c->vectors > 1 || c->g->cells * (c->g->is_double ? 16 : 8) > MOST_BYTES) return run_all(c);
    TRY(kernels_collect(c->g->device));
    return kernels_start_collected(c->g->graph[c->t->adjoint], run_all(c));
}

argand_status gpu_run(const argand_nufft *plan, const transform *t, argand_array *out, const argand_array *in)
{
    gpu_call c = {.g = plan->gpu, .t = t, .is_centred = plan->options.order == ARGAND_NUFFT_CENTRED};
    const argand_array *gridded = t->adjoint ? out : in, *samples = t->adjoint ? in : out;
    const bool whole = argand_array_is_contiguous(gridded);
    const int64_t stride = constant_stride(samples);
    argand_status status;
    TRY_OR_DONE(take(&c.gridded, gridded, whole, !t->adjoint));
    TRY_OR_DONE(take(&c.samples, samples, stride != 0, t->adjoint));
    c.vector_stride = stride ? stride : c.g->count;
    c.vectors = argand_array_count(samples) / c.g->count;
    TRY_OR_DONE(run_joined(&c));
    if (t->adjoint && !whole) status = argand_array_copy(out, c.gridded);
    if (!t->adjoint && !stride) status = argand_array_copy(out, c.samples);
done:
    argand_array_destroy(c.samples);
    argand_array_destroy(c.gridded);
    return status;
}

static argand_status blur_complex(nufft_gpu *g, argand_array *result, const argand_array *samples)
{
    argand_array *grid;
    const gpu_samples in = {.array = samples, .vectors = 1, .rounds = 1},
                      out = {.array = result, .vectors = 1, .rounds = 1};
    TRY(array_scratch(&grid, g->device, samples->type, 1, &g->cells));
    argand_status status = gpu_spread(g, grid, &in);
    if (status == ARGAND_OK) status = gpu_interpolate(g, &out, grid, NULL);
    argand_array_destroy(grid);
    return status;
}

argand_status gpu_blur(const argand_nufft *plan, argand_array *result, const argand_array *samples)
{
    argand_array *number;
    if (type_is_complex(samples->type)) return blur_complex(plan->gpu, result, samples);
    TRY(array_scratch(&number, plan->device, plan->options.type, 1, &plan->gpu->count));
    argand_status status = argand_array_copy(number, samples);
    if (status == ARGAND_OK) status = blur_complex(plan->gpu, number, number);
    if (status == ARGAND_OK) status = argand_array_real(result, number);
    argand_array_destroy(number);
    return status;
}
