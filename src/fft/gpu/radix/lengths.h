/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths that the GPU kernels have radices for. */
#ifndef FFT_GPU_RADIX_LENGTHS_H
#define FFT_GPU_RADIX_LENGTHS_H

#include <stdbool.h>
#include <stdint.h>

bool has_radices(int64_t n);       /* n is a product of radices */
bool has_small_radices(int64_t n); /* all prime factors are up to 31 */

#endif
