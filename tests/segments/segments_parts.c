/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts that segments stand on: Gauss quadrature of points, singular values, factors kept at Chebyshev
 * points. */
#include "segments.h"
#include "segments/gauss.h"
#include "segments/sampled.h"
#include "segments/svd.h"

enum { MOST = 256 };

/* Chebyshev polynomial of degree n at x in [-1, 1]. */
static double polynomial(int n, double x)
{
    return cos(n * acos(x));
}

/* The sums of all polynomials below degree 2 nodes are what they were. */
static void check_gauss(const double *x, const double *weight, int points, int nodes, int expected)
{
    double at[MOST], heavy[MOST], total = 0;
    memcpy(at, x, (size_t)points * sizeof *at);
    memcpy(heavy, weight, (size_t)points * sizeof *heavy);
    const int count = gauss_compress(at, heavy, points, nodes);
    assert_int_equal(count, expected);
    for (int i = 0; i < points; i++) total += weight[i];
    for (int n = 0; n < 2 * count; n++) {
        double before = 0, after = 0;
        for (int i = 0; i < points; i++) before += weight[i] * polynomial(n, x[i]);
        for (int i = 0; i < count; i++) after += heavy[i] * polynomial(n, at[i]);
        CHECK_BELOW(fabs(before - after) / total, 1e-13);
    }
    for (int i = 0; i < count; i++) assert_true(heavy[i] >= 0 && fabs(at[i]) <= 1);
}

static void gauss(void **state)
{
    (void)state;
    double x[MOST], weight[MOST];
    random_state r = {3};
    for (int kind = 0; kind < 4; kind++)
        for (int points = 30; points <= MOST; points += 113) {
            for (int i = 0; i < points; i++) {
                const double u = 2 * random_uniform(&r) - 1;
                x[i] = kind == 0   ? u                               /* anywhere */
                       : kind == 1 ? u * u * u * u * u               /* dense about 0 */
                       : kind == 2 ? (i % 2 ? 0.9 : -0.8) + 1e-3 * u /* two clusters */
                                   : (double)(i % 7) / 6 - 0.5;      /* seven values */
                weight[i] = 0.01 + random_uniform(&r);
            }
            check_gauss(x, weight, points, 20, kind == 3 ? 7 : 20);
        }
    check_gauss(x, weight, 12, 20, 12); /* few points are kept */
}

static double complex element(const double complex *a, int rows, int row, int column)
{
    return a[(size_t)column * (size_t)rows + (size_t)row];
}

/* A again from its parts, and columns of norm 1 at right angles. */
static void check_svd(const double complex *a, int rows, int columns, int rank)
{
    double complex *copy = malloc(sizeof *copy * (size_t)(rows * columns));
    svd s;
    memcpy(copy, a, sizeof *copy * (size_t)(rows * columns));
    OK(svd_make(&s, copy, rows, columns));
    assert_int_equal(s.rank, rank);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double complex sum = 0;
            for (int k = 0; k < s.rank; k++)
                sum += s.value[k] * element(s.left, rows, i, k) * conj(element(s.right, columns, j, k));
            CHECK_BELOW(cabs(sum - element(a, rows, i, j)), 1e-14 * s.value[0]);
        }
    for (int p = 0; p < s.rank; p++)
        for (int q = 0; q <= p; q++) {
            double complex left = 0, right = 0;
            for (int i = 0; i < rows; i++)
                left += conj(element(s.left, rows, i, p)) * element(s.left, rows, i, q);
            for (int j = 0; j < columns; j++)
                right += conj(element(s.right, columns, j, p)) * element(s.right, columns, j, q);
            CHECK_BELOW(cabs(left - (p == q)), 1e-12);
            CHECK_BELOW(cabs(right - (p == q)), 1e-12);
            if (p > q) assert_true(s.value[p] <= s.value[q]);
        }
    svd_release(&s);
    free(copy);
}

