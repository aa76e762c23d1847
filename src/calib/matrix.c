/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes and elements of the arrays that calibration takes: coil images, rows of channels. */
#include "calib/calib.h"

#include <string.h>

argand_status calib_coil_shape(const argand_array *array, const char *what, int64_t n[3], int64_t *coils)
{
    const int rank = argand_array_rank(array);
    CHECK((rank == 3 || rank == 4) && type_is_complex(argand_array_type(array)), ARGAND_ARGUMENT,
          "%s: an array of rank %d, %s; it must be complex {nx, ny, coils} or {nx, ny, nz, coils}", what,
          rank, argand_type_name(argand_array_type(array)));
    for (int axis = 0; axis < 3; axis++) n[axis] = axis < rank - 1 ? argand_array_dim(array, axis) : 1;
    *coils = argand_array_dim(array, rank - 1);
    return ARGAND_OK;
}

argand_status calib_rows(const argand_array *array, const char *what, int64_t *samples, int64_t *coils)
{
    const int rank = argand_array_rank(array);
    CHECK(rank >= 1 && type_is_complex(argand_array_type(array)), ARGAND_ARGUMENT,
          "%s: an array of rank %d, %s; it must be complex {samples..., coils}", what, rank,
          argand_type_name(argand_array_type(array)));
    *coils = argand_array_dim(array, rank - 1);
    *samples = argand_array_count(array) / *coils;
    return ARGAND_OK;
}

argand_status calib_check_finite(const argand_array *array, const char *what)
{
    bool finite;
    TRY(argand_array_is_finite(&finite, array));
    CHECK(finite, ARGAND_NUMERIC, "%s: there are numbers that are not finite", what);
    return ARGAND_OK;
}

/* Computes the sum over elements of a conj(b) in double precision. */
#define ROW_PRODUCT(REAL)                                                                                    \
    static void row_product_##REAL(double out[2], const REAL *a, const REAL *b, int64_t count, int64_t step) \
    {                                                                                                        \
        double re = 0, im = 0;                                                                               \
        for (int64_t i = 0; i < count; i++) {                                                                \
            const double ar = (double)a[2 * i * step], ai = (double)a[2 * i * step + 1];                     \
            const double br = (double)b[2 * i * step], bi = (double)b[2 * i * step + 1];                     \
            re += ar * br + ai * bi;                                                                         \
            im += ai * br - ar * bi;                                                                         \
        }                                                                                                    \
        out[0] = re;                                                                                         \
        out[1] = im;                                                                                         \
    }
ROW_PRODUCT(float)
ROW_PRODUCT(double)

void calib_covariance(double *sums, const void *data, bool is_double, int64_t samples, int64_t coils,
                      int64_t first, int64_t step, int threads)
{
    const int64_t count = (samples - first + step - 1) / step;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t pair = 0; pair < coils * coils; pair++) {
        const int64_t a = pair / coils, b = pair % coils;
        if (b > a) continue;
        double *upper = sums + 2 * (b * coils + a), *lower = sums + 2 * pair;
        if (is_double)
            row_product_double(lower, (const double *)data + 2 * (a * samples + first),
                               (const double *)data + 2 * (b * samples + first), count, step);
        else
            row_product_float(lower, (const float *)data + 2 * (a * samples + first),
                              (const float *)data + 2 * (b * samples + first), count, step);
        upper[0] = lower[0];
        upper[1] = -lower[1];
        if (a == b) lower[1] = 0;
    }
}
