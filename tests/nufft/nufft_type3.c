/* SPDX-License-Identifier: BSD-3-Clause */
/* Type 3 against exact sums in double: tolerances, extents, many vectors, adjointness, refusals. */
#include "truth.h"

typedef struct problem3 {
    argand_type type;
    int rank;
    double sources[3], targets[3]; /* extents */
    double source_middle[3], target_middle[3];
    double tolerance, oversampling;
    point_kind kind;
    int64_t source_count, target_count, vectors;
    int sign;
    argand_nufft_units units;
} problem3;

typedef struct made3 {
    argand_array *r[3], *k[3], *strengths, *samples;
    argand_nufft3 *plan;
    argand_nufft3_info info;
} made3;

static argand_array *new_positions(const problem3 *p, int axis, bool targets, random_state *random)
{
    argand_array *array;
    const bool twice = p->type == ARGAND_C64;
    const int64_t count = targets ? p->target_count : p->source_count;
    /* EDGE reaches over five periods, and here extents are what costs */
    const double shrink = p->kind == EDGE ? 0.2 : 1,
                 extent = shrink * (targets ? p->targets[axis] : p->sources[axis]),
                 middle = targets ? p->target_middle[axis] : p->source_middle[axis];
    OK(argand_array_create(&array, device, twice ? ARGAND_R64 : ARGAND_R32, 1, &count));
    for (int64_t j = 0; j < count; j++) {
        const double value = middle + position(p->kind, j, count, axis, extent, random);
        if (twice)
            ((double *)argand_array_data(array))[j] = value;
        else
            ((float *)argand_array_data(array))[j] = (float)value;
    }
    return array;
}

static argand_nufft3 *new_plan(const problem3 *p)
{
    argand_nufft3 *plan;
    OK(argand_nufft3_create(&plan, device,
                            &(argand_nufft3_options){.type = p->type,
                                                     .rank = p->rank,
                                                     .tolerance = p->tolerance,
                                                     .oversampling = p->oversampling,
                                                     .sign = p->sign,
                                                     .units = p->units}));
    return plan;
}

static made3 make3(const problem3 *p)
{
    made3 m = {0};
    random_state random = {77};
    for (int axis = 0; axis < p->rank; axis++) {
        m.r[axis] = new_positions(p, axis, false, &random);
        m.k[axis] = new_positions(p, axis, true, &random);
    }
    OK(argand_array_create(&m.strengths, device, p->type, 2, (int64_t[]){p->source_count, p->vectors}));
    OK(argand_array_create(&m.samples, device, p->type, 2, (int64_t[]){p->target_count, p->vectors}));
    m.plan = new_plan(p);
    OK(argand_nufft3_set_points(m.plan, m.r, m.k));
    argand_nufft3_describe(m.plan, &m.info);
    return m;
}

static void unmake3(made3 *m)
{
    argand_nufft3_destroy(m->plan);
    argand_array_destroy(m->samples);
    argand_array_destroy(m->strengths);
    for (int axis = 0; axis < 3; axis++) {
        argand_array_destroy(m->r[axis]);
        argand_array_destroy(m->k[axis]);
    }
}

/* out_a = sum_b in_b exp(sign i phase): forward from sources to targets, else back */
static void exact3(const problem3 *p, const made3 *m, const double complex *in, double complex *out,
                   bool forward)
{
    const int64_t outs = forward ? p->target_count : p->source_count,
                  ins = forward ? p->source_count : p->target_count;
    const double sign = (p->sign > 0) == forward ? 1 : -1;
    for (int64_t a = 0; a < outs; a++) {
        double complex sum = 0;
        for (int64_t b = 0; b < ins; b++) {
            long double product = 0;
            for (int axis = 0; axis < p->rank; axis++)
                product += (long double)point(m->r[axis], forward ? b : a) *
                           (long double)point(m->k[axis], forward ? a : b);
            if (p->units == ARGAND_NUFFT_CYCLES) product = (product - rintl(product)) * two_pi;
            sum += in[b] * CMPLX(cosl(product), sign * sinl(product));
        }
        out[a] = sum;
    }
}

