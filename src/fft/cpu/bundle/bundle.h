/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms of a few interleaved lines that fit the nearest cache, for layers that load and store the
 * lines themselves (the NUFFT pads, scales and crops on the way). Many threads may call; one computes, where
 * a single line is not shared by a team. */
#ifndef FFT_CPU_BUNDLE_BUNDLE_H
#define FFT_CPU_BUNDLE_BUNDLE_H

#include <argand/fft.h>
#include "base/status.h"

typedef struct fft_bundle fft_bundle;

/* n-point transforms of `count` lines, in place and unscaled: element i of line l is data[i * count + l].
 * type is ARGAND_C32 or ARGAND_C64; data and work must lie on multiples of 64 bytes; work has
 * fft_bundle_work_bytes. */
argand_status fft_bundle_create(fft_bundle **bundle, argand_type type, int64_t n, int64_t count);
size_t fft_bundle_work_bytes(const fft_bundle *bundle); /* a multiple of 64; 0 for NULL */
void fft_bundle_apply(const fft_bundle *bundle, void *data, void *work, argand_direction direction);
/* The same by that many threads where a single line is long, for calls from outside parallel regions. Each
 * thread has work of that size, `apart` bytes from the next one's. Results do not depend on threads. */
void fft_bundle_apply_together(const fft_bundle *bundle, void *data, void *work, argand_direction direction,
                               int threads, size_t apart);
void fft_bundle_destroy(fft_bundle *bundle); /* NULL is allowed */

#endif
