/* SPDX-License-Identifier: BSD-3-Clause */
/* An undersampled radial scan of several coils in single precision, weighted by density: all solvers that
 * take a list come to the same objective, and print how many iterations they took. */
#include "dense.h"

enum { NX = 44, NY = 37, COILS = 3, SPOKES = 13, READ = 72, SAMPLES = SPOKES * READ };

typedef struct problem {
    argand_op *op;
    argand_array *x, *y, *truth, *weights;
    double energy; /* |W^1/2 y|^2 */
} problem;

static problem make(void)
{
    static double kx[SAMPLES], ky[SAMPLES];
    static float ramp[SAMPLES];
    argand_scalar energy;
    problem p;
    argand_nufft *plan;
    argand_op *transform;
    argand_array *k[2] = {ARRAY(ARGAND_R64, SAMPLES), ARRAY(ARGAND_R64, SAMPLES)},
                 *maps = ARRAY(ARGAND_C32, NX, NY, 1, COILS), *flat,
                 *noise = ARRAY(ARGAND_C32, SAMPLES, COILS);
    double norm;
    OK(argand_device_set_threads(device, 1));
    for (int i = 0; i < SAMPLES; i++) {
        const double r = (i % READ - READ / 2) * 0.55, angle = 3.14159265358979 * (i / READ) / SPOKES;
        kx[i] = r * cos(angle);
        ky[i] = r * sin(angle);
        ramp[i] = (float)fmax(fabs(r), 0.1);
    }
    OK(argand_array_upload(k[0], kx));
    OK(argand_array_upload(k[1], ky));
    OK(argand_nufft_create(&plan, device,
                           &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {NX, NY}}));
    OK(argand_nufft_set_points(plan, k));
    OK(argand_op_nufft(&transform, device, plan, COILS));
    OK(argand_coils_birdcage(maps));
    OK(argand_array_reshape(&flat, maps, 3, (int64_t[]){NX, NY, COILS}));
    OK(argand_op_sense(&p.op, transform, flat));
    p.x = ARRAY(ARGAND_C32, NX, NY);
    p.truth = ARRAY(ARGAND_C32, NX, NY);
    p.y = ARRAY(ARGAND_C32, SAMPLES, COILS);
    OK(argand_phantom_image(p.truth, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_op_apply(p.op, p.y, p.truth));
    OK(argand_array_norm(&norm, p.y));
    randomise(noise, 5, 0, 0);
    OK(argand_array_axpby(p.y, (argand_scalar){0.02 * norm / sqrt(2.0 * SAMPLES * COILS), 0}, noise,
                          (argand_scalar){1, 0}));
    argand_array *line = ARRAY(ARGAND_R32, SAMPLES);
    OK(argand_array_upload(line, ramp));
    OK(argand_array_view(&p.weights, line, 2, (int64_t[]){SAMPLES, COILS}, (int64_t[]){1, 0}, 0));
    OK(argand_array_multiply(noise, p.weights, p.y, ARGAND_PRODUCT));
    OK(argand_array_dot(&energy, p.y, noise));
    p.energy = energy.re;
    argand_array_destroy(line);
    argand_op_destroy(transform);
    argand_array *const all[] = {k[0], k[1], maps, flat, noise};
    for (int i = 0; i < 5; i++) argand_array_destroy(all[i]);
    return p;
}

static void release(problem *p)
{
    argand_op_destroy(p->op);
    argand_array_destroy(p->x);
    argand_array_destroy(p->y);
    argand_array_destroy(p->truth);
    argand_array_destroy(p->weights);
}

enum { MOST = 600 };
typedef struct curve {
    double energy, at[MOST + 1];
    int count;
} curve;

static bool keep(void *context, const argand_progress *p)
{
    curve *c = context;
    c->at[c->count++] = p->residual * p->residual * c->energy / 2 + p->penalty;
    return true;
}

static double error_of(const problem *p)
{
    double *a = as_doubles(p->x), *b = as_doubles(p->truth);
    const double error = relative_error(a, b, 2 * NX * NY);
    free(a);
    free(b);
    return error;
}

