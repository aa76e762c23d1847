/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_solve against solutions found by other methods: the taut string, thresholds, conditions of
 * optimality, a dual method; solvers against each other. */
#include "regularized.h"

/* The minimiser of sum |x - y|^2/2 + lambda sum |x_(k+1) - x_k|: the string in a tube of +-lambda round the
 * sums of y, pulled taut (Davies and Kovac, Ann. Statist. 29:1, 2001). From each knot the longest straight
 * line that fits. */
static void taut_string(int n, const double *y, double lambda, double *x)
{
    double sum[256] = {0};
    for (int i = 0; i < n; i++) sum[i + 1] = sum[i] + y[i];
    int from = 0;
    double height = 0;
    while (from < n) {
        double least = INFINITY, most = -INFINITY, slope = 0, knot = 0;
        int at_least = 0, at_most = 0, to = n;
        for (int k = from + 1; k <= n; k++) {
            const double wide = k < n ? lambda : 0;
            const double upper = (sum[k] + wide - height) / (k - from),
                         lower = (sum[k] - wide - height) / (k - from);
            slope = upper;
            knot = sum[k] + wide;
            if (lower > least || upper < most) {
                const bool above = lower > least;
                to = above ? at_least : at_most;
                slope = above ? least : most;
                knot = sum[to] + (above ? lambda : -lambda);
                break;
            }
            if (upper <= least) {
                least = upper;
                at_least = k;
            }
            if (lower >= most) {
                most = lower;
                at_most = k;
            }
        }
        for (int i = from; i < to; i++) x[i] = slope;
        from = to;
        height = knot;
    }
}

/* Steps with noise, an odd number of them; TV by both names, along axis 0 and along axis 1 alone. */
static void tv_of_a_line_is_the_taut_string(void **state)
{
    (void)state;
    enum { N = 101 };
    double y[N], truth[N], complex_y[2 * N];
    random_state random = {4};
    for (int i = 0; i < N; i++) {
        y[i] = (i > 30 ? 2 : 0) - (i > 70 ? 3 : 0) + 0.4 * random_normal(&random);
        complex_y[2 * i] = y[i];
        complex_y[2 * i + 1] = 0;
    }
    taut_string(N, y, 1.3, truth);
    for (int kind = 0; kind < 3; kind++) {
        const int64_t dims[2] = {kind == 2 ? 1 : N, kind == 2 ? N : 1};
        const int rank = kind == 2 ? 2 : 1;
        const argand_regularizer tv = {.kind = kind ? ARGAND_TV : ARGAND_TV_ANISOTROPIC, .weight = 1.3};
        argand_op *op = identity_op(ARGAND_C64, rank, dims);
        argand_array *x = new_array(ARGAND_C64, rank, dims), *data = new_array(ARGAND_C64, rank, dims);
        OK(argand_array_upload(data, complex_y));
        record r = watch_of(data);
        OK(argand_solve(x, op, data,
                        &(argand_solve_options){.iterations = 2000,
                                                .inner = 10,
                                                .tolerance = 1e-9,
                                                .regularizers = &tv,
                                                .regularizer_count = 1,
                                                .absolute = true,
                                                .monitor = keep,
                                                .monitor_context = &r}));
        double *got = as_doubles(x), most = 0;
        for (int i = 0; i < N; i++) most = fmax(most, cabs(CMPLX(got[2 * i] - truth[i], got[2 * i + 1])));
        CHECK_BELOW(most, 1e-6);
        assert_true(r.calls < 2000);
        free(got);
        argand_op_destroy(op);
        argand_array_destroy(x);
        argand_array_destroy(data);
    }
}

/* For A = 1 the minimiser is the proximal map itself, after one step of FISTA and for whatever solver; and
 * the weight's unit is sqrt(sum |y|^4 / sum |y|^2), the diagonal's 1. */
