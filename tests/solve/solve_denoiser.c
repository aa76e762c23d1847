/* SPDX-License-Identifier: BSD-3-Clause */
/* Denoisers of the caller as proximal maps, against what their solutions have to satisfy: the conditions of
 * sparse least squares for a soft threshold, Tikhonov's image for a shrinkage. */
#include "regularized.h"

typedef struct seen {
    int calls, fail_at, space;
    double level, largest;
    argand_status status;
    bool poison;
} seen;

static argand_status look(seen *s, const argand_array *x, int space, double level)
{
    const double complex *values = argand_array_data(x);
    s->largest = s->level = 0;
    for (int i = 0; i < PIXELS; i++) s->largest = fmax(s->largest, cabs(values[i]));
    s->space = space;
    s->level = level;
    return ++s->calls == s->fail_at ? s->status : ARGAND_OK;
}

/* The threshold is level^2: the map of level^2 sum |x_n|. */
static argand_status soften(void *context, argand_array *y, const argand_array *x, int space, double level)
{
    const double complex *from = argand_array_data(x);
    double complex *to = argand_array_data(y);
    for (int i = 0; i < PIXELS; i++)
        to[i] = cabs(from[i]) > level * level ? from[i] * (1 - level * level / cabs(from[i])) : 0;
    return look(context, x, space, level);
}

/* Takes no notice of the level. */
static argand_status shrink(void *context, argand_array *y, const argand_array *x, int space, double level)
{
    seen *s = context;
    const double complex *from = argand_array_data(x);
    double complex *to = argand_array_data(y);
    for (int i = 0; i < PIXELS; i++) to[i] = 0.8 * from[i];
    if (s->poison) to[3] = (double)NAN;
    return look(s, x, space, level);
}

static argand_status solve(const matrix_problem *p, argand_solve_options o, argand_regularizer r)
{
    r.kind = ARGAND_DENOISER;
    o.regularizers = &r;
    o.regularizer_count = 1;
    return argand_solve(p->x, p->op, p->y, &o);
}

/* g = A^H (y - A x) has |g| <= w where x is 0, and equals w x / |x| elsewhere. */
static double distance_from_optimum(const matrix_problem *p, double w)
{
    double complex x[PIXELS], y[ROWS], g[PIXELS];
    double worst = 0;
    to_complex(p->x, x);
    to_complex(p->y, y);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < PIXELS; j++) y[i] -= p->matrix->a[i * PIXELS + j] * x[j];
    for (int j = 0; j < PIXELS; j++) {
        g[j] = 0;
        for (int i = 0; i < ROWS; i++) g[j] += conj(p->matrix->a[i * PIXELS + j]) * y[i];
        const double size = cabs(x[j]);
        worst = fmax(worst, size > 1e-9 ? cabs(g[j] - w * x[j] / size) : fmax(0, cabs(g[j]) - w));
    }
    return worst / w;
}

static int zeros(const argand_array *x)
{
    double complex values[PIXELS];
    int count = 0;
    to_complex(x, values);
    for (int i = 0; i < PIXELS; i++) count += cabs(values[i]) < 1e-9;
    return count;
}

/* weight level^2 is the weight of the sum, whatever the weight: FISTA's step is another, ADMM's image update
 * as exact as its inner steps. */
static void soft_threshold(void **state)
{
    (void)state;
    static const argand_solver solvers[] = {ARGAND_SOLVER_AUTO, ARGAND_SOLVER_ADMM, ARGAND_SOLVER_FISTA};
    matrix_problem p = matrix_problem_make();
    for (int i = 0; i < 6; i++) {
        const double w = 8, weight = i < 3 ? 30 : 90;
        seen s = {0};
        OK(solve(&p, (argand_solve_options){.absolute = true, .solver = solvers[i % 3], .iterations = 2000},
                 (argand_regularizer){
                     .weight = weight, .denoise = soften, .denoise_context = &s, .level = sqrt(w / weight)}));
        assert_true(s.calls == 2000 && s.space == 2);
        if (i % 3 < 2) CHECK_BELOW(fabs(s.level - sqrt(w / weight)), 1e-12);
        assert_in_range(zeros(p.x), 3, PIXELS - 3); /* neither all nor none: the test can fail */
        CHECK_BELOW(distance_from_optimum(&p, w), 1e-6);
    }
    matrix_problem_release(&p);
}

