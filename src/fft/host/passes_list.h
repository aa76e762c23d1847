/* SPDX-License-Identifier: BSD-3-Clause */
/* The host engine's passes, said before a plan is made. */
#ifndef FFT_PASSES_LIST_H
#define FFT_PASSES_LIST_H

#include "fft/engine.h"

void passes_list(const fft_problem *problem, argand_device *device, const char *variant,
                 argand_direction direction, fft_passes *list);
/* How many leading axes are done tile by tile, 0 for none (passes.c). */
int passes_tiled_axes(const fft_problem *problem);

#endif
