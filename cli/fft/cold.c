/* SPDX-License-Identifier: BSD-3-Clause */
/* argand kernels --cold: the kernels with which plans of any size begin, on a device that rehearses them.
 * NUFFTs of every width of the window are made with few and many points and vectors, several at a time. */
#include "fft/cold.h"
#include "fft/together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 8, SIZES = 4, MOST_CASES = 256, LIST = 8 };

/* A NUFFT. Kernels depend on the width, on the error (in half decades), and on how many tiles of a row, of at
 * most TILE cells, a window reaches. */
typedef struct cold_case {
    argand_nufft_options options;
    int width, error, reach;
} cold_case;

typedef struct cold_work {
    argand_device *device;
    cold_case cases[MOST_CASES];
    int count;
} cold_work;

static const int64_t sizes[SIZES][3][3] = {{{512, 1, 1}, {48, 48, 1}, {20, 20, 20}},
                                           {{500, 1, 1}, {23, 23, 1}, {13, 13, 13}},
                                           {{60, 1, 1}, {17, 40, 1}, {16, 12, 12}},
                                           {{40, 1, 1}, {18, 90, 1}, {16, 14, 14}}};

static int reach_of(const argand_nufft_info *info)
{
    const int64_t tiles = (info->grid[0] + TILE - 1) / TILE, shortest = info->grid[0] / tiles;
    return (int)((info->width - 1 + shortest - 1) / shortest);
}

/* Adds a NUFFT if there is none of this kind yet. */
static argand_status add(cold_work *w, const argand_nufft_options *o)
{
    argand_nufft *plan;
    argand_nufft_info info;
    if (argand_nufft_create(&plan, w->device, o) != ARGAND_OK)
        return report_error(ARGAND_BUILD, "%s", argand_message());
    argand_nufft_describe(plan, &info);
    argand_nufft_destroy(plan);
    const cold_case added = {.options = *o,
                             .width = info.width,
                             .error = (int)floor(2 * log10(info.expected_error)),
                             .reach = reach_of(&info)};
    for (int i = 0; i < w->count; i++) {
        const cold_case *c = &w->cases[i];
        if (c->options.type == o->type && c->options.rank == o->rank &&
            c->options.real_image == o->real_image && c->width == added.width && c->error == added.error &&
            c->reach == added.reach)
            return ARGAND_OK;
    }
    if (w->count == MOST_CASES)
        return report_error(ARGAND_INTERNAL, "more than %d kinds of NUFFTs", MOST_CASES);
    w->cases[w->count++] = added;
    return ARGAND_OK;
}

/* Returns true for the NUFFTs of images, which have kernels for every number of vectors. */
static bool has_all_vectors(int rank, bool is_double, bool real)
{
    return rank > 1 && !is_double && !real;
}

/* Adds single precision at every tolerance, and double precision at two. */
static argand_status add_all(cold_work *w, int rank, bool is_double, bool real)
{
    static const double oversampling[] = {0, 1.25, 1.375, 1.5, 1.625, 1.75, 2, 2.25},
                        doubles[] = {1e-6, 1e-9};
    const int tolerances = is_double ? 2 : 11, widths = has_all_vectors(rank, is_double, real) ? 8 : 1;
    for (int i = 0; i < tolerances; i++)
        for (int k = 0; k < SIZES * widths; k++) {
            argand_nufft_options o = {.type = is_double ? ARGAND_C64 : ARGAND_C32,
                                      .rank = rank,
                                      .tolerance = is_double ? doubles[i] : pow(10, -1 - 0.5 * i),
                                      .oversampling = oversampling[k / SIZES],
                                      .order = ARGAND_NUFFT_FFT_ORDER,
                                      .real_image = real};
            memcpy(o.n, sizes[k % SIZES][rank - 1], sizeof o.n);
            const argand_status status = add(w, &o);
            if (status != ARGAND_OK) return status;
        }
    return ARGAND_OK;
}

/* ---- one NUFFT ---- */

