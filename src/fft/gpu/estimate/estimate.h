/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses variants for a problem: the one of ESTIMATE, without measuring, and those that MEASURE tries
 * around the fastest. */
#ifndef FFT_GPU_ESTIMATE_ESTIMATE_H
#define FFT_GPU_ESTIMATE_ESTIMATE_H

#include "fft/gpu/tuning/limits.h"

/* guess.c: writes the variant of ESTIMATE for a problem; "": the first of the list. */
void guess_variant(char name[FFT_VARIANT_CHARS], const fft_problem *p, const device_traits *device);
/* nearby.c: writes variants that differ from a given one in one choice, and returns their number. */
int nearby_variants(const fft_problem *p, argand_device *device, const char *variant,
                    char (*names)[FFT_VARIANT_CHARS], int most);
/* limits.c: sets the limits that a variant ("": that of ESTIMATE) means on the device. */
argand_status limits_find(block_limits *l, const fft_problem *p, argand_device *device,
                          const char *variant_name);

#endif
