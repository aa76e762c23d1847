/* SPDX-License-Identifier: BSD-3-Clause */
/* How argand_solve_cg ends: by the monitor, the tolerance, exact convergence, zero or broken data, refused
 * options. */
#include "dense.h"
#include "base/memory.h"

enum { M = 12, N = 6 };

typedef struct fixture {
    argand_op *op;
    argand_array *x, *y;
} fixture;

static fixture make(argand_type type)
{
    fixture f = {dense_op(dense_new(M, N, 1), type), ARRAY(type, N), ARRAY(type, M)};
    randomise(f.y, 2, 0, 0);
    return f;
}

static void release(fixture *f)
{
    argand_array_destroy(f->x);
    argand_array_destroy(f->y);
    argand_op_destroy(f->op);
}

typedef struct watch {
    int stop_after, calls;
    argand_progress last;
} watch;

static bool observe(void *context, const argand_progress *progress)
{
    watch *w = context;
    w->calls++;
    w->last = *progress;
    return progress->iteration != w->stop_after;
}

static void monitor_stops(void **state)
{
    (void)state;
    fixture f = make(ARGAND_C64), g = make(ARGAND_C64);
    watch w = {.stop_after = 3};
    FAILS(argand_solve_cg(f.x, f.op, f.y, &(argand_cg_options){.monitor = observe, .monitor_context = &w}),
          ARGAND_STOPPED, "iteration 3");
    OK(argand_solve_cg(g.x, g.op, g.y, &(argand_cg_options){.iterations = 3}));
    double *a = as_doubles(f.x), *b = as_doubles(g.x);
    assert_memory_equal(a, b, 2 * N * sizeof *a); /* x is the last iterate */
    assert_int_equal(w.calls, 4);
    assert_int_equal(w.last.iterations, 10);
    free(a);
    free(b);
    release(&f);
    release(&g);
}

static void tolerance_stops(void **state)
{
    (void)state;
    fixture f = make(ARGAND_C64);
    watch w = {.stop_after = -1};
    OK(argand_solve_cg(
        f.x, f.op, f.y,
        &(argand_cg_options){
            .iterations = 100, .tolerance = 1e-10, .monitor = observe, .monitor_context = &w}));
    assert_true(w.last.gradient <= 1e-10);
    assert_in_range(w.last.iteration, 3, N + 2);
    release(&f);
}

/* With A = 1 the first step solves to the last bit; later iterations would be 0/0. A tight tolerance of 0
 * must not spin into NaN either, however many iterations are allowed. */
static void exact_convergence(void **state)
{
    (void)state;
    argand_op *identity;
    argand_array *x = ARRAY(ARGAND_C32, 5), *y = ARRAY(ARGAND_C32, 5);
    watch w = {.stop_after = -1};
    OK(argand_op_identity(&identity, device, &(argand_shape){ARGAND_C32, 1, {5}}));
    randomise(y, 3, 0, 0);
    OK(argand_solve_cg(x, identity, y, &(argand_cg_options){.monitor = observe, .monitor_context = &w}));
    assert_int_equal(w.last.iteration, 1);
    assert_true(w.last.residual == 0);
    double *a = as_doubles(x), *b = as_doubles(y);
    assert_memory_equal(a, b, 10 * sizeof *a);
    free(a);
    free(b);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_op_destroy(identity);
}

/* Thousands of iterations allowed: the solver must see by itself that only rounding is left. (Without that
 * rule this very system overflows in iteration 808 in double.) Inconsistent data, then consistent ones, whose
 * residual goes to 0. */
static void ends_at_rounding(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        fixture f = make(kind & 1 ? ARGAND_C64 : ARGAND_C32);
        watch w = {.stop_after = -1};
        if (kind & 2) {
            randomise(f.x, 5, 0, 0);
            OK(argand_op_apply(f.op, f.y, f.x));
        }
        OK(argand_solve_cg(
            f.x, f.op, f.y,
            &(argand_cg_options){.iterations = 3000, .monitor = observe, .monitor_context = &w}));
        assert_in_range(w.last.iteration, N, 4 * N);
        CHECK_BELOW(w.last.gradient, kind & 1 ? 1e-14 : 5e-6);
        release(&f);
    }
}

