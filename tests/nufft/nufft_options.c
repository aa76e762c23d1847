/* SPDX-License-Identifier: BSD-3-Clause */
/* Signs, units and orders; the window alone; derivatives by the points. */
#include "truth.h"

static const int64_t shapes[][4] = {{1, 37, 0, 0}, {1, 64, 0, 0}, {2, 15, 22, 0}, {3, 9, 8, 7}};
enum { SHAPES = sizeof shapes / sizeof *shapes, POINTS = 120 };

static problem shaped(int shape, argand_type type, int64_t vectors)
{
    problem p = problem_of(shapes[shape], type, type == ARGAND_C64 ? 1e-11 : 1e-5, UNIFORM, POINTS, vectors);
    p.threads = 2;
    return p;
}

/* A plan for the problem's points with other options; positions are converted as these want. */
static argand_nufft *other_plan(const problem *p, made *m, int sign, argand_nufft_units units,
                                argand_nufft_order order)
{
    argand_nufft *plan;
    argand_array *k[3];
    OK(argand_nufft_create(&plan, device,
                           &(argand_nufft_options){.type = p->type,
                                                   .rank = p->rank,
                                                   .n = {p->n[0], p->n[1], p->n[2]},
                                                   .tolerance = p->tolerance,
                                                   .sign = sign,
                                                   .units = units,
                                                   .order = order}));
    for (int axis = 0; axis < p->rank; axis++) {
        OK(argand_array_create(&k[axis], device, ARGAND_R64, 1, &p->count));
        const double unit = units == ARGAND_NUFFT_RADIANS ? two_pi / (double)p->n[axis] : 1;
        for (int64_t j = 0; j < p->count; j++)
            ((double *)argand_array_data(k[axis]))[j] = unit * point(m->k[axis], j);
    }
    OK(argand_nufft_set_points(plan, k));
    for (int axis = 0; axis < p->rank; axis++) argand_array_destroy(k[axis]);
    return plan;
}

/* Where pixel i of the centred image lies in memory of that order: numpy.fft.ifftshift */
static int64_t shifted(const problem *p, argand_nufft_order order, int64_t i)
{
    int64_t at = 0, step = 1;
    for (int axis = 0; axis < p->rank; axis++) {
        const int64_t n = p->n[axis], x = i % n;
        at += step * (order == ARGAND_NUFFT_FFT_ORDER ? (x - n / 2 + n) % n : x);
        step *= n;
        i /= n;
    }
    return at;
}

static void check_options(const problem *p, int sign, argand_nufft_units units, argand_nufft_order order)
{
    made m = make(p);
    argand_nufft *plan = other_plan(p, &m, sign, units, order);
    const int64_t pixels = argand_array_count(m.image);
    double complex *image = calloc((size_t)pixels, sizeof *image),
                   *samples = calloc((size_t)p->count, sizeof *samples),
                   *wanted = calloc((size_t)(pixels + p->count), sizeof *wanted);
    assert_true(image && samples && wanted);
    randomise(m.image, 5, 0, 0);
    double *given = as_doubles(m.image);
    for (int64_t i = 0; i < pixels; i++) {
        const int64_t at = shifted(p, order, i);
        image[i] = CMPLX(given[2 * at], given[2 * at + 1]);
    }
    free(given);
    exact(p, &m, image, wanted, sign <= 0);
    if (sign > 0) { /* the exact sum of samples of the conjugate, conjugated */
        for (int64_t i = 0; i < pixels; i++) image[i] = conj(image[i]);
        memset(wanted, 0, (size_t)p->count * sizeof *wanted);
        exact(p, &m, image, wanted, 1);
        for (int64_t j = 0; j < p->count; j++) wanted[j] = conj(wanted[j]);
    }
    OK(argand_nufft_apply(plan, m.samples, m.image));
    double *got = as_doubles(m.samples);
    CHECK_BELOW(relative_error(got, (double *)wanted, 2 * (size_t)p->count), p->tolerance);
    free(got);
    /* the adjoint, by what it is */
    argand_array *back = like(m.image), *other = like(m.samples);
    randomise(other, 9, 0, 0);
    OK(argand_nufft_adjoint(plan, back, other));
    check_pair(m.samples, other, m.image, back);
    argand_array_destroy(other);
    argand_array_destroy(back);
    free(wanted);
    free(samples);
    free(image);
    argand_nufft_destroy(plan);
    unmake(&m);
}