static double error3(const problem3 *p, const made3 *m, bool forward)
{
    const int64_t outs = forward ? p->target_count : p->source_count,
                  ins = forward ? p->source_count : p->target_count;
    argand_array *in = forward ? m->strengths : m->samples, *out = forward ? m->samples : m->strengths;
    randomise(in, 5, 0, 0);
    double *given = as_doubles(in), worst = 0;
    OK(forward ? argand_nufft3_apply(m->plan, out, in) : argand_nufft3_adjoint(m->plan, out, in));
    double *got = as_doubles(out);
    double complex *wanted = malloc((size_t)outs * sizeof *wanted);
    assert_non_null(wanted);
    for (int64_t v = 0; v<p->vectors; v += p->vectors> 1 ? p->vectors - 1 : 1) {
        exact3(p, m, (double complex *)given + v * ins, wanted, forward);
        const double error = relative_error(got + 2 * v * outs, (double *)wanted, 2 * (size_t)outs);
        worst = isfinite(error) ? fmax(worst, error) : INFINITY;
    }
    free(wanted);
    free(got);
    free(given);
    return worst;
}

/* The limit is that of types 1 and 2: the tolerance, or what the plan says where rounding alone is more. */
static void check(const problem3 *p)
{
    made3 m = make3(p);
    const double limit = fmax(p->tolerance, m.info.expected_error), forward = error3(p, &m, true),
                 adjoint = error3(p, &m, false);
    if (getenv("VERBOSE") || !(forward <= limit) || !(adjoint <= limit)) {
        char text[512];
        argand_nufft3_print(m.plan, text, sizeof text);
        printf("%-9s error %.2e %.2e expected %.2e %s\n", kind_names[p->kind], forward, adjoint,
               m.info.expected_error, text);
    }
    CHECK_BELOW(forward, limit);
    CHECK_BELOW(adjoint, limit);
    unmake3(&m);
}

static const problem3 usual[] = {
    {.rank = 1, .sources = {1}, .targets = {150}},
    {.rank = 1, .sources = {40}, .targets = {7}, .source_middle = {-33}, .target_middle = {1e3}},
    {.rank = 2, .sources = {3, 0.01}, .targets = {20, 900}, .source_middle = {20, -1}},
    {.rank = 2, .sources = {1, 1}, .targets = {31, 18}, .target_middle = {100, 3}},
    {.rank = 3, .sources = {1, 2, 1}, .targets = {5, 3, 7}, .target_middle = {0, 0, 50}},
    {.rank = 3, .sources = {1, 1, 10}, .targets = {9, 2, 0.6}, .source_middle = {1, 2, 3}},
};
enum { USUAL = sizeof usual / sizeof *usual };

static problem3 usual_problem(int which, argand_type type, double tolerance, point_kind kind)
{
    problem3 p = usual[which];
    p.type = type;
    p.tolerance = tolerance;
    p.kind = kind;
    p.source_count = 90;
    p.target_count = 110;
    p.vectors = 1;
    p.sign = which % 2 ? 1 : -1;
    /* middles far away cost digits of float positions in the sum itself, not in the transform: both use the
     * same positions */
    return p;
}

/* from one tolerance to the next */
static double step(void)
{
    return is_first_tier() ? 1e-3 : 0.1;
}

static void single_reaches_its_tolerances(void **state)
{
    (void)state;
    for (double tolerance = 1e-1; tolerance > 5e-7; tolerance *= step())
        for (int which = 0; which < USUAL; which++)
            for (int kind = 0; kind < KINDS; kind++) {
                const problem3 p = usual_problem(which, ARGAND_C32, tolerance, (point_kind)kind);
                check(&p);
            }
}

