/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues and vectors of Hermitian matrices: known ones, the residual, orthogonality, odd cases. */
#include "harness.h"
#include "calib/hermitian.h"

typedef struct problem {
    int64_t n;
    double *memory, *values;
    hermitian_planes a, kept, v;
} problem;

static problem make(int64_t n)
{
    problem p = {.n = n, .memory = calloc((size_t)(6 * n * n + n), sizeof(double))};
    assert_non_null(p.memory);
    double *const m = p.memory;
    p.a = (hermitian_planes){m, m + n * n};
    p.kept = (hermitian_planes){m + 2 * n * n, m + 3 * n * n};
    p.v = (hermitian_planes){m + 4 * n * n, m + 5 * n * n};
    p.values = m + 6 * n * n;
    return p;
}

static void set(problem *p, int64_t i, int64_t j, double complex value)
{
    p->a.re[i * p->n + j] = creal(value);
    p->a.im[i * p->n + j] = cimag(value);
    p->a.re[j * p->n + i] = creal(value);
    p->a.im[j * p->n + i] = -cimag(value);
}

static double complex at(const hermitian_planes *m, int64_t n, int64_t i, int64_t j)
{
    return m->re[i * n + j] + I * m->im[i * n + j];
}

/* Solves and returns the largest of |A v - lambda v| / |A| and |V V^H - 1|. */
static double solve(problem *p, double least, int threads, int64_t *count)
{
    const int64_t n = p->n;
    double scale = 0, worst = 0;
    memcpy(p->kept.re, p->a.re, (size_t)(2 * n * n) * sizeof(double)); /* both planes: they are neighbours */
    for (int64_t i = 0; i < n * n; i++) scale = fmax(scale, hypot(p->a.re[i], p->a.im[i]));
    OK(hermitian_eigen(p->a, n, least, threads, p->values, p->v, count));
    if (scale == 0) scale = 1;
    for (int64_t k = 0; k < *count; k++) {
        for (int64_t i = 0; i < n; i++) {
            double complex sum = -p->values[k] * at(&p->v, n, k, i);
            for (int64_t j = 0; j < n; j++) sum += at(&p->kept, n, i, j) * at(&p->v, n, k, j);
            worst = fmax(worst, cabs(sum) / (scale * sqrt((double)n)));
        }
        for (int64_t l = 0; l <= k; l++) {
            double complex product = k == l ? -1 : 0;
            for (int64_t i = 0; i < n; i++) product += conj(at(&p->v, n, l, i)) * at(&p->v, n, k, i);
            worst = fmax(worst, cabs(product));
        }
        assert_true(k == 0 || p->values[k] <= p->values[k - 1]);
    }
    return worst;
}

/* Backward stable: c eps n, with the sizes here below 1e-12. */
static void random_matrices(void **state)
{
    (void)state;
    const int64_t sizes[] = {1, 2, 3, 4, 7, 16, 33, 64, 131, 230};
    for (int s = 0; s < 10; s++) {
        problem p = make(sizes[s]);
        random_state r = {7 + (uint64_t)s};
        double trace = 0, sum = 0;
        int64_t count;
        for (int64_t i = 0; i < p.n; i++)
            for (int64_t j = 0; j <= i; j++)
                set(&p, i, j, random_normal(&r) + (i == j ? 0 : I * random_normal(&r)));
        for (int64_t i = 0; i < p.n; i++) trace += p.a.re[i * p.n + i];
        const double worst = solve(&p, -1e9, 2, &count);
        for (int64_t i = 0; i < p.n; i++) sum += p.values[i];
        CHECK_BELOW(worst, 1e-12);
        CHECK_BELOW(fabs(sum - trace), 1e-11 * (double)p.n);
        free(p.memory);
    }
}

