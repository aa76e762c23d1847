/* SPDX-License-Identifier: BSD-3-Clause */
/* Points with whole k along an axis whose planes differ: stars that turn from plane to plane, planes with
 * fewer points, several times or none. Against exact sums in double, and against the plan with a window on
 * every axis. */
#include "truth.h"

/* Planes at first, first + step ...; sample j lies in the j / run-th of them, round and round, or where
 * `shuffled` in one without rule. */
typedef struct planes_case {
    int axis;
    int64_t n[3], count, run, planes, first, step;
    bool shuffled;
    point_kind kind;
} planes_case;

static const planes_case cases[] = {
    {2, {12, 9, 8}, 331, 37, 8, -4, 1, false, UNIFORM}, /* all, of different numbers of points */
    {2, {9, 12, 7}, 300, 20, 7, -3, 1, false, RADIAL},  /* odd, several rounds */
    {2, {12, 9, 8}, 301, 1, 3, -3, 2, true, UNIFORM},   /* some */
    {2, {9, 12, 8}, 250, 25, 5, 13, -1, false, EDGE},   /* periods away, downwards */
    {1, {9, 10, 12}, 301, 13, 10, -5, 1, true, UNIFORM},
    {0, {11, 10, 6}, 301, 7, 11, -5, 1, false, SPIRAL},
    {2, {40, 36, 5}, 3000, 100, 5, -2, 1, false, CLUSTERED}, /* several tiles, crowded cells */
    {2, {9, 12, 64}, 200, 1, 64, -32, 1, true, MIDDLE},      /* few points in many planes */
};
enum { CASES = sizeof cases / sizeof *cases };

static bool on_host(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.host_addressable;
}

/* CPUs under OpenCL compile the kernels of each shape for long. */
static int most_cases(void)
{
    return on_host() ? CASES : 2;
}

static int precisions(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.has_double && info.host_addressable ? 2 : 1;
}

static problem planes_problem(const planes_case *c, argand_type type, int64_t vectors)
{
    problem p = {.type = type,
                 .rank = 3,
                 .tolerance = type == ARGAND_C64 ? 1e-10 : 1e-5,
                 .kind = c->kind,
                 .count = c->count,
                 .vectors = vectors,
                 .threads = 2};
    memcpy(p.n, c->n, sizeof p.n);
    return p;
}

static void put(made *m, int axis, int64_t count)
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

static void set(made *m)
{
    OK(argand_nufft_set_points(m->plan, m->k));
    argand_nufft_describe(m->plan, &m->info);
}

/* The problem's points, with whole k along the case's axis */
static made in_planes(const problem *p, const planes_case *c)
{
    made m = make(p);
    for (int64_t j = 0; j < p->count; j++) {
        const int64_t plane = (c->shuffled ? j * j % 101 : j / c->run) % c->planes;
        m.at[c->axis][j] = (double)(c->first + c->step * plane);
    }
    put(&m, c->axis, p->count);
    set(&m);
    return m;
}

static void check(const problem *p, const made *m)
{
    const errors e = measure(p, m, 1);
    const double limit = fmax(p->tolerance, m->info.expected_error);
    if (getenv("VERBOSE") || !(e.forward <= limit) || !(e.adjoint <= limit)) print_problem(p, m, e);
    CHECK_BELOW(e.forward, limit);
    CHECK_BELOW(e.adjoint, limit);
}

static void against_exact_sums(void **state)
{
    (void)state;
    for (int i = 0; i < most_cases(); i++)
        for (int64_t vectors = 1; vectors <= 9; vectors += 4)
            for (int twice = 0; twice < precisions(); twice++) {
                const problem p = planes_problem(&cases[i], twice ? ARGAND_C64 : ARGAND_C32, vectors);
                made m = in_planes(&p, &cases[i]);
                char text[512];
                argand_nufft_print(m.plan, text, sizeof text);
                assert_non_null(strstr(text, "planes that differ"));
                assert_int_equal(m.info.cartesian, 1 << cases[i].axis);
                assert_int_equal(m.info.points, p.count);
                assert_int_equal(m.info.grid[cases[i].axis] > m.info.n[cases[i].axis], 1); /* the window's */
                check(&p, &m);
                unmake(&m);
            }
}

