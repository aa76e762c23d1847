/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of elements: a repeatable noise that any rank knows, an image made of it, and elements of complex
 * arrays on the host. */
#ifndef TESTS_DIST_VALUES_H
#define TESTS_DIST_VALUES_H

#include <argand/array.h>
#include <complex.h>
#include <math.h>

/* Between -1/2 and 1/2, the same for the same arguments */
static inline double noise(int64_t i, int kind)
{
    const double wave = sin(12.9898 * (double)i + 78.233 * kind) * 43758.5453;
    return wave - floor(wave) - 0.5;
}

/* Pixel i of the whole image of a vector */
static inline double complex pixel(int64_t i, int vector)
{
    return noise(i, 1000 + vector) + I * noise(i, 2000 + vector);
}

/* Element i, counted in memory */
static inline double complex get(const argand_array *a, int64_t i)
{
    const double *d = argand_array_data(a);
    const float *f = argand_array_data(a);
    return argand_array_type(a) == ARGAND_C64 ? d[2 * i] + I * d[2 * i + 1]
                                              : (double)f[2 * i] + I * (double)f[2 * i + 1];
}

static inline void put(argand_array *a, int64_t i, double complex value)
{
    double *d = argand_array_data(a);
    float *f = argand_array_data(a);
    if (argand_array_type(a) == ARGAND_C64)
        d[2 * i] = creal(value), d[2 * i + 1] = cimag(value);
    else
        f[2 * i] = (float)creal(value), f[2 * i + 1] = (float)cimag(value);
}

#endif
