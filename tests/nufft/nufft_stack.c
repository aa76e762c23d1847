/* SPDX-License-Identifier: BSD-3-Clause */
/* Cartesian axes found and done by an FFT: against exact sums in double, and against the plan with a window
 * on every axis. What is nearly a stack is none, and right as well. */
#include "stacks.h"

enum { RUN = 40 };

/* Samples {run, planes, shots} along `axis`: planes at first, first + step ... cycles, or where `shuffled` in
 * an order without rule. */
typedef struct stack_case {
    int rank, axis;
    int64_t n[3];
    int64_t run, planes, shots, first, step;
    bool shuffled;
} stack_case;

static const stack_case cases[] = {
    {3, 2, {9, 12, 8}, RUN, 8, 1, -4, 1, false},  /* whole, plane by plane */
    {3, 2, {12, 9, 7}, RUN, 7, 2, -3, 1, false},  /* odd, shot by shot */
    {3, 2, {9, 12, 8}, RUN, 4, 1, -3, 2, false},  /* every second plane */
    {3, 2, {9, 12, 8}, RUN, 3, 2, 5, 1, false},   /* some, periods away */
    {3, 1, {9, 10, 12}, RUN, 10, 2, -5, 1, true}, /* along y */
    {3, 0, {11, 10, 6}, 1, 11, 30, -5, 1, false}, /* readouts along x */
    {2, 1, {15, 12, 0}, RUN, 6, 1, 4, -2, false}, /* downwards */
    {2, 0, {10, 13, 0}, 5, 10, 8, -5, 1, true},   {3, 2, {9, 12, 8}, RUN, 1, 1, 2, 1, false}, /* one plane */
    {3, 2, {8, 9, 1}, RUN, 1, 3, 0, 1, false}, /* an axis of one pixel */
};
enum { CASES = sizeof cases / sizeof *cases };

/* CPUs under OpenCL compile the kernels of each shape for long. */
static int most_cases(void)
{
    return on_host() ? CASES : 2;
}

static problem stack_problem(const stack_case *c, argand_type type, int64_t vectors)
{
    problem p = {.type = type,
                 .rank = c->rank,
                 .tolerance = type == ARGAND_C64 ? 1e-10 : 1e-5,
                 .kind = UNIFORM,
                 .count = c->run * c->planes * c->shots,
                 .vectors = vectors,
                 .threads = 2};
    memcpy(p.n, c->n, sizeof p.n);
    return p;
}

static double plane_of(const stack_case *c, int64_t i)
{
    return (double)(c->first + c->step * (c->shuffled ? i * 3 % c->planes : i));
}

/* The problem's points become a stack. */
static made stacked(const problem *p, const stack_case *c)
{
    made m = make(p);
    for (int axis = 0; axis < p->rank; axis++) {
        for (int64_t j = 0; j < p->count; j++) {
            const int64_t plane = j / c->run % c->planes, first = j - plane * c->run;
            m.at[axis][j] = axis == c->axis ? plane_of(c, plane) : m.at[axis][first];
        }
        put(&m, axis, p->count);
    }
    set(&m);
    return m;
}

/* Checks case i in single precision. */
static void check_case(void (*check_made)(const problem *p, made *m), int i, int64_t vectors)
{
    const problem p = stack_problem(&cases[i], ARGAND_C32, vectors);
    made m = stacked(&p, &cases[i]);
    check_made(&p, &m);
    unmake(&m);
}

static void against_exact_sums(void **state)
{
    (void)state;
    for (int i = 0; i < most_cases(); i++)
        for (int64_t vectors = 1; vectors <= 5; vectors += 4)
            for (int twice = 0; twice < precisions(); twice++) {
                const problem p = stack_problem(&cases[i], twice ? ARGAND_C64 : ARGAND_C32, vectors);
                made m = stacked(&p, &cases[i]);
                assert_int_equal(m.info.cartesian, 1 << cases[i].axis);
                assert_int_equal(m.info.points, p.count);
                check(&p, &m);
                unmake(&m);
            }
}