/* The plan's own choice with another option */
static argand_nufft *plan_with(const problem *p, const made *m, argand_nufft_options o)
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

static void assert_near(const argand_array *a, const argand_array *b, double limit)
{
    const argand_type type = argand_array_type(a);
    const size_t count = (size_t)argand_array_count(a) * (type == ARGAND_C32 || type == ARGAND_C64 ? 2 : 1);
    double *x = as_doubles(a), *y = as_doubles(b);
    CHECK_BELOW(relative_error(x, y, count), limit);
    free(y);
    free(x);
}

/* Radians, the other sign, the FFT's order of pixels */
static void other_conventions(void **state)
{
    (void)state;
    for (int i = 0; i < most_cases(); i++)
        for (int kind = on_host() ? 1 : 7; kind < 8; kind++) {
            const problem p = planes_problem(&cases[i], ARGAND_C64, 2);
            if (precisions() < 2) return;
            made m = in_planes(&p, &cases[i]);
            argand_nufft_options o = {.sign = kind & 1 ? 1 : -1,
                                      .order = kind & 2 ? ARGAND_NUFFT_FFT_ORDER : ARGAND_NUFFT_CENTRED,
                                      .units = kind & 4 ? ARGAND_NUFFT_RADIANS : ARGAND_NUFFT_CYCLES};
            for (int axis = 0; axis < 3 && kind & 4; axis++) {
                for (int64_t j = 0; j < p.count; j++) m.at[axis][j] *= two_pi / (double)p.n[axis];
                put(&m, axis, p.count);
            }
            argand_nufft *found = plan_with(&p, &m, o);
            o.window_only = true;
            argand_nufft *window = plan_with(&p, &m, o);
            argand_array *samples = like(m.samples), *image = like(m.image);
            argand_nufft_info info;
            argand_nufft_describe(found, &info);
            assert_int_equal(info.cartesian, 1 << cases[i].axis);
            randomise(m.image, 5, 0, 0);
            OK(argand_nufft_apply(found, m.samples, m.image));
            OK(argand_nufft_apply(window, samples, m.image));
            assert_near(m.samples, samples, 2 * p.tolerance);
            OK(argand_nufft_adjoint(found, m.image, m.samples));
            OK(argand_nufft_adjoint(window, image, m.samples));
            assert_near(m.image, image, 2 * p.tolerance);
            argand_array_destroy(image);
            argand_array_destroy(samples);
            argand_nufft_destroy(window);
            argand_nufft_destroy(found);
            unmake(&m);
        }
}

/* What needs the window on every axis is that of a plan without the FFT, to the bit. */
static void the_window_alone(void **state)
{
    (void)state;
    const problem p = planes_problem(&cases[1], ARGAND_C32, 1);
    made m = in_planes(&p, &cases[1]);
    argand_nufft *window = plan_with(&p, &m, (argand_nufft_options){.window_only = true});
    argand_array *blurred = like(m.samples), *same = like(m.samples), *grid[2];
    for (int i = 0; i < 2; i++) OK(argand_array_create(&grid[i], device, p.type, 3, m.info.grid));
    randomise(m.samples, 6, 0, 0);
    OK(argand_nufft_blur(m.plan, blurred, m.samples));
    OK(argand_nufft_blur(window, same, m.samples));
    assert_near(blurred, same, 0);
    OK(argand_nufft_spread(m.plan, grid[0], m.samples));
    OK(argand_nufft_spread(window, grid[1], m.samples));
    assert_near(grid[0], grid[1], 0);
    for (int i = 0; i < 2; i++) argand_array_destroy(grid[i]);
    argand_array_destroy(same);
    argand_array_destroy(blurred);
    argand_nufft_destroy(window);
    unmake(&m);
}

