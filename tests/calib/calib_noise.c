/* SPDX-License-Identifier: BSD-3-Clause */
/* Covariance, whitening, mixing. */
#include "harness.h"

enum { COILS = 5 };

/* Noise whose coils are combinations of COILS independent ones: mixed by a known lower triangular matrix. */
static void known_factor(double complex l[COILS][COILS])
{
    for (int a = 0; a < COILS; a++)
        for (int b = 0; b < COILS; b++)
            l[a][b] = a == b ? 1 + 0.5 * a : b < a ? 0.3 * cexp(I * (a + 2.0 * b)) / (1 + b) : 0;
}

static argand_array *noise(argand_type type, int64_t samples, double scale)
{
    argand_array *array;
    double complex l[COILS][COILS];
    known_factor(l);
    OK(argand_array_create(&array, device, ARGAND_C64, 2, (const int64_t[2]){samples, COILS}));
    randomise(array, 17, 0, 0);
    double complex *n = (double complex *)as_doubles(array);
    for (int64_t i = 0; i < samples; i++)
        for (int a = COILS - 1; a >= 0; a--) {
            double complex sum = 0;
            for (int b = 0; b <= a; b++) sum += l[a][b] * n[b * samples + i];
            n[a * samples + i] = scale * sum;
        }
    OK(argand_array_upload(array, n));
    free(n);
    if (type == ARGAND_C64) return array;
    argand_array *narrow;
    OK(argand_array_create(&narrow, device, type, 2, (const int64_t[2]){samples, COILS}));
    OK(argand_array_copy(narrow, array));
    argand_array_destroy(array);
    return narrow;
}

static argand_array *square(int64_t n)
{
    argand_array *matrix;
    OK(argand_array_create(&matrix, device, ARGAND_C64, 2, (const int64_t[2]){n, n}));
    return matrix;
}

/* The same noise, whitened by its own covariance, has the identity as its covariance: exactly, but for
 * rounding. */
static void whitened_is_white(void **state)
{
    (void)state;
    for (int p = 0; p < 2; p++) {
        const argand_type type = p ? ARGAND_C64 : ARGAND_C32;
        argand_array *n = noise(type, 3001, 1e-4), *white, *covariance = square(COILS),
                     *matrix = square(COILS);
        OK(argand_array_create(&white, device, type, 2, (const int64_t[2]){3001, COILS}));
        OK(argand_noise_covariance(covariance, n, 0));
        OK(argand_noise_whitener(matrix, covariance));
        OK(argand_coils_mix(white, matrix, n));
        OK(argand_noise_covariance(covariance, white, 0));
        double complex *c = (double complex *)as_doubles(covariance);
        double worst = 0;
        for (int i = 0; i < COILS * COILS; i++) worst = fmax(worst, cabs(c[i] - (i % (COILS + 1) == 0)));
        CHECK_BELOW(worst, p ? 1e-13 : 1e-6);
        double complex *m = (double complex *)as_doubles(matrix);
        for (int column = 1; column < COILS; column++)
            for (int row = 0; row < column; row++) assert_true(m[column * COILS + row] == 0);
        free(m);
        free(c);
        argand_array_destroy(white);
        argand_array_destroy(matrix);
        argand_array_destroy(covariance);
        argand_array_destroy(n);
    }
}

/* Against L L^H, within the statistical error: each element has a deviation of about |L|^2 / sqrt(samples).
 * Its factor multiplies it. E |n|^2 of unit normal real and imaginary parts is 2. */
static void covariance_of_known_noise(void **state)
{
    (void)state;
    enum { SAMPLES = 40000 };
    argand_array *n = noise(ARGAND_C64, SAMPLES, 1), *covariance = square(COILS);
    double complex l[COILS][COILS];
    known_factor(l);
    OK(argand_noise_covariance(covariance, n, 0.5));
    double complex *c = (double complex *)as_doubles(covariance);
    for (int a = 0; a < COILS; a++)
        for (int b = 0; b < COILS; b++) {
            double complex expected = 0;
            for (int k = 0; k < COILS; k++) expected += l[a][k] * conj(l[b][k]);
            CHECK_BELOW(cabs(c[b * COILS + a] - expected), 5 * 9.0 / sqrt(SAMPLES));
        }
    free(c);
    argand_array_destroy(covariance);
    argand_array_destroy(n);
}

