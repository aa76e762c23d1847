/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUFFT for arrays of any device, against the same on a cpu device: within what both say of their errors.
 * Strided arrays, points from either device. */
#include "harness.h"
#include "sample.h"

static argand_device *host;

enum { POINTS = 300, VECTORS = 3 };

typedef struct problem {
    argand_nufft *plan;
    argand_array *k[3], *image, *samples;
} problem;

/* Every second element along the first axis. */
static argand_array *strided(argand_device *where, argand_type type, int rank, const int64_t *dims)
{
    int64_t all_dims[4], strides[4] = {2};
    argand_array *all, *view;
    for (int axis = 0; axis < rank; axis++) all_dims[axis] = axis ? dims[axis] : 2 * dims[0];
    for (int axis = 1; axis < rank; axis++)
        strides[axis] = (axis > 1 ? strides[axis - 1] : 1) * all_dims[axis - 1];
    OK(argand_array_create(&all, where, type, rank, all_dims));
    OK(argand_array_view(&view, all, rank, dims, strides, 1));
    argand_array_destroy(all);
    return view;
}

static double oversampling; /* asked for; 0: what suits the device */

static problem make(argand_device *where, argand_device *points_on, argand_type type, int rank)
{
    problem s = {0};
    const int64_t dims[4] = {12, rank > 1 ? 9 : VECTORS, rank > 2 ? 10 : VECTORS, VECTORS}, points = POINTS;
    OK(argand_nufft_create(
        &s.plan, where,
        &(argand_nufft_options){.type = type, .rank = rank, .n = {12, 9, 10}, .oversampling = oversampling}));
    for (int axis = 0; axis < rank; axis++) {
        OK(argand_array_create(&s.k[axis], points_on, ARGAND_R32, 1, &points));
        randomise(s.k[axis], (uint64_t)axis + 1, -5, 5);
    }
    OK(argand_nufft_set_points(s.plan, s.k));
    s.image = strided(where, type, rank + 1, dims);
    s.samples = strided(where, type, 2, (int64_t[]){POINTS, VECTORS});
    return s;
}

static void release(problem *s)
{
    argand_nufft_destroy(s->plan);
    argand_array_destroy(s->image);
    argand_array_destroy(s->samples);
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(s->k[axis]);
}

static double error_of(const problem *s)
{
    argand_nufft_info info;
    argand_nufft_describe(s->plan, &info);
    return info.expected_error;
}

static void same(const argand_array *x, const argand_array *y, size_t count, double limit)
{
    double *of_device = as_doubles(x), *of_host = as_doubles(y), norm = 0;
    for (size_t i = 0; i < count; i++) norm += of_host[i] * of_host[i];
    assert_true(norm > 0);
    CHECK_BELOW(relative_error(of_device, of_host, count), limit);
    free(of_device);
    free(of_host);
}

static void both_types(void **state)
{
    (void)state;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    for (int kind = 0; kind < 12; kind++) {
        if (!in_sample(kind, 6)) continue;
        const argand_type type = kind & 1 ? ARGAND_C64 : ARGAND_C32;
        const int rank = kind / 4 + 1;
        if (type == ARGAND_C64 && !info.has_double) continue;
        problem a = make(device, kind & 2 ? host : device, type, rank), b = make(host, host, type, rank);
        const double limit = error_of(&a) + error_of(&b);
        const size_t pixels = 2 * (size_t)argand_array_count(a.image);
        randomise(a.image, 5, 0, 0);
        randomise(b.image, 5, 0, 0);
        OK(argand_nufft_apply(a.plan, a.samples, a.image));
        OK(argand_nufft_apply(b.plan, b.samples, b.image));
        same(a.samples, b.samples, 2 * POINTS * VECTORS, limit);
        OK(argand_nufft_adjoint(a.plan, a.image, a.samples));
        OK(argand_nufft_adjoint(b.plan, b.image, b.samples));
        same(a.image, b.image, pixels, 2 * limit);
        release(&a);
        release(&b);
    }
}

static void blur(void **state)
{
    (void)state;
    const int64_t points = POINTS;
    oversampling = 2; /* the same window on both */
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        problem a = make(device, device, ARGAND_C32, 2), b = make(host, host, ARGAND_C32, 2);
        argand_array *x[2], *y[2];
        for (int i = 0; i < 2; i++) {
            argand_device *where = i ? host : device;
            OK(argand_array_create(&x[i], where, is_complex ? ARGAND_C32 : ARGAND_R32, 1, &points));
            OK(argand_array_create(&y[i], where, is_complex ? ARGAND_C32 : ARGAND_R32, 1, &points));
            randomise(x[i], 9, 0, 0);
            OK(argand_nufft_blur((i ? &b : &a)->plan, y[i], x[i]));
        }
        same(y[0], y[1], is_complex ? 2 * POINTS : POINTS, 1e-5);
        for (int i = 0; i < 2; i++) {
            argand_array_destroy(x[i]);
            argand_array_destroy(y[i]);
        }
        release(&a);
        release(&b);
    }
    oversampling = 0;
}

/* Arrays of another device than the plan's are refused, not fetched. */
static void refuses_the_other_device(void **state)
{
    (void)state;
    problem a = make(device, device, ARGAND_C32, 2), b = make(host, host, ARGAND_C32, 2);
    FAILS(argand_nufft_apply(a.plan, b.samples, a.image), ARGAND_ARGUMENT, "another device");
    FAILS(argand_nufft_adjoint(a.plan, b.image, a.samples), ARGAND_ARGUMENT, "another device");
    release(&a);
    release(&b);
}

static int open_host(void **state)
{
    (void)state;
    OK(argand_device_open(&host, "cpu"));
    return 0;
}

static int close_host(void **state)
{
    (void)state;
    argand_device_close(host);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(both_types, open_host, close_host),
    cmocka_unit_test_setup_teardown(blur, open_host, close_host),
    cmocka_unit_test_setup_teardown(refuses_the_other_device, open_host, close_host)};
RUN_TESTS(tests)
