/* SPDX-License-Identifier: BSD-3-Clause */
/* Tuning of ESTIMATE for calls too small to fill the device's multiprocessors or its caches. */
#ifndef FFT_GPU_ESTIMATE_FEW_H
#define FFT_GPU_ESTIMATE_FEW_H

#include "fft/engine/engine.h"

/* Size of a call: bytes of input or output, and points for each multiprocessor; two reals count as one
 * point. */
typedef struct call_size {
    double bytes, each;
} call_size;

/* Points of lines and planes that one block holds. */
enum { ONE_PASS = 16384, ONE_PASS_DOUBLE = 8192 };
/* Bytes of input or output below which passes that save memory traffic gain nothing, because the
 * second-level cache holds most of the data anyway. Limits are where times crossed on an H200 with 50 MB
 * of that cache (docs/performance/fft-few.md). They apply to persistent passes, to clusters of planes, and
 * to tiles of twice the neighbours, of which there are half as many. */
enum { FEW_FOR_PERSISTENT = 96000000, FEW_FOR_CLUSTERS = 48000000, FEW_FOR_WIDE_TILES = 48000000 };

call_size few_size(const fft_problem *p, const device_traits *device);
/* Returns the tuning of lines; NULL: there are enough of them. */
const char *few_lines(const fft_problem *p, const call_size *call, const device_traits *device);
/* Return what few planes and volumes, or few lines of reals or of given axes, add to that tuning, with a
 * space before it; "": nothing. */
const char *few_axes(const fft_problem *p, const call_size *call, const device_traits *device);
const char *few_threads(const fft_problem *p, const call_size *call);

#endif