static void identity_gives_thresholds(void **state)
{
    (void)state;
    const int64_t dims[2] = {17, 12};
    enum { N = 17 * 12 };
    const argand_regularizer wavelet = {.kind = ARGAND_WAVELET, .weight = 0.3};
    argand_op *op = identity_op(ARGAND_C64, 2, dims), *w;
    argand_array *x = new_array(ARGAND_C64, 2, dims), *y = new_array(ARGAND_C64, 2, dims),
                 *c = new_array(ARGAND_C64, 2, dims);
    OK(argand_op_wavelet(&w, device, argand_op_domain(op), 2, ARGAND_DAUBECHIES_4, 0));
    randomise(y, 3, 0, 0);
    double *data = as_doubles(y), second = 0, fourth = 0;
    for (int i = 0; i < N; i++) {
        const double square = data[2 * i] * data[2 * i] + data[2 * i + 1] * data[2 * i + 1];
        second += square;
        fourth += square * square;
    }
    free(data);
    const double threshold = 0.3 * sqrt(fourth / second);
    for (int solver = ARGAND_SOLVER_FISTA; solver <= ARGAND_SOLVER_ADMM; solver++) {
        OK(argand_solve(x, op, y,
                        &(argand_solve_options){.solver = (argand_solver)solver,
                                                .iterations = 300,
                                                .tolerance = 1e-11,
                                                .regularizers = &wavelet,
                                                .regularizer_count = 1}));
        OK(argand_op_apply(w, c, x));
        double *got = as_doubles(c);
        OK(argand_op_apply(w, c, y));
        double *given = as_doubles(c);
        for (int i = 0; i < N; i++) {
            const double complex v = CMPLX(given[2 * i], given[2 * i + 1]),
                                 u = CMPLX(got[2 * i], got[2 * i + 1]);
            const bool coarse = i % 17 < 5 && i / 17 < 6; /* 17 -> 9 -> 5, 12 -> 6 */
            const double factor = coarse ? 1 : fmax(0, 1 - threshold / cabs(v));
            CHECK_BELOW(cabs(u - factor * v), 1e-8);
        }
        free(got);
        free(given);
    }
    argand_op_destroy(w);
    argand_op_destroy(op);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(c);
}

/* g = A^H (A x - y) in double on the host. */
static void data_gradient(const dense *a, const double complex *x, const double complex *y, double complex *g)
{
    double complex r[ROWS];
    for (int i = 0; i < ROWS; i++) {
        r[i] = -y[i];
        for (int j = 0; j < PIXELS; j++) r[i] += a->a[i * PIXELS + j] * x[j];
    }
    for (int j = 0; j < PIXELS; j++) {
        g[j] = 0;
        for (int i = 0; i < ROWS; i++) g[j] += conj(a->a[i * PIXELS + j]) * r[i];
    }
}

/* At the solution W grad is -lambda c/|c| where a detail c is not 0, at most lambda where it is, 0 for coarse
 * ones; and the three solvers find the same. */
static void wavelet_solution_is_optimal(void **state)
{
    (void)state;
    const double lambda = 9;
    const argand_regularizer wavelet = {
        .kind = ARGAND_WAVELET, .wavelet = ARGAND_HAAR, .levels = 2, .weight = lambda};
    matrix_problem p = matrix_problem_make();
    argand_op *w;
    argand_array *c = ARRAY(ARGAND_C64, NX, NY), *g = ARRAY(ARGAND_C64, NX, NY);
    double best = INFINITY;
    OK(argand_op_wavelet(&w, device, argand_op_domain(p.op), 2, ARGAND_HAAR, 2));
    for (int solver = ARGAND_SOLVER_FISTA; solver <= ARGAND_SOLVER_ADMM; solver++) {
        double complex x[PIXELS], y[ROWS], gradient[PIXELS], cx[PIXELS], cg[PIXELS];
        int zeros = 0;
        record r = watch_of(p.y);
        OK(argand_solve(p.x, p.op, p.y,
                        &(argand_solve_options){.solver = (argand_solver)solver,
                                                .iterations = 400,
                                                .tolerance = 1e-10,
                                                .regularizers = &wavelet,
                                                .regularizer_count = 1,
                                                .absolute = true,
                                                .monitor = keep,
                                                .monitor_context = &r}));
        to_complex(p.x, x);
        to_complex(p.y, y);
        data_gradient(p.matrix, x, y, gradient);
        OK(argand_array_upload(g, gradient));
        OK(argand_op_apply(w, c, p.x));
        to_complex(c, cx);
        OK(argand_op_apply(w, c, g));
        to_complex(c, cg);
        for (int i = 0; i < PIXELS; i++) {
            if (i % NX < 2 && i / NX < 3) /* coarse: 8 -> 4 -> 2, 5 -> 3 (too short for more) */
                CHECK_BELOW(cabs(cg[i]), 1e-6 * lambda);
            else if (cabs(cx[i]) > 1e-6)
                CHECK_BELOW(cabs(cg[i] + lambda * cx[i] / cabs(cx[i])), 1e-5 * lambda);
            else {
                CHECK_BELOW(cabs(cg[i]), (1 + 1e-6) * lambda);
                zeros++;
            }
        }
        assert_in_range(zeros, 3, PIXELS - 9); /* some are 0, some are not */
        if (best == INFINITY) best = r.last;
        CHECK_BELOW(fabs(r.last / best - 1), 1e-8);
        assert_true(r.calls < 400);
    }
    argand_op_destroy(w);
    argand_array_destroy(c);
    argand_array_destroy(g);
    matrix_problem_release(&p);
}