static void derivatives(void **state)
{
    (void)state;
    const int which = on_host() ? 4 : 1;
    const problem p = planes_problem(&cases[which], ARGAND_C32, 2);
    made m = in_planes(&p, &cases[which]);
    argand_nufft *window = plan_with(&p, &m, (argand_nufft_options){.window_only = true});
    argand_array *same = like(m.samples);
    randomise(m.image, 5, 0, 0);
    for (int axis = 0; axis < 3; axis++) {
        OK(argand_nufft_derivative(m.plan, axis, m.samples, m.image));
        OK(argand_nufft_derivative(window, axis, same, m.image));
        assert_near(m.samples, same, 2 * p.tolerance);
    }
    argand_array_destroy(same);
    argand_nufft_destroy(window);
    unmake(&m);
}

static void adjoint_to_rounding(void **state)
{
    (void)state;
    for (int i = 0; i < most_cases(); i++)
        for (int twice = 0; twice < precisions(); twice++) {
            const problem p = planes_problem(&cases[i], twice ? ARGAND_C64 : ARGAND_C32, 3);
            made m = in_planes(&p, &cases[i]);
            argand_array *ax = like(m.samples), *ahy = like(m.image);
            argand_scalar left, right;
            double norm_ax, norm_y;
            randomise(m.image, 3, 0, 0);
            randomise(m.samples, 4, 0, 0);
            OK(argand_nufft_apply(m.plan, ax, m.image));
            OK(argand_nufft_adjoint(m.plan, ahy, m.samples));
            OK(argand_array_dot(&left, ax, m.samples));
            OK(argand_array_dot(&right, m.image, ahy));
            OK(argand_array_norm(&norm_ax, ax));
            OK(argand_array_norm(&norm_y, m.samples));
            CHECK_BELOW(hypot(left.re - right.re, left.im - right.im) / (norm_ax * norm_y),
                        twice ? 1e-12 : 1e-5);
            argand_array_destroy(ahy);
            argand_array_destroy(ax);
            unmake(&m);
        }
}

/* Real pixels are what complex ones with imaginary part 0 are; the adjoint is the real part. */
static void real_images(void **state)
{
    (void)state;
    for (int i = 0; i < most_cases(); i++) {
        const problem p = planes_problem(&cases[i], ARGAND_C32, 3);
        made m = in_planes(&p, &cases[i]);
        argand_nufft *real = plan_with(&p, &m, (argand_nufft_options){.real_image = true});
        argand_nufft_info info;
        const int64_t dims[4] = {p.n[0], p.n[1], p.n[2], p.vectors};
        argand_array *pixels, *same, *samples = like(m.samples);
        argand_nufft_describe(real, &info);
        assert_int_equal(info.cartesian, 1 << cases[i].axis);
        OK(argand_array_create(&pixels, device, ARGAND_R32, 4, dims));
        OK(argand_array_create(&same, device, ARGAND_R32, 4, dims));
        randomise(m.image, 5, 0, 0);
        OK(argand_array_real(pixels, m.image));
        OK(argand_array_copy(m.image, pixels));
        OK(argand_nufft_apply(real, samples, pixels));
        OK(argand_nufft_apply(m.plan, m.samples, m.image));
        assert_near(samples, m.samples, 2 * p.tolerance);
        OK(argand_nufft_adjoint(real, pixels, samples));
        OK(argand_nufft_adjoint(m.plan, m.image, samples));
        OK(argand_array_real(same, m.image));
        assert_near(pixels, same, 2 * p.tolerance);
        argand_array *const all[] = {samples, same, pixels};
        for (int k = 0; k < 3; k++) argand_array_destroy(all[k]);
        argand_nufft_destroy(real);
        unmake(&m);
    }
}

/* k within rounding of whole numbers counts as these, and beyond it does not. */
static void nearly_whole(void **state)
{
    (void)state;
    static const double jitters[] = {3e-7, 2e-6, 1e-3};
    const problem p = planes_problem(&cases[1], ARGAND_C32, 1);
    for (int i = 0; i < 3; i++) {
        made m = in_planes(&p, &cases[1]);
        for (int64_t j = 0; j < p.count; j++) m.at[2][j] += jitters[i] * (double)(j % 3 - 1);
        put(&m, 2, p.count);
        set(&m);
        assert_int_equal(m.info.cartesian, jitters[i] <= 0.1 * p.tolerance ? 4 : 0);
        check(&p, &m);
        unmake(&m);
    }
}