static void double_reaches_its_tolerances(void **state)
{
    (void)state;
    for (double tolerance = 0.1; tolerance > 5e-14; tolerance *= step())
        for (int which = 0; which < USUAL; which++)
            for (int kind = 0; kind < KINDS; kind++) {
                const problem3 p = usual_problem(which, ARGAND_C64, tolerance, (point_kind)kind);
                check(&p);
            }
}

static void every_oversampling_and_radians(void **state)
{
    (void)state;
    static const double oversamplings[] = {1.25, 1.5, 2, 3};
    for (int i = 0; i < 4; i++)
        for (int which = 0; which < USUAL; which++)
            for (int kind = 0; kind < KINDS; kind++) {
                problem3 p = usual_problem(which, i & 1 ? ARGAND_C64 : ARGAND_C32, i & 1 ? 1e-9 : 1e-4,
                                           (point_kind)kind);
                p.oversampling = oversamplings[i];
                p.units = ARGAND_NUFFT_RADIANS;
                check(&p);
            }
}

/* One point, all in one place, extents of 0 on one side or on both */
static void extents_of_nothing(void **state)
{
    (void)state;
    for (int rank = 1; rank <= 3; rank++)
        for (int i = 0; i < 8; i++) {
            problem3 p = {.type = ARGAND_C64,
                          .rank = rank,
                          .tolerance = 1e-10,
                          .kind = UNIFORM,
                          .source_count = i & 4 ? 1 : 30,
                          .target_count = i & 4 ? 2 : 40,
                          .vectors = 1,
                          .source_middle = {3, 0, -2},
                          .target_middle = {0.5, 7, 0}};
            for (int axis = 0; axis < rank; axis++) {
                p.sources[axis] = i & 1 ? 0 : 1.5;
                p.targets[axis] = i & 2 ? 0 : 4;
            }
            check(&p);
        }
}

static void every_count_of_vectors(void **state)
{
    (void)state;
    static const int64_t counts[] = {2, 3, 8, 19};
    for (int i = 0; i < 4; i++)
        for (int which = 0; which < USUAL; which++) {
            problem3 p = usual_problem(which, i & 1 ? ARGAND_C64 : ARGAND_C32, i & 1 ? 1e-9 : 1e-4, UNIFORM);
            p.vectors = counts[i];
            check(&p);
        }
}

/* The project's limits for every operator: 1e-5 in single, 1e-12 in double. */
static void the_adjoint_is_one(void **state)
{
    (void)state;
    for (int which = 0; which < USUAL; which++)
        for (int i = 0; i < 2 * KINDS; i++) {
            problem3 p = usual_problem(which, i & 1 ? ARGAND_C64 : ARGAND_C32, i & 1 ? 1e-7 : 1e-4,
                                       (point_kind)(i / 2));
            p.vectors = 3;
            made3 m = make3(&p);
            argand_array *ax = like(m.samples), *ahy = like(m.strengths);
            argand_scalar left, right;
            double norm, other_norm;
            randomise(m.strengths, 3, 0, 0);
            randomise(m.samples, 4, 0, 0);
            OK(argand_nufft3_apply(m.plan, ax, m.strengths));
            OK(argand_nufft3_adjoint(m.plan, ahy, m.samples));
            OK(argand_array_dot(&left, ax, m.samples));
            OK(argand_array_dot(&right, m.strengths, ahy));
            OK(argand_array_norm(&norm, ax));
            OK(argand_array_norm(&other_norm, m.samples));
            CHECK_BELOW(hypot(left.re - right.re, left.im - right.im) / (norm * other_norm),
                        i & 1 ? 1e-12 : 1e-5);
            argand_array_destroy(ahy);
            argand_array_destroy(ax);
            unmake3(&m);
        }
}