static void zero_data(void **state)
{
    (void)state;
    fixture f = make(ARGAND_C32);
    watch w = {.stop_after = -1};
    double norm;
    OK(argand_array_fill(f.y, (argand_scalar){0, 0}));
    randomise(f.x, 1, 0, 0);
    OK(argand_solve_cg(f.x, f.op, f.y, &(argand_cg_options){.monitor = observe, .monitor_context = &w}));
    OK(argand_array_norm(&norm, f.x));
    assert_true(norm == 0 && w.calls == 1 && w.last.residual == 0 && w.last.gradient == 0);

    /* from a start that is not 0: back to 0, with finite values reported on the way */
    randomise(f.x, 1, 0, 0);
    OK(argand_solve_cg(f.x, f.op, f.y,
                       &(argand_cg_options){
                           .iterations = 12, .use_start = true, .monitor = observe, .monitor_context = &w}));
    OK(argand_array_norm(&norm, f.x));
    CHECK_BELOW(norm, 1e-5);
    assert_true(isfinite(w.last.residual) && isfinite(w.last.gradient));
    release(&f);
}

static void broken_data(void **state)
{
    (void)state;
    fixture f = make(ARGAND_C64);
    double complex y[M] = {[7] = NAN};
    OK(argand_array_upload(f.y, y));
    FAILS(argand_solve_cg(f.x, f.op, f.y, NULL), ARGAND_NUMERIC, "the data holds NaN");
    y[7] = INFINITY;
    OK(argand_array_upload(f.y, y));
    FAILS(argand_solve_cg(f.x, f.op, f.y, NULL), ARGAND_NUMERIC, "the data holds NaN or infinity");
    release(&f);

    f = make(ARGAND_C64);
    double complex x[N] = {[2] = NAN};
    OK(argand_array_upload(f.x, x));
    FAILS(argand_solve_cg(f.x, f.op, f.y, &(argand_cg_options){.use_start = true}), ARGAND_NUMERIC,
          "the start");
    release(&f);
}

/* An operator that gives NaN, a preconditioner that is not positive, an operator that is 0. */
static void broken_operators(void **state)
{
    (void)state;
    fixture f = make(ARGAND_C64);
    argand_op *bad, *nothing, *negative, *wrong;
    dense *d = dense_new(M, N, 1);
    d->a[5] = NAN;
    bad = dense_op(d, ARGAND_C64);
    FAILS(argand_solve_cg(f.x, bad, f.y, NULL), ARGAND_NUMERIC, "NaN or overflow in iteration 0");
    argand_op_destroy(bad);

    OK(argand_op_create(&wrong, device,
                        &(argand_op_definition){.name = "wrong",
                                                .domain = *argand_op_domain(f.op),
                                                .range = *argand_op_domain(f.op),
                                                .apply = dense_apply,
                                                .adjoint = dense_apply,
                                                .destroy = dense_free,
                                                .context = dense_new(N, N, 7)}));
    argand_array *small = ARRAY(ARGAND_C64, N);
    randomise(small, 8, 0, 0);
    FAILS(argand_solve_cg(f.x, wrong, small, &(argand_cg_options){.iterations = 100}), ARGAND_NUMERIC,
          "residual grew");
    argand_array_destroy(small);
    argand_op_destroy(wrong);

    argand_op *identity;
    OK(argand_op_identity(&identity, device, argand_op_domain(f.op)));
    OK(argand_op_scale(&negative, (argand_scalar){-1, 0}, identity));
    FAILS(argand_solve_cg(f.x, f.op, f.y, &(argand_cg_options){.preconditioner = negative}), ARGAND_NUMERIC,
          "preconditioner is not positive");
    argand_op_destroy(identity);
    argand_op_destroy(negative);

    OK(argand_op_scale(&nothing, (argand_scalar){0, 0}, f.op));
    OK(argand_solve_cg(f.x, nothing, f.y, NULL)); /* nothing to fit: x = 0, no 0/0 */
    double norm;
    OK(argand_array_norm(&norm, f.x));
    assert_true(norm == 0);
    argand_op_destroy(nothing);
    release(&f);
}

