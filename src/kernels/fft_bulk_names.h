/* SPDX-License-Identifier: BSD-3-Clause */
/* What fft_bulk.krn adds to a pass: where its points are already, if they are. */
struct box_bulk {
    LOCAL REAL *shared;
};

#define BOX_TURN_ARG , const struct box_bulk *turn
#define BOX_TURN , turn
#define BOX_LOADED ((void)0)
#define BOX_STORING ((void)0)
