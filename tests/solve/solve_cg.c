/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_solve_cg against Gaussian elimination in double, and against the plain recurrence, step by step. */
#include "dense.h"

enum { M = 12, N = 6 };

/* Solves h x = b in place by elimination with partial pivoting; the solution is left in b. */
static void eliminate(double complex *h, double complex *b, int n)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (cabs(h[i * n + k]) > cabs(h[pivot * n + k])) pivot = i;
        for (int j = 0; j < n; j++) {
            const double complex t = h[k * n + j];
            h[k * n + j] = h[pivot * n + j];
            h[pivot * n + j] = t;
        }
        const double complex t = b[k];
        b[k] = b[pivot];
        b[pivot] = t;
        for (int i = k + 1; i < n; i++) {
            const double complex f = h[i * n + k] / h[k * n + k];
            for (int j = k; j < n; j++) h[i * n + j] -= f * h[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int k = n; k-- > 0;) {
        for (int j = k + 1; j < n; j++) b[k] -= h[k * n + j] * b[j];
        b[k] /= h[k * n + k];
    }
}

/* The minimiser of 1/2 |W^1/2 (y - A x)|^2 + beta/2 |C x|^2 into x; w and c may be NULL. */
static void minimise(const dense *a, const double complex *y, const double *w, const dense *c, double beta,
                     double complex *x)
{
    double complex h[N * N] = {0};
    for (int i = 0; i < N; i++) {
        x[i] = 0;
        for (int k = 0; k < M; k++) x[i] += conj(a->a[k * N + i]) * (w ? w[k] : 1) * y[k];
        for (int j = 0; j < N; j++) {
            for (int k = 0; k < M; k++)
                h[i * N + j] += conj(a->a[k * N + i]) * (w ? w[k] : 1) * a->a[k * N + j];
            for (int k = 0; c && k < c->rows; k++)
                h[i * N + j] += beta * conj(c->a[k * N + i]) * c->a[k * N + j];
        }
    }
    eliminate(h, x, N);
}

static void random_data(double complex *y, uint64_t seed)
{
    random_state state = {seed};
    for (int i = 0; i < M; i++) {
        const double re = random_normal(&state);
        y[i] = re + I * random_normal(&state);
    }
}

static double distance(const argand_array *x, const double complex *truth)
{
    double *numbers = as_doubles(x);
    const double error = relative_error(numbers, (const double *)truth, 2 * N);
    free(numbers);
    return error;
}

static const argand_type types[2] = {ARGAND_C32, ARGAND_C64};

/* A random 12 x 6 matrix has a condition number of a few, so the answer carries some ten roundings of the
 * data. */
static double tolerance(argand_type type)
{
    return type == ARGAND_C32 ? 5e-6 : 1e-13;
}

/* Weights (some 0), a penalty, both, a preconditioner: after N + a few iterations the minimiser is there. */
static void finds_the_minimiser(void **state)
{
    (void)state;
    for (int kind = 0; kind < 16; kind++) {
        const argand_type type = types[kind & 1];
        const bool weighted = kind & 2, penalised = kind & 4, conditioned = kind & 8;
        dense *a = dense_new(M, N, 1), *c = dense_new(4, N, 2);
        double complex y[M], truth[N], inverse[N];
        double w[M];
        random_data(y, 3);
        for (int i = 0; i < M; i++) w[i] = i == 4 ? 0 : 0.5 + i % 3;
        minimise(a, y, weighted ? w : NULL, penalised ? c : NULL, 0.7, truth);
        for (int i = 0; i < N; i++) inverse[i] = 1.0 / (1 + i);

        argand_op *op = dense_op(a, type), *roughness = dense_op(c, type), *preconditioner;
        argand_array *x = ARRAY(type, N), *data = ARRAY(type, M), *weights = ARRAY(ARGAND_R64, M),
                     *d = ARRAY(type, N),
                     *weights_of_type = ARRAY(type == ARGAND_C32 ? ARGAND_R32 : ARGAND_R64, M);
        OK(upload_doubles(data, y, M));
        OK(argand_array_upload(weights, w));
        OK(argand_array_copy(weights_of_type, weights));
        OK(upload_doubles(d, inverse, N));
        OK(argand_op_diagonal(&preconditioner, d));
        randomise(x, 4, 0, 0); /* not a start: must be overwritten */
        const argand_penalty penalties[2] = {{roughness, 0.3}, {roughness, 0.4}};
        OK(argand_solve_cg(x, op, data,
                           &(argand_cg_options){.iterations = N + 6,
                                                .weights = weighted ? weights_of_type : NULL,
                                                .penalties = penalised ? penalties : NULL,
                                                .penalty_count = penalised ? 2 : 0,
                                                .preconditioner = conditioned ? preconditioner : NULL}));
        CHECK_BELOW(distance(x, truth), tolerance(type));
        argand_array_destroy(x);
        argand_array_destroy(data);
        argand_array_destroy(weights);
        argand_array_destroy(weights_of_type);
        argand_array_destroy(d);
        argand_op_destroy(op);
        argand_op_destroy(roughness);
        argand_op_destroy(preconditioner);
    }
}

