/* SPDX-License-Identifier: BSD-3-Clause */
/* Roots of unity, as exact as long double makes them, in a time that does not grow with their number: each is
 * a product of two from short tables. */
#ifndef FFT_ROOTS_H
#define FFT_ROOTS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/status.h"

typedef struct roots {
    int64_t n, step;
    long double *table; /* cos, sin of 2 pi i / n, and of 2 pi i step / n */
} roots;

argand_status roots_make(roots *r, int64_t n);
void roots_release(roots *r);

/* cos and sin of 2 pi m / n, 0 <= m < n */
static inline void roots_at(const roots *r, int64_t m, double *cosine, double *sine)
{
    const long double *fine = r->table + 2 * (m % r->step), *coarse = r->table + 2 * (r->step + m / r->step);
    *cosine = (double)(coarse[0] * fine[0] - coarse[1] * fine[1]);
    *sine = (double)(coarse[0] * fine[1] + coarse[1] * fine[0]);
}

/* Number `at` of an array of doubles or floats */
static inline void roots_put(void *numbers, bool is_double, int64_t at, double value)
{
    if (is_double)
        ((double *)numbers)[at] = value;
    else
        ((float *)numbers)[at] = (float)value;
}

#endif
