/* SPDX-License-Identifier: BSD-3-Clause */
/* Type 3, the window alone and derivatives for arrays of any device, against the same on a cpu device. */
#include "harness.h"

enum { SOURCES = 200, TARGETS = 300, VECTORS = 3, RANK = 2 };

static argand_device *host;

static argand_array *noise(argand_device *where, argand_type type, int rank, const int64_t *dims,
                           uint64_t seed)
{
    argand_array *array;
    OK(argand_array_create(&array, where, type, rank, dims));
    randomise(array, seed, -5, 5);
    return array;
}

/* Rounding on another device, raised by the window's correction in both */
static void same(const argand_array *a, const argand_array *b)
{
    const argand_type type = argand_array_type(a);
    const bool is_complex = type == ARGAND_C32 || type == ARGAND_C64;
    double *x = as_doubles(a), *y = as_doubles(b);
    CHECK_BELOW(relative_error(x, y, (size_t)argand_array_count(a) * (is_complex ? 2 : 1)),
                type == ARGAND_C64 || type == ARGAND_R64 ? 1e-12 : 1e-5);
    free(y);
    free(x);
}

typedef struct results {
    argand_array *samples, *strengths, *grid, *gradient[RANK];
} results;

static void run_type3(results *r, argand_device *where, argand_device *points_on, argand_type type)
{
    argand_nufft3 *plan;
    argand_array *from[RANK], *to[RANK], *in = noise(where, type, 2, (int64_t[]){SOURCES, VECTORS}, 7);
    for (int axis = 0; axis < RANK; axis++) {
        from[axis] = noise(points_on, ARGAND_R32, 1, (int64_t[]){SOURCES}, (uint64_t)axis + 1);
        to[axis] = noise(points_on, ARGAND_R32, 1, (int64_t[]){TARGETS}, (uint64_t)axis + 10);
    }
    OK(argand_nufft3_create(&plan, where, &(argand_nufft3_options){.type = type, .rank = RANK}));
    OK(argand_nufft3_set_points(plan, from, to));
    OK(argand_array_create(&r->samples, where, type, 2, (int64_t[]){TARGETS, VECTORS}));
    OK(argand_array_create(&r->strengths, where, type, 2, (int64_t[]){SOURCES, VECTORS}));
    OK(argand_nufft3_apply(plan, r->samples, in));
    OK(argand_nufft3_adjoint(plan, r->strengths, r->samples));
    argand_nufft3_destroy(plan);
    argand_array_destroy(in);
    for (int axis = 0; axis < RANK; axis++) {
        argand_array_destroy(from[axis]);
        argand_array_destroy(to[axis]);
    }
}

static void run_window(results *r, argand_device *where, argand_type type)
{
    argand_nufft *plan;
    argand_nufft_info info;
    const argand_type real = type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    argand_array *k[RANK], *in = noise(where, type, 2, (int64_t[]){TARGETS, VECTORS}, 7),
                           *image = noise(where, type, 3, (int64_t[]){10, 12, VECTORS}, 8);
    for (int axis = 0; axis < RANK; axis++) {
        k[axis] = noise(where, ARGAND_R32, 1, (int64_t[]){TARGETS}, (uint64_t)axis + 1);
        OK(argand_array_create(&r->gradient[axis], where, real, 1, (int64_t[]){TARGETS}));
    }
    OK(argand_nufft_create(&plan, where,
                           &(argand_nufft_options){.type = type,
                                                   .rank = RANK,
                                                   .n = {10, 12},
                                                   .oversampling = 2,
                                                   .order = ARGAND_NUFFT_FFT_ORDER,
                                                   .sign = 1}));
    OK(argand_nufft_set_points(plan, k));
    argand_nufft_describe(plan, &info);
    OK(argand_array_create(&r->grid, where, type, 3, (int64_t[]){info.grid[0], info.grid[1], VECTORS}));
    OK(argand_nufft_spread(plan, r->grid, in));
    OK(argand_nufft_gradient(plan, r->gradient, in, image));
    argand_nufft_destroy(plan);
    argand_array_destroy(image);
    argand_array_destroy(in);
    for (int axis = 0; axis < RANK; axis++) argand_array_destroy(k[axis]);
}

static void release(results *r)
{
    argand_array_destroy(r->samples);
    argand_array_destroy(r->strengths);
    argand_array_destroy(r->grid);
    for (int axis = 0; axis < RANK; axis++) argand_array_destroy(r->gradient[axis]);
}

static void every_device_is_like_the_host(void **state)
{
    (void)state;
    OK(argand_device_open(&host, "cpu"));
    for (int twice = 0; twice < 2; twice++) {
        const argand_type type = twice ? ARGAND_C64 : ARGAND_C32;
        argand_device_info info;
        OK(argand_device_describe(device, &info));
        if (twice && !info.has_double) continue;
        results here = {0}, there = {0};
        run_type3(&there, device, twice ? host : device, type);
        run_type3(&here, host, host, type);
        run_window(&there, device, type);
        run_window(&here, host, type);
        same(there.samples, here.samples);
        same(there.strengths, here.strengths);
        same(there.grid, here.grid);
        for (int axis = 0; axis < RANK; axis++) same(there.gradient[axis], here.gradient[axis]);
        release(&there);
        release(&here);
    }
    argand_device_close(host);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(every_device_is_like_the_host)};
RUN_TESTS(tests)
