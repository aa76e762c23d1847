/* SPDX-License-Identifier: BSD-3-Clause */
/* CG that ends before it fits noise: the image is near the best of all iterates, which a known truth tells,
 * for any noise level and any unit, with and without a normal operator. */
#include "dense.h"

enum { M = 240, N = 60, MOST = 40 };

typedef struct problem {
    argand_op *op, *normal;
    argand_array *x, *y, *weights;
    double complex truth[N];
} problem;

/* Columns fall off to a 200th, so that noise is amplified by as much. */
static problem make(argand_type type, double noise, double unit, bool weighted)
{
    problem p = {.x = ARRAY(type, N), .y = ARRAY(type, M)};
    dense *a = dense_new(M, N, 5);
    dense *normal = dense_new(N, N, 1);
    double complex y[M] = {0};
    double w[M];
    random_state random = {11};
    for (int i = 0; i < M; i++) {
        w[i] = weighted ? 1 + i % 3 : 1;
        for (int j = 0; j < N; j++) a->a[i * N + j] *= pow(200, -j / (N - 1.)) / sqrt(2 * M);
    }
    for (int j = 0; j < N; j++) p.truth[j] = unit * (random_normal(&random) + I * random_normal(&random));
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) y[i] += a->a[i * N + j] * p.truth[j];
        y[i] += unit * noise * (random_normal(&random) + I * random_normal(&random));
    }
    for (int j = 0; j < N; j++)
        for (int k = 0; k < N; k++) {
            normal->a[j * N + k] = 0;
            for (int i = 0; i < M; i++)
                normal->a[j * N + k] += w[i] * conj(a->a[i * N + j]) * a->a[i * N + k];
        }
    OK(upload_doubles(p.y, y, M));
    if (weighted) {
        const bool wide = type == ARGAND_C64;
        float narrow[M];
        for (int i = 0; i < M; i++) narrow[i] = (float)w[i];
        p.weights = ARRAY(wide ? ARGAND_R64 : ARGAND_R32, M);
        OK(argand_array_upload(p.weights, wide ? (const void *)w : narrow));
    }
    p.op = dense_op(a, type);
    p.normal = dense_op(normal, type);
    return p;
}

static void release(problem *p)
{
    argand_op_destroy(p->op);
    argand_op_destroy(p->normal);
    argand_array_destroy(p->x);
    argand_array_destroy(p->y);
    argand_array_destroy(p->weights);
}

static double error_of(const problem *p)
{
    double *got = as_doubles(p->x);
    const double error = relative_error(got, (const double *)p->truth, 2 * N);
    free(got);
    return error;
}

static double best_error(const problem *p)
{
    double best = INFINITY;
    for (int k = 1; k <= MOST; k++) {
        OK(argand_solve_cg(p->x, p->op, p->y, &(argand_cg_options){.iterations = k, .weights = p->weights}));
        best = fmin(best, error_of(p));
    }
    return best;
}

static double stopped_error(const problem *p, bool normal, argand_outcome *outcome)
{
    argand_noise_spectrum noise;
    argand_op *n = normal ? p->normal : NULL;
    OK(argand_solve_noise(&noise, p->op, p->weights, n));
    OK(argand_solve_cg(
        p->x, p->op, p->y,
        &(argand_cg_options){
            .iterations = MOST, .weights = p->weights, .normal = n, .noise = &noise, .outcome = outcome}));
    return error_of(p);
}

static void near_the_best_for_any_noise(void **state)
{
    (void)state;
    const double levels[] = {0.3, 0.1, 0.03};
    int before = 0;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        for (int weighted = 0; weighted < 2; weighted++) {
            argand_outcome outcome, other;
            problem p = make(ARGAND_C64, levels[i], 1, weighted);
            const double best = best_error(&p), got = stopped_error(&p, false, &outcome);
            printf("noise %.2f: error %.3f at iterate %d, best %.3f; noise said to be %.3f\n", levels[i], got,
                   outcome.iteration, best, outcome.noise);
            assert_int_equal(outcome.stop, ARGAND_STOP_NOISE);
            CHECK_BELOW(got, 1.2 * best);
            CHECK_BELOW(stopped_error(&p, true, &other), 1.2 * best);
            assert_int_equal(other.iteration, outcome.iteration);
            if (!weighted) assert_true(outcome.iteration >= before); /* less noise, more iterations */
            if (!weighted) before = outcome.iteration;
            release(&p);
        }
}