/* The other sign, the FFT's order of pixels, and both. */
static void other_conventions(void **state)
{
    (void)state;
    for (int i = 0; i < most_cases(); i++)
        for (int kind = on_host() ? 1 : 3; kind < 4; kind++) {
            const problem p = stack_problem(&cases[i], ARGAND_C32, 2);
            made m = stacked(&p, &cases[i]);
            const argand_nufft_options o = {
                .sign = kind & 1 ? 1 : -1, .order = kind & 2 ? ARGAND_NUFFT_FFT_ORDER : ARGAND_NUFFT_CENTRED};
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
    check_case(check_derivatives, 0, 2);
}

static void adjoint_to_rounding(void **state)
{
    (void)state;
    for (int i = 0; i < most_cases(); i++)
        for (int twice = 0; twice < precisions(); twice++) {
            const problem p = stack_problem(&cases[i], twice ? ARGAND_C64 : ARGAND_C32, 3);
            made m = stacked(&p, &cases[i]);
            check_adjoint_of(&m);
            unmake(&m);
        }
}

/* Moves sample j along an axis and says whether an axis is still taken to be Cartesian. */
static int after_moving(const problem *p, made *m, int axis, int64_t j, double by)
{
    m->at[axis][j] += by;
    put(m, axis, p->count);
    OK(argand_nufft_set_points(m->plan, m->k));
    argand_nufft_describe(m->plan, &m->info);
    check(p, m);
    return m->info.cartesian;
}

static void what_is_nearly_a_stack(void **state)
{
    (void)state;
    const problem p = stack_problem(&cases[0], ARGAND_C32, 1);
    const int64_t last = p.count - 1;
    for (int axis = 0; axis < 3; axis++) {
        made m = stacked(&p, &cases[0]);
        assert_int_equal(after_moving(&p, &m, axis, last, 1e-3), axis == 2 ? 0 : 4); /* planes that differ */
        unmake(&m);
    }
    made m = stacked(&p, &cases[0]);
    assert_int_equal(after_moving(&p, &m, 2, last, 1), 4); /* planes of different length */
    assert_int_equal(after_moving(&p, &m, 2, last, -1), 4);
    assert_int_equal(after_moving(&p, &m, 2, last, 5e-7), 4); /* rounding */
    unmake(&m);
}

/* Every grid point: all axes but one are FFTs. */
static void whole_grids(void **state)
{
    (void)state;
    const stack_case c = {3, 2, {6, 5, 4}, 30, 4, 1, -2, 1, false};
    const problem p = stack_problem(&c, ARGAND_C32, 2);
    made m = stacked(&p, &c);
    for (int64_t j = 0; j < p.count; j++) {
        m.at[0][j] = (double)(j % 6 - 3);
        m.at[1][j] = (double)(j / 6 % 5 - 2);
    }
    put(&m, 0, p.count);
    put(&m, 1, p.count);
    OK(argand_nufft_set_points(m.plan, m.k));
    argand_nufft_describe(m.plan, &m.info);
    assert_int_equal(m.info.cartesian, 6);
    check(&p, &m);
    unmake(&m);
}

static void gaps_and_threads(void **state)
{
    (void)state;
    check_case(check_gaps_and_threads, 1, 3);
}

/* Positions (y, x) side by side, as columns of one array: the same bits as from arrays of their own. */
static void check_columns(const problem *p, made *m)
{
    argand_array *together, *column[3], *samples = like(m->samples);
    const int64_t rank = p->rank;
    OK(argand_array_create(&together, device, argand_array_type(m->k[0]), 2, (int64_t[]){rank, p->count}));
    for (int axis = 0; axis < p->rank; axis++) {
        OK(argand_array_view(&column[axis], together, 1, &p->count, &rank, rank - 1 - axis));
        OK(argand_array_copy(column[axis], m->k[axis]));
    }
    randomise(m->image, 6, 0, 0);
    OK(argand_nufft_apply(m->plan, m->samples, m->image));
    OK(argand_nufft_set_points(m->plan, column));
    OK(argand_nufft_apply(m->plan, samples, m->image));
    assert_near(samples, m->samples, 0);
    for (int axis = 0; axis < p->rank; axis++) argand_array_destroy(column[axis]);
    argand_array_destroy(together);
    argand_array_destroy(samples);
}

static void columns_of_one_array(void **state)
{
    (void)state;
    const problem stack = stack_problem(&cases[1], ARGAND_C32, 2);
    made m = stacked(&stack, &cases[1]);
    check_columns(&stack, &m);
    unmake(&m);
    problem other = stack_problem(&cases[6], ARGAND_C32, 1);
    other.count = 1000; /* several blocks of points */
    m = make(&other);
    assert_int_equal(m.info.cartesian, 0);
    check_columns(&other, &m);
    argand_array *flat;
    OK(argand_array_view(&flat, m.k[0], 2, (int64_t[]){10, 10}, (int64_t[]){1, 20}, 0));
    FAILS(argand_nufft_set_points(m.plan, (argand_array *[]){flat, flat}), ARGAND_ARGUMENT,
          "axis 0 have 2 dimensions with gaps");
    argand_array_destroy(flat);
    unmake(&m);
}

/* A first spoke along x has y = 0 everywhere. Devices must not send all positions for that. */
static void the_first_spoke_along_an_axis(void **state)
{
    (void)state;
    enum { SPOKE = 500, COUNT = 20000 };
    argand_array *k[2];
    argand_nufft *plan;
    argand_nufft_info info;
    for (int axis = 0; axis < 2; axis++) {
        double *host = malloc(COUNT * sizeof *host);
        for (int64_t j = 0; j < COUNT; j++) {
            const double angle = 2.39996322972865 * (double)(j / SPOKE), r = 0.03 * (double)(j % SPOKE - 250);
            host[j] = r * (axis ? sin(angle) : cos(angle));
        }
        OK(argand_array_create(&k[axis], device, ARGAND_R64, 1, (const int64_t[1]){COUNT}));
        OK(argand_array_upload(k[axis], host));
        free(host);
    }
    OK(argand_nufft_create(&plan, device,
                           &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {16, 16}}));
    const argand_transfers before = argand_device_transfers(device);
    OK(argand_nufft_set_points(plan, k));
    const argand_transfers after = argand_device_transfers(device);
    assert_true(after.download_bytes - before.download_bytes < COUNT * 8 / 2);
    argand_nufft_describe(plan, &info);
    assert_int_equal(info.cartesian, 0);
    argand_nufft_destroy(plan);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(k[axis]);
}

static void positions_that_are_not_numbers(void **state)
{
    (void)state;
    check_case(check_bad_positions, 0, 1);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_case(check_failing_allocations, 2, 3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(against_exact_sums),
    cmocka_unit_test(other_conventions),
    cmocka_unit_test(the_window_alone),
    cmocka_unit_test(derivatives),
    cmocka_unit_test(adjoint_to_rounding),
    cmocka_unit_test(what_is_nearly_a_stack),
    cmocka_unit_test(whole_grids),
    cmocka_unit_test(gaps_and_threads),
    cmocka_unit_test(columns_of_one_array),
    cmocka_unit_test(the_first_spoke_along_an_axis),
    cmocka_unit_test(positions_that_are_not_numbers),
    cmocka_unit_test(every_allocation_may_fail),
};
RUN_TESTS(tests)
