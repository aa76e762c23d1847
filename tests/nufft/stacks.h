/* SPDX-License-Identifier: BSD-3-Clause */
/* What holds for every plan with a Cartesian axis, whether its planes are alike or differ: against exact sums
 * in double, and against the plan with a window on every axis. */
#ifndef TESTS_NUFFT_STACKS_H
#define TESTS_NUFFT_STACKS_H

#include "truth.h"

static inline bool on_host(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.host_addressable;
}

/* Returns 2, single and double, on hosts with doubles; else 1. */
static inline int precisions(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.has_double && info.host_addressable ? 2 : 1;
}

/* The positions on an axis become those of m->at, in the arrays' precision. */
static inline void put(made *m, int axis, int64_t count)
{
    const argand_type type = argand_array_type(m->k[axis]);
    float *floats = malloc((size_t)count * sizeof *floats);
    assert_non_null(floats);
    for (int64_t j = 0; j < count; j++) floats[j] = (float)m->at[axis][j];
    OK(argand_array_upload(m->k[axis], type == ARGAND_R64 ? (void *)m->at[axis] : floats));
    free(floats);
    free(m->at[axis]);
    m->at[axis] = as_doubles(m->k[axis]);
}

static inline void set(made *m)
{
    OK(argand_nufft_set_points(m->plan, m->k));
    argand_nufft_describe(m->plan, &m->info);
}

static inline void check(const problem *p, const made *m)
{
    const errors e = measure(p, m, 1);
    const double limit = fmax(p->tolerance, m->info.expected_error);
    if (getenv("VERBOSE") || !(e.forward <= limit) || !(e.adjoint <= limit)) print_problem(p, m, e);
    CHECK_BELOW(e.forward, limit);
    CHECK_BELOW(e.adjoint, limit);
}

/* The problem's plan with another option */
static inline argand_nufft *plan_with(const problem *p, const made *m, argand_nufft_options o)
{
    argand_nufft *plan;
    o.type = p->type;
    o.rank = p->rank;
    memcpy(o.n, p->n, sizeof o.n);
    o.tolerance = p->tolerance;
    OK(argand_nufft_create(&plan, device, &o));
    OK(argand_nufft_set_points(plan, m->k));
    return plan;
}

static inline void assert_near(const argand_array *a, const argand_array *b, double limit)
{
    CHECK_BELOW(array_error(a, b), limit);
}

/* Signs, units and orders: the axis is found, and results are those of a window on it. Each of the two keeps
 * the tolerance. */
static inline void check_options(const problem *p, const made *m, argand_nufft_options o, int axis)
{
    argand_nufft *found = plan_with(p, m, o);
    o.window_only = true;
    argand_nufft *window = plan_with(p, m, o);
    argand_array *samples = like(m->samples), *image = like(m->image);
    argand_nufft_info info;
    argand_nufft_describe(found, &info);
    assert_int_equal(info.cartesian, 1 << axis);
    argand_nufft_describe(window, &info);
    assert_int_equal(info.cartesian, 0);
    randomise(m->image, 5, 0, 0);
    OK(argand_nufft_apply(found, m->samples, m->image));
    OK(argand_nufft_apply(window, samples, m->image));
    assert_near(m->samples, samples, 2 * p->tolerance);
    OK(argand_nufft_adjoint(found, m->image, m->samples));
    OK(argand_nufft_adjoint(window, image, m->samples));
    assert_near(m->image, image, 2 * p->tolerance);
    argand_array_destroy(image);
    argand_array_destroy(samples);
    argand_nufft_destroy(window);
    argand_nufft_destroy(found);
}

