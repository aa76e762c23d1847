/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix that turns a line's samples at any positions, as on the ramps of EPI, into its image along the
 * readout (least squares; Bruder, Fischer, Reinfelder, Schmitt, Magn. Reson. Med. 23:311, 1992). */
#include "recon/epi/epi.h"

#include <complex.h>
#include <math.h>
#include "base/memory.h"
#include "base/pi.h"

/* The matrix A: samples of an image of one pixel. Element (sample, pixel). */
static double complex element(double k, int64_t pixel, int64_t pixels)
{
    return cexp(-I * TWO_PI * k * (double)(pixel - pixels / 2) / (double)pixels);
}

/* Factors a Hermitian positive definite matrix into L L^H, in place (lower part). */
static bool factor(double complex *g, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        double diagonal = creal(g[j * n + j]);
        for (int64_t k = 0; k < j; k++) {
            const double complex l = g[j * n + k];
            diagonal -= creal(l) * creal(l) + cimag(l) * cimag(l);
        }
        if (!(diagonal > 0)) return false;
        g[j * n + j] = sqrt(diagonal);
        for (int64_t i = j + 1; i < n; i++) {
            double complex sum = g[i * n + j];
            for (int64_t k = 0; k < j; k++) sum -= g[i * n + k] * conj(g[j * n + k]);
            g[i * n + j] = sum / creal(g[j * n + j]);
        }
    }
    return true;
}

static void solve(const double complex *l, int64_t n, double complex *b)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = 0; k < i; k++) b[i] -= l[i * n + k] * b[k];
        b[i] /= creal(l[i * n + i]);
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t k = i + 1; k < n; k++) b[i] -= conj(l[k * n + i]) * b[k];
        b[i] /= creal(l[i * n + i]);
    }
}

/* A^H A, and a small multiple of its mean diagonal: pixels that the samples hardly determine stay small. On
 * flat tops, samples of an oversampled line may be more than 1 apart, so that they do not tell two pixels of
 * the line from each other: then the object is in the pixels that are kept. */
static void normal_matrix(double complex *g, const float *k, int64_t samples, int64_t pixels, int64_t kept)
{
    const double small = 1e-6, small_outside = 1e-2;
    const int64_t first = pixels / 2 - kept / 2;
    for (int64_t d = 0; d < pixels; d++) { /* depends on the distance of two pixels alone */
        double complex sum = 0;
        for (int64_t i = 0; i < samples; i++)
            sum += cexp(I * TWO_PI * (double)k[i] * (double)d / (double)pixels);
        for (int64_t row = d; row < pixels; row++) g[row * pixels + row - d] = sum;
    }
    for (int64_t row = 0; row < pixels; row++) {
        const bool inside = row >= first && row < first + kept;
        g[row * pixels + row] += (inside ? small : small_outside) * (double)samples;
    }
}

static argand_status take(line_inverse *inverse, int64_t samples, int64_t pixels)
{
    *inverse = (line_inverse){.samples = samples, .pixels = pixels};
    TRY(NEW(inverse->re, samples * pixels));
    return NEW(inverse->im, samples * pixels);
}

static void put(line_inverse *inverse, int64_t sample, const double complex *column)
{
    for (int64_t x = 0; x < inverse->pixels; x++) {
        inverse->re[sample * inverse->pixels + x] = (float)creal(column[x]);
        inverse->im[sample * inverse->pixels + x] = (float)cimag(column[x]);
    }
}

argand_status line_inverse_make(line_inverse *inverse, const float *k, int64_t samples, int64_t pixels,
                                int64_t kept)
{
    double complex *g = NULL, *columns = NULL;
    argand_status status;
    TRY(take(inverse, samples, pixels));
    TRY_OR_DONE(NEW(g, pixels * pixels));
    TRY_OR_DONE(NEW(columns, pixels * samples));
    normal_matrix(g, k, samples, pixels, kept);
    CHECK_OR_DONE(factor(g, pixels), ARGAND_NUMERIC, "EPI: the samples of a line do not determine its image");
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < samples; i++) {
        double complex *column = columns + i * pixels;
        for (int64_t x = 0; x < pixels; x++) column[x] = conj(element((double)k[i], x, pixels));
        solve(g, pixels, column);
        put(inverse, i, column);
    }
done:
    memory_free(columns);
    memory_free(g);
    return status;
}

argand_status line_inverse_equidistant(line_inverse *inverse, const float *k, int64_t samples)
{
    double complex *column;
    TRY(take(inverse, samples, samples));
    TRY(NEW(column, samples));
    for (int64_t i = 0; i < samples; i++) {
        for (int64_t x = 0; x < samples; x++)
            column[x] = conj(element((double)k[i], x, samples)) / (double)samples;
        put(inverse, i, column);
    }
    memory_free(column);
    return ARGAND_OK;
}

void line_inverse_free(line_inverse *inverse)
{
    memory_free(inverse->re);
    memory_free(inverse->im);
    *inverse = (line_inverse){0};
}