static void signs_units_and_orders(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int i = 0; i < 16; i++) {
            const problem p = shaped(shape, i & 8 ? ARGAND_C64 : ARGAND_C32, 1);
            check_options(&p,
                          i & 1   ? 1
                          : i & 2 ? -1
                                  : 0,
                          i & 2 ? ARGAND_NUFFT_RADIANS : ARGAND_NUFFT_CYCLES,
                          i & 4 ? ARGAND_NUFFT_FFT_ORDER : ARGAND_NUFFT_CENTRED);
        }
}

static void options_that_make_no_sense(void **state)
{
    (void)state;
    argand_nufft *plan;
    argand_nufft_options o = {.type = ARGAND_C32, .rank = 1, .n = {8}, .sign = 2};
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "sign 2: give -1 or 1");
    o.sign = 0, o.units = (argand_nufft_units)7;
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "units 7");
    o.units = ARGAND_NUFFT_RADIANS, o.order = (argand_nufft_order)-1;
    FAILS(argand_nufft_create(&plan, device, &o), ARGAND_ARGUMENT, "order -1");
}

/* ---- the window alone ---- */

static argand_array *new_grid(const problem *p, const argand_nufft *plan, argand_nufft_info *info)
{
    argand_array *grid;
    argand_nufft_describe(plan, info);
    int64_t dims[4] = {info->grid[0], info->grid[1], info->grid[2]};
    dims[p->rank] = p->vectors;
    OK(argand_array_create(&grid, device, p->type, p->rank + 1, dims));
    return grid;
}

/* <C^T s, g> = <s, C g>, and C C^T is what argand_nufft_blur gives */
static void spreading_is_the_transpose_of_interpolation(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int i = 0; i < 4; i++) {
            const problem p = shaped(shape, i & 1 ? ARGAND_C64 : ARGAND_C32, i & 2 ? 5 : 1);
            const double limit = i & 1 ? 1e-13 : 1e-5;
            made m = make(&p);
            argand_nufft *plan = other_plan(&p, &m, 0, ARGAND_NUFFT_CYCLES,
                                            i & 1 ? ARGAND_NUFFT_FFT_ORDER : ARGAND_NUFFT_CENTRED);
            argand_nufft_info info;
            argand_array *grid = new_grid(&p, plan, &info), *spread = like(grid), *back = like(m.samples);
            argand_scalar left, right;
            double norm, other_norm;
            randomise(grid, 3, 0, 0);
            randomise(m.samples, 4, 0, 0);
            OK(argand_nufft_spread(plan, spread, m.samples));
            OK(argand_nufft_interpolate(plan, back, grid));
            OK(argand_array_dot(&left, spread, grid));
            OK(argand_array_dot(&right, m.samples, back));
            OK(argand_array_norm(&norm, spread));
            OK(argand_array_norm(&other_norm, grid));
            CHECK_BELOW(hypot(left.re - right.re, left.im - right.im) / (norm * other_norm), limit);
            if (p.vectors == 1) {
                argand_array *blurred = like(m.samples);
                OK(argand_nufft_blur(plan, blurred, m.samples));
                OK(argand_nufft_interpolate(plan, back, spread));
                OK(argand_array_axpby(back, (argand_scalar){-1, 0}, blurred, (argand_scalar){1, 0}));
                OK(argand_array_norm(&norm, back));
                OK(argand_array_norm(&other_norm, blurred));
                CHECK_BELOW(norm / other_norm, limit);
                argand_array_destroy(blurred);
            }
            argand_array *const all[] = {back, spread, grid};
            for (int a = 0; a < 3; a++) argand_array_destroy(all[a]);
            argand_nufft_destroy(plan);
            unmake(&m);
        }
}

