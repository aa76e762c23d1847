/* SPDX-License-Identifier: BSD-3-Clause */
/* How argand_solve behaves: units, A^H W A as one operator, starts and stops, no data, preconditioners, the
 * choice of a solver, what is refused, failing allocations. */
#include "regularized.h"

static const argand_regularizer kinds[] = {
    {.kind = ARGAND_TIKHONOV, .weight = 0.1},
    {.kind = ARGAND_QUADRATIC, .weight = 0.1},
    {.kind = ARGAND_HYPERBOLA, .weight = 0.1},
    {.kind = ARGAND_TV, .weight = 0.05},
    {.kind = ARGAND_WAVELET, .weight = 0.05, .wavelet = ARGAND_HAAR, .seed = 1},
    {.kind = ARGAND_LOW_RANK, .weight = 0.02, .block = 3},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Data, the operator, or weights times powers of 2: bit for bit the same image, times what follows. */
static void units_do_not_matter(void **state)
{
    (void)state;
    matrix_problem p = matrix_problem_make();
    const double y_scales[3] = {1, 0x1p40, 0x1p-30}, op_scales[3] = {1, 0x1p-20, 0x1p10};
    for (int kind = 0; kind < KINDS; kind++) {
        double complex first[PIXELS], x[PIXELS];
        for (int i = 0; i < 3; i++) {
            argand_op *scaled;
            argand_array *y = ARRAY(ARGAND_C64, ROWS);
            OK(argand_array_copy(y, p.y));
            OK(argand_array_scale(y, (argand_scalar){y_scales[i], 0}));
            OK(argand_op_scale(&scaled, (argand_scalar){op_scales[i], 0}, p.op));
            OK(argand_solve(p.x, scaled, y,
                            &(argand_solve_options){
                                .iterations = 8, .regularizers = &kinds[kind], .regularizer_count = 1}));
            to_complex(p.x, i ? x : first);
            double norm;
            OK(argand_array_norm(&norm, p.x));
            assert_true(norm > 0);
            for (int n = 0; i && n < PIXELS; n++)
                assert_true(x[n] == first[n] * (y_scales[i] / op_scales[i]));
            argand_op_destroy(scaled);
            argand_array_destroy(y);
        }
    }
    matrix_problem_release(&p);
}

/* A^H W A given as one operator: the same numbers, and A^H is used once. */
static int adjoints;

static argand_status counting_adjoint(void *context, argand_array *x, const argand_array *y)
{
    adjoints++;
    return dense_adjoint(context, x, y);
}

static void normal_operator(void **state)
{
    (void)state;
    dense *matrix = dense_new(ROWS, PIXELS, 1);
    argand_op *op, *normal, *plain, *part, *diagonal;
    argand_array *x = ARRAY(ARGAND_C64, NX, NY), *y = ARRAY(ARGAND_C64, ROWS),
                 *weights = ARRAY(ARGAND_R64, ROWS);
    argand_op_definition d = {.name = "dense",
                              .domain = {ARGAND_C64, 2, {NX, NY}},
                              .range = {ARGAND_C64, 1, {ROWS}},
                              .apply = dense_apply,
                              .adjoint = dense_adjoint,
                              .context = matrix};
    OK(argand_op_create(&plain, device, &d));
    d.adjoint = counting_adjoint;
    OK(argand_op_create(&op, device, &d));
    randomise(y, 6, 0, 0);
    randomise(weights, 7, 0.5, 2);
    OK(argand_op_diagonal(&diagonal, weights));
    OK(argand_op_chain(&part, diagonal, plain));
    argand_op *back;
    OK(argand_op_adjoint_of(&back, plain));
    OK(argand_op_chain(&normal, back, part));
    for (int kind = 0; kind < KINDS; kind++) {
        double complex direct[PIXELS], by_normal[PIXELS];
        record r[2];
        for (int use = 0; use < 2; use++) {
            r[use] = watch_of(y);
            adjoints = 0;
            OK(argand_solve(x, op, y,
                            &(argand_solve_options){.iterations = 12,
                                                    .weights = weights,
                                                    .regularizers = &kinds[kind],
                                                    .regularizer_count = 1,
                                                    .diagonal = 60,
                                                    .normal = use ? normal : NULL,
                                                    .monitor = keep,
                                                    .monitor_context = &r[use]}));
            if (use) assert_int_equal(adjoints, 1);
            to_complex(x, use ? by_normal : direct);
        }
        CHECK_BELOW(relative_error((double *)by_normal, (double *)direct, 2 * PIXELS), 1e-9);
        CHECK_BELOW(fabs(r[1].last / r[0].last - 1), 1e-9);
        assert_int_equal(r[0].calls, r[1].calls);
    }
    argand_op *const ops[] = {op, normal, plain, part, diagonal, back};
    for (int i = 0; i < 6; i++) argand_op_destroy(ops[i]);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(weights);
    dense_free(matrix);
}

/* The last iterate is kept where a monitor stops, and a start is used: going on from it is no worse. */
static void stops_and_starts(void **state)
{
    (void)state;
    matrix_problem p = matrix_problem_make();
    for (int kind = 2; kind < KINDS; kind++) {
        argand_solve_options o = {.iterations = 3, .regularizers = &kinds[kind], .regularizer_count = 1};
        double complex three[PIXELS], stopped[PIXELS];
        record r = watch_of(p.y);
        if (kind >= 4) o.solver = ARGAND_SOLVER_FISTA; /* POGM's last step is one of its own */
        OK(argand_solve(p.x, p.op, p.y, &o));
        to_complex(p.x, three);
        r.stop_at = 3;
        o.iterations = 30;
        o.monitor = keep;
        o.monitor_context = &r;
        FAILS(argand_solve(p.x, p.op, p.y, &o), ARGAND_STOPPED, "stopped after iteration 3");
        to_complex(p.x, stopped);
        assert_memory_equal(three, stopped, sizeof three);
        const double so_far = r.last;
        r = watch_of(p.y);
        o.use_start = true;
        OK(argand_solve(p.x, p.op, p.y, &o));
        if (!kinds[kind].seed) CHECK_BELOW(fabs(r.first / so_far - 1), kind == 5 ? 1e-9 : 1e-6);
        CHECK_BELOW(r.last, 1.001 * so_far);
    }
    matrix_problem_release(&p);
}

/* Nothing measured, nothing there: 0, whatever x held; and data of 0 with a start. */
static void no_data(void **state)
{
    (void)state;
    matrix_problem p = matrix_problem_make();
    OK(argand_array_fill(p.y, (argand_scalar){0, 0}));
    for (int kind = 0; kind < KINDS; kind++) {
        double norm;
        randomise(p.x, 3, 0, 0);
        OK(argand_solve(
            p.x, p.op, p.y,
            &(argand_solve_options){.iterations = 5, .regularizers = &kinds[kind], .regularizer_count = 1}));
        OK(argand_array_norm(&norm, p.x));
        assert_true(norm == 0);
    }
    matrix_problem_release(&p);
}

/* A bound of the largest eigenvalue that is far too small is noticed. */
static void corrects_the_step(void **state)
{
    (void)state;
    matrix_problem p = matrix_problem_make();
    for (int solver = ARGAND_SOLVER_FISTA; solver <= ARGAND_SOLVER_POGM; solver++) {
        record r = watch_of(p.y);
        OK(argand_solve(p.x, p.op, p.y,
                        &(argand_solve_options){.solver = (argand_solver)solver,
                                                .iterations = 300,
                                                .tolerance = 1e-6,
                                                .largest = 0.01,
                                                .regularizers = &kinds[5],
                                                .regularizer_count = 1,
                                                .monitor = keep,
                                                .monitor_context = &r}));
        CHECK_BELOW(r.gradient, 1e-6);
    }
    matrix_problem_release(&p);
}

/* A diagonal operator and one over its square: one step of CG, and of the normal equations' form. */
static void diagonal_preconditioner(void **state)
{
    (void)state;
    const int64_t dims[2] = {NX, NY};
    argand_array *d = new_array(ARGAND_R64, 2, dims), *square = new_array(ARGAND_R64, 2, dims),
                 *x = ARRAY(ARGAND_C64, NX, NY), *truth = ARRAY(ARGAND_C64, NX, NY),
                 *y = ARRAY(ARGAND_C64, NX, NY);
    argand_op *op, *normal, *m;
    randomise(d, 1, 0.5, 8);
    randomise(truth, 2, 0, 0);
    OK(argand_array_multiply(square, d, d, ARGAND_PRODUCT));
    OK(argand_op_diagonal(&op, d));
    OK(argand_op_normal_of(&normal, op));
    OK(argand_op_apply(op, y, truth));
    OK(argand_preconditioner_diagonal(&m, square, 1e-3));
    for (int use = 0; use < 2; use++) {
        double complex a[PIXELS], b[PIXELS];
        OK(argand_solve(
            x, op, y,
            &(argand_solve_options){.iterations = 1, .preconditioner = m, .normal = use ? normal : NULL}));
        to_complex(x, a);
        to_complex(truth, b);
        CHECK_BELOW(relative_error((double *)a, (double *)b, 2 * PIXELS), 1e-14);
    }
    argand_op *none;
    FAILS(argand_preconditioner_diagonal(&none, truth, 0), ARGAND_ARGUMENT, "give a real one");
    FAILS(argand_preconditioner_diagonal(&none, d, 2), ARGAND_ARGUMENT, "floor 2");
    OK(argand_array_scale(d, (argand_scalar){-1, 0}));
    FAILS(argand_preconditioner_diagonal(&none, d, 0), ARGAND_ARGUMENT, "not negative");
    OK(argand_array_fill(d, (argand_scalar){0, 0}));
    FAILS(argand_preconditioner_diagonal(&none, d, 0), ARGAND_ARGUMENT, "all elements are 0");
    argand_op_destroy(op);
    argand_op_destroy(normal);
    argand_op_destroy(m);
    argand_array *const all[] = {d, square, x, truth, y};
    for (int i = 0; i < 5; i++) argand_array_destroy(all[i]);
}

static void chooses(void **state)
{
    (void)state;
    const argand_regularizer list[3] = {kinds[1], kinds[4], kinds[3]};
    assert_int_equal(argand_solver_choose(NULL, 0), ARGAND_SOLVER_CG);
    assert_int_equal(argand_solver_choose(list, 1), ARGAND_SOLVER_CG);
    assert_int_equal(argand_solver_choose(list, 2), ARGAND_SOLVER_POGM);
    assert_int_equal(argand_solver_choose(list, 3), ARGAND_SOLVER_ADMM);
    assert_int_equal(argand_solver_choose(&kinds[2], 1), ARGAND_SOLVER_HALF_QUADRATIC);
    assert_string_equal(argand_solver_name(ARGAND_SOLVER_HALF_QUADRATIC), "half-quadratic");
}

static argand_status with(matrix_problem *p, argand_solve_options o, const argand_regularizer *r)
{
    o.regularizers = r;
    o.regularizer_count = 1;
    return argand_solve(p->x, p->op, p->y, &o);
}

static void refusals(void **state)
{
    (void)state;
    matrix_problem p = matrix_problem_make();
    const argand_solve_options o = {0};
    FAILS(argand_solve(p.x, NULL, p.y, NULL), ARGAND_ARGUMENT, "no operator");
    FAILS(argand_solve(p.y, p.op, p.y, NULL), ARGAND_ARGUMENT, "x does not have the shape");
    FAILS(argand_solve(p.x, p.op, p.y, &(argand_solve_options){.regularizer_count = 1}), ARGAND_ARGUMENT,
          "no list");
    FAILS(argand_solve(p.x, p.op, p.y, &(argand_solve_options){.space = 4}), ARGAND_ARGUMENT,
          "4 axes of space");
    FAILS(argand_solve(p.x, p.op, p.y, &(argand_solve_options){.inner = -1}), ARGAND_ARGUMENT,
          "-1 inner steps");
    FAILS(argand_solve(p.x, p.op, p.y, &(argand_solve_options){.largest = -1}), ARGAND_ARGUMENT,
          "largest eigenvalue -1");
    FAILS(argand_solve(p.x, p.op, p.y, &(argand_solve_options){.normal = p.op}), ARGAND_ARGUMENT,
          "normal operator");
    FAILS(argand_solve(p.x, p.op, p.y, &(argand_solve_options){.solver = (argand_solver)9}), ARGAND_ARGUMENT,
          "solver 9");
    FAILS(with(&p, o, &(argand_regularizer){.kind = (argand_regularizer_kind)0}), ARGAND_ARGUMENT, "kind 0");
    FAILS(with(&p, o, &(argand_regularizer){.kind = ARGAND_TV, .weight = -2}), ARGAND_ARGUMENT,
          "tv: weight -2");
    FAILS(with(&p, o, &(argand_regularizer){.kind = ARGAND_HYPERBOLA, .delta = -1}), ARGAND_ARGUMENT,
          "delta -1");
    FAILS(with(&p, o, &(argand_regularizer){.kind = ARGAND_LOW_RANK, .weight = 1, .block = 65}),
          ARGAND_ARGUMENT, "blocks of 65");
    FAILS(with(&p, (argand_solve_options){.space = 2}, &kinds[5]), ARGAND_ARGUMENT,
          "one more of repetitions");
    FAILS(with(&p, (argand_solve_options){.solver = ARGAND_SOLVER_CG}, &kinds[3]), ARGAND_ARGUMENT,
          "cg takes quadratic regularizers alone");
    FAILS(with(&p, (argand_solve_options){.solver = ARGAND_SOLVER_POGM}, &kinds[3]), ARGAND_ARGUMENT,
          "pogm takes one wavelet or llr");
    for (int solver = 0; solver <= ARGAND_SOLVER_ADMM + 1; solver++) { /* the table has the enum's order */
        argand_kind_info info;
        if (solver > ARGAND_SOLVER_ADMM) {
            FAILS(argand_solver_describe((argand_solver)solver, &info), ARGAND_ARGUMENT, "give 0 to 5");
            continue;
        }
        OK(argand_solver_describe((argand_solver)solver, &info));
        assert_string_equal(info.name, argand_solver_name((argand_solver)solver));
        assert_true(info.summary[0]);
    }
    assert_string_equal(argand_solver_name(ARGAND_SOLVER_POGM), "pogm");
    FAILS(with(&p, (argand_solve_options){.solver = ARGAND_SOLVER_HALF_QUADRATIC}, &kinds[4]),
          ARGAND_ARGUMENT, "half-quadratic takes");
    matrix_problem_release(&p);
}

/* Each allocation failing in turn: an error each time; that nothing is lost the harness sees. */
static void out_of_memory(void **state)
{
    (void)state;
    matrix_problem p = matrix_problem_make();
    for (int kind = 2; kind < KINDS; kind++)
        for (long n = 1;; n++) {
            argand_test_fail_allocation(n);
            const argand_status status = with(&p, (argand_solve_options){.iterations = 2}, &kinds[kind]);
            argand_test_fail_allocation(0);
            if (status == ARGAND_OK) break;
            assert_int_equal(status, ARGAND_MEMORY);
            assert_true(n < 3000);
        }
    matrix_problem_release(&p);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(units_do_not_matter),
                                          cmocka_unit_test(normal_operator),
                                          cmocka_unit_test(stops_and_starts),
                                          cmocka_unit_test(no_data),
                                          cmocka_unit_test(corrects_the_step),
                                          cmocka_unit_test(diagonal_preconditioner),
                                          cmocka_unit_test(chooses),
                                          cmocka_unit_test(refusals),
                                          cmocka_unit_test(out_of_memory)};
RUN_TESTS(tests)
