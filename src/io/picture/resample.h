/* SPDX-License-Identifier: BSD-3-Clause */
/* Enlarges a slice by an integer factor. */
#ifndef IO_RESAMPLE_H
#define IO_RESAMPLE_H

#include <stdbool.h>
#include "base/status.h"

/* Enlarges in {width, height} to out {width zoom, height zoom}; x is the fastest. Each pixel becomes zoom
 * x zoom pixels centred on it. With `nearest` these are equal, otherwise they are interpolated cubically
 * through the pixels (Keys, 1981, a = -1/2). */
argand_status resample_enlarge(float *out, const float *in, int width, int height, int zoom, bool nearest);

#endif
