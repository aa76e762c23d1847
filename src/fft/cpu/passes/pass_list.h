/* SPDX-License-Identifier: BSD-3-Clause */
/* The host engine's passes, said before a plan is made. */
#ifndef FFT_CPU_PASSES_PASS_LIST_H
#define FFT_CPU_PASSES_PASS_LIST_H

#include "fft/engine/engine.h"

void passes_list(const fft_problem *problem, argand_device *device, const char *variant,
                 argand_direction direction, fft_passes *list);
/* How many leading axes are done tile by tile, 0 for none (engine.c). */
int passes_tiled_axes(const fft_problem *problem);
/* The order in which a tile's axes have their passes, and how many these are; axis 0 is the last one towards
 * reals. 0: there are no tiles. */
int passes_tile_order(const fft_problem *problem, argand_direction direction, int order[ARGAND_MAX_RANK]);

#endif
