/* SPDX-License-Identifier: BSD-3-Clause */
/* Where an axis has its marks, and what is written at them. */
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

/* Widens the axis to marks at round numbers, about `wanted` of them (whole: at whole numbers only). */
void ticks_fit(axis *a, int wanted, bool whole, bool widen);
/* 0 at the low end to 1 at the high end. */
double ticks_place(const axis *a, double value);

#endif
