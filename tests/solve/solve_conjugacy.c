/* SPDX-License-Identifier: BSD-3-Clause */
/* CG in single precision on a steep problem (a few large singular values, many small ones, data out of reach)
 * against CGLS in double on the host whose gradients are orthogonalised twice. Without kept gradients single
 * precision leaves it. Both forms; an operator that is linear over the reals alone; few kept gradients; the
 * CG steps before the first iteration of solvers for regularizers. */
#include "dense.h"

enum { M = 160, N = 90, ITERATIONS = 40 };

typedef struct history {
    double complex x[ITERATIONS + 1][N];
    double residual[ITERATIONS + 1];
} history;

/* Columns of unlike length; rows that no image reaches. */
static dense *steep_matrix(void)
{
    dense *a = dense_new(M, N, 1);
    for (int j = 0; j < N; j++) {
        const double factor = j < 6 ? 8 * exp(-0.4 * j) : 0.4 * exp(-0.01 * j);
        for (int i = 0; i < M; i++) a->a[i * N + j] *= i < 100 ? factor : 0;
    }
    return a;
}

static void random_data(double complex *y)
{
    random_state state = {3};
    for (int i = 0; i < M; i++) {
        const double re = random_normal(&state);
        y[i] = re + I * random_normal(&state);
    }
}

static double complex inner(const double complex *u, const double complex *v, int n, bool reals)
{
    double complex sum = 0;
    for (int i = 0; i < n; i++) sum += conj(u[i]) * v[i];
    return reals ? creal(sum) : sum;
}

/* out = A^H r + beta i p k */
static void gradient(const dense *a, const double complex *r, const double complex *p, double beta,
                     const double *k, double complex *out)
{
    for (int j = 0; j < N; j++) {
        out[j] = p ? beta * I * p[j] * k[j] : 0;
        for (int i = 0; i < M; i++) out[j] += conj(a->a[i * N + j]) * r[i];
    }
}

static void orthogonalise(double complex *s, double complex (*kept)[N], int count, bool reals)
{
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < count; j++) {
            const double complex c = inner(kept[j], s, N, reals);
            for (int n = 0; n < N; n++) s[n] -= c * kept[j][n];
        }
}

/* min 1/2 |y - A x|^2 + beta/2 |Im(conj(p) x)|^2; p may be NULL */
static void solve_on_host(const dense *a, const double complex *y, const double complex *p, double beta,
                          history *h)
{
    static double complex kept[ITERATIONS + 1][N];
    double complex r[M], q[M], s[N], d[N];
    double k[N] = {0}, kd[N] = {0};
    memcpy(r, y, sizeof r);
    memset(h->x[0], 0, sizeof h->x[0]);
    gradient(a, r, p, beta, k, s);
    memcpy(d, s, sizeof d);
    double gamma = creal(inner(s, s, N, true));
    for (int t = 1; t <= ITERATIONS; t++) {
        for (int n = 0; n < N; n++) kept[t - 1][n] = s[n] / sqrt(gamma);
        for (int i = 0; i < M; i++) {
            q[i] = 0;
            for (int n = 0; n < N; n++) q[i] += a->a[i * N + n] * d[n];
        }
        double delta = creal(inner(q, q, M, true));
        for (int n = 0; n < N && p; n++) {
            kd[n] = cimag(conj(p[n]) * d[n]);
            delta += beta * kd[n] * kd[n];
        }
        const double alpha = gamma / delta;
        for (int n = 0; n < N; n++) {
            h->x[t][n] = h->x[t - 1][n] + alpha * d[n];
            k[n] -= alpha * kd[n];
        }
        for (int i = 0; i < M; i++) r[i] -= alpha * q[i];
        gradient(a, r, p, beta, k, s);
        orthogonalise(s, kept, t, p != NULL);
        const double next = creal(inner(s, s, N, true));
        for (int n = 0; n < N; n++) d[n] = s[n] + next / gamma * d[n];
        gamma = next;
        h->residual[t] = sqrt(creal(inner(r, r, M, true)) / creal(inner(y, y, M, true)));
    }
}

typedef struct watch {
    const history *truth;
    const argand_array *x;
    double residual, image; /* the largest distances so far; of residuals before the result where x is NULL */
    int last;
} watch;

static double distance(const argand_array *x, const double complex *truth)
{
    double *numbers = as_doubles(x);
    const double error = relative_error(numbers, (const double *)truth, 2 * N);
    free(numbers);
    return error;
}

static bool compare(void *context, const argand_progress *progress)
{
    watch *w = context;
    if (progress->iteration == 0) return true;
    w->last = progress->iteration;
    w->residual = fmax(w->residual, fabs(progress->residual - w->truth->residual[w->last]));
    if (w->x) w->image = fmax(w->image, distance(w->x, w->truth->x[w->last]));
    return true;
}

typedef struct setting {
    const char *name;
    bool normal, constrained;
    int kept, iterations;
} setting;

