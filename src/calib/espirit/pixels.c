/* SPDX-License-Identifier: BSD-3-Clause */
/* The strongest eigenvectors of small Hermitian matrices by orthogonal iteration, for a block of pixels at
 * a time: each number is a row of pixels, so that all loops run over pixels. The first vector starts from
 * the coils' low-resolution image. Where the image is aliased, two eigenvalues are near 1, and a single
 * map must keep the brighter part. */
#include "calib/espirit/espirit.h"

#include <math.h>

/* Power of the operator from which maps are made. The part of a second eigenvector that is left in the first
 * then depends on how near to 1 its eigenvalue is, not on which of the two is larger. More passes would
 * separate eigenvalues that differ only by noise, and the map would jump where they cross. */
enum { B = ESPIRIT_BLOCK, PASSES = 60 };

/* Computes re + i im = sum of coefficients (complex {count}) times waves, at B pixels. */
static void evaluate(const double *coefficients, const REAL *waves, int64_t count, int64_t padded,
                     REAL *restrict re, REAL *restrict im)
{
    for (int i = 0; i < B; i++) re[i] = im[i] = 0;
    for (int64_t f = 0; f < count; f++) {
        const REAL fr = (REAL)coefficients[2 * f], fi = (REAL)coefficients[2 * f + 1];
        const REAL *wr = waves + 2 * f * padded, *wi = wr + padded;
        for (int i = 0; i < B; i++) {
            re[i] += fr * wr[i] - fi * wi[i];
            im[i] += fr * wi[i] + fi * wr[i];
        }
    }
}

/* Computes the matrix at every pixel from the coefficients: [c][d][re, im][B]. */
static void make_matrices(const espirit_row *row, int64_t start, REAL *restrict matrix)
{
    const int64_t coils = row->coils, padded = espirit_padded(row->count);
    for (int64_t c = 0, pair = 0; c < coils; c++)
        for (int64_t d = 0; d <= c; d++, pair++) {
            REAL *restrict lower = matrix + (c * coils + d) * 2 * B,
                           *upper = matrix + (d * coils + c) * 2 * B;
            REAL re[B], im[B];
            evaluate(row->coefficients + 2 * pair * row->lags, (const REAL *)row->waves + start, row->lags,
                     padded, re, im);
            for (int i = 0; i < B; i++) {
                lower[i] = upper[i] = re[i];
                lower[B + i] = c == d ? 0 : im[i];
                upper[B + i] = c == d ? 0 : -im[i];
            }
        }
}

/* Computes w = matrix v. */
static void apply(int64_t coils, const REAL *matrix, const REAL *v, REAL *w)
{
    for (int64_t c = 0; c < coils; c++) {
        REAL re[B] = {0}, im[B] = {0};
        for (int64_t d = 0; d < coils; d++) {
            const REAL *m = matrix + (c * coils + d) * 2 * B, *x = v + d * 2 * B;
            for (int i = 0; i < B; i++) {
                re[i] += m[i] * x[i] - m[B + i] * x[B + i];
                im[i] += m[i] * x[B + i] + m[B + i] * x[i];
            }
        }
        for (int i = 0; i < B; i++) {
            w[c * 2 * B + i] = re[i];
            w[c * 2 * B + B + i] = im[i];
        }
    }
}

/* Computes a^H b. */
static void inner(int64_t coils, const REAL *a, const REAL *b, REAL *re, REAL *im)
{
    for (int i = 0; i < B; i++) re[i] = im[i] = 0;
    for (int64_t c = 0; c < coils; c++, a += 2 * B, b += 2 * B)
        for (int i = 0; i < B; i++) {
            re[i] += a[i] * b[i] + a[B + i] * b[B + i];
            im[i] += a[i] * b[B + i] - a[B + i] * b[i];
        }
}

/* Computes w -= (a^H w) a. */
static void take_out(int64_t coils, const REAL *a, REAL *w)
{
    REAL re[B], im[B];
    inner(coils, a, w, re, im);
    for (int64_t c = 0; c < coils; c++, a += 2 * B, w += 2 * B)
        for (int i = 0; i < B; i++) {
            w[i] -= a[i] * re[i] - a[B + i] * im[i];
            w[B + i] -= a[i] * im[i] + a[B + i] * re[i];
        }
}

