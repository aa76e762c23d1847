/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions of points to keys and places between cells: by a kernel, in doubles, or on the host where the
 * device has no doubles. Then positions are downloaded once, when points are set, and 8 bytes and a place for
 * each axis of a point are uploaded; calls do not notice. Doubles of the host keep the accuracy that plans
 * promise, and positions may be doubles themselves. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "kernels/nufft/position.h"
#include "nufft/gpu/gpu.h"
#include "nufft/plan.h"

static double position(const argand_array *k, const void *numbers, int64_t i)
{
    return argand_array_type(k) == ARGAND_R64 ? ((const double *)numbers)[i]
                                              : (double)((const float *)numbers)[i];
}

/* Says which position is not finite. */
static argand_status name_bad(const nufft_gpu *g, argand_array *const k[])
{
    int64_t bad = -1;
    void *numbers;
    for (int axis = 0; axis < g->axes; axis++) {
        TRY(memory_new(&numbers, (size_t)g->count, argand_type_size(argand_array_type(k[axis]))));
        const argand_status status = argand_array_download(k[axis], numbers);
        for (int64_t i = 0; status == ARGAND_OK && i < g->count; i++)
            if (!isfinite(position(k[axis], numbers, i)) && i > bad) bad = i;
        memory_free(numbers);
        TRY(status);
    }
    return status_set(ARGAND_NUMERIC,
                      "nufft: position %lld of %lld is not finite: all must be numbers in cycles/FOV",
                      (long long)bad, (long long)g->count);
}

/* ---- by the device ---- */

void gpu_print_locate(char key[GPU_KEY], const nufft_gpu *g, argand_type positions)
{
    snprintf(key, GPU_KEY, "nufft_locate REAL=%s RANK=%d WIDTH=%d COORDINATE=%s CHUNK=%d", gpu_real_name(g),
             g->rank, g->width, positions == ARGAND_R64 ? "double" : "float", GPU_CHUNK);
}

static argand_status start(const nufft_gpu *g, storage *u, storage *bad, argand_array *const k[])
{
    char key[GPU_KEY];
    struct nufft_params p = gpu_params(g);
    storage *memory[8] = {g->keys, g->order, u, bad, g->full ? g->folded : bad};
    for (int axis = 0; axis < 3; axis++) {
        const argand_array *from = k[axis < g->axes ? axis : 0];
        memory[5 + axis] = from->storage;
        p.k[axis] = from->offset;
        memcpy(&p.scale[axis], &g->scale[axis], sizeof p.scale[axis]);
    }
    gpu_print_locate(key, g, argand_array_type(k[0]));
    return gpu_start(g, key, (g->count + GPU_CHUNK - 1) / GPU_CHUNK, memory, 8, &p);
}

static argand_status on_device(const nufft_gpu *g, storage *u, argand_array *const k[])
{
    uint32_t bad = 0;
    storage *count;
    TRY(storage_scratch(&count, g->device, sizeof bad));
    argand_status status = g->is_again ? ARGAND_OK : storage_upload(count, 0, &bad, sizeof bad);
    if (status == ARGAND_OK) status = start(g, u, count, k);
    if (status == ARGAND_OK && !g->is_again) status = storage_download(count, 0, &bad, sizeof bad);
    storage_release(count);
    TRY(status);
    return bad ? name_bad(g, k) : ARGAND_OK;
}

/* ---- by the host ---- */

/* What is uploaded, for all points */
typedef struct located {
    uint32_t *keys, *order;
    float *u;
    uint8_t *folded; /* NULL where no points are */
} located;

static void free_located(located *to)
{
    memory_free(to->folded);
    memory_free(to->u);
    memory_free(to->order);
    memory_free(to->keys);
}

static argand_status new_located(located *to, const nufft_gpu *g)
{
    const size_t count = (size_t)g->count;
    TRY(NEW(to->keys, count));
    TRY(NEW(to->order, count));
    TRY(NEW(to->u, count * (size_t)g->rank));
    return g->full ? NEW(to->folded, count) : ARGAND_OK;
}

/* Returns how many points are not finite. */
static int64_t locate_all(const located *to, const nufft_gpu *g, argand_array *const k[])
{
    const struct nufft_params p = gpu_params(g);
    const void *numbers[3] = {NULL};
    int64_t step[3] = {0}, bad = 0;
    for (int axis = 0; axis < g->axes; axis++) {
        numbers[axis] = argand_array_data(k[axis]);
        step[axis] = positions_step(k[axis]);
    }
#pragma omp parallel for schedule(static) num_threads(argand_device_threads(g->device)) reduction(+ : bad)
    for (int64_t i = 0; i < g->count; i++) {
        double at[3] = {0};
        for (int axis = 0; axis < g->axes; axis++)
            at[axis] = g->scale[axis] * position(k[axis], numbers[axis], i * step[axis]);
        const struct nufft_place place = place_of_point(at, g->rank, g->width, &p);
        to->keys[i] = (uint32_t)place.key;
        to->order[i] = (uint32_t)i | (place.is_folded ? NUFFT_FOLDED : 0);
        for (int axis = 0; axis < g->rank; axis++) to->u[i * g->rank + axis] = (float)place.u[axis];
        if (to->folded) to->folded[i] = (uint8_t)place.is_folded;
        bad += place.is_bad;
    }
    return bad;
}

static argand_status upload(const nufft_gpu *g, storage *u, const located *from)
{
    const size_t count = (size_t)g->count;
    TRY(storage_upload(g->keys, 0, from->keys, count * sizeof *from->keys));
    TRY(storage_upload(g->order, 0, from->order, count * sizeof *from->order));
    TRY(storage_upload(u, 0, from->u, count * (size_t)g->rank * sizeof *from->u));
    return from->folded ? storage_upload(g->folded, 0, from->folded, count) : ARGAND_OK;
}

/* The positions are in host memory (gpu_positions_device). */
static argand_status on_host(const nufft_gpu *g, storage *u, argand_array *const k[])
{
    located to = {NULL};
    argand_status status;
    TRY_OR_DONE(new_located(&to, g));
    status = locate_all(&to, g, k) ? name_bad(g, k) : upload(g, u, &to);
done:
    free_located(&to);
    return status;
}

argand_status gpu_positions_device(argand_device **where, argand_device *device)
{
    *where = device;
    return device_has_double(device) ? ARGAND_OK : device_host(where, device);
}

argand_status gpu_locate(const nufft_gpu *g, storage *u, argand_array *const k[])
{
    return device_has_double(g->device) ? on_device(g, u, k) : on_host(g, u, k);
}