/* Sample 1 at a cell of the grid: 1 there, symmetric around it, and nothing beyond the window. */
static void check_place(argand_nufft_order order, int sign)
{
    enum { N = 50, CELL = 13 };
    argand_nufft *plan;
    argand_array *k, *sample, *grid;
    argand_nufft_info info;
    const argand_nufft_options o = {
        .type = ARGAND_C64, .rank = 1, .n = {N}, .tolerance = 1e-6, .sign = sign, .order = order};
    OK(argand_array_create(&k, device, ARGAND_R64, 1, (int64_t[]){1}));
    OK(argand_array_create(&sample, device, ARGAND_C64, 1, (int64_t[]){1}));
    OK(argand_array_fill(sample, (argand_scalar){1, 0}));
    OK(argand_nufft_create(&plan, device, &o));
    OK(argand_nufft_set_points(plan, &k));
    argand_nufft_describe(plan, &info);
    const int64_t size = info.grid[0], distance = order ? CELL : CELL - size / 2;
    *(double *)argand_array_data(k) = (sign > 0 ? -1.0 : 1.0) * (double)distance * N / (double)size;
    OK(argand_nufft_set_points(plan, &k));
    argand_nufft_describe(plan, &info);
    assert_int_equal(info.grid[0], size);
    OK(argand_array_create(&grid, device, ARGAND_C64, 1, &size));
    OK(argand_nufft_spread(plan, grid, sample));
    const double complex *cells = argand_array_data(grid);
    CHECK_BELOW(cabs(cells[CELL] - 1), 1e-6);
    for (int64_t d = 1; d <= size / 2; d++) {
        const double complex up = cells[(CELL + d) % size], down = cells[(CELL + size - d) % size];
        if (2 * d > info.width)
            assert_true(up == 0 && down == 0);
        else if (2 * d < info.width)
            CHECK_BELOW(cabs(up - down), 1e-6);
    }
    argand_array_destroy(grid);
    argand_nufft_destroy(plan);
    argand_array_destroy(sample);
    argand_array_destroy(k);
}

static void cells_lie_where_it_is_said(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        check_place(i & 1 ? ARGAND_NUFFT_FFT_ORDER : ARGAND_NUFFT_CENTRED, i & 2 ? 1 : 0);
}

static void grids_of_other_sizes(void **state)
{
    (void)state;
    const problem p = shaped(2, ARGAND_C32, 1);
    made m = make(&p);
    FAILS(argand_nufft_spread(m.plan, m.image, m.samples), ARGAND_ARGUMENT, "grid has 15 pixels on axis 0");
    FAILS(argand_nufft_interpolate(m.plan, m.samples, NULL), ARGAND_ARGUMENT, "no grid given");
    FAILS(argand_nufft_derivative(m.plan, 2, m.samples, m.image), ARGAND_ARGUMENT,
          "axis 2: the plan has axes 0 to 1");
    FAILS(argand_nufft_gradient(m.plan, NULL, m.samples, m.image), ARGAND_ARGUMENT, "no gradient");
    unmake(&m);
}

/* ---- derivatives ---- */

/* Samples of the plan with every position of one axis moved; the exact sums in double */
static void moved_samples(const problem *p, made *m, int axis, double step, const double complex *image,
                          double complex *samples)
{
    double *k = m->at[axis];
    for (int64_t j = 0; j < p->count; j++) k[j] += step;
    memset(samples, 0, (size_t)p->count * sizeof *samples);
    exact(p, m, (double complex *)image, samples, 1);
    for (int64_t j = 0; j < p->count; j++) k[j] -= step;
}

/* Central differences of exact sums: their error is (2 pi r)^2 step^2 / 6 of the derivative,
 * below 1.7 step^2, and 1e-16 / step of rounding: 1e-9 at step 2e-6 is on the safe side of both. */
static void derivatives_are_those_of_the_sum(void **state)
{
    (void)state;
    const double step = 2e-6;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const problem p = shaped(shape, ARGAND_C64, 1);
            made m = make(&p);
            argand_nufft *plan = other_plan(
                &p, &m, sign, sign > 0 ? ARGAND_NUFFT_RADIANS : ARGAND_NUFFT_CYCLES, ARGAND_NUFFT_CENTRED);
            randomise(m.image, 5, 0, 0);
            double *image = as_doubles(m.image);
            double complex *before = malloc(3 * (size_t)p.count * sizeof *before), *after = before + p.count,
                           *wanted = after + p.count;
            assert_non_null(before);
            for (int axis = 0; axis < p.rank; axis++) {
                const double unit = sign > 0 ? (double)p.n[axis] / two_pi : 1;
                if (sign > 0)
                    for (int64_t i = 0; i < argand_array_count(m.image); i++) image[2 * i + 1] *= -1;
                moved_samples(&p, &m, axis, -step, (double complex *)image, before);
                moved_samples(&p, &m, axis, step, (double complex *)image, after);
                for (int64_t j = 0; j < p.count; j++) {
                    const double complex slope = (after[j] - before[j]) / (2 * step) * unit;
                    wanted[j] = sign > 0 ? conj(slope) : slope;
                }
                if (sign > 0)
                    for (int64_t i = 0; i < argand_array_count(m.image); i++) image[2 * i + 1] *= -1;
                OK(argand_nufft_derivative(plan, axis, m.samples, m.image));
                double *got = as_doubles(m.samples);
                CHECK_BELOW(relative_error(got, (double *)wanted, 2 * (size_t)p.count), 1e-9);
                free(got);
            }
            free(before);
            free(image);
            argand_nufft_destroy(plan);
            unmake(&m);
        }
}

