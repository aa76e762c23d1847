/* SPDX-License-Identifier: BSD-3-Clause */
/* State that fft/persistent/blocks.krn adds to a pass: buffers of prefetched points, and the next tile. */
struct persistent_blocks {
    LOCAL REAL *ahead;    /* buffer of PERSISTENT_SPLIT points in memory order, and two more */
    LOCAL REAL *rest;     /* the tile's other points, in the exchange buffer */
    LOCAL ULONG *arrival; /* mbarrier of the copies */
    LOCAL UINT *desk;     /* the next tile, posted for all items */
    UINT next, groups;    /* the next tile, which item 0 alone knows; number of tiles */
    UINT parity;          /* of the number of tiles so far */
};

#define PERSISTENT_BLOCKS 1
#define TILE_QUEUE_ARG , const struct persistent_blocks *queue
#define TILE_QUEUE , queue
#define TILE_LOADED persistent_loaded(in, p, queue)
#define TILE_STORING ((void)0)
