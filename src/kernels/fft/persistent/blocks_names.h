/* SPDX-License-Identifier: BSD-3-Clause */
/* What fft/persistent/blocks.krn adds to a pass: where its points are already, and which box comes next. */
struct box_stream {
    LOCAL REAL *ahead;    /* room for SPLIT points as memory has them, and two more */
    LOCAL REAL *rest;     /* of a box: where exchanges are */
    LOCAL ULONG *arrival; /* of what comes there */
    LOCAL UINT *desk;     /* the box after this one, posted for all */
    UINT next, groups;    /* the same, which item 0 alone knows, and where they end */
    UINT parity;          /* of the boxes so far */
};

#define STREAM 1
#define BOX_TURN_ARG , const struct box_stream *turn
#define BOX_TURN , turn
#define BOX_LOADED box_stream_loaded(in, p, turn)
#define BOX_STORING ((void)0)