static void refuses(void **state)
{
    (void)state;
    fixture f = make(ARGAND_C32);
    argand_op *other;
    argand_array *weights = ARRAY(ARGAND_R32, M), *complex_weights = ARRAY(ARGAND_C32, M);
    OK(argand_op_identity(&other, device, &(argand_shape){ARGAND_C32, 1, {N + 1}}));
    float w[M] = {[3] = -1e-3f, [5] = 10};
    OK(argand_array_upload(weights, w));
    FAILS(argand_solve_cg(f.x, f.op, f.y, &(argand_cg_options){.weights = weights}), ARGAND_ARGUMENT,
          "weight is negative");
    w[3] = NAN;
    OK(argand_array_upload(weights, w));
    FAILS(argand_solve_cg(f.x, f.op, f.y, &(argand_cg_options){.weights = weights}), ARGAND_NUMERIC,
          "weights holds NaN");
    FAILS(argand_solve_cg(f.x, f.op, f.y, &(argand_cg_options){.weights = complex_weights}), ARGAND_ARGUMENT,
          "must be real");
    FAILS(argand_solve_cg(f.y, f.op, f.y, NULL), ARGAND_ARGUMENT, "x does not have the shape");
    FAILS(argand_solve_cg(f.x, f.op, NULL, NULL), ARGAND_ARGUMENT, "y is NULL");
    FAILS(argand_solve_cg(f.x, NULL, f.y, NULL), ARGAND_ARGUMENT, "no operator");
    FAILS(argand_solve_cg(f.x, f.op, f.y, &(argand_cg_options){.iterations = -1}), ARGAND_ARGUMENT,
          "-1 iterations");
    FAILS(argand_solve_cg(f.x, f.op, f.y, &(argand_cg_options){.tolerance = NAN}), ARGAND_ARGUMENT,
          "tolerance");
    FAILS(argand_solve_cg(f.x, f.op, f.y, &(argand_cg_options){.penalty_count = 1}), ARGAND_ARGUMENT,
          "no list");
    FAILS(argand_solve_cg(f.x, f.op, f.y,
                          &(argand_cg_options){.penalty_count = 1, .penalties = &(argand_penalty){other, 1}}),
          ARGAND_ARGUMENT, "penalty has another domain");
    FAILS(argand_solve_cg(f.x, f.op, f.y,
                          &(argand_cg_options){.penalty_count = 1, .penalties = &(argand_penalty){f.op, -1}}),
          ARGAND_ARGUMENT, "beta -1");
    FAILS(argand_solve_cg(f.x, f.op, f.y, &(argand_cg_options){.preconditioner = other}), ARGAND_ARGUMENT,
          "preconditioner has another domain");
    argand_array_destroy(weights);
    argand_array_destroy(complex_weights);
    argand_op_destroy(other);
    release(&f);
}

static void out_of_memory(void **state)
{
    (void)state;
    fixture f = make(ARGAND_C32);
    const argand_penalty penalty = {f.op, 0.5};
    int failures = 0, served = 0; /* a device gives back what it keeps and tries again, so some go well */
    for (long n = 1; n < 500 && served < 8; n++) {
        argand_test_fail_allocation(n);
        const argand_status status = argand_solve_cg(
            f.x, f.op, f.y, &(argand_cg_options){.iterations = 2, .penalty_count = 1, .penalties = &penalty});
        argand_test_fail_allocation(0);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
        served = status ? 0 : served + 1;
        failures += status != 0;
    }
    assert_in_range(failures, 8, 400);
    release(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(monitor_stops),     cmocka_unit_test(tolerance_stops),
    cmocka_unit_test(exact_convergence), cmocka_unit_test(ends_at_rounding),
    cmocka_unit_test(zero_data),         cmocka_unit_test(broken_data),
    cmocka_unit_test(broken_operators),  cmocka_unit_test(refuses),
    cmocka_unit_test(out_of_memory)};
RUN_TESTS(tests)
