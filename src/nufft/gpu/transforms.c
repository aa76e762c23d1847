/* SPDX-License-Identifier: BSD-3-Clause */
/* The FFTs between image and oversampled grid. Deapodisation is their accessors, centring, padding and
 * cropping their windows: nothing is cleared and nothing is scaled by itself. */
#include "nufft/gpu/gpu.h"
#include "fft/plan/waiting.h"

#include <argand/fft_info.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static double largest(const void *numbers, int64_t count, bool is_double)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++) {
        const double own = is_double ? ((const double *)numbers)[i] : (double)((const float *)numbers)[i];
        most = fabs(own) > most ? fabs(own) : most;
    }
    return most;
}

/* 1 / transform of the window for the pixels of each axis, which repeats along the others */
argand_status gpu_deapodise(nufft_gpu *g, const layout *l)
{
    double most = 1;
    for (int axis = 0; axis < g->rank; axis++) {
        most *= largest(l->deapodise[axis], g->n[axis], g->is_double);
        int64_t dims[3] = {1, 1, 1};
        dims[axis] = g->n[axis];
        TRY(argand_array_create(&g->deapodise[axis], g->device, g->is_double ? ARGAND_R64 : ARGAND_R32,
                                axis + 1, dims));
        TRY(argand_array_upload(g->deapodise[axis], l->deapodise[axis]));
    }
    g->deapodise_exponent = (int)ceil(log2(most));
    return ARGAND_OK;
}

/* Returns the options of an FFT from contiguous images to a grid whose cells hold all vectors */
static argand_fft_options options_of(const nufft_gpu *g, int vectors, int rounds)
{
    const argand_type complex = g->is_double ? ARGAND_C64 : ARGAND_C32,
                      real = g->is_double ? ARGAND_R64 : ARGAND_R32;
    argand_fft_options o = {
        .type = g->full ? real : complex,
        .rank = g->axes,
        .axes_given = true,
        .loops = rounds > 1 ? 2 : 1,
        .loop = {{vectors, g->pixels, 1}, {rounds, g->pixels * vectors, g->cells * vectors}}};
    int64_t in = 1, out = vectors;
    for (int axis = 0; axis < g->axes; axis++) {
        o.axes[axis] = (argand_axis){axis == 0 && g->full ? g->full : g->grid[axis], in, out};
        o.input.window[axis] = (argand_window){.count = g->n[axis], .first = -(g->n[axis] / 2)};
        if (axis < g->rank)
            o.access.load[axis] =
                (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = g->deapodise[axis]};
        in *= g->n[axis];
        out *= g->grid[axis];
    }
    return o;
}

/* Returns the options of an FFT to reals, whose windows serve both directions. gpu_add_margins leaves
 * twice the grid. */
static argand_fft_options options_to_reals(const nufft_gpu *g, const argand_fft_options *there)
{
    argand_fft_options back = *there;
    memcpy(back.access.store, there->access.load, sizeof back.access.store);
    memset(back.access.load, 0, sizeof back.access.load);
    back.access.store[g->rank] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0.5, 0}};
    return back;
}

/* One plan to make, and what came of it: messages belong to threads. */
typedef struct plan_job {
    argand_fft **plan;
    argand_device *device;
    const argand_fft_options *options;
    bool waits;
    argand_status status;
    char reason[1024];
} plan_job;

static void *make_plan(void *context)
{
    plan_job *j = context;
    j->status = (j->waits ? fft_create_waiting : argand_fft_create)(j->plan, j->device, j->options);
    if (j->status != ARGAND_OK) snprintf(j->reason, sizeof j->reason, "%s", argand_message());
    return NULL;
}

/* Makes both plans, at the same time if kernels can be compiled so. */
static argand_status make(gpu_transforms *t, const nufft_gpu *g, int vectors, int rounds)
{
    const argand_fft_options there = options_of(g, vectors, rounds);
    argand_fft_options back;
    if (g->full)
        back = options_to_reals(g, &there);
    else
        TRY(argand_fft_adjoint(&back, &there));
    plan_job first = {.plan = &t->to_grid, .device = g->device, .options = &there, .waits = g->waits},
             second = first;
    second.plan = &t->to_image;
    second.options = &back;
    pthread_t other;
    const bool together = kernels_in_parallel(g->device) && !pthread_create(&other, NULL, make_plan, &first);
    if (!together) make_plan(&first);
    make_plan(&second);
    if (together) pthread_join(other, NULL);
    const plan_job *failed = first.status != ARGAND_OK ? &first : &second;
    return failed->status == ARGAND_OK ? ARGAND_OK : status_set(failed->status, "%s", failed->reason);
}

/* Writes why the engine that a plan chose gave up; returns false if it did not. */
static bool fft_failure(const argand_fft *plan, char *reason, size_t size)
{
    static const char failed[] = "its kernels cannot be compiled: ";
    argand_fft_candidate c;
    for (int i = 0; plan && i < argand_fft_candidate_count(plan); i++) {
        if (argand_fft_candidate_describe(plan, i, &c) != ARGAND_OK) continue;
        if (strncmp(c.reason, failed, sizeof failed - 1)) continue;
        snprintf(reason, size, "%s", c.reason + sizeof failed - 1);
        return true;
    }
    return false;
}

void gpu_failure(nufft_gpu *g, char *reason, size_t size)
{
    const char *own = atomic_load(&g->failure);
    bool found = own != NULL;
    snprintf(reason, size, "%s", own ? own : "");
    pthread_mutex_lock(&g->lock);
    for (int i = 0; i < GPU_ROUNDS * GPU_VECTORS && !found; i++) {
        const gpu_transforms *t = &g->transforms[i / GPU_VECTORS][i % GPU_VECTORS];
        found = fft_failure(t->to_grid, reason, size) || fft_failure(t->to_image, reason, size);
    }
    pthread_mutex_unlock(&g->lock);
}

void gpu_transforms_free(gpu_transforms *t)
{
    argand_fft_destroy(t->to_image);
    argand_fft_destroy(t->to_grid);
    *t = (gpu_transforms){0};
}

argand_status gpu_transforms_for(gpu_transforms *out, nufft_gpu *g, int vectors, int rounds)
{
    argand_status status = ARGAND_OK;
    pthread_mutex_lock(&g->lock);
    gpu_transforms *found = &g->transforms[rounds - 1][vectors - 1];
    if (!found->to_grid) {
        status = make(found, g, vectors, rounds);
        if (status != ARGAND_OK) gpu_transforms_free(found);
    }
    *out = *found;
    pthread_mutex_unlock(&g->lock);
    return status;
}
