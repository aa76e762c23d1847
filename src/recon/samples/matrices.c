/* SPDX-License-Identifier: BSD-3-Clause */
/* Whitening and compression matrices that the caller gives. They are checked, because a wrong one gives an
 * image that looks nearly right. */
#include "recon/samples/samples.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include "array/array.h"
#include "base/memory.h"
#include "device/device.h"
#include "recon/maps/maps.h"

/* Returns true if the matrix has BART's axes COIL (3) and MAPS (4), input first, instead of {virtual
 * channels, channels}. */
static bool is_bart(const argand_array *a)
{
    const int rank = argand_array_rank(a);
    if (rank < 5) return false;
    for (int axis = 0; axis < rank; axis++)
        if (axis != 3 && axis != 4 && argand_array_dim(a, axis) != 1) return false;
    return true;
}

static argand_status check_given(const argand_sense *s, const argand_array *a, const char *what, bool bart)
{
    char have[256];
    bool finite;
    double most;
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = argand_array_rank(a), input = bart ? 3 : 1;
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(a, axis);
    map_shape_print(have, sizeof have, what, rank, dims);
    CHECK(
        bart || rank < 3 || dims[2] == 1, ARGAND_UNSUPPORTED,
        "%s is %s, a matrix for each position along the readout (geometric compression), but all samples of "
        "a scan are mixed by one: take argand calibrate compress --kind svd; --data there applies such a "
        "matrix to Cartesian k-space as it makes it",
        what, have);
    CHECK(bart || argand_array_count(a) == argand_array_dim(a, 0) * argand_array_dim(a, 1), ARGAND_ARGUMENT,
          "%s is %s: a matrix is {virtual channels, channels}, in NumPy [channels, virtual channels]", what,
          have);
    CHECK(argand_array_dim(a, input) == s->channels, ARGAND_ARGUMENT,
          "%s is %s and so for %lld channels, but %s has %d: was it made from a scan with other coils?", what,
          have, (long long)argand_array_dim(a, input), s->scan->path, s->channels);
    TRY(argand_array_is_finite(&finite, a));
    CHECK(finite, ARGAND_ARGUMENT, "%s holds numbers that are not finite (NaN or infinite)", what);
    TRY(argand_array_max_abs(&most, a));
    CHECK(most > 0, ARGAND_ARGUMENT, "%s is zero everywhere", what);
    return ARGAND_OK;
}

/* Copies the matrix to complex doubles {rows, channels}. BART's ccapply uses the conjugate of the matrix
 * that cc -M writes. */
static argand_status numbers_of_matrix(const argand_array *a, bool bart, bool conjugate, double **out)
{
    const int64_t count = argand_array_count(a), rows = argand_array_dim(a, bart ? 4 : 0),
                  columns = argand_array_dim(a, bart ? 3 : 1);
    const bool is_complex = type_is_complex(argand_array_type(a));
    double *from;
    TRY(numbers_of_array(a, &from));
    const argand_status status = NEW(*out, 2 * count);
    for (int64_t i = 0; i < rows && !status; i++)
        for (int64_t j = 0; j < columns; j++) {
            const int64_t at = bart ? j + columns * i : i + rows * j;
            double *to = *out + 2 * (i + rows * j);
            to[0] = from[is_complex ? 2 * at : at];
            to[1] = is_complex ? (conjugate ? -1 : 1) * from[2 * at + 1] : 0;
        }
    memory_free(from);
    return status;
}

static double size_at(const double *m, int64_t rows, int64_t i, int64_t j)
{
    return hypot(m[2 * (i + rows * j)], m[2 * (i + rows * j) + 1]);
}

/* Refuses an upper triangular whitener: inverse Cholesky factors are lower triangular, so it must have
 * been transposed. */
static argand_status check_whitener(const double *m, int64_t n, const char *what)
{
    double lower = 0, upper = 0;
    for (int64_t i = 0; i < n; i++) {
        double row = 0;
        for (int64_t j = 0; j < n; j++) {
            const double here = size_at(m, n, i, j);
            row = fmax(row, here);
            if (j < i) lower = fmax(lower, here);
            if (j > i) upper = fmax(upper, here);
        }
        CHECK(row > 0, ARGAND_ARGUMENT,
              "%s has only zeros in row %lld: a whitening matrix must keep all channels of the scan", what,
              (long long)i);
    }
    CHECK(lower > 0 || upper == 0, ARGAND_ARGUMENT,
          "%s is upper triangular and so probably transposed: row i must make whitened channel i ({whitened "
          "channels, channels}; in NumPy [channels, whitened channels])",
          what);
    return ARGAND_OK;
}