static void derivatives_have_adjoints(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int i = 0; i < 4; i++) {
            const problem p = shaped(shape, i & 1 ? ARGAND_C64 : ARGAND_C32, i & 2 ? 3 : 1);
            made m = make(&p);
            argand_nufft *plan = other_plan(&p, &m, i & 2 ? 1 : -1, ARGAND_NUFFT_CYCLES,
                                            i & 1 ? ARGAND_NUFFT_FFT_ORDER : ARGAND_NUFFT_CENTRED);
            argand_array *ax = like(m.samples), *ahy = like(m.image);
            randomise(m.image, 3, 0, 0);
            randomise(m.samples, 4, 0, 0);
            for (int axis = 0; axis < p.rank; axis++) {
                argand_scalar left, right;
                double norm, other_norm;
                OK(argand_nufft_derivative(plan, axis, ax, m.image));
                OK(argand_nufft_derivative_adjoint(plan, axis, ahy, m.samples));
                OK(argand_array_dot(&left, ax, m.samples));
                OK(argand_array_dot(&right, m.image, ahy));
                OK(argand_array_norm(&norm, ax));
                OK(argand_array_norm(&other_norm, m.samples));
                CHECK_BELOW(hypot(left.re - right.re, left.im - right.im) / (norm * other_norm),
                            i & 1 ? 1e-12 : 1e-5);
            }
            argand_array_destroy(ahy);
            argand_array_destroy(ax);
            argand_nufft_destroy(plan);
            unmake(&m);
        }
}

/* L = Re <s, A m> over all vectors: its gradient by each position, against differences of L in double */
static double loss_at(argand_nufft *plan, made *m, argand_array *ax)
{
    argand_scalar dot;
    OK(argand_nufft_set_points(plan, m->k));
    OK(argand_nufft_apply(plan, ax, m->image));
    OK(argand_array_dot(&dot, m->samples, ax));
    return dot.re;
}

static void gradients_of_a_loss(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++) {
        const problem p = shaped(shape, ARGAND_C64, 4);
        made m = make(&p);
        argand_array *gradient[3], *ax = like(m.samples);
        randomise(m.image, 3, 0, 0);
        randomise(m.samples, 4, 0, 0);
        for (int axis = 0; axis < p.rank; axis++) gradient[axis] = like(m.k[axis]);
        OK(argand_nufft_gradient(m.plan, gradient, m.samples, m.image));
        for (int axis = 0; axis < p.rank; axis++)
            for (int64_t j = 0; j < p.count; j += 17) {
                double *k = (double *)argand_array_data(m.k[axis]) + j, step = 1e-4;
                const double kept = *k;
                *k = kept + step;
                const double after = loss_at(m.plan, &m, ax);
                *k = kept - step;
                const double before = loss_at(m.plan, &m, ax), slope = (after - before) / (2 * step);
                *k = kept;
                double size;
                OK(argand_array_max_abs(&size, gradient[axis]));
                CHECK_BELOW(fabs(((double *)argand_array_data(gradient[axis]))[j] - slope), 1e-5 * size);
            }
        for (int axis = 0; axis < p.rank; axis++) argand_array_destroy(gradient[axis]);
        argand_array_destroy(ax);
        unmake(&m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(signs_units_and_orders),
    cmocka_unit_test(options_that_make_no_sense),
    cmocka_unit_test(spreading_is_the_transpose_of_interpolation),
    cmocka_unit_test(cells_lie_where_it_is_said),
    cmocka_unit_test(grids_of_other_sizes),
    cmocka_unit_test(derivatives_are_those_of_the_sum),
    cmocka_unit_test(derivatives_have_adjoints),
    cmocka_unit_test(gradients_of_a_loss),
};
RUN_TESTS(tests)
