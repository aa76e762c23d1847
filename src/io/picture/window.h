/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the numbers that are shown black and white. */
#ifndef IO_WINDOW_H
#define IO_WINDOW_H

#include <stddef.h>
#include "base/status.h"

/* Sets black and white for `count` elements at stride `stride`. White is the 99.7th percentile, so that a
 * few bright vessels do not darken the rest. If more than a few numbers are negative (a field map, a real
 * part), zero becomes mid-grey. */
argand_status window_choose(double *low, double *high, const float *numbers, size_t count, size_t stride);

#endif