/* What needs the window on every axis is that of a plan without the FFT, to the bit. */
static inline void check_window_alone(const problem *p, made *m)
{
    argand_nufft *window = plan_with(p, m, (argand_nufft_options){.window_only = true});
    argand_array *blurred = like(m->samples), *same = like(m->samples), *grid[2];
    for (int i = 0; i < 2; i++) OK(argand_array_create(&grid[i], device, p->type, 3, m->info.grid));
    randomise(m->samples, 6, 0, 0);
    OK(argand_nufft_blur(m->plan, blurred, m->samples));
    OK(argand_nufft_blur(window, same, m->samples));
    assert_near(blurred, same, 0);
    OK(argand_nufft_spread(m->plan, grid[0], m->samples));
    OK(argand_nufft_spread(window, grid[1], m->samples));
    assert_near(grid[0], grid[1], 0);
    OK(argand_nufft_interpolate(m->plan, blurred, grid[0]));
    OK(argand_nufft_interpolate(window, same, grid[0]));
    assert_near(blurred, same, 0);
    for (int i = 0; i < 2; i++) argand_array_destroy(grid[i]);
    argand_array_destroy(same);
    argand_array_destroy(blurred);
    argand_nufft_destroy(window);
}

static inline void check_derivatives(const problem *p, made *m)
{
    argand_nufft *window = plan_with(p, m, (argand_nufft_options){.window_only = true});
    argand_array *same = like(m->samples);
    randomise(m->image, 5, 0, 0);
    for (int axis = 0; axis < 3; axis++) {
        OK(argand_nufft_derivative(m->plan, axis, m->samples, m->image));
        OK(argand_nufft_derivative(window, axis, same, m->image));
        assert_near(m->samples, same, 2 * p->tolerance);
    }
    argand_array_destroy(same);
    argand_nufft_destroy(window);
}

/* Arrays with gaps, and the same bits for any number of threads */
static inline void check_gaps_and_threads(const problem *p, made *m)
{
    argand_array *wide, *gaps, *same = like(m->samples), *image = like(m->image);
    OK(argand_array_create(&wide, device, p->type, 2, (int64_t[]){2 * p->count, p->vectors}));
    OK(argand_array_view(&gaps, wide, 2, (int64_t[]){p->count, p->vectors}, (int64_t[]){2, 2 * p->count}, 1));
    randomise(m->image, 5, 0, 0);
    OK(argand_nufft_apply(m->plan, m->samples, m->image));
    OK(argand_nufft_apply(m->plan, gaps, m->image));
    OK(argand_array_copy(same, gaps));
    assert_near(same, m->samples, 0);
    OK(argand_device_set_threads(device, 1));
    OK(argand_nufft_apply(m->plan, same, m->image));
    assert_near(same, m->samples, 0);
    OK(argand_nufft_adjoint(m->plan, m->image, gaps));
    OK(argand_device_set_threads(device, 2));
    OK(argand_nufft_adjoint(m->plan, image, m->samples));
    assert_near(image, m->image, 0);
    argand_array *const all[] = {image, gaps, wide, same};
    for (int i = 0; i < 4; i++) argand_array_destroy(all[i]);
}

/* Position 17 of each axis in turn is no number. */
static inline void check_bad_positions(const problem *p, made *m)
{
    char text[64];
    snprintf(text, sizeof text, "position 17 of %lld is not finite", (long long)p->count);
    for (int axis = 0; axis < 3; axis++) {
        const double good = m->at[axis][17];
        m->at[axis][17] = NAN;
        put(m, axis, p->count);
        FAILS(argand_nufft_set_points(m->plan, m->k), ARGAND_NUMERIC, text);
        m->at[axis][17] = good;
        put(m, axis, p->count);
        set(m);
    }
}

static inline void check_failing_allocations(const problem *p, made *m)
{
    argand_status status = ARGAND_MEMORY;
    for (long n = 0; status == ARGAND_MEMORY;) {
        argand_test_fail_allocation(++n);
        status = argand_nufft_set_points(m->plan, m->k);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_nufft_describe(m->plan, &m->info);
    assert_int_equal(m->info.cartesian, 4);
    check(p, m);
}

#endif