/* Isotropic TV of an image by its dual, in double: max over |p_n| <= lambda of -|y - D^H p|^2/2 (+ |y|^2/2),
 * projected gradient steps with momentum (Beck and Teboulle, IEEE Trans. Image Process. 18:2419, 2009). */
static void dual_tv(const double complex *y, double lambda, double complex *x)
{
    double complex p[2][PIXELS] = {0}, q[2][PIXELS] = {0};
    double t = 1;
    for (int iteration = 0; iteration < 20000; iteration++) {
        for (int n = 0; n < PIXELS; n++) {
            const int i = n % NX, j = n / NX;
            x[n] = y[n] - (i ? q[0][n] : 0) + (i + 1 < NX ? q[0][n + 1] : 0) - (j ? q[1][n] : 0) +
                   (j + 1 < NY ? q[1][n + NX] : 0);
        }
        const double next = (1 + sqrt(1 + 4 * t * t)) / 2;
        for (int n = 0; n < PIXELS; n++) {
            const double complex a = q[0][n] + (n % NX ? x[n] - x[n - 1] : 0) / 8,
                                 b = q[1][n] + (n / NX ? x[n] - x[n - NX] : 0) / 8;
            const double size = sqrt(pow(cabs(a), 2) + pow(cabs(b), 2)),
                         factor = size > lambda ? lambda / size : 1;
            const double complex new[2] = {factor * a, factor * b};
            for (int d = 0; d < 2; d++) {
                q[d][n] = new[d] + (t - 1) / next *(new[d] - p[d][n]);
                p[d][n] = new[d];
            }
        }
        t = next;
    }
}

static void tv_of_an_image(void **state)
{
    (void)state;
    const int64_t dims[2] = {NX, NY};
    const argand_regularizer tv = {.kind = ARGAND_TV, .weight = 0.4};
    argand_op *op = identity_op(ARGAND_C64, 2, dims);
    argand_array *x = ARRAY(ARGAND_C64, NX, NY), *y = ARRAY(ARGAND_C64, NX, NY);
    double complex data[PIXELS], truth[PIXELS], got[PIXELS];
    randomise(y, 8, 0, 0);
    to_complex(y, data);
    dual_tv(data, 0.4, truth);
    OK(argand_solve(x, op, y,
                    &(argand_solve_options){.iterations = 1500,
                                            .inner = 8,
                                            .tolerance = 1e-8,
                                            .regularizers = &tv,
                                            .regularizer_count = 1,
                                            .absolute = true}));
    to_complex(x, got);
    CHECK_BELOW(relative_error((double *)got, (double *)truth, 2 * PIXELS), 1e-5);
    argand_op_destroy(op);
    argand_array_destroy(x);
    argand_array_destroy(y);
}

/* grad f + beta sum_d C_d^H (w C_d x) = 0 with the weights of the solution; the objective never rises; ADMM
 * agrees. */
static void hyperbola_solution_is_optimal(void **state)
{
    (void)state;
    const double beta = 20, delta = 0.02;
    const argand_regularizer r = {.kind = ARGAND_HYPERBOLA, .weight = beta, .delta = delta};
    matrix_problem p = matrix_problem_make();
    double last[2];
    for (int admm = 0; admm < 2; admm++) {
        double complex x[PIXELS], y[ROWS], g[PIXELS];
        double scale = 0, most = 0;
        record w = watch_of(p.y);
        OK(argand_solve(p.x, p.op, p.y,
                        &(argand_solve_options){.solver = admm ? ARGAND_SOLVER_ADMM : ARGAND_SOLVER_AUTO,
                                                .iterations = 500,
                                                .inner = 8,
                                                .tolerance = 1e-9,
                                                .regularizers = &r,
                                                .regularizer_count = 1,
                                                .absolute = true,
                                                .monitor = keep,
                                                .monitor_context = &w}));
        to_complex(p.x, x);
        to_complex(p.y, y);
        data_gradient(p.matrix, x, y, g);
        for (int n = 0; n < PIXELS; n++) {
            scale = fmax(scale, cabs(g[n]));
            for (int d = 0; d < 2; d++) {
                const int step = d ? NX : 1, place = d ? n / NX : n % NX, length = d ? NY : NX;
                for (int up = 0; up < 2; up++) {
                    if (up ? place + 1 == length : place == 0) continue;
                    const double complex t = up ? x[n + step] - x[n] : x[n] - x[n - step];
                    g[n] += (up ? -beta : beta) * t / sqrt(1 + pow(cabs(t) / delta, 2));
                }
            }
            most = fmax(most, cabs(g[n]));
        }
        CHECK_BELOW(most, 1e-6 * scale);
        if (!admm) CHECK_BELOW(w.largest_rise, 1e-13 * w.first);
        assert_true(w.calls < 500);
        last[admm] = w.last;
    }
    CHECK_BELOW(fabs(last[1] / last[0] - 1), 1e-9);
    matrix_problem_release(&p);
}