static argand_status set_points(argand_nufft *plan, argand_device *device, const argand_nufft_options *o,
                                int64_t count)
{
    argand_array *k[3] = {NULL};
    argand_status status = ARGAND_OK;
    unsigned state = 1;
    float *at = malloc((size_t)count * sizeof *at);
    if (!at) return report_error(ARGAND_MEMORY, "no memory for points");
    for (int axis = 0; axis < o->rank && status == ARGAND_OK; axis++) {
        for (int64_t i = 0; i < count; i++) {
            state = 1664525 * state + 1013904223;
            at[i] = ((float)(state >> 8) / 16777216.0F - 0.5F) * (float)o->n[axis];
        }
        status = argand_array_create(&k[axis], device, ARGAND_R32, 1, &count);
        if (status == ARGAND_OK) status = argand_array_upload(k[axis], at);
    }
    if (status == ARGAND_OK) status = argand_nufft_set_points(plan, k);
    for (int axis = 0; axis < o->rank; axis++) argand_array_destroy(k[axis]);
    free(at);
    return status;
}

static argand_status transform(const argand_nufft *plan, argand_device *device, const argand_nufft_options *o,
                               int64_t count, int64_t vectors)
{
    int64_t dims[4] = {1, 1, 1, 1};
    argand_array *image = NULL, *samples = NULL;
    memcpy(dims, o->n, sizeof o->n);
    dims[o->rank] = vectors;
    const argand_type number = !o->real_image ? o->type : o->type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    argand_status status = argand_array_create(&image, device, number, o->rank + 1, dims);
    if (status == ARGAND_OK)
        status = argand_array_create(&samples, device, o->type, 2, (int64_t[]){count, vectors});
    if (status == ARGAND_OK) status = argand_nufft_apply(plan, samples, image);
    if (status == ARGAND_OK) status = argand_nufft_adjoint(plan, image, samples);
    argand_array_destroy(samples);
    argand_array_destroy(image);
    return status;
}

/* Transforms with few and many points, and with numbers of vectors that have kernels of their own. */
static argand_status run_case(argand_device *device, const argand_nufft_options *o)
{
    static const int64_t vectors[LIST] = {1, 32, 40, 8, 2, 4, 16, 24};
    const int list = has_all_vectors(o->rank, o->type == ARGAND_C64, o->real_image) ? LIST : 3;
    const double densities[] = {0.3, 12};
    argand_nufft *plan;
    argand_status status = argand_nufft_create(&plan, device, o);
    if (status != ARGAND_OK) return status;
    for (int i = 0; i < 2; i++) {
        const int64_t count = (int64_t)(densities[i] * (double)(o->n[0] * o->n[1] * o->n[2]));
        if (status == ARGAND_OK) status = set_points(plan, device, o, count);
        for (int k = 0; k < list && status == ARGAND_OK; k++)
            status = transform(plan, device, o, count, vectors[k]);
    }
    argand_nufft_destroy(plan);
    return status;
}

/* ---- all ---- */

static argand_status work(void *context, int number)
{
    const cold_work *w = context;
    return run_case(w->device, &w->cases[number].options);
}

/* Makes plain FFTs, which begin with one kernel for each precision. */
static argand_status make_fft(argand_device *device, argand_type type)
{
    argand_fft *plan;
    const argand_fft_options o = {.type = type, .rank = 1, .n = {64}, .batch = 1};
    const argand_status status = argand_fft_create(&plan, device, &o);
    argand_fft_destroy(plan);
    return status;
}

argand_status cold_kernels(int *plans, argand_device *device, int threads, report *out)
{
    cold_work *w = calloc(1, sizeof *w);
    if (!w) return report_error(ARGAND_MEMORY, "no memory for plans");
    w->device = device;
    argand_status status = make_fft(device, ARGAND_C32);
    if (status == ARGAND_OK) status = make_fft(device, ARGAND_C64);
    for (int i = 0; i < 9 && status == ARGAND_OK; i++) status = add_all(w, 1 + i % 3, i / 3 == 1, i / 3 == 2);
    if (status == ARGAND_OK) status = work_together(work, w, w->count, threads, out);
    *plans = 2 + w->count;
    free(w);
    return status;
}