static double solve(problem *p, argand_solver solver, int iterations, const argand_regularizer *list,
                    int count, curve *c)
{
    *c = (curve){.energy = p->energy};
    OK(argand_solve(p->x, p->op, p->y,
                    &(argand_solve_options){.solver = solver,
                                            .iterations = iterations,
                                            .weights = p->weights,
                                            .regularizers = list,
                                            .regularizer_count = count,
                                            .monitor = keep,
                                            .monitor_context = c}));
    return c->at[c->count - 1];
}

static int first_within(const curve *c, double least, double fraction)
{
    for (int i = 0; i < c->count; i++)
        if (c->at[i] <= least * (1 + fraction)) return i;
    return c->count;
}

static void tell(const char *list, argand_solver solver, const curve *c, double least, double error)
{
    printf("%-22s %-15s iterations to 1e-2, 1e-3, 1e-4 of the objective: %d %d %d; image error %.4f\n", list,
           argand_solver_name(solver), first_within(c, least, 1e-2), first_within(c, least, 1e-3),
           first_within(c, least, 1e-4), error);
}

static void solvers_agree(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        argand_regularizer list[2];
        int count;
        argand_solver solvers[3];
    } cases[] = {
        {"wavelet:0.005:fixed",
         {{.kind = ARGAND_WAVELET, .weight = 0.005}},
         1,
         {ARGAND_SOLVER_POGM, ARGAND_SOLVER_FISTA, ARGAND_SOLVER_ADMM}},
        {"wavelet:0.005,0.001",
         {{.kind = ARGAND_WAVELET, .weight = 0.005}, {.kind = ARGAND_QUADRATIC, .weight = 0.001}},
         2,
         {ARGAND_SOLVER_POGM, ARGAND_SOLVER_FISTA, ARGAND_SOLVER_ADMM}},
        {"hyperbola:0.1:0.01",
         {{.kind = ARGAND_HYPERBOLA, .weight = 0.1, .delta = 0.01}},
         1,
         {ARGAND_SOLVER_HALF_QUADRATIC, ARGAND_SOLVER_ADMM}},
        {"tv:0.002", {{.kind = ARGAND_TV, .weight = 0.002}}, 1, {ARGAND_SOLVER_ADMM}},
    };
    problem p = make();
    curve *c = malloc(3 * sizeof *c);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double least = INFINITY, last[3], errors[3];
        int count = 0;
        for (; count < 3 && cases[i].solvers[count]; count++) {
            last[count] = solve(&p, cases[i].solvers[count], MOST, cases[i].list, cases[i].count, &c[count]);
            errors[count] = error_of(&p);
            least = fmin(least, last[count]);
        }
        for (int s = 0; s < count; s++) {
            tell(cases[i].name, cases[i].solvers[s], &c[s], least, errors[s]);
            CHECK_BELOW(last[s] / least - 1, 1e-4);
            CHECK_BELOW(errors[s], 0.25);
        }
    }
    free(c);
    release(&p);
}

/* The first iterations are worth their time: POGM is not behind FISTA, and moving wavelets end near the fixed
 * ones. */
static void momentum_pays(void **state)
{
    (void)state;
    const argand_regularizer fixed = {.kind = ARGAND_WAVELET, .weight = 0.005},
                             moving = {.kind = ARGAND_WAVELET, .weight = 0.005, .seed = 1};
    problem p = make();
    curve *c = malloc(sizeof *c);
    const double least = solve(&p, ARGAND_SOLVER_POGM, MOST, &fixed, 1, c), still = error_of(&p);
    solve(&p, ARGAND_SOLVER_POGM, 60, &fixed, 1, c);
    const int pogm = first_within(c, least, 1e-2);
    solve(&p, ARGAND_SOLVER_FISTA, 60, &fixed, 1, c);
    assert_true(pogm <= first_within(c, least, 1e-2));
    solve(&p, ARGAND_SOLVER_POGM, 60, &moving, 1, c);
    printf("wavelet:0.005 moving, 60 iterations: image error %.4f, fixed %.4f\n", error_of(&p), still);
    CHECK_BELOW(error_of(&p), still); /* no block edges */
    free(c);
    release(&p);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(solvers_agree), cmocka_unit_test(momentum_pays)};
RUN_TESTS(tests)
