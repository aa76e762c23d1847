/* SPDX-License-Identifier: BSD-3-Clause */
/* What fft_stream.krn adds to a pass: where its points are already, and which box comes next. */
struct box_stream {
    LOCAL REAL *ahead; /* 2 BOX_POINTS numbers: point i of an item at 2 (ITEM + i ITEMS) */
    UINT next, groups;
};

#define STREAM 1
#define BOX_TURN_ARG , const struct box_stream *turn
#define BOX_TURN , turn
#define BOX_LOADED ((void)0)
#define BOX_STORING ((void)0)