/* Weights repeated along an axis by a stride of 0 are the same as written out. */
static void weights_repeat(void **state)
{
    (void)state;
    const argand_shape shape = {ARGAND_C64, 2, {3, 4}};
    argand_op *op;
    argand_array *x[2] = {ARRAY(ARGAND_C64, 3, 4), ARRAY(ARGAND_C64, 3, 4)}, *y = ARRAY(ARGAND_C64, 3, 4),
                 *few = ARRAY(ARGAND_R64, 3), *repeated, *all = ARRAY(ARGAND_R64, 3, 4);
    OK(argand_op_difference(&op, device, &shape, 1));
    randomise(y, 1, 0, 0);
    randomise(few, 2, 0.5, 2);
    OK(argand_array_view(&repeated, few, 2, shape.dims, (int64_t[]){1, 0}, 0));
    OK(argand_array_copy(all, repeated));
    const argand_array *weights[2] = {repeated, all};
    for (int i = 0; i < 2; i++)
        OK(argand_solve_cg(x[i], op, y, &(argand_cg_options){.iterations = 3, .weights = weights[i]}));
    double *a = as_doubles(x[0]), *b = as_doubles(x[1]);
    assert_memory_equal(a, b, 24 * sizeof *a);
    assert_true(relative_error(a, (double[24]){0}, 24) > 0.1);
    free(a);
    free(b);
    argand_array_destroy(x[0]);
    argand_array_destroy(x[1]);
    argand_array_destroy(y);
    argand_array_destroy(repeated);
    argand_array_destroy(few);
    argand_array_destroy(all);
    argand_op_destroy(op);
}

typedef struct trace {
    int count;
    argand_progress at[64];
} trace;

static bool record(void *context, const argand_progress *progress)
{
    trace *t = context;
    t->at[t->count++] = *progress;
    return true;
}

static double energy(const double complex *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += creal(v[i]) * creal(v[i]) + cimag(v[i]) * cimag(v[i]);
    return sum;
}

static void times(const dense *a, const double complex *x, double complex *y)
{
    for (int i = 0; i < a->rows; i++) {
        y[i] = 0;
        for (int j = 0; j < a->columns; j++) y[i] += a->a[i * a->columns + j] * x[j];
    }
}

static void transposed_times(const dense *a, const double complex *y, double complex *x)
{
    for (int j = 0; j < a->columns; j++) {
        x[j] = 0;
        for (int i = 0; i < a->rows; i++) x[j] += conj(a->a[i * a->columns + j]) * y[i];
    }
}

/* The recurrence that the reference tables of the test data were made with, written out. */
static void plain_residuals(const dense *a, const double complex *y, int iterations, double *residuals)
{
    double complex r[M], s[N], p[N], q[M];
    memcpy(r, y, sizeof r);
    transposed_times(a, r, s);
    memcpy(p, s, sizeof p);
    double gamma = energy(s, N);
    for (int k = 1; k <= iterations; k++) {
        times(a, p, q);
        const double alpha = gamma / energy(q, M);
        for (int i = 0; i < M; i++) r[i] -= alpha * q[i];
        transposed_times(a, r, s);
        const double next = energy(s, N);
        for (int i = 0; i < N; i++) p[i] = s[i] + next / gamma * p[i];
        gamma = next;
        residuals[k] = sqrt(energy(r, M) / energy(y, M));
    }
}

