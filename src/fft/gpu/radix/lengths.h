/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths that our kernels have radices for. */
#ifndef FFT_GPU_RADIX_LENGTHS_H
#define FFT_GPU_RADIX_LENGTHS_H

#include <stdbool.h>
#include <stdint.h>

bool has_radices(int64_t n);       /* only prime factors that are radices of such lines */
bool has_small_radices(int64_t n); /* none above 31 */

#endif