/* Returns the largest deviation of M M^H from the identity. */
static double orthonormality(const double *m, int64_t rows, int64_t columns)
{
    double worst = 0;
    for (int64_t a = 0; a < rows; a++)
        for (int64_t b = 0; b <= a; b++) {
            double re = a == b ? -1 : 0, im = 0;
            for (int64_t j = 0; j < columns; j++) {
                const double *p = m + 2 * (a + rows * j), *q = m + 2 * (b + rows * j);
                re += p[0] * q[0] + p[1] * q[1];
                im += p[1] * q[0] - p[0] * q[1];
            }
            worst = fmax(worst, hypot(re, im));
        }
    return worst;
}

static argand_status upload(const argand_sense *s, const double *numbers, int64_t rows, argand_array **out)
{
    argand_device *host;
    TRY(device_host(&host, s->device));
    TRY(argand_array_create(out, host, ARGAND_C64, 2, (int64_t[]){rows, s->channels}));
    return argand_array_upload(*out, numbers);
}

void matrix_title(map_title *title, const char *what, const char *file)
{
    snprintf(title->chars, sizeof title->chars, "%s%s%s", what, file ? " " : "", file ? file : "");
}

/* Subtracts `factor` times row k from row i, in both matrices. */
static void subtract_row(double complex *a, double complex *b, int64_t n, int64_t i, int64_t k,
                         double complex factor)
{
    for (int64_t j = 0; j < n; j++) {
        a[i + n * j] -= factor * a[k + n * j];
        b[i + n * j] -= factor * b[k + n * j];
    }
}

static void swap_rows(double complex *a, int64_t n, int64_t i, int64_t k)
{
    for (int64_t j = 0; j < n; j++) {
        const double complex held = a[i + n * j];
        a[i + n * j] = a[k + n * j];
        a[k + n * j] = held;
    }
}

/* Diagonalises a {n, n} by Gauss-Jordan elimination with the largest pivot of each column. b, initially
 * the identity, becomes the inverse multiplied by that diagonal from the left. Returns false if a is
 * singular. */
static bool eliminate(double complex *a, double complex *b, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++)
            if (cabs(a[i + n * k]) > cabs(a[pivot + n * k])) pivot = i;
        if (!(cabs(a[pivot + n * k]) > 0)) return false;
        swap_rows(a, n, k, pivot);
        swap_rows(b, n, k, pivot);
        for (int64_t i = 0; i < n; i++)
            if (i != k) subtract_row(a, b, n, i, k, a[i + n * k] / a[k + n * k]);
    }
    return true;
}

/* Computes the factor that preserves the total noise of all channels, as for noise samples. The trace of
 * the whitened covariance W^-1 W^-H is |W^-1|^2. Images then have the same units for every whitener. */
static argand_status scale_of_whitener(const double *m, int64_t n, const char *what, double *scale)
{
    double complex *a = NULL, *b = NULL;
    double sum = 0;
    argand_status status;
    TRY_OR_DONE(NEW(a, n * n));
    TRY_OR_DONE(NEW(b, n * n));
    for (int64_t i = 0; i < n * n; i++) a[i] = m[2 * i] + I * m[2 * i + 1];
    for (int64_t i = 0; i < n; i++) b[i + n * i] = 1;
    CHECK_OR_DONE(eliminate(a, b, n), ARGAND_ARGUMENT,
                  "%s has no inverse: a whitening matrix must have independent rows", what);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double size = cabs(b[i + n * j] / a[i + n * i]);
            sum += size * size;
        }
    *scale = sqrt(sum / (double)n);
    CHECK_OR_DONE(isfinite(*scale), ARGAND_ARGUMENT, "%s has no inverse in double precision", what);
done:
    memory_free(b);
    memory_free(a);
    return status;
}

/* Measures how far whitened noise is from white: the ratio of the noisiest channel's standard deviation to
 * the quietest's, and the largest correlation of two channels. */