static void follows_the_plain_recurrence(void **state)
{
    (void)state;
    dense *a = dense_new(M, N, 1);
    double complex y[M];
    double residuals[N];
    random_data(y, 3);
    plain_residuals(a, y, N - 1, residuals);
    argand_op *op = dense_op(a, ARGAND_C64);
    argand_array *x = ARRAY(ARGAND_C64, N), *data = ARRAY(ARGAND_C64, M);
    OK(upload_doubles(data, y, M));
    trace t = {0};
    OK(argand_solve_cg(x, op, data,
                       &(argand_cg_options){.iterations = N - 1, .monitor = record, .monitor_context = &t}));
    assert_int_equal(t.count, N);
    assert_true(t.at[0].residual == 1 && t.at[0].gradient == 1 && t.at[0].iteration == 0);
    for (int k = 1; k < N; k++) {
        assert_int_equal(t.at[k].iteration, k);
        CHECK_BELOW(fabs(t.at[k].residual / residuals[k] - 1), 1e-12);
    }
    argand_array_destroy(x);
    argand_array_destroy(data);
    argand_op_destroy(op);
}

/* Data in other units give the same iterates in those units (an ancestor of this solver restarted by a rule
 * that had the data's unit in it). Powers of two, so that it holds to the last bit; 2^40 is about 1e12. */
static void scale_does_not_matter(void **state)
{
    (void)state;
    const double scales[3] = {1, 0x1p-40, 0x1p+40};
    double *first = NULL;
    trace traces[3] = {0};
    argand_op *op = dense_op(dense_new(M, N, 1), ARGAND_C32);
    for (int i = 0; i < 3; i++) {
        argand_array *x = ARRAY(ARGAND_C32, N), *data = ARRAY(ARGAND_C32, M);
        randomise(data, 5, 0, 0);
        OK(argand_array_scale(data, (argand_scalar){scales[i], 0}));
        OK(argand_solve_cg(
            x, op, data,
            &(argand_cg_options){
                .iterations = 30, .tolerance = 1e-5, .monitor = record, .monitor_context = &traces[i]}));
        double *numbers = as_doubles(x);
        assert_int_equal(traces[i].count, traces[0].count);
        for (int j = 0; first && j < 2 * N; j++) assert_true(numbers[j] == scales[i] * first[j]);
        if (first)
            free(numbers);
        else
            first = numbers;
        argand_array_destroy(x);
        argand_array_destroy(data);
    }
    free(first);
    argand_op_destroy(op);
}

/* A start near the solution: residual and gradient are still in units of x = 0. */
static void warm_start(void **state)
{
    (void)state;
    dense *a = dense_new(M, N, 1);
    double complex y[M], truth[N];
    random_data(y, 3);
    minimise(a, y, NULL, NULL, 0, truth);
    argand_op *op = dense_op(a, ARGAND_C64);
    argand_array *x = ARRAY(ARGAND_C64, N), *data = ARRAY(ARGAND_C64, M);
    OK(upload_doubles(data, y, M));
    for (int i = 0; i < N; i++) truth[i] *= 1.001;
    OK(upload_doubles(x, truth, N));
    for (int i = 0; i < N; i++) truth[i] /= 1.001;
    trace t = {0};
    OK(argand_solve_cg(
        x, op, data,
        &(argand_cg_options){
            .iterations = N + 2, .use_start = true, .monitor = record, .monitor_context = &t}));
    CHECK_BELOW(fabs(t.at[0].gradient - 1e-3), 1e-9); /* the gradient is linear in the error, 1/1000 of x */
    CHECK_BELOW(distance(x, truth), 1e-13);
    argand_array_destroy(x);
    argand_array_destroy(data);
    argand_op_destroy(op);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(finds_the_minimiser), cmocka_unit_test(weights_repeat),
    cmocka_unit_test(follows_the_plain_recurrence), cmocka_unit_test(scale_does_not_matter),
    cmocka_unit_test(warm_start)};
RUN_TESTS(tests)