/* x = 0.8 (x - grad f / weight): the image of Tikhonov with weight (1 - 0.8) / 0.8. */
static void shrinkage(void **state)
{
    (void)state;
    matrix_problem p = matrix_problem_make();
    argand_array *truth = ARRAY(ARGAND_C64, NX, NY);
    const argand_regularizer tikhonov = {.kind = ARGAND_TIKHONOV, .weight = 0.25 * 2};
    for (int absolute = 0; absolute < 2; absolute++) {
        seen s = {0};
        const argand_solve_options o = {.absolute = absolute, .iterations = 400, .inner = 12};
        OK(solve(&p, o, (argand_regularizer){.weight = 2, .denoise = shrink, .denoise_context = &s}));
        OK(argand_solve(
            truth, p.op, p.y,
            &(argand_solve_options){
                .absolute = absolute, .iterations = 400, .regularizers = &tikhonov, .regularizer_count = 1}));
        CHECK_BELOW(array_error(p.x, truth), 1e-8);
        CHECK_BELOW(fabs(s.level - 0.05), 1e-12); /* the default */
    }
    argand_array_destroy(truth);
    matrix_problem_release(&p);
}

/* The image is given in units of its scale: data 2^20 times as large give the same bits. */
static void units(void **state)
{
    (void)state;
    matrix_problem p = matrix_problem_make();
    argand_array *first = ARRAY(ARGAND_C64, NX, NY);
    seen a = {0}, b = {0};
    const argand_regularizer r = {.weight = 1, .denoise = soften, .denoise_context = &a, .level = 0.3};
    OK(solve(&p, (argand_solve_options){0}, r));
    OK(argand_array_copy(first, p.x));
    OK(argand_array_scale(p.y, (argand_scalar){0x1p20, 0}));
    OK(solve(&p, (argand_solve_options){0},
             (argand_regularizer){.weight = 1, .denoise = soften, .denoise_context = &b, .level = 0.3}));
    OK(argand_array_scale(p.x, (argand_scalar){0x1p-20, 0}));
    assert_true(array_error(p.x, first) == 0 && a.calls == 50 && b.calls == 50);
    assert_true(a.largest == b.largest && a.largest > 0.5 && a.largest < 4);
    argand_array_destroy(first);
    matrix_problem_release(&p);
}

static void refusals(void **state)
{
    (void)state;
    matrix_problem p = matrix_problem_make();
    seen s = {.status = ARGAND_FORMAT, .fail_at = 3};
    argand_regularizer r = {.weight = 1, .denoise = shrink, .denoise_context = &s};
    argand_regularizer_info info;
    FAILS(solve(&p, (argand_solve_options){.solver = ARGAND_SOLVER_POGM}, r), ARGAND_ARGUMENT,
          "pogm takes one");
    FAILS(solve(&p, (argand_solve_options){.solver = ARGAND_SOLVER_CG}, r), ARGAND_ARGUMENT, "cg takes");
    FAILS(solve(&p, (argand_solve_options){0}, (argand_regularizer){.weight = 1}), ARGAND_ARGUMENT,
          "the function is NULL");
    FAILS(solve(&p, (argand_solve_options){0},
                (argand_regularizer){.weight = 1, .denoise = shrink, .level = -1}),
          ARGAND_ARGUMENT, "level of noise -1");
    FAILS(solve(&p, (argand_solve_options){0},
                (argand_regularizer){.weight = 1, .denoise = shrink, .automatic = true}),
          ARGAND_ARGUMENT, "cannot be chosen");
    assert_int_equal(s.calls, 0);
    assert_int_equal(solve(&p, (argand_solve_options){0}, r), ARGAND_FORMAT);
    assert_int_equal(s.calls, 3);
    s = (seen){.poison = true};
    FAILS(solve(&p, (argand_solve_options){0}, r), ARGAND_NUMERIC, "not finite");
    r.kind = ARGAND_DENOISER;
    assert_int_equal(argand_solver_choose(&r, 1), ARGAND_SOLVER_ADMM);
    assert_string_equal(argand_regularizer_name(ARGAND_DENOISER), "denoiser");
    OK(argand_regularizer_describe(ARGAND_DENOISER, &info));
    assert_true(info.paper != NULL && info.weight == 1);
    matrix_problem_release(&p);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(soft_threshold), cmocka_unit_test(shrinkage),
                                          cmocka_unit_test(units), cmocka_unit_test(refusals)};
RUN_TESTS(tests)