static void normalise(int64_t coils, REAL *w)
{
    REAL square[B], zero[B];
    inner(coils, w, w, square, zero);
    for (int i = 0; i < B; i++) square[i] = square[i] > 0 ? 1 / (REAL)sqrt((double)square[i]) : 0;
    for (int64_t c = 0; c < 2 * coils; c++, w += B)
        for (int i = 0; i < B; i++) w[i] *= square[i];
}

/* Fills v, for all pixels, with a vector that is unlikely to be orthogonal to any map. */
static void fill(const espirit_row *row, int64_t s, REAL *v)
{
    for (int64_t c = 0; c < row->coils; c++)
        for (int i = 0; i < B; i++) {
            const double angle = 2.399963 * (double)((c + 1) * (s + 1)) + 0.7 * (double)(c * c);
            v[c * 2 * B + i] = (REAL)cos(angle);
            v[c * 2 * B + B + i] = (REAL)sin(angle);
        }
}

/* Sets v to the calibration region's coil images. v is unchanged at pixels where these are 0. `scratch`:
 * memory of v's size. */
static void put_image(const espirit_row *row, int64_t start, REAL *v, REAL *scratch)
{
    REAL square[B], zero[B];
    for (int64_t c = 0; c < row->coils; c++)
        evaluate(row->image + 2 * c * row->frequencies, (const REAL *)row->image_waves + start,
                 row->frequencies, espirit_padded(row->count), scratch + c * 2 * B, scratch + c * 2 * B + B);
    inner(row->coils, scratch, scratch, square, zero);
    for (int64_t c = 0; c < 2 * row->coils; c++)
        for (int i = 0; i < B; i++)
            if (square[i] > 0) v[c * B + i] = scratch[c * B + i];
}

/* Computes the start vectors. The first map is the power of the operator times the image, so that it
 * follows the image smoothly where several directions have eigenvalues near 1. */
static void start_vectors(const espirit_row *row, int64_t start, const REAL *matrix, REAL *v, REAL *w)
{
    const int64_t length = row->coils * 2 * B;
    for (int64_t s = 0; s < row->sets; s++, v += length, w += length) {
        fill(row, s, v);
        if (s == 0) put_image(row, start, v, w);
        apply(row->coils, matrix, v, w);
        for (int64_t i = 0; i < length; i++) v[i] = w[i];
        for (int64_t before = 1; before <= s; before++) take_out(row->coils, v - before * length, v);
        normalise(row->coils, v);
    }
}

/* Computes values = v^H w. Returns true if at every pixel |w - value v| is small, or the value is constant
 * and below the crop. */
static bool settled(const espirit_row *row, const REAL *v, const REAL *w, REAL *values)
{
    const REAL small = (REAL)(REAL_BITS == 32 ? 3e-5 : 1e-9), still = (REAL)(REAL_BITS == 32 ? 1e-4 : 1e-5);
    REAL value[B], zero[B], square[B] = {0};
    inner(row->coils, v, w, value, zero);
    for (int64_t c = 0; c < 2 * row->coils; c++)
        for (int i = 0; i < B; i++) {
            const REAL rest = w[c * B + i] - value[i] * v[c * B + i];
            square[i] += rest * rest;
        }
    int moving = 0;
    for (int i = 0; i < B; i++) {
        const REAL change = value[i] > values[i] ? value[i] - values[i] : values[i] - value[i];
        const int fixed =
            square[i] <= small * small || (change <= still && value[i] < (REAL)row->crop - (REAL)0.02);
        moving += !fixed;
        values[i] = value[i];
    }
    return moving == 0;
}

void VARIANT(espirit_block)(const espirit_row *row, int64_t start)
{
    const int64_t coils = row->coils, length = coils * 2 * B;
    REAL *matrix = row->scratch, *w = matrix + coils * length, *v = row->vectors, *values = row->values;
    make_matrices(row, start, matrix);
    start_vectors(row, start, matrix, v, w);
    for (int64_t i = 0; i < row->sets * B; i++) values[i] = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        bool done = true;
        for (int64_t s = 0; s < row->sets; s++) {
            apply(coils, matrix, v + s * length, w + s * length);
            done &= settled(row, v + s * length, w + s * length, values + s * B);
        }
        if (done) break;
        for (int64_t s = 0; s < row->sets; s++) {
            for (int64_t before = 0; before < s; before++)
                take_out(coils, w + before * length, w + s * length);
            normalise(coils, w + s * length);
        }
        for (int64_t i = 0; i < row->sets * length; i++) v[i] = w[i];
    }
}