static void singular_values(void **state)
{
    (void)state;
    static const int sizes[][3] = {{30, 11, 11}, {11, 30, 11}, {17, 17, 17}, {40, 23, 5},
                                   {9, 31, 4},   {1, 6, 1},    {6, 1, 1}};
    random_state r = {4};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        const int rows = sizes[n][0], columns = sizes[n][1], rank = sizes[n][2];
        double complex *a = calloc((size_t)(rows * columns), sizeof *a), left[64], right[64];
        for (int k = 0; k < rank; k++) {
            for (int i = 0; i < rows; i++) left[i] = random_normal(&r) + I * random_normal(&r);
            for (int j = 0; j < columns; j++) right[j] = random_normal(&r) + I * random_normal(&r);
            for (int j = 0; j < columns; j++)
                for (int i = 0; i < rows; i++) a[j * rows + i] += left[i] * right[j];
        }
        check_svd(a, rows, columns, rank);
        free(a);
    }
}

/* Values that fall by ten orders, where eigenvalues of A^H A would have lost those below 1e-8: the known ones
 * of a diagonal matrix between random rotations. */
static void small_singular_values(void **state)
{
    (void)state;
    enum { N = 10 };
    double complex a[N * N] = {0};
    random_state r = {5};
    svd s;
    for (int i = 0; i < N; i++) a[i * N + i] = pow(10, -i);
    for (int two_pi = 0; two_pi < 200; two_pi++) {
        const int p = (int)(N * random_uniform(&r)), q = (p + 1 + (int)((N - 1) * random_uniform(&r))) % N;
        const double angle = 6.28 * random_uniform(&r);
        for (int k = 0; k < N; k++) { /* rows in even rounds, columns in odd ones */
            double complex *x = two_pi % 2 ? &a[p * N + k] : &a[k * N + p],
                           *y = two_pi % 2 ? &a[q * N + k] : &a[k * N + q];
            const double complex old = *x;
            *x = cos(angle) * old - sin(angle) * I * *y;
            *y = cos(angle) * *y - sin(angle) * I * old;
        }
    }
    OK(svd_make(&s, a, N, N));
    for (int i = 0; i < N; i++) CHECK_BELOW(fabs(s.value[i] / pow(10, -i) - 1), 1e-15 * pow(10, i) * 10);
    svd_release(&s);
}

/* Sums of exponentials far from 0, in t and in w. */
static void sampled_factors(void **state)
{
    (void)state;
    enum { TERMS = 5, COUNT = 40 };
    random_state r = {6};
    for (int imaginary = 0; imaginary < 2; imaginary++) {
        factor f;
        sampled s;
        OK(factor_new(&f, COUNT, TERMS, true));
        for (int k = 0; k < COUNT; k++) {
            f.node[k] = imaginary ? CMPLX(0.03 + 0.02 * random_uniform(&r), 0)
                                  : CMPLX(50 * random_uniform(&r), 2000 + 900 * random_uniform(&r));
            for (int l = 0; l < TERMS; l++)
                factor_set_weight(&f, l, k, random_normal(&r) + I * random_normal(&r));
        }
        const double low = imaginary ? 2000 : 0.03, high = imaginary ? 2900 : 0.05;
        OK(sampled_make(&s, &f, low, high, 900 * 0.02 / 6.28 + 50 * 0.02 / 6.28, imaginary,
                        imaginary ? CMPLX(0.04, 0) : CMPLX(0, 2450)));
        for (int i = 0; i <= 333; i++) {
            const double x = low + (high - low) * i / 333;
            double complex fast[TERMS], slow[TERMS];
            sampled_at(&s, x, fast);
            factor_at(&f, imaginary ? CMPLX(0, x) : CMPLX(x, 0), slow);
            for (int l = 0; l < TERMS; l++) CHECK_BELOW(cabs(fast[l] - slow[l]), 1e-12 * COUNT);
        }
        sampled_release(&s);
        factor_release(&f);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(gauss), cmocka_unit_test(singular_values),
                                          cmocka_unit_test(small_singular_values),
                                          cmocka_unit_test(sampled_factors)};
RUN_TESTS(tests)
