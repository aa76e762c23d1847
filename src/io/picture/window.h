/* SPDX-License-Identifier: BSD-3-Clause */
/* Which numbers are black and white. */
#ifndef IO_WINDOW_H
#define IO_WINDOW_H

#include <stddef.h>
#include "base/status.h"

/* White is the 99.7th percentile: a few bright vessels do not darken the rest. An image with more than a few
 * numbers below zero (a field map, a real part) is shown around it: zero is mid-grey. Looks at `count`
 * elements at stride `stride`. */
argand_status window_choose(double *low, double *high, const float *numbers, size_t count, size_t stride);

#endif