/* TV and wavelets at once: the objective that is reported is the one computed here, and nothing near is
 * lower. */
static double objective(const dense *a, const double complex *x, const double complex *y, double tv,
                        double l1, argand_op *w, argand_array *place, argand_array *coefficients)
{
    double sum = 0;
    double complex c[PIXELS];
    for (int i = 0; i < ROWS; i++) {
        double complex r = -y[i];
        for (int j = 0; j < PIXELS; j++) r += a->a[i * PIXELS + j] * x[j];
        sum += pow(cabs(r), 2) / 2;
    }
    for (int n = 0; n < PIXELS; n++)
        sum += tv * sqrt((n % NX ? pow(cabs(x[n] - x[n - 1]), 2) : 0) +
                         (n / NX ? pow(cabs(x[n] - x[n - NX]), 2) : 0));
    OK(argand_array_upload(place, x));
    OK(argand_op_apply(w, coefficients, place));
    to_complex(coefficients, c);
    for (int n = 0; n < PIXELS; n++)
        if (!(n % NX < 4 && n / NX < 3)) sum += l1 * cabs(c[n]);
    return sum;
}

static void several_at_once(void **state)
{
    (void)state;
    const argand_regularizer list[3] = {
        {.kind = ARGAND_TV, .weight = 4},
        {.kind = ARGAND_WAVELET, .wavelet = ARGAND_HAAR, .levels = 1, .weight = 6},
        {.kind = ARGAND_TIKHONOV, .weight = 0}};
    matrix_problem p = matrix_problem_make();
    argand_op *w;
    argand_array *place = ARRAY(ARGAND_C64, NX, NY), *c = ARRAY(ARGAND_C64, NX, NY);
    double complex x[PIXELS], y[ROWS], other[PIXELS];
    record r = watch_of(p.y);
    OK(argand_op_wavelet(&w, device, argand_op_domain(p.op), 2, ARGAND_HAAR, 1));
    OK(argand_solve(p.x, p.op, p.y,
                    &(argand_solve_options){.iterations = 600,
                                            .inner = 8,
                                            .tolerance = 1e-8,
                                            .regularizers = list,
                                            .regularizer_count = 3,
                                            .absolute = true,
                                            .monitor = keep,
                                            .monitor_context = &r}));
    to_complex(p.x, x);
    to_complex(p.y, y);
    const double least = objective(p.matrix, x, y, 4, 6, w, place, c);
    CHECK_BELOW(fabs(least / r.last - 1), 1e-6);
    random_state random = {9};
    for (int trial = 0; trial < 200; trial++) {
        const double size = pow(10, -1 - trial % 5);
        for (int n = 0; n < PIXELS; n++) {
            const double re = random_normal(&random);
            other[n] = x[n] * (trial % 2 ? 1 : 1 + size) + size * 0.1 * (re + I * random_normal(&random));
        }
        assert_true(objective(p.matrix, other, y, 4, 6, w, place, c) > least * (1 - 1e-9));
    }
    argand_op_destroy(w);
    argand_array_destroy(place);
    argand_array_destroy(c);
    matrix_problem_release(&p);
}

/* min |A x - y|^2/2 + lambda TV(x), A dense: Chambolle and Pock's first algorithm (J. Math. Imaging Vis.
 * 40:120, 2011) with the data dualised too, so that it solves nothing. */