/* The estimate of the noise in the image against that noise: the same problem without
 * noise, solved with as many iterations, is what noise is taken from. */
static void tells_the_noise_in_the_image(void **state)
{
    (void)state;
    argand_outcome outcome;
    problem p = make(ARGAND_C64, 0.1, 1, false), clean = make(ARGAND_C64, 0, 1, false);
    stopped_error(&p, false, &outcome);
    double *with = as_doubles(p.x);
    OK(argand_solve_cg(clean.x, clean.op, clean.y, &(argand_cg_options){.iterations = outcome.iteration}));
    double *without = as_doubles(clean.x);
    const double noise = relative_error(with, without, 2 * N);
    printf("noise %.3f, said to be %.3f\n", noise, outcome.noise);
    assert_true(outcome.noise > 0.6 * noise && outcome.noise < 1.6 * noise);
    free(with);
    free(without);
    release(&p);
    release(&clean);
}

static void units_do_not_matter(void **state)
{
    (void)state;
    argand_outcome a, b, c;
    problem p = make(ARGAND_C64, 0.1, 1, true), q = make(ARGAND_C64, 0.1, 0x1p40, true),
            single = make(ARGAND_C32, 0.1, 1, true);
    const double one = stopped_error(&p, false, &a), other = stopped_error(&q, false, &b);
    assert_int_equal(a.iteration, b.iteration);
    assert_true(one == other && a.noise == b.noise);
    CHECK_BELOW(fabs(stopped_error(&single, false, &c) - one), 1e-4);
    assert_int_equal(a.iteration, c.iteration);
    release(&p);
    release(&q);
    release(&single);
}

static void spectrum_of_known_operators(void **state)
{
    (void)state;
    argand_noise_spectrum s;
    problem p = make(ARGAND_C64, 0, 1, true);
    OK(argand_solve_noise(&s, p.op, p.weights, NULL));
    double total = 0;
    for (int i = 0; i < M; i++) total += 1 + i % 3;
    CHECK_BELOW(fabs(s.total - total), 1e-9);
    for (int i = 0; i < s.count; i++) assert_true(s.node[i] > 0 && s.weight[i] >= 0);
    release(&p);
    argand_op *identity; /* one eigenvalue, and all noise on it: about 100, within a few of its deviations */
    OK(argand_op_identity(&identity, device, &(argand_shape){.type = ARGAND_C64, .rank = 1, .dims = {100}}));
    OK(argand_solve_noise(&s, identity, NULL, NULL));
    assert_int_equal(s.count, 1);
    CHECK_BELOW(fabs(s.node[0] - 1), 1e-12);
    CHECK_BELOW(fabs(s.weight[0] - 100), 40);
    argand_op_destroy(identity);
}

static void refusals(void **state)
{
    (void)state;
    problem p = make(ARGAND_C64, 0, 1, false);
    argand_noise_spectrum s, empty = {0};
    OK(argand_solve_noise(&s, p.op, NULL, NULL));
    FAILS(argand_solve_cg(p.x, p.op, p.y, &(argand_cg_options){.noise = &s, .use_start = true}),
          ARGAND_ARGUMENT, "neither penalties");
    FAILS(argand_solve_cg(p.x, p.op, p.y, &(argand_cg_options){.noise = &empty}), ARGAND_ARGUMENT, "0 nodes");
    FAILS(argand_solve_noise(NULL, p.op, NULL, NULL), ARGAND_ARGUMENT, "NULL");
    argand_outcome outcome = {.iteration = 7};
    OK(argand_solve_cg(p.x, p.op, p.y, &(argand_cg_options){.iterations = 3, .outcome = &outcome}));
    assert_int_equal(outcome.iteration, 3);
    assert_int_equal(outcome.stop, ARGAND_STOP_ITERATIONS);
    OK(argand_solve_cg(p.x, p.op, p.y,
                       &(argand_cg_options){.iterations = 300, .tolerance = 1e-3, .outcome = &outcome}));
    assert_int_equal(outcome.stop, ARGAND_STOP_CONVERGED);
    release(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(near_the_best_for_any_noise),
    cmocka_unit_test(tells_the_noise_in_the_image),
    cmocka_unit_test(units_do_not_matter),
    cmocka_unit_test(spectrum_of_known_operators),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