static void results_do_not_depend_on_threads(void **state)
{
    (void)state;
    for (int which = 0; which < USUAL; which++) {
        problem3 p = usual_problem(which, ARGAND_C32, 1e-4, CLUSTERED);
        p.source_count = p.target_count = 20000;
        p.vectors = which % 2 ? 9 : 1;
        OK(argand_device_set_threads(device, 1));
        made3 m = make3(&p);
        argand_array *other = like(m.samples);
        randomise(m.strengths, 3, 0, 0);
        OK(argand_nufft3_apply(m.plan, m.samples, m.strengths));
        for (int threads = 2; threads <= 5; threads += 3) {
            OK(argand_device_set_threads(device, threads));
            OK(argand_nufft3_set_points(m.plan, m.r, m.k));
            OK(argand_nufft3_apply(m.plan, other, m.strengths));
            assert_memory_equal(argand_array_data(other), argand_array_data(m.samples),
                                (size_t)argand_array_count(other) * sizeof(float complex));
        }
        argand_array_destroy(other);
        unmake3(&m);
    }
}

/* Vectors with gaps between their numbers give the same bits as those without. */
static void strides_are_followed(void **state)
{
    (void)state;
    problem3 p = usual_problem(3, ARGAND_C32, 1e-4, UNIFORM);
    p.vectors = 3;
    made3 m = make3(&p);
    argand_array *wide, *strengths, *loose, *samples, *copy = like(m.samples);
    OK(argand_array_create(&wide, device, p.type, 1, (int64_t[]){4 * p.source_count * 3}));
    OK(argand_array_view(&strengths, wide, 2, (int64_t[]){p.source_count, 3},
                         (int64_t[]){2, 4 * p.source_count}, 1));
    OK(argand_array_create(&loose, device, p.type, 1, (int64_t[]){5 * p.target_count}));
    OK(argand_array_view(&samples, loose, 2, (int64_t[]){p.target_count, 3}, (int64_t[]){5, 1}, 2));
    randomise(m.strengths, 8, 0, 0);
    OK(argand_array_copy(strengths, m.strengths));
    OK(argand_nufft3_apply(m.plan, m.samples, m.strengths));
    OK(argand_nufft3_apply(m.plan, samples, strengths));
    OK(argand_array_copy(copy, samples));
    assert_memory_equal(argand_array_data(copy), argand_array_data(m.samples),
                        (size_t)argand_array_count(copy) * sizeof(float complex));
    argand_array *const all[] = {copy, samples, loose, strengths, wide};
    for (int i = 0; i < 5; i++) argand_array_destroy(all[i]);
    unmake3(&m);
}

