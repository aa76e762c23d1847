/* SPDX-License-Identifier: BSD-3-Clause */
/* What fft/persistent/bulk.krn adds to a pass: its points are there before, or results leave after
 * (fft/persistent/bulk_move.krn). */
#define TILE_QUEUE_ARG
#define TILE_QUEUE
#define TILE_LOADED ((void)0)
#define TILE_STORING ((void)0)
