/* SPDX-License-Identifier: BSD-3-Clause */
/* A slice enlarged by a whole factor. */
#ifndef IO_RESAMPLE_H
#define IO_RESAMPLE_H

#include <stdbool.h>
#include "base/status.h"

/* out {width zoom, height zoom}, from in {width, height}; x fastest. Every pixel becomes zoom x zoom pixels
 * centred on it; with `nearest` all alike, else by cubic interpolation that goes through the pixels (Keys,
 * 1981, a = -1/2). */
argand_status resample_enlarge(float *out, const float *in, int width, int height, int zoom, bool nearest);

#endif