static void dual_dense(const dense *a, const double complex *y, double lambda, double complex *x)
{
    static double complex p[2][PIXELS], q[ROWS], bar[PIXELS];
    double square = 8;
    for (int i = 0; i < ROWS * PIXELS; i++) square += pow(cabs(a->a[i]), 2);
    const double product = 0.99 / square, step = 4 * sqrt(product), /* of the duals */
        primal = sqrt(product) / 4;
    for (int n = 0; n < PIXELS; n++) x[n] = bar[n] = p[0][n] = p[1][n] = 0;
    for (int i = 0; i < ROWS; i++) q[i] = 0;
    for (int iteration = 0; iteration < 60000; iteration++) {
        double complex back[PIXELS] = {0};
        for (int i = 0; i < ROWS; i++) {
            double complex ax = -y[i];
            for (int n = 0; n < PIXELS; n++) ax += a->a[i * PIXELS + n] * bar[n];
            q[i] = (q[i] + step * ax) / (1 + step);
            for (int n = 0; n < PIXELS; n++) back[n] += conj(a->a[i * PIXELS + n]) * q[i];
        }
        for (int n = 0; n < PIXELS; n++) {
            const double complex u = p[0][n] + (n % NX ? step * (bar[n] - bar[n - 1]) : 0),
                                 v = p[1][n] + (n / NX ? step * (bar[n] - bar[n - NX]) : 0);
            const double size = sqrt(pow(cabs(u), 2) + pow(cabs(v), 2)),
                         factor = size > lambda ? lambda / size : 1;
            p[0][n] = factor * u;
            p[1][n] = factor * v;
        }
        for (int n = 0; n < PIXELS; n++) {
            const double complex old = x[n];
            back[n] += (n % NX ? p[0][n] : 0) - (n % NX + 1 < NX ? p[0][n + 1] : 0) + (n / NX ? p[1][n] : 0) -
                       (n / NX + 1 < NY ? p[1][n + NX] : 0);
            x[n] -= primal * back[n];
            bar[n] = 2 * x[n] - old;
        }
    }
}

/* One inner step, preconditioned by a spectrum of whatever numbers: to the minimiser all the same. */
static void tv_with_a_spectrum(void **state)
{
    (void)state;
    const argand_regularizer tv = {.kind = ARGAND_TV, .weight = 3};
    matrix_problem p = matrix_problem_make();
    argand_array *spectrum = ARRAY(ARGAND_R64, NX, NY);
    double complex y[ROWS], truth[PIXELS], got[PIXELS];
    randomise(spectrum, 3, 40, 200);
    to_complex(p.y, y);
    dual_dense(p.matrix, y, 3, truth);
    OK(argand_solve(p.x, p.op, p.y,
                    &(argand_solve_options){.iterations = 3000,
                                            .tolerance = 1e-8,
                                            .regularizers = &tv,
                                            .regularizer_count = 1,
                                            .spectrum = spectrum,
                                            .absolute = true}));
    to_complex(p.x, got);
    CHECK_BELOW(relative_error((double *)got, (double *)truth, 2 * PIXELS), 1e-5);
    argand_array_destroy(spectrum);
    matrix_problem_release(&p);
}

static void wrong_spectra_are_refused(void **state)
{
    (void)state;
    const argand_regularizer tv = {.kind = ARGAND_TV, .weight = 1};
    matrix_problem p = matrix_problem_make();
    argand_array *const wrong[] = {ARRAY(ARGAND_R64, NX, NY + 1), ARRAY(ARGAND_C64, NX, NY),
                                   ARRAY(ARGAND_R64, NX, NY, 2), ARRAY(ARGAND_R64, NX, NY)};
    for (int i = 0; i < 4; i++) { /* the last one holds zeros */
        assert_int_equal(argand_solve(p.x, p.op, p.y,
                                      &(argand_solve_options){
                                          .regularizers = &tv, .regularizer_count = 1, .spectrum = wrong[i]}),
                         ARGAND_ARGUMENT);
        assert_non_null(strstr(argand_message(), "spectrum"));
        argand_array_destroy(wrong[i]);
    }
    matrix_problem_release(&p);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(tv_of_a_line_is_the_taut_string),
                                          cmocka_unit_test(identity_gives_thresholds),
                                          cmocka_unit_test(wavelet_solution_is_optimal),
                                          cmocka_unit_test(tv_of_an_image),
                                          cmocka_unit_test(hyperbola_solution_is_optimal),
                                          cmocka_unit_test(several_at_once),
                                          cmocka_unit_test(tv_with_a_spectrum),
                                          cmocka_unit_test(wrong_spectra_are_refused)};
RUN_TESTS(tests)
