/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the marks of an axis and their labels. */
#ifndef IO_TICKS_H
#define IO_TICKS_H

#include <stdbool.h>

enum { MOST_TICKS = 32 };

typedef struct axis {
    bool logarithmic;
    double low, high; /* ends of the axis; widened to round numbers by ticks_fit */
    int count;
    double at[MOST_TICKS];
    char label[MOST_TICKS][16];
} axis;

/* Widens the axis to marks at round numbers, about `wanted` of them. whole: marks at whole numbers only. */
void ticks_fit(axis *a, int wanted, bool whole, bool widen);
/* Returns the position of a value: 0 at the low end to 1 at the high end. */
double ticks_place(const axis *a, double value);

#endif
