/* SPDX-License-Identifier: BSD-3-Clause */
/* What fft/persistent/bulk.krn adds to a pass: its points are there before, or results leave after
 * (fft/persistent/bulk_move.krn). */
#define BOX_TURN_ARG
#define BOX_TURN
#define BOX_LOADED ((void)0)
#define BOX_STORING ((void)0)