/* One matrix, and one for each position along the first dimension. */
static void mixing(void **state)
{
    (void)state;
    enum { NX = 7, NY = 301, IN = 4, OUT = 3 };
    argand_array *x, *y, *m;
    OK(argand_array_create(&x, device, ARGAND_C32, 3, (const int64_t[3]){NX, NY, IN}));
    OK(argand_array_create(&y, device, ARGAND_C32, 3, (const int64_t[3]){NX, NY, OUT}));
    randomise(x, 4, 0, 0);
    for (int positions = 1; positions <= NX; positions += NX - 1) {
        OK(argand_array_create(&m, device, positions > 1 ? ARGAND_C64 : ARGAND_C32, 3,
                               (const int64_t[3]){OUT, IN, positions}));
        randomise(m, 5, 0, 0);
        OK(argand_coils_mix(y, m, x));
        double complex *a = (double complex *)as_doubles(m), *in = (double complex *)as_doubles(x),
                       *out = (double complex *)as_doubles(y);
        for (int v = 0; v < OUT; v++)
            for (int i = 0; i < NX * NY; i++) {
                double complex sum = 0;
                for (int c = 0; c < IN; c++)
                    sum += a[((positions > 1 ? i % NX : 0) * IN + c) * OUT + v] * in[c * NX * NY + i];
                CHECK_BELOW(cabs(out[v * NX * NY + i] - sum), 2e-6);
            }
        free(out);
        free(in);
        free(a);
        argand_array_destroy(m);
    }
    argand_array_destroy(y);
    argand_array_destroy(x);
}

/* covariance = L L^H, and the whitener is the inverse of L. */
static void factor_and_its_inverse(void **state)
{
    (void)state;
    argand_array *n = noise(ARGAND_C64, 500, 1), *covariance = square(COILS), *matrix = square(COILS),
                 *factor = square(COILS);
    OK(argand_noise_covariance(covariance, n, 0));
    OK(argand_noise_factor(factor, covariance));
    OK(argand_noise_whitener(matrix, covariance));
    double complex *c = (double complex *)as_doubles(covariance), *l = (double complex *)as_doubles(factor),
                   *w = (double complex *)as_doubles(matrix);
    for (int a = 0; a < COILS; a++)
        for (int b = 0; b < COILS; b++) {
            double complex product = 0, identity = 0;
            for (int k = 0; k < COILS; k++) product += l[k * COILS + a] * conj(l[k * COILS + b]);
            for (int k = 0; k < COILS; k++) identity += w[k * COILS + a] * l[b * COILS + k];
            CHECK_BELOW(cabs(product - c[b * COILS + a]), 1e-13 * cabs(c[a * COILS + a]));
            CHECK_BELOW(cabs(identity - (a == b)), 1e-13);
            if (b > a) assert_true(l[b * COILS + a] == 0);
        }
    free(w);
    free(l);
    free(c);
    argand_array_destroy(factor);
    argand_array_destroy(matrix);
    argand_array_destroy(covariance);
    argand_array_destroy(n);
}

static void refusals(void **state)
{
    (void)state;
    argand_array *n = noise(ARGAND_C64, 3, 1), *covariance = square(COILS), *matrix = square(COILS),
                 *other = square(COILS + 1), *dead = noise(ARGAND_C64, 100, 1), *coil, *narrow;
    OK(argand_noise_covariance(covariance, n, 0));
    FAILS(argand_noise_whitener(matrix, covariance), ARGAND_NUMERIC, "combination of the coils before it");
    OK(argand_array_part(&coil, dead, 1, 2, 1));
    OK(argand_array_fill(coil, (argand_scalar){0, 0}));
    OK(argand_noise_covariance(covariance, dead, 0));
    FAILS(argand_noise_whitener(matrix, covariance), ARGAND_NUMERIC, "noise of coil 2 is zero");
    FAILS(argand_noise_factor(matrix, covariance), ARGAND_NUMERIC, "noise of coil 2 is zero");
    FAILS(argand_noise_whitener(other, covariance), ARGAND_ARGUMENT, "matrix");
    FAILS(argand_noise_covariance(other, n, 0), ARGAND_ARGUMENT, "covariance");
    FAILS(argand_noise_covariance(covariance, n, -1), ARGAND_ARGUMENT, "factor of -1");
    OK(argand_array_create(&narrow, device, ARGAND_C64, 2, (const int64_t[2]){3, 2}));
    FAILS(argand_coils_mix(n, matrix, narrow), ARGAND_ARGUMENT, "2");
    FAILS(argand_coils_mix(narrow, matrix, n), ARGAND_ARGUMENT, "dimension 1 of the result is 2");
    FAILS(argand_coils_mix(n, matrix, n), ARGAND_ARGUMENT, "own array");
    OK(argand_array_fill(n, (argand_scalar){INFINITY, 0}));
    FAILS(argand_noise_covariance(covariance, n, 0), ARGAND_NUMERIC, "not finite");
    argand_array_destroy(narrow);
    argand_array_destroy(coil);
    argand_array_destroy(dead);
    argand_array_destroy(other);
    argand_array_destroy(matrix);
    argand_array_destroy(covariance);
    argand_array_destroy(n);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(whitened_is_white),
    cmocka_unit_test(covariance_of_known_noise),
    cmocka_unit_test(mixing),
    cmocka_unit_test(factor_and_its_inverse),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
