/* SPDX-License-Identifier: BSD-3-Clause */
/* An exchange that moves an array from one distribution to another. */
#ifndef DIST_FFT_MOVE_H
#define DIST_FFT_MOVE_H

#include "dist/fft/pair.h"

typedef struct dist_move {
    comm_block *blocks; /* sends to others, then receives from others */
    int64_t *at;        /* their offsets in bytes */
    int sends, receives;
    comm_block *own; /* pairs of blocks from this rank to itself: from, to */
    int64_t *own_at;
    int owns;
    int64_t sent_bytes;
    bool aside; /* runs concurrently with later work of the device */
    void *pending;
} dist_move;

/* Makes the exchange of this rank. from, to: parts of all ranks; size: bytes of an element. */
argand_status dist_move_make(dist_move *move, argand_comm *comm, int rank, const dist_part *from,
                             const dist_part *to, size_t size);
/* Starts the exchange between memory `from` and `to`, and copies what stays on this rank. Returns errors of
 * the communication: the exchange is then not started. A failed copy goes to *own, unless that has an error
 * already; the exchange is to be finished. */
argand_status dist_move_start(dist_move *move, argand_comm *comm, void *to, const void *from,
                              argand_status *own);
argand_status dist_move_finish(dist_move *move, argand_comm *comm);
void dist_move_free(dist_move *move);

#endif
