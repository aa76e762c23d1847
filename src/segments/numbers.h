/* SPDX-License-Identifier: BSD-3-Clause */
/* Complex numbers of this folder. A field and a decay are one number z = R + i w, a time is a real one, and
 * what is approximated is exp(-z t). */
#ifndef SEGMENTS_NUMBERS_H
#define SEGMENTS_NUMBERS_H

#include <complex.h>
#include <math.h>

#ifndef CMPLX /* C11's macro, which glibc leaves out for clang */
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

/* a b, without the tests for infinities that the operator makes. */
static inline double complex times(double complex a, double complex b)
{
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* exp(-a b) */
static inline double complex decayed(double complex a, double complex b)
{
    const double complex product = times(a, b);
    const double size = creal(product) == 0 ? 1 : exp(-creal(product));
    return CMPLX(size * cos(cimag(product)), -size * sin(cimag(product)));
}

static inline double square(double complex a)
{
    return creal(a) * creal(a) + cimag(a) * cimag(a);
}

#endif
