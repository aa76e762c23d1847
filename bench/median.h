/* SPDX-License-Identifier: BSD-3-Clause */
/* The median of repeated measurements. */
#ifndef BENCH_MEDIAN_H
#define BENCH_MEDIAN_H

#include <stdlib.h>

static inline int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void sort_ascending(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
}

/* Returns the median; sorts the values. */
static inline double median_of(double *values, int count)
{
    sort_ascending(values, count);
    return values[count / 2];
}

#endif
