/* SPDX-License-Identifier: BSD-3-Clause */
/* The temporal basis of signals: eigenvectors of the sum of s s^H over normalised signals. */
#include "calib/subspace/subspace.h"

#include <math.h>
#include "calib/hermitian.h"

argand_status signals_read(signals_view *s, const argand_array *array)
{
    double *numbers;
    bool finite;
    *s = (signals_view){.times = argand_array_dim(array, 0), .atoms = argand_array_dim(array, 1)};
    CHECK(argand_array_rank(array) == 2 && s->times <= 65536 && s->atoms <= 1 << 24, ARGAND_ARGUMENT,
          "the signals are {%lld, %lld}; give {times, atoms}", (long long)s->times, (long long)s->atoms);
    TRY(argand_array_is_finite(&finite, array));
    CHECK(finite, ARGAND_NUMERIC, "the signals have elements that are not finite");
    TRY(host_read(&numbers, array));
    s->is_complex = type_is_complex(argand_array_type(array));
    if (s->is_complex) {
        s->values = (double complex *)numbers;
        return ARGAND_OK;
    }
    const argand_status status = NEW(s->values, s->times * s->atoms);
    for (int64_t i = 0; i < s->times * s->atoms && !status; i++) s->values[i] = numbers[i];
    memory_free(numbers);
    return status;
}

static double norm_of(const double complex *v, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += creal(v[i]) * creal(v[i]) + cimag(v[i]) * cimag(v[i]);
    return sqrt(sum);
}

/* Normalises each signal; those that are 0 stay 0. */
static void normalise(signals_view *s)
{
    for (int64_t a = 0; a < s->atoms; a++) {
        double complex *signal = s->values + a * s->times;
        const double norm = norm_of(signal, s->times);
        for (int64_t i = 0; i < s->times && norm > 0; i++) signal[i] /= norm;
    }
}

/* Computes the Hermitian matrix sum_a s_a s_a^H, row by row. */
static void square(const signals_view *s, hermitian_planes matrix, int threads)
{
    const int64_t n = s->times;
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads)
    for (int64_t row = 0; row < n; row++)
        for (int64_t a = 0; a < s->atoms; a++) {
            const double complex *signal = s->values + a * n, factor = signal[row];
            for (int64_t i = 0; i < n; i++) {
                const double complex value = factor * conj(signal[i]);
                matrix.re[row * n + i] += creal(value);
                matrix.im[row * n + i] += cimag(value);
            }
        }
}

/* Copies eigenvectors to the columns, with a largest element that is positive. */
static void take_columns(hermitian_planes vectors, int64_t n, int64_t columns, double complex *out)
{
    for (int64_t k = 0; k < columns; k++) {
        int64_t most = 0;
        for (int64_t i = 0; i < n; i++) {
            out[k * n + i] = vectors.re[k * n + i] + I * vectors.im[k * n + i];
            if (cabs(out[k * n + i]) > (1 + 1e-9) * cabs(out[k * n + most])) most = i;
        }
        const double complex phase = conj(out[k * n + most]) / cabs(out[k * n + most]);
        for (int64_t i = 0; i < n; i++) out[k * n + i] *= phase;
    }
}

/* Returns the largest |s - V V^H s| of a normalised signal. */
static argand_status find_left(const signals_view *s, const double complex *columns, int64_t count,
                               double *left)
{
    double complex *rest;
    TRY(NEW(rest, s->times));
    *left = 0;
    for (int64_t a = 0; a < s->atoms; a++) {
        const double complex *signal = s->values + a * s->times;
        for (int64_t i = 0; i < s->times; i++) rest[i] = signal[i];
        for (int64_t k = 0; k < count; k++) {
            const double complex *v = columns + k * s->times;
            double complex product = 0;
            for (int64_t i = 0; i < s->times; i++) product += conj(v[i]) * signal[i];
            for (int64_t i = 0; i < s->times; i++) rest[i] -= product * v[i];
        }
        *left = fmax(*left, norm_of(rest, s->times));
    }
    memory_free(rest);
    return ARGAND_OK;
}

static argand_status find_columns(const signals_view *s, int64_t columns, int threads, double complex *out)
{
    const int64_t n = s->times;
    double *planes, *values = NULL;
    int64_t found = 0;
    argand_status status;
    TRY(NEW(planes, 4 * n * n));
    const hermitian_planes matrix = {planes, planes + n * n},
                           vectors = {planes + 2 * n * n, planes + 3 * n * n};
    TRY_OR_DONE(NEW(values, n));
    square(s, matrix, threads);
    TRY_OR_DONE(hermitian_eigen(matrix, n, -1, threads, values, vectors, &found));
    CHECK_OR_DONE(found >= columns && values[0] > 0, ARGAND_NUMERIC,
                  "the signals span fewer than %lld images", (long long)columns);
    take_columns(vectors, n, columns, out);
    status = ARGAND_OK;
done:
    memory_free(values);
    memory_free(planes);
    return status;
}

argand_status argand_subspace_basis(argand_array *basis, const argand_array *signals, double *left)
{
    signals_view s;
    double complex *columns = NULL;
    argand_status status;
    CHECK_ARRAY(basis);
    CHECK_ARRAY(signals);
    TRY(signals_read(&s, signals));
    const int64_t count = argand_array_dim(basis, 1);
    const bool is_complex = type_is_complex(argand_array_type(basis));
    CHECK_OR_DONE(
        argand_array_rank(basis) == 2 && argand_array_dim(basis, 0) == s.times && count <= s.times &&
            count <= s.atoms && (is_complex || !s.is_complex),
        ARGAND_ARGUMENT,
        "the basis of %s signals {%lld, %lld} is {%lld, %lld}; give {times, columns}, with not more "
        "columns than times and atoms",
        s.is_complex ? "complex" : "real", (long long)s.times, (long long)s.atoms,
        (long long)argand_array_dim(basis, 0), (long long)count);
    normalise(&s);
    TRY_OR_DONE(NEW(columns, s.times * count));
    TRY_OR_DONE(find_columns(&s, count, argand_device_threads(argand_array_device(basis)), columns));
    if (left) TRY_OR_DONE(find_left(&s, columns, count, left));
    for (int64_t i = 0; i < s.times * count && !is_complex; i++)
        ((double *)columns)[i] = creal(columns[i]); /* writes behind what is read */
    status =
        is_complex ? host_write_complex(basis, (double *)columns) : host_write_real(basis, (double *)columns);
done:
    memory_free(columns);
    memory_free(s.values);
    return status;
}