/* The second difference has eigenvalues 2 - 2 cos(pi k / (n + 1)); here with phases, which change nothing. */
static void known_values(void **state)
{
    (void)state;
    enum { N = 57 };
    problem p = make(N);
    int64_t count;
    for (int i = 0; i < N; i++) {
        set(&p, i, i, 2);
        if (i) set(&p, i, i - 1, -cexp(I * 0.3 * i * i));
    }
    CHECK_BELOW(solve(&p, -1e9, 1, &count), 1e-13);
    assert_int_equal(count, N);
    for (int k = 0; k < N; k++)
        CHECK_BELOW(fabs(p.values[k] - (2 - 2 * cos(acos(-1.0) * (N - k) / (N + 1.0)))), 1e-13);
    free(p.memory);
}

/* Rank 3 of 40: only three vectors are above the limit, and they span the space. Equal eigenvalues, zeros,
 * diagonal matrices. */
static void degenerate(void **state)
{
    (void)state;
    enum { N = 40 };
    problem p = make(N);
    int64_t count;
    random_state r = {5};
    double complex u[3][N];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < N; i++) u[k][i] = random_normal(&r) + I * random_normal(&r);
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double complex sum = 0;
            for (int k = 0; k < 3; k++) sum += u[k][i] * conj(u[k][j]);
            set(&p, i, j, sum);
        }
    CHECK_BELOW(solve(&p, 1e-8, 1, &count), 1e-12);
    assert_int_equal(count, 3);
    memset(p.memory, 0, sizeof(double) * (6 * N * N + N));
    CHECK_BELOW(solve(&p, -1, 1, &count), 0);
    assert_int_equal(count, 0);
    for (int i = 0; i < N; i++) set(&p, i, i, i % 4);
    CHECK_BELOW(solve(&p, -1, 1, &count), 1e-15);
    assert_int_equal(count, N);
    assert_true(p.values[0] == 3 && p.values[N - 1] == 0);
    free(p.memory);
}

/* Covariances of smooth images: beyond some rank there is rounding alone, neighbours far below their sizes'
 * rounding in the matrix; the iteration must end there as well. */
static void smooth_covariances(void **state)
{
    (void)state;
    const int64_t sizes[] = {60, 120, 230, 231};
    for (int s = 0; s < 4; s++)
        for (int rank = 1; rank <= 32; rank += 5) {
            problem p = make(sizes[s]);
            int64_t count;
            for (int64_t i = 0; i < p.n; i++)
                for (int64_t j = 0; j <= i; j++) {
                    double complex sum = 0;
                    for (int k = 0; k < rank; k++)
                        sum += exp(-0.3 * k) * cexp(I * 2 * M_PI * k * (double)(i - j) / (double)p.n);
                    set(&p, i, j, i == j ? creal(sum) : sum);
                }
            CHECK_BELOW(solve(&p, 1e-6, 1, &count), 1e-12);
            for (int64_t k = 0; k < count; k++)
                CHECK_BELOW(fabs(p.values[k] - (double)p.n * exp(-0.3 * (double)k)), 1e-11 * (double)p.n);
            assert_int_equal(count, rank);
            free(p.memory);
        }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    enum { N = 700 };
    double *first = NULL;
    for (int threads = 1; threads <= 3; threads += 2) {
        problem p = make(N);
        random_state r = {11};
        int64_t count;
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++)
                set(&p, i, j, random_normal(&r) + (i == j ? 0 : I * random_normal(&r)));
        OK(hermitian_eigen(p.a, N, 0.1, threads, p.values, p.v, &count));
        if (first) {
            assert_memory_equal(first + 4 * N * N, p.v.re, sizeof(double) * (2 * N * N + N));
            free(p.memory);
        } else {
            first = p.memory;
        }
    }
    free(first);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_matrices),
    cmocka_unit_test(known_values),
    cmocka_unit_test(degenerate),
    cmocka_unit_test(smooth_covariances),
    cmocka_unit_test(threads_do_not_matter),
};
RUN_TESTS(tests)
