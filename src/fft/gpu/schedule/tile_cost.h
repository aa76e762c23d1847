/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs of passes with tiles of one shape, relative to a good pass along one axis. */
#ifndef FFT_GPU_SCHEDULE_TILE_COST_H
#define FFT_GPU_SCHEDULE_TILE_COST_H

#include "fft/gpu/codegen/program.h"

enum { LINE_SECTORS = 4 }; /* memory sectors of a cache line */

/* Chooses the threads of a tile with stages; returns false if threads would hold too many points. */
bool tile_choose_threads(tile_shape *s, const block_limits *l);
/* Chooses the threads as well, and returns the cost of so many blocks, whose rows are whole cache lines;
 * HUGE_VAL if threads would hold too many points. */
double tile_cost(tile_shape *s, double blocks, const block_limits *l);
/* Returns the cost of tiles with their threads, whose rows have so many memory sectors. */
double tile_cost_by_sectors(const tile_shape *s, double blocks, int sectors, const block_limits *l);
/* Returns the factor of the cost that the stages of a tile are. */
double tile_cost_of_stages(int stages);

#endif
