/* SPDX-License-Identifier: BSD-3-Clause */
/* Points with whole k along an axis whose planes differ: stars rotated from plane to plane, planes with fewer
 * points, several times or none. */
#include "stacks.h"

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

/* CPUs under OpenCL compile the kernels of each shape for long. */
static int most_cases(void)
{
    return on_host() ? CASES : 2;
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

/* Checks case i in single precision. */
static void check_case(void (*check_made)(const problem *p, made *m), int i, int64_t vectors)
{
    const problem p = planes_problem(&cases[i], ARGAND_C32, vectors);
    made m = in_planes(&p, &cases[i]);
    check_made(&p, &m);
    unmake(&m);
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

/* The other sign, the FFT's order of pixels, and radians, which take single positions off the grid */
static void other_conventions(void **state)
{
    (void)state;
    const int twice = precisions() > 1, last = twice ? 7 : 3;
    for (int i = 0; i < most_cases(); i++)
        for (int kind = on_host() ? 1 : last; kind <= last; kind++) {
            const problem p = planes_problem(&cases[i], twice ? ARGAND_C64 : ARGAND_C32, 2);
            made m = in_planes(&p, &cases[i]);
            const argand_nufft_options o = {.sign = kind & 1 ? 1 : -1,
                                            .order = kind & 2 ? ARGAND_NUFFT_FFT_ORDER : ARGAND_NUFFT_CENTRED,
                                            .units = kind & 4 ? ARGAND_NUFFT_RADIANS : ARGAND_NUFFT_CYCLES};
            for (int axis = 0; axis < 3 && kind & 4; axis++) {
                for (int64_t j = 0; j < p.count; j++) m.at[axis][j] *= two_pi / (double)p.n[axis];
                put(&m, axis, p.count);
            }
            check_options(&p, &m, o, cases[i].axis);
            unmake(&m);
        }
}

static void the_window_alone(void **state)
{
    (void)state;
    check_case(check_window_alone, 1, 1);
}

static void derivatives(void **state)
{
    (void)state;
    check_case(check_derivatives, on_host() ? 4 : 1, 2);
}

static void adjoint_to_rounding(void **state)
{
    (void)state;
    for (int i = 0; i < most_cases(); i++)
        for (int twice = 0; twice < precisions(); twice++) {
            const problem p = planes_problem(&cases[i], twice ? ARGAND_C64 : ARGAND_C32, 3);
            made m = in_planes(&p, &cases[i]);
            check_adjoint_of(&m);
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

static void gaps_and_threads(void **state)
{
    (void)state;
    check_case(check_gaps_and_threads, on_host() ? 6 : 1, 3);
}

static void positions_that_are_not_numbers(void **state)
{
    (void)state;
    check_case(check_bad_positions, 0, 1);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_case(check_failing_allocations, 1, 3);
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
