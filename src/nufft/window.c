/* SPDX-License-Identifier: BSD-3-Clause */
/* The Kaiser-Bessel window. Jackson, Meyer, Nishimura and Macovski, IEEE TMI 10:473, 1991; its shape for any
 * oversampling after Beatty, Nishimura and Pauly, IEEE TMI 24:799, 2005, whose constant 0.8 becomes 0.5 here,
 * which gives the least l2 error for widths from 3 to 16 and oversampling from 1.25 to 3. A prolate
 * spheroidal function would gain 0.05 to 0.1 digits, but its transform has no closed form. */
#include "nufft/window.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "base/pi.h"

double window_shape(int width, double oversampling)
{
    const double band = width * (1 - 0.5 / oversampling);
    return PI * sqrt(fmax(band * band - 0.5, 0.25));
}

/* I0(2 sqrt(q)) by its power series: all terms are positive, so nothing cancels. Long double, as the rounding
 * of q is magnified by sqrt(q), and the deapodisation magnifies it once more. */
static long double bessel_i0(long double q)
{
    long double term = 1, sum = 1;
    for (int k = 1; term > 1e-20L * sum; k++) {
        term *= q / ((long double)k * k);
        sum += term;
    }
    return sum;
}

double window_value(int width, double shape, double t)
{
    const long double z = 2 * (long double)t / width, quarter = 0.25L * shape * shape;
    const long double inside = 1 - z * z; /* rounding may lead out */
    return (double)(bessel_i0(quarter * (inside > 0 ? inside : 0)) / bessel_i0(quarter));
}

double window_divisor(double shape)
{
    return (double)(bessel_i0(0.25L * shape * shape) * expl(-(long double)shape));
}

/* w sinh(root) / root with root^2 = shape^2 - (pi width frequency)^2, times exp(-shape) */
double window_dividend(int width, double shape, double frequency)
{
    const double x = PI * width * frequency, square = shape * shape - x * x, root = sqrt(fabs(square));
    if (root < 1e-4) return width * exp(-shape) * (1 + square / 6);
    if (square < 0) return width * exp(-shape) * sin(root) / root;
    return width * 0.5 * (exp(root - shape) - exp(-root - shape)) / root;
}

double window_transform(int width, double shape, double frequency)
{
    return window_dividend(width, shape, frequency) / window_divisor(shape);
}

enum { FREQUENCIES = 64, ALIASES = 6 };

/* Frequencies of the image's pixels in cycles per grid cell: all of them where they are few (the outermost
 * one has the largest error), else the middles of equal parts. Returns how many. */
static int image_frequencies(double frequency[FREQUENCIES], int64_t pixels, int64_t grid)
{
    const bool all = pixels <= FREQUENCIES;
    const int count = all ? (int)pixels : FREQUENCIES / 2;
    for (int i = 0; i < count; i++)
        frequency[i] =
            (all ? fabs((double)(i - pixels / 2)) : (i + 0.5) * 0.5 * (double)pixels / count) / (double)grid;
    return count;
}

double window_aliasing(int width, double shape, int64_t pixels, int64_t grid)
{
    double sum = 0, frequency[FREQUENCIES];
    const int count = image_frequencies(frequency, pixels, grid);
    for (int i = 0; i < count; i++) {
        double aliases = 0;
        for (int p = -ALIASES; p <= ALIASES; p++) {
            const double value = p ? window_dividend(width, shape, frequency[i] + p) : 0;
            aliases += value * value;
        }
        const double wanted = window_dividend(width, shape, frequency[i]);
        sum += aliases / (wanted * wanted);
    }
    return sqrt(sum / count);
}

double window_amplification(int width, double shape, int64_t pixels, int64_t grid)
{
    double inverse = 0, energy = 0, frequency[FREQUENCIES];
    const double norm = window_divisor(shape);
    const int count = image_frequencies(frequency, pixels, grid);
    for (int i = 0; i < count; i++) {
        const double wanted = window_dividend(width, shape, frequency[i]) / norm;
        inverse += 1 / (wanted * wanted) / count;
    }
    const int steps = 4 * width; /* the midpoint rule; the window is smooth */
    for (int i = 0; i < steps; i++) {
        const double value = window_value(width, shape, width * ((i + 0.5) / steps - 0.5));
        energy += value * value / 4;
    }
    return sqrt(inverse * energy);
}

static double node(int i, int terms)
{
    return cos(PI * (i + 0.5) / terms);
}

