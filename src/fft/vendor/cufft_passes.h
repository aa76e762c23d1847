/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts the passes of the cuFFT engine, before a plan is made. */
#ifndef FFT_CUFFT_PASSES_H
#define FFT_CUFFT_PASSES_H

#include "fft/engine/engine.h"

void cufft_passes(const fft_problem *problem, argand_device *device, const char *variant,
                  argand_direction direction, fft_passes *list);

#endif
