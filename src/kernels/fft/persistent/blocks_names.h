/* SPDX-License-Identifier: BSD-3-Clause */
/* What fft/persistent/blocks.krn adds to a pass: where its points are already, and which tile comes next. */
struct persistent_blocks {
    LOCAL REAL *ahead;    /* space for PERSISTENT_SPLIT points as memory has them, and two more */
    LOCAL REAL *rest;     /* of a tile: where exchanges are */
    LOCAL ULONG *arrival; /* of what comes there */
    LOCAL UINT *desk;     /* the tile after this one, posted for all */
    UINT next, groups;    /* the same, which item 0 alone knows, and where they end */
    UINT parity;          /* of the tiles so far */
};

#define PERSISTENT_BLOCKS 1
#define TILE_QUEUE_ARG , const struct persistent_blocks *queue
#define TILE_QUEUE , queue
#define TILE_LOADED persistent_loaded(in, p, queue)
#define TILE_STORING ((void)0)
