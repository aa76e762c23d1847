/* SPDX-License-Identifier: BSD-3-Clause */
/* The words in which kernels are written; each device language defines all of them, in the same order. This
 * is the C17 block: a work-group is one call of the kernel's function by one thread, which walks over all the
 * group's items in order.
 *
 *   KERNEL DEVICE GLOBAL   function and address-space qualifiers
 *   INDEX                  a signed 64-bit integer
 *   GROUP_ARG              ends a kernel's parameter list
 *   GROUP_ID               which work-group this is
 *   EACH(i, first, last)   this item's share of first <= i < last; SIMD before it says that the turns are
 * independent SUM_OF(a, b)           before EACH: the turns only add to a and b GROUP_SUM, GROUP_MAX   a
 * value over all items of the group (ends in every item) SCALAR(s, part)        a kernel_scalar's real (0) or
 * imaginary (1) part as REAL SQRT ATAN2 IS_FINITE   of REAL ACCUMULATOR            the widest floating type
 * of the device
 */
#ifndef KERNELS_PORTABLE_H
#define KERNELS_PORTABLE_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <tgmath.h>

#define KERNEL static
#define DEVICE static inline __attribute__((always_inline))
#define GLOBAL
#define INDEX int64_t
#define GROUP_ARG , const INDEX GROUP_ID
#define SIMD _Pragma("omp simd")
#define EACH(i, first, last) for (INDEX i = (first); i < (last); i++)
#define PRAGMA(text) _Pragma(#text)
#define SUM_OF(a, b) PRAGMA(omp simd reduction(+ : a, b))
#define GROUP_SUM(value) (value)
#define GROUP_MAX(value) (value)
#define SCALAR(s, part) \
    (sizeof(REAL) == sizeof(float) ? (REAL)(s).single[part] : (REAL)bits_as_double((s).bits[part]))
#define SQRT(x) sqrt(x)
#define ATAN2(y, x) atan2(y, x)
#define IS_FINITE(x) isfinite(x)
#define ACCUMULATOR double

static inline double bits_as_double(INDEX bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
