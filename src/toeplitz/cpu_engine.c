/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of host devices. Pairs of vector and kernel are grouped so that they fill a cell of 64 bytes;
 * each group goes through the passes. */
#include "toeplitz/apply.h"
#include "toeplitz/passes.h"

#include "array/array.h"
#include "base/threads/worth.h"

static const double MOST_BYTES = 1 << 30; /* limit of a grid for several vectors */

static int many(const argand_toeplitz *t)
{
    return CELL_BYTES / (int)argand_type_size(t->type);
}

/* Returns the stride of rows in cells: an odd number of whole cache lines, so that columns use all sets of
 * the cache. */
static int64_t row_cells(const argand_toeplitz *t, int lanes)
{
    const int64_t cells = many(t) / lanes;
    return (((t->grid[0] + cells - 1) / cells) | 1) * cells;
}

static int64_t plane_cells(const argand_toeplitz *t, int lanes)
{
    const int64_t cells = many(t) / lanes, rows = t->rank > 2 ? t->grid[1] : t->n[1];
    return ((row_cells(t, lanes) / cells * rows) | 1) * cells;
}

static size_t grid_bytes(const argand_toeplitz *t, int lanes)
{
    return (size_t)(plane_cells(t, lanes) * t->n[2] * lanes) * argand_type_size(t->type);
}

/* Returns the bytes of a line or a bundle and its work memory. */
static size_t scratch_bytes(const toeplitz_apply *a)
{
    size_t most = 0;
    for (int axis = 0; axis < a->t->rank; axis++)
        for (int mode = 0; mode < 2; mode++) {
            const size_t bytes =
                (size_t)a->t->grid[axis] * CELL_BYTES + fft_bundle_work_bytes(a->lines[mode][axis]);
            if (bytes > most) most = bytes;
        }
    return most;
}

argand_status cpu_engine_open(toeplitz_apply *a)
{
    const argand_toeplitz *t = a->t;
    a->lanes = (double)grid_bytes(t, many(t)) > MOST_BYTES ? 1 : many(t);
    for (int mode = 0; mode < 2; mode++)
        for (int axis = 0; axis < t->rank; axis++)
            TRY(fft_bundle_create(&a->lines[mode][axis], t->type, t->grid[axis], axis || mode ? many(t) : 1));
    return ARGAND_OK;
}

void cpu_engine_close(toeplitz_apply *a)
{
    for (int i = 5; i >= 0; i--) fft_bundle_destroy(a->lines[i / 3][i % 3]);
}

/* Returns the size of the next group: a full cell; if the rest would leave most of a cell empty, one by
 * one. */
static int group_size(const toeplitz_apply *a, int64_t left)
{
    if (left >= a->lanes) return a->lanes;
    return left > a->lanes / 4 ? (int)left : 1;
}

static const char *element(const argand_array *array, int64_t at)
{
    return (const char *)argand_array_data(array) + at * (int64_t)argand_type_size(array->type);
}

/* Returns pair i of vector and kernel; vectors count fastest. */
static toeplitz_lane lane_of(const toeplitz_apply *a, argand_array *out, const argand_array *in, int64_t i)
{
    const argand_toeplitz *t = a->t;
    const int64_t vector = i % a->vectors, kernel = i / a->vectors, image = a->maps ? 0 : vector * t->pixels,
                  points = t->grid[0] * t->grid[1] * t->grid[2];
    return (toeplitz_lane){.in = element(in, image),
                           .map = a->maps ? element(a->maps, vector * t->pixels) : NULL,
                           .space = t->space ? element(t->space, kernel * t->pixels) : NULL,
                           .spectrum = element(t->spectrum, kernel * points),
                           .out = (char *)argand_array_data(out) + image * (int64_t)argand_type_size(t->type),
                           .add = a->maps ? i > 0 : kernel > 0};
}

/* A cell of the doubled grid goes through a pass along each axis and back, some 2 ns each for all lanes. */
static int threads_of(const argand_toeplitz *t)
{
    const double cells = (double)t->grid[0] * (double)t->grid[1] * (double)t->grid[2];
    return threads_worth(argand_device_threads(t->device), cells * 2 * t->rank * 2);
}

static toeplitz_job make_job(const toeplitz_apply *a, storage *work, int lanes)
{
    const argand_toeplitz *t = a->t;
    toeplitz_job job = {.rank = t->rank,
                        .threads = threads_of(t),
                        .lanes = lanes,
                        .many = many(t),
                        .cells = storage_address(work),
                        .row = lanes * row_cells(t, lanes),
                        .plane = lanes * plane_cells(t, lanes),
                        .scratch_bytes = scratch_bytes(a),
                        .lines = a->lines[lanes > 1]};
    job.scratch = (char *)job.cells + grid_bytes(t, lanes);
    for (int d = 0; d < 3; d++) {
        job.n[d] = t->n[d];
        job.grid[d] = t->grid[d];
    }
    return job;
}

argand_status cpu_engine_run(const toeplitz_apply *a, argand_array *out, const argand_array *in)
{
    static void (*const convolve[2][CPU_LEVELS])(const toeplitz_job *) = CPU_VARIANTS(toeplitz_convolve);
    const int64_t count = a->vectors * a->t->kernels;
    const size_t scratch = scratch_bytes(a) * (size_t)argand_device_threads(a->t->device);
    storage *work;
    int group;
    TRY(argand_device_wait(a->t->device));
    TRY(storage_scratch(&work, a->t->device, grid_bytes(a->t, a->lanes) + scratch));
    for (int64_t i = 0; i < count; i += group) {
        group = group_size(a, count - i);
        toeplitz_job job = make_job(a, work, group > 1 ? a->lanes : 1);
        job.used = group;
        for (int lane = 0; lane < group; lane++) job.lane[lane] = lane_of(a, out, in, i + lane);
        convolve[toeplitz_is_double(a->t)][cpu_best()](&job);
    }
    storage_release(work);
    return ARGAND_OK;
}