static argand_status measure_noise(const argand_array *noise, int64_t channels, double *ratio,
                                   double *correlation)
{
    argand_array *covariance = NULL;
    double *c = NULL, low = INFINITY, high = 0;
    argand_status status;
    TRY_OR_DONE(argand_array_create(&covariance, argand_array_device(noise), ARGAND_C64, 2,
                                    (int64_t[]){channels, channels}));
    TRY_OR_DONE(argand_noise_covariance(covariance, noise, 1));
    TRY_OR_DONE(numbers_of_array(covariance, &c));
    *correlation = 0;
    for (int64_t i = 0; i < channels; i++) {
        const double own = c[2 * (i + channels * i)];
        low = fmin(low, own);
        high = fmax(high, own);
        for (int64_t j = 0; j < i; j++)
            *correlation =
                fmax(*correlation, size_at(c, channels, i, j) / sqrt(own * c[2 * (j + channels * j)]));
    }
    *ratio = low > 0 ? sqrt(high / low) : INFINITY;
done:
    memory_free(c);
    argand_array_destroy(covariance);
    return status;
}

/* Tests a given matrix on the scan's own noise, if there is any. A matrix of another day, coil or gain
 * does not whiten it. With few samples, the measured values deviate by chance. */
static argand_status try_whitener(argand_sense *s, const argand_array *matrix, const char *what)
{
    argand_device *host;
    argand_array *noise = NULL, *mixed = NULL;
    double ratio, correlation, sample_time;
    argand_status status;
    if (!s->scan->noise_count) return ARGAND_OK;
    TRY(device_host(&host, s->device));
    TRY_OR_DONE(argand_scan_noise(&noise, &sample_time, s->scan, host));
    const int64_t samples = argand_array_count(noise) / s->channels;
    if (samples < 20 * s->channels) goto done;
    TRY_OR_DONE(
        argand_array_create(&mixed, host, argand_array_type(noise), 2, (int64_t[]){samples, s->channels}));
    TRY_OR_DONE(argand_coils_mix(mixed, matrix, noise));
    TRY_OR_DONE(measure_noise(mixed, s->channels, &ratio, &correlation));
    if (ratio > 1.5 || correlation > 0.5)
        text_add(&s->notes,
                 "The scan's own noise is not white after %s: channels differ by a factor %.3g, with "
                 "correlations up "
                 "to %.2g. Was it made for this coil and scan? --whiten takes the scan's own noise.\n",
                 what, ratio, correlation);
done:
    argand_array_destroy(mixed);
    argand_array_destroy(noise);
    return status;
}

argand_status matrix_whitener(argand_sense *s, const argand_sense_options *given, argand_array **out)
{
    const argand_array *a = given->whitener;
    map_title what;
    double *numbers = NULL, scale = 1;
    argand_status status;
    const bool bart = is_bart(a);
    matrix_title(&what, "the whitening matrix", given->whitener_name);
    TRY(check_given(s, a, what.chars, bart));
    CHECK(argand_array_count(a) == (int64_t)s->channels * s->channels, ARGAND_ARGUMENT,
          "%s has %lld numbers: a whitening matrix is square, {%d, %d}", what.chars,
          (long long)argand_array_count(a), s->channels, s->channels);
    TRY_OR_DONE(numbers_of_matrix(a, bart, false, &numbers));
    TRY_OR_DONE(check_whitener(numbers, s->channels, what.chars));
    TRY_OR_DONE(scale_of_whitener(numbers, s->channels, what.chars, &scale));
    for (int64_t i = 0; i < 2 * (int64_t)s->channels * s->channels; i++) numbers[i] *= scale;
    text_add(&s->notes, "The channels are whitened by %s%s.\n", what.chars,
             bart ? " (in BART's order of axes)" : "");
    TRY_OR_DONE(upload(s, numbers, s->channels, out));
    status = try_whitener(s, *out, what.chars);
done:
    memory_free(numbers);
    return status;
}

argand_status matrix_compression(argand_sense *s, const argand_sense_options *given, argand_array **out)
{
    const argand_array *a = given->compression;
    map_title what;
    double *numbers = NULL;
    argand_status status;
    const bool bart = is_bart(a);
    const int64_t rows = argand_array_dim(a, bart ? 4 : 0);
    matrix_title(&what, "the compression matrix", given->compression_name);
    TRY(check_given(s, a, what.chars, bart));
    CHECK(rows <= s->channels, ARGAND_ARGUMENT,
          "%s makes %lld virtual coils of %d channels: a compression makes fewer (is it transposed? it is "
          "{virtual coils, channels})",
          what.chars, (long long)rows, s->channels);
    TRY_OR_DONE(numbers_of_matrix(a, bart, bart, &numbers));
    if (orthonormality(numbers, rows, s->channels) > 1e-3)
        text_add(&s->notes,
                 "The rows of %s are not orthonormal: noise that was independent between channels is not "
                 "between its virtual coils.\n",
                 what.chars);
    status = upload(s, numbers, rows, out);
done:
    memory_free(numbers);
    return status;
}