/* One plan is given points of another structure, and its first ones again. */
static void points_set_again(void **state)
{
    (void)state;
    const problem p = planes_problem(&cases[0], ARGAND_C32, 2);
    made m = in_planes(&p, &cases[0]), random = make(&p);
    argand_array *first = like(m.samples);
    randomise(m.image, 5, 0, 0);
    OK(argand_nufft_apply(m.plan, first, m.image));
    OK(argand_nufft_set_points(m.plan, random.k));
    argand_nufft_describe(m.plan, &m.info);
    assert_int_equal(m.info.cartesian, 0);
    for (int64_t j = 0; j < p.count; j++) m.at[2][j] = 2; /* one plane */
    put(&m, 2, p.count);
    set(&m);
    assert_int_equal(m.info.cartesian, 4);
    check(&p, &m);
    unmake(&m);
    m = in_planes(&p, &cases[0]);
    randomise(m.image, 5, 0, 0);
    OK(argand_nufft_apply(m.plan, m.samples, m.image));
    assert_near(m.samples, first, 0);
    argand_array_destroy(first);
    unmake(&random);
    unmake(&m);
}

/* Arrays with gaps, and the same bits for any number of threads */
static void gaps_and_threads(void **state)
{
    (void)state;
    const int which = on_host() ? 6 : 1;
    const problem p = planes_problem(&cases[which], ARGAND_C32, 3);
    made m = in_planes(&p, &cases[which]);
    argand_array *wide, *gaps, *same = like(m.samples), *image = like(m.image);
    OK(argand_array_create(&wide, device, p.type, 2, (int64_t[]){2 * p.count, p.vectors}));
    OK(argand_array_view(&gaps, wide, 2, (int64_t[]){p.count, p.vectors}, (int64_t[]){2, 2 * p.count}, 1));
    randomise(m.image, 5, 0, 0);
    OK(argand_nufft_apply(m.plan, m.samples, m.image));
    OK(argand_nufft_apply(m.plan, gaps, m.image));
    OK(argand_array_copy(same, gaps));
    assert_near(same, m.samples, 0);
    OK(argand_device_set_threads(device, 1));
    OK(argand_nufft_apply(m.plan, same, m.image));
    assert_near(same, m.samples, 0);
    OK(argand_nufft_adjoint(m.plan, m.image, gaps));
    OK(argand_device_set_threads(device, 2));
    OK(argand_nufft_adjoint(m.plan, image, m.samples));
    assert_near(image, m.image, 0);
    argand_array *const all[] = {image, gaps, wide, same};
    for (int i = 0; i < 4; i++) argand_array_destroy(all[i]);
    unmake(&m);
}

static void positions_that_are_not_numbers(void **state)
{
    (void)state;
    const problem p = planes_problem(&cases[0], ARGAND_C32, 1);
    for (int axis = 0; axis < 3; axis++) {
        made m = in_planes(&p, &cases[0]);
        m.at[axis][17] = NAN;
        put(&m, axis, p.count);
        FAILS(argand_nufft_set_points(m.plan, m.k), ARGAND_NUMERIC, "position 17 of 331 is not finite");
        unmake(&m);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const problem p = planes_problem(&cases[1], ARGAND_C32, 3);
    made m = in_planes(&p, &cases[1]);
    argand_status status = ARGAND_MEMORY;
    for (long n = 0; status == ARGAND_MEMORY;) {
        argand_test_fail_allocation(++n);
        status = argand_nufft_set_points(m.plan, m.k);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_nufft_describe(m.plan, &m.info);
    assert_int_equal(m.info.cartesian, 4);
    check(&p, &m);
    unmake(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(against_exact_sums),
    cmocka_unit_test(other_conventions),
    cmocka_unit_test(the_window_alone),
    cmocka_unit_test(derivatives),
    cmocka_unit_test(adjoint_to_rounding),
    cmocka_unit_test(real_images),
    cmocka_unit_test(nearly_whole),
    cmocka_unit_test(points_set_again),
    cmocka_unit_test(gaps_and_threads),
    cmocka_unit_test(positions_that_are_not_numbers),
    cmocka_unit_test(every_allocation_may_fail),
};
RUN_TESTS(tests)