static watch solve_single(const setting *c)
{
    static history truth;
    double complex y[M], p[N];
    random_data(y);
    for (int n = 0; n < N; n++) p[n] = cexp(I * 0.1 * n);
    dense *a = steep_matrix();
    solve_on_host(a, y, c->constrained ? p : NULL, 20, &truth);
    argand_op *op = dense_op(a, ARGAND_C32), *normal = NULL, *constraint;
    argand_array *x = ARRAY(ARGAND_C32, N), *data = ARRAY(ARGAND_C32, M), *phase = ARRAY(ARGAND_C32, N);
    OK(upload_doubles(data, y, M));
    OK(upload_doubles(phase, p, N));
    OK(argand_op_phase_constraint(&constraint, phase));
    if (c->normal) OK(argand_op_normal_of(&normal, op));
    const argand_penalty penalty = {constraint, 20};
    watch w = {.truth = &truth, .x = c->normal ? NULL : x};
    OK(argand_solve_cg(x, op, data,
                       &(argand_cg_options){.iterations = c->iterations,
                                            .penalties = c->constrained ? &penalty : NULL,
                                            .penalty_count = c->constrained,
                                            .normal = normal,
                                            .kept_gradients = c->kept,
                                            .monitor = compare,
                                            .monitor_context = &w}));
    assert_int_equal(w.last, c->iterations);
    w.image = fmax(w.image, distance(x, truth.x[w.last]));
    printf("%s: residual to %.1e, image to %.1e\n", c->name, w.residual, w.image);
    argand_op_destroy(constraint);
    argand_op_destroy(normal);
    argand_op_destroy(op);
    argand_array *const all[] = {x, data, phase};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) argand_array_destroy(all[i]);
    return w;
}

/* As for real scans. */
static void follows_double(void **state)
{
    (void)state;
    static const setting settings[] = {{"A and A^H", false, false, 0, ITERATIONS},
                                       {"N", true, false, 0, ITERATIONS},
                                       {"A and A^H, phase constraint", false, true, 0, ITERATIONS},
                                       {"N, phase constraint", true, true, 0, ITERATIONS},
                                       {"the first eight alone", false, false, 8, 16}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const watch w = solve_single(&settings[i]);
        CHECK_BELOW(w.residual, 1e-4);
        CHECK_BELOW(w.image, 1e-3);
    }
}

/* Or else the problem shows nothing. */
static void leaves_it_otherwise(void **state)
{
    (void)state;
    static const setting settings[] = {{"A and A^H, none kept", false, false, -1, ITERATIONS},
                                       {"N, none kept", true, false, -1, ITERATIONS},
                                       {"phase constraint, none kept", false, true, -1, ITERATIONS}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const watch w = solve_single(&settings[i]);
        assert_true(w.image > 1e-2);
    }
}

/* The image after so many iterations by a wavelet's weight, whose unit is the brightness of the start. */
static void solve_wavelet(argand_type type, argand_solver solver, int iterations, double complex *image)
{
    const argand_regularizer r = {.kind = ARGAND_WAVELET, .weight = 0.05};
    double complex y[M];
    random_data(y);
    argand_op *op = dense_op(steep_matrix(), type);
    argand_array *x = ARRAY(type, N), *data = ARRAY(type, M);
    OK(upload_doubles(data, y, M));
    OK(argand_solve(
        x, op, data,
        &(argand_solve_options){
            .solver = solver, .iterations = iterations, .regularizers = &r, .regularizer_count = 1}));
    double *numbers = as_doubles(x);
    memcpy(image, numbers, N * sizeof *image);
    free(numbers);
    argand_array_destroy(data);
    argand_array_destroy(x);
    argand_op_destroy(op);
}

/* Without kept gradients in the first ten steps POGM is 0.4 of the image away. */
static void starts_follow_double(void **state)
{
    (void)state;
    static const argand_solver solvers[] = {ARGAND_SOLVER_POGM, ARGAND_SOLVER_FISTA, ARGAND_SOLVER_ADMM};
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (!info.has_double) skip();
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++)
        for (int iterations = 1; iterations <= 20; iterations += 19) {
            double complex single[N], wanted[N];
            solve_wavelet(ARGAND_C32, solvers[i], iterations, single);
            solve_wavelet(ARGAND_C64, solvers[i], iterations, wanted);
            const double error = relative_error((double *)single, (double *)wanted, 2 * N);
            printf("%s, %d iterations: %.1e\n", argand_solver_name(solvers[i]), iterations, error);
            CHECK_BELOW(error, 1e-3);
        }
}

static void refuses(void **state)
{
    (void)state;
    argand_op *op = dense_op(steep_matrix(), ARGAND_C32);
    argand_array *x = ARRAY(ARGAND_C32, N), *data = ARRAY(ARGAND_C32, M);
    FAILS(argand_solve_cg(x, op, data, &(argand_cg_options){.kept_gradients = -2}), ARGAND_ARGUMENT,
          "-2 kept gradients");
    argand_array_destroy(data);
    argand_array_destroy(x);
    argand_op_destroy(op);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(follows_double),
                                          cmocka_unit_test(leaves_it_otherwise),
                                          cmocka_unit_test(starts_follow_double), cmocka_unit_test(refuses)};
RUN_TESTS(tests)
