/* SPDX-License-Identifier: BSD-3-Clause */
/* Hooks of a pass in fft/persistent/bulk.krn: empty, because its points are loaded before the pass or
 * stored after it (fft/persistent/bulk_move.krn). */
#define TILE_QUEUE_ARG
#define TILE_QUEUE
#define TILE_LOADED ((void)0)
#define TILE_STORING ((void)0)
