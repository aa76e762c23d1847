/* SPDX-License-Identifier: BSD-3-Clause */
/* What fft_bulk.krn adds to a pass: its points are there before, or results leave after (fft_bulk_move.krn). */
#define BOX_TURN_ARG
#define BOX_TURN
#define BOX_LOADED ((void)0)
#define BOX_STORING ((void)0)
