/* SPDX-License-Identifier: BSD-3-Clause */
/* Whitening of the noise of several coils: covariance R = L L^H (Cholesky), coils mixed by L^-1
 * (Pruessmann et al., Magn. Reson. Med. 46:638, 2001, appendix). Matrices here are column-major, as their
 * arrays are. */
#include "calib/calib.h"

#include <complex.h>
#include <math.h>
#include "mri/host.h"

static argand_status check_square(const argand_array *matrix, const char *what, int64_t coils)
{
    CHECK(argand_array_type(matrix) == ARGAND_C64 && argand_array_rank(matrix) == 2 &&
              argand_array_dim(matrix, 0) == argand_array_dim(matrix, 1) &&
              (coils == 0 || argand_array_dim(matrix, 0) == coils),
          ARGAND_ARGUMENT, "whitening: the %s must be c64 {coils, coils}%s", what,
          coils ? " with the noise's number of coils" : "");
    return ARGAND_OK;
}

argand_status argand_noise_covariance(argand_array *covariance, const argand_array *noise, double factor)
{
    host_view from = {0};
    double *sums = NULL;
    int64_t samples, coils;
    argand_status status;
    CHECK_ARRAY(covariance);
    CHECK_ARRAY(noise);
    TRY(calib_rows(noise, "whitening: the noise", &samples, &coils));
    TRY(check_square(covariance, "covariance", coils));
    CHECK(isfinite(factor) && factor >= 0, ARGAND_ARGUMENT,
          "whitening: a noise factor of %g; give a positive number, or 0 for 1", factor);
    TRY(calib_check_finite(noise, "whitening: the noise samples"));
    TRY_OR_DONE(host_open(&from, noise));
    TRY_OR_DONE(NEW(sums, 2 * coils * coils));
    calib_covariance(sums, from.data, type_is_double(argand_array_type(noise)), samples, coils, 0, 1,
                     argand_device_threads(argand_array_device(noise)));
    const double scale = (factor > 0 ? factor : 1) / (double)samples;
    for (int64_t a = 0; a < coils; a++) /* row-major to column-major is the conjugate */
        for (int64_t b = 0; b < coils; b++) {
            sums[2 * (a * coils + b)] *= scale;
            sums[2 * (a * coils + b) + 1] *= -scale;
        }
    status = host_write_complex(covariance, sums);
done:
    memory_free(sums);
    host_close(&from);
    return status;
}

/* Refuses matrices that are not Hermitian, because the later steps read the lower triangle only. */
static argand_status check_hermitian(const double complex *a, int64_t n)
{
    double largest = 0;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, fabs(creal(a[i * n + i])));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            CHECK(cabs(a[j * n + i] - conj(a[i * n + j])) <= 1e-5 * largest, ARGAND_ARGUMENT,
                  "whitening: the covariance is not Hermitian: element %lld, %lld is %.3g%+.3gi, its "
                  "counterpart "
                  "%.3g%+.3gi",
                  (long long)i, (long long)j, creal(a[j * n + i]), cimag(a[j * n + i]), creal(a[i * n + j]),
                  cimag(a[i * n + j]));
    return ARGAND_OK;
}

/* Replaces the lower triangle of A by L. A pivot below 1e-12 of the largest diagonal is rounding: this
 * coil is a combination of the coils before it. */
static argand_status factorise(double complex *a, int64_t n)
{
    double largest = 0;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, creal(a[i * n + i]));
    for (int64_t j = 0; j < n; j++) {
        double pivot = creal(a[j * n + j]);
        for (int64_t k = 0; k < j; k++) pivot -= creal(a[k * n + j] * conj(a[k * n + j]));
        CHECK(pivot > 1e-12 * largest, ARGAND_NUMERIC,
              "whitening: the noise of coil %lld is %s (take more noise samples than coils, or leave the "
              "coil out)",
              (long long)j,
              creal(a[j * n + j]) > 1e-12 * largest ? "a combination of the coils before it" : "zero");
        a[j * n + j] = sqrt(pivot);
        for (int64_t i = j + 1; i < n; i++) {
            for (int64_t k = 0; k < j; k++) a[j * n + i] -= a[k * n + i] * conj(a[k * n + j]);
            a[j * n + i] /= sqrt(pivot);
        }
    }
    return ARGAND_OK;
}

/* Computes L^-1, column by column; inverse must be 0 before. */
static void invert(const double complex *l, double complex *inverse, int64_t n)
{
    for (int64_t column = 0; column < n; column++)
        for (int64_t i = column; i < n; i++) {
            double complex sum = i == column;
            for (int64_t k = column; k < i; k++) sum -= l[k * n + i] * inverse[column * n + k];
            inverse[column * n + i] = sum / creal(l[i * n + i]);
        }
}

/* Sets the elements above the diagonal to 0. */
static void clear_upper(double complex *l, int64_t n)
{
    for (int64_t column = 0; column < n; column++)
        for (int64_t i = 0; i < column; i++) l[column * n + i] = 0;
}

/* Computes the covariance's factor L; the upper triangle still holds the covariance. Free the result with
 * memory_free(). */
static argand_status factor_of(double **values, const argand_array *matrix, const argand_array *covariance)
{
    CHECK_ARRAY(matrix);
    CHECK_ARRAY(covariance);
    TRY(check_square(covariance, "covariance", 0));
    const int64_t n = argand_array_dim(covariance, 0);
    TRY(check_square(matrix, "matrix", n));
    TRY(calib_check_finite(covariance, "whitening: the covariance"));
    TRY(host_read(values, covariance));
    TRY(check_hermitian((double complex *)*values, n));
    return factorise((double complex *)*values, n);
}

argand_status argand_noise_factor(argand_array *factor, const argand_array *covariance)
{
    double *values = NULL;
    argand_status status;
    TRY_OR_DONE(factor_of(&values, factor, covariance));
    clear_upper((double complex *)values, argand_array_dim(factor, 0));
    status = host_write_complex(factor, values);
done:
    memory_free(values);
    return status;
}

argand_status argand_noise_whitener(argand_array *matrix, const argand_array *covariance)
{
    double *values = NULL, *inverse = NULL;
    argand_status status;
    TRY_OR_DONE(factor_of(&values, matrix, covariance));
    const int64_t n = argand_array_dim(matrix, 0);
    TRY_OR_DONE(NEW(inverse, 2 * n * n));
    invert((double complex *)values, (double complex *)inverse, n);
    status = host_write_complex(matrix, inverse);
done:
    memory_free(inverse);
    memory_free(values);
    return status;
}
