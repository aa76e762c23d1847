/* SPDX-License-Identifier: BSD-3-Clause */
/* What ESTIMATE takes without measuring, and what MEASURE tries around it. */
#ifndef FFT_GPU_ESTIMATE_ESTIMATE_H
#define FFT_GPU_ESTIMATE_ESTIMATE_H

#include "fft/gpu/tuning/limits.h"

/* guess.c: what ESTIMATE takes for a problem; "": the first of the list. */
void guess_variant(char name[FFT_VARIANT_CHARS], const fft_problem *p, const device_traits *device);
/* nearby.c: names like a variant's with one choice changed, for a problem. */
int nearby_variants(const fft_problem *p, argand_device *device, const char *variant,
                    char (*names)[FFT_VARIANT_CHARS], int most);
/* limits.c: what a variant ("": what ESTIMATE takes) means on the device. */
argand_status limits_find(block_limits *l, const fft_problem *p, argand_device *device,
                          const char *variant_name);

#endif