/* The polynomial of `terms` coefficients through values at the Chebyshev nodes, highest power first */
static void fit_values(const double *values, int terms, double *result)
{
    double chebyshev[WINDOW_MAX_TERMS];
    for (int k = 0; k < terms; k++) {
        double sum = 0;
        for (int i = 0; i < terms; i++) sum += values[i] * cos(PI * k * (i + 0.5) / terms);
        chebyshev[k] = sum * (k ? 2.0 : 1.0) / terms;
    }
    /* T_k in powers of u by its recurrence, T_{k+1} = 2 u T_k - T_{k-1}, added up */
    double before[WINDOW_MAX_TERMS] = {0}, now[WINDOW_MAX_TERMS] = {1}, sum[WINDOW_MAX_TERMS] = {0};
    for (int k = 0; k < terms; k++) {
        for (int i = 0; i <= k; i++) sum[i] += chebyshev[k] * now[i];
        double next[WINDOW_MAX_TERMS] = {0};
        for (int i = 0; i <= k && i + 1 < terms; i++) next[i + 1] = (k ? 2 : 1) * now[i];
        for (int i = 0; i < k; i++) next[i] -= before[i];
        memcpy(before, now, sizeof before);
        memcpy(now, next, sizeof now);
    }
    for (int i = 0; i < terms; i++) result[terms - 1 - i] = sum[i];
}

/* The window in one cell. u = -1 is the cell's end nearer to the window's beginning. */
static void fit_cell(const window *w, int cell, int terms, double *result)
{
    double values[WINDOW_MAX_TERMS];
    for (int i = 0; i < terms; i++)
        values[i] = window_value(w->width, w->shape, cell + 0.5 * (1 + node(i, terms)) - 0.5 * w->width);
    fit_values(values, terms, result);
}

static double evaluate(const double *coefficients, int terms, double u)
{
    double value = coefficients[0];
    for (int d = 1; d < terms; d++) value = value * u + coefficients[d];
    return value;
}

/* The largest misfit over a cell, between the nodes and at the ends */
static double misfit(const window *w, int cell, int terms, const double *coefficients)
{
    double worst = 0;
    for (int i = 0; i <= terms; i++) {
        const double u = cos(PI * i / terms);
        const double value = window_value(w->width, w->shape, cell + 0.5 * (1 + u) - 0.5 * w->width);
        worst = fmax(worst, fabs(evaluate(coefficients, terms, u) - value));
    }
    return worst;
}

/* Fits all cells with this number of terms, and returns the largest misfit. */
static double fit_cells(window *w, int terms)
{
    double worst = 0;
    w->terms = terms;
    for (int cell = 0; cell < w->width; cell++) {
        double coefficients[WINDOW_MAX_TERMS];
        fit_cell(w, cell, terms, coefficients);
        worst = fmax(worst, misfit(w, cell, terms, coefficients));
        for (int d = 0; d < terms; d++) w->coefficients[d][cell] = coefficients[d];
    }
    return worst;
}

static void correct_piece(double *values, int64_t begin, int count, const window *w, int64_t grid)
{
    enum { TERMS = 12 };
    const double divisor = window_divisor(w->shape), middle = 0.5 * (count - 1), per_middle = 1 / middle;
    double exact[TERMS], coefficients[TERMS];
    for (int i = 0; i < TERMS; i++) {
        const double frequency = ((double)begin + middle * (1 + node(i, TERMS))) / (double)grid;
        exact[i] = divisor / window_dividend(w->width, w->shape, frequency);
    }
    fit_values(exact, TERMS, coefficients);
    for (int i = 0; i < count; i++) values[i] = coefficients[0];
    for (int d = 1; d < TERMS; d++) /* not a pixel after the other, so that compilers make vectors of it */
        for (int i = 0; i < count; i++) values[i] = values[i] * (i * per_middle - 1) + coefficients[d];
}

void window_corrections(double *values, int64_t begin, int count, int64_t pixels, const window *w,
                        int64_t grid)
{
    const double divisor = window_divisor(w->shape);
    if (count > 64 && count <= pixels / 64) {
        correct_piece(values, begin, count, w, grid);
        return;
    }
    for (int i = 0; i < count; i++)
        values[i] = divisor / window_dividend(w->width, w->shape, (double)(begin + i) / (double)grid);
}

void window_fit(window *w, int width, double shape, double error)
{
    *w = (window){.width = width, .shape = shape};
    /* Misfits of all cells add up without order: a tenth of the error for each leaves the sum well below.
     * Where even double precision cannot fit as well as that, the best there is. */
    double least = INFINITY;
    int best = 3;
    for (int terms = 3; terms < WINDOW_MAX_TERMS && least > 0.1 * error && terms < best + 4; terms++) {
        const double worst = fit_cells(w, terms);
        if (worst < least) best = terms;
        least = fmin(worst, least);
    }
    fit_cells(w, best);
}
