/* SPDX-License-Identifier: BSD-3-Clause */
/* The interpolation window: a Kaiser-Bessel function over `width` grid cells, evaluated as one polynomial for
 * each cell, and what it costs in accuracy. */
#ifndef NUFFT_WINDOW_H
#define NUFFT_WINDOW_H

#include <stdbool.h>
#include <stdint.h>
#include "base/status.h"

enum {
    WINDOW_MIN_WIDTH = 2,
    WINDOW_MAX_WIDTH = 24,
    WINDOW_MAX_TERMS = 32, /* coefficients of a polynomial */
    WINDOW_CORRECTION_TERMS = 12
};

typedef struct window {
    int width; /* grid cells, all of them touched by a point */
    double shape;
    int terms;
    /* Weight of the i-th cell for a point at u in [-1, 1]: sum_d terms[d][i] u^(terms - 1 - d) */
    double coefficients[WINDOW_MAX_TERMS][WINDOW_MAX_WIDTH];
} window;

/* The shape parameter for the least mean error at this width and oversampling, or the worst pixel's. */
double window_shape(int width, double oversampling, bool for_worst);
/* The window at distance t from its centre in cells; 1 at 0. */
double window_value(int width, double shape, double t);
/* Its Fourier transform, sum over t of value(t) cos(2 pi t frequency), frequency in cycles per cell. */
double window_transform(int width, double shape, double frequency);
/* The same as a quotient, whose divisor is that of all frequencies */
double window_dividend(int width, double shape, double frequency);
double window_divisor(double shape);

/* 1 / transform of the window at frequencies begin / grid and so on, for a part of an image's axis. Long
 * axes have one polynomial for each part, which is exact to rounding: over the whole axis the transform
 * changes by a few powers of e. */
typedef struct window_correction {
    const window *window;
    int64_t begin, count, grid;
    bool is_polynomial;
    double divisor, coefficients[WINDOW_CORRECTION_TERMS];
} window_correction;

/* Returns how many pixels of an axis of `pixels` one correction serves */
int64_t window_correction_span(int64_t pixels);
/* Makes the correction of the c->count pixels from begin on: window_correction_span of them, fewer at the
 * edge. w must outlive it. */
void window_correction_make(window_correction *c, int64_t begin, int64_t pixels, const window *w,
                            int64_t grid);
/* At pixels from `first` on, counted from its begin */
void window_correction_values(const window_correction *c, double *values, int64_t first, int count);

/* On one axis: over all pixels and places between cells (root mean square), over all pixels at the worst
 * place (likewise, and the size of their average), and of the worst pixel there */
typedef struct window_errors {
    double mean, at_place, average, worst;
} window_errors;

/* Returns the relative error against the exact sum, which is aliasing after deapodisation: for white data
 * and points anywhere, and for the worst pixel with a point at the worst place between cells. */
window_errors window_aliasing(int width, double shape, int64_t pixels, int64_t grid);
/* Returns the factor by which deapodisation raises rounding errors. */
window_errors window_amplification(int width, double shape, int64_t pixels, int64_t grid);

/* Fits the polynomials so that they add no more than a small part of `error`. */
void window_fit(window *w, int width, double shape, double error);

/* grid/window_cache.c: the same values, which the process computes once for plans of the same kind */
void window_cached_errors(window_errors *aliasing, window_errors *amplification, int width, double shape,
                          int64_t pixels, int64_t grid);
void window_cached_fit(window *w, int width, double shape, double error);

#endif
