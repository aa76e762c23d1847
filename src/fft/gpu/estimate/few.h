/* SPDX-License-Identifier: BSD-3-Clause */
/* What ESTIMATE takes where calls leave the device's multiprocessors, or its caches, with little to do. */
#ifndef FFT_GPU_ESTIMATE_FEW_H
#define FFT_GPU_ESTIMATE_FEW_H

#include "fft/engine/engine.h"

/* How much a call has to do: bytes of input or output, and points for each multiprocessor, of which two reals
 * count as one. */
typedef struct call_size {
    double bytes, each;
} call_size;

/* Points of lines and planes that one block holds. */
enum { ONE_PASS = 16384, ONE_PASS_DOUBLE = 8192 };
/* Bytes of input or output below which what goes through memory once gains nothing by it, but waits for
 * itself, as the second-level cache has most of the data anyway: where times crossed on an H200, which has 50
 * MB of that cache (docs/performance/fft-few.md). Persistent passes, whose passes follow each other chunk by
 * chunk; clusters of planes; and tiles of twice the neighbours, of which there are half as many. */
enum { FEW_FOR_PERSISTENT = 96000000, FEW_FOR_CLUSTERS = 48000000, FEW_FOR_WIDE_TILES = 48000000 };

call_size few_size(const fft_problem *p, const device_traits *device);
/* Tuning of lines; NULL: they are many. */
const char *few_lines(const fft_problem *p, const call_size *call, const device_traits *device);
/* What few planes and volumes have besides that tuning, and few lines of reals or of axes of one's own, with
 * a space before it; "": nothing. */
const char *few_axes(const fft_problem *p, const call_size *call, const device_traits *device);
const char *few_threads(const fft_problem *p, const call_size *call);

#endif