static void what_is_refused(void **state)
{
    (void)state;
    problem3 p = usual_problem(3, ARGAND_C32, 1e-4, UNIFORM);
    made3 m = make3(&p);
    argand_nufft3 *plan;
    const argand_nufft3_options good = {.type = ARGAND_C32, .rank = 2};
    argand_nufft3_options o = good;
    o.type = ARGAND_R32;
    FAILS(argand_nufft3_create(&plan, device, &o), ARGAND_ARGUMENT, "ARGAND_C32");
    o = good, o.rank = 0;
    FAILS(argand_nufft3_create(&plan, device, &o), ARGAND_ARGUMENT, "rank 0");
    o = good, o.tolerance = NAN;
    FAILS(argand_nufft3_create(&plan, device, &o), ARGAND_ARGUMENT, "tolerance");
    o = good, o.oversampling = 1;
    FAILS(argand_nufft3_create(&plan, device, &o), ARGAND_ARGUMENT, "oversampling 1");
    o = good, o.sign = -2;
    FAILS(argand_nufft3_create(&plan, device, &o), ARGAND_ARGUMENT, "sign -2");
    o = good, o.units = (argand_nufft_units)5;
    FAILS(argand_nufft3_create(&plan, device, &o), ARGAND_ARGUMENT, "units 5");
    OK(argand_nufft3_create(&plan, device, &good));
    FAILS(argand_nufft3_apply(plan, m.samples, m.strengths), ARGAND_ARGUMENT, "argand_nufft3_set_points");
    FAILS(argand_nufft3_set_points(plan, m.r, NULL), ARGAND_ARGUMENT, "no targets given");
    FAILS(argand_nufft3_set_points(plan, m.r, (argand_array *[]){m.k[0], NULL}), ARGAND_ARGUMENT,
          "targets given for axis 1 of 2");
    FAILS(argand_nufft3_set_points(plan, (argand_array *[]){m.r[0], m.k[0]}, m.k), ARGAND_ARGUMENT,
          "110 positions of sources on axis 1 but 90 on axis 0");
    argand_nufft3_destroy(plan);
    FAILS(argand_nufft3_apply(m.plan, m.strengths, m.samples), ARGAND_ARGUMENT, "90 samples for 110 targets");
    unmake3(&m);
    /* an extent that no grid holds, and a position that is none: the plan works on as it was */
    p.vectors = 1;
    m = make3(&p);
    randomise(m.strengths, 1, 0, 0);
    OK(argand_nufft3_apply(m.plan, m.samples, m.strengths));
    double *before = as_doubles(m.samples);
    const float bad[] = {NAN, INFINITY, 1e9f};
    for (int i = 0; i < 3; i++) {
        float *y = argand_array_data(m.k[1]);
        const float kept = y[31];
        y[31] = bad[i];
        FAILS(argand_nufft3_set_points(m.plan, m.r, m.k), i < 2 ? ARGAND_NUMERIC : ARGAND_UNSUPPORTED,
              i < 2 ? "target 31 of 110" : "on axis 1 sources extend over");
        y[31] = kept;
        OK(argand_nufft3_apply(m.plan, m.samples, m.strengths));
        double *after = as_doubles(m.samples);
        assert_memory_equal(before, after, 2 * (size_t)p.target_count * sizeof *after);
        free(after);
    }
    free(before);
    unmake3(&m);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    problem3 p = usual_problem(3, ARGAND_C32, 1e-4, UNIFORM);
    p.vectors = 2;
    made3 m = make3(&p);
    argand_nufft3 *plan = NULL;
    argand_status status = ARGAND_MEMORY;
    const argand_nufft3_options o = {.type = ARGAND_C32, .rank = 2};
    long n;
    for (n = 0; status == ARGAND_MEMORY;) {
        argand_test_fail_allocation(++n);
        status = argand_nufft3_create(&plan, device, &o);
    }
    assert_int_equal(status, ARGAND_OK);
    /* FFT plans do without some of what they ask for */
    long failed = 0;
    for (n = 1; n <= 200; n++) {
        argand_test_fail_allocation(n);
        status = argand_nufft3_set_points(plan, m.r, m.k);
        assert_true(status == ARGAND_MEMORY || status == ARGAND_OK);
        failed += status == ARGAND_MEMORY;
    }
    assert_int_equal(status, ARGAND_OK);
    assert_true(failed > 50);
    argand_test_fail_allocation(0);
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        status = ARGAND_MEMORY;
        for (n = 0; status == ARGAND_MEMORY;) {
            argand_test_fail_allocation(++n);
            status = adjoint ? argand_nufft3_adjoint(plan, m.strengths, m.samples)
                             : argand_nufft3_apply(plan, m.samples, m.strengths);
        }
        assert_int_equal(status, ARGAND_OK);
        assert_true(n > 3);
    }
    argand_test_fail_allocation(0);
    argand_nufft3_destroy(plan);
    unmake3(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(single_reaches_its_tolerances),
    cmocka_unit_test(double_reaches_its_tolerances),
    cmocka_unit_test(every_oversampling_and_radians),
    cmocka_unit_test(extents_of_nothing),
    cmocka_unit_test(every_count_of_vectors),
    cmocka_unit_test(the_adjoint_is_one),
    cmocka_unit_test(results_do_not_depend_on_threads),
    cmocka_unit_test(strides_are_followed),
    cmocka_unit_test(what_is_refused),
    cmocka_unit_test(every_allocation_may_fail),
};
RUN_TESTS(tests)
