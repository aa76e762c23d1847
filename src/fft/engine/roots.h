/* SPDX-License-Identifier: BSD-3-Clause */
/* Roots of unity, correctly rounded to double precision as far as possible, in a time that does not grow
 * with their number: each is a product of two elements of short tables. One of the two is so near 1 that
 * it changes the other by little, and so is the rounding error. */
#ifndef FFT_ENGINE_ROOTS_H
#define FFT_ENGINE_ROOTS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/status.h"

typedef struct roots {
    int64_t n;
    int shift;      /* fine has 2^shift elements */
    double *fine;   /* cos - 1, sin of 2 pi i / n */
    double *coarse; /* cos, sin of 2 pi i 2^shift / n, and the rest of both beyond double precision */
} roots;

argand_status roots_make(roots *r, int64_t n);
void roots_release(roots *r);

/* Stores cos and sin of 2 pi m / n, 0 <= m < n, with an error below 0.52 of 2^-53. */
static inline void roots_at(const roots *r, int64_t m, double *cosine, double *sine)
{
    const double *c = r->coarse + 4 * (m >> r->shift),
                 *f = r->fine + 2 * (m & (((int64_t)1 << r->shift) - 1));
    *cosine = c[0] + (c[2] + (c[0] * f[0] - c[1] * f[1]));
    *sine = c[1] + (c[3] + (c[1] * f[0] + c[0] * f[1]));
}

/* Stores element `at` of an array of doubles or floats. */
static inline void roots_put(void *numbers, bool is_double, int64_t at, double value)
{
    if (is_double)
        ((double *)numbers)[at] = value;
    else
        ((float *)numbers)[at] = (float)value;
}

#endif
