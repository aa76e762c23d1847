/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges between CUDA devices of one process: each rank copies large blocks out of the others' memory,
 * by the copy engines of its device, in place of NCCL. The host's communicator says where the blocks lie and
 * when they may be read; the devices wait for each other by events. */
#ifndef DIST_PEERS_H
#define DIST_PEERS_H

#include "dist/comm/cuda_calls.h"

typedef struct peer_events peer_events;

/* The ranks of a communicator that reach each other's memory. */
typedef struct peers {
    argand_comm *host;
    peer_events **events; /* of all ranks; NULL: memory is not shared, or there is one rank */
    size_t *bytes;        /* of an exchange: to each rank, then from each rank */
    unsigned next;        /* number of the next exchange */
} peers;

/* What a rank tells about a block that another rank copies. */
typedef struct peer_ticket {
    comm_block block;
    void *event; /* behind the work that writes the block; in the answer: behind the copy */
} peer_ticket;

/* Memory for one block of an exchange. */
typedef struct peer_entry {
    comm_block note, wanted;
    peer_ticket ticket;
} peer_entry;

/* An exchange that is under way. Arrays: the blocks that are sent, then those that are received. */
typedef struct peer_exchange {
    int sends, receives; /* of blocks that go this way */
    comm_block *notes;   /* carry the tickets between the hosts */
    comm_block *wanted;  /* where blocks are to go */
    peer_ticket *tickets;
    void *ready, *done;
    storage *scratch;
} peer_exchange;

/* Lets the devices of ranks that are threads use each other's memory, and finds out whether that works: a
 * refusal is no error. Collective over host; a failure of one rank fails on all. */
argand_status peers_join(peers *peers, argand_comm *host, argand_device *device);
void peers_leave(peers *peers);

/* Finds the ranks to which, and from which, large blocks go. */
void peers_weigh(peers *peers, const comm_block *sends, int send_count, const comm_block *receives,
                 int receive_count);
/* Returns true if the block of the exchange that was weighed goes this way: both ranks find the same. */
bool peers_takes(const peers *peers, const comm_block *block, bool is_send);

/* Begins an exchange of these blocks; `memory` holds so many peer_entry. Does nothing that can fail. */
void peers_begin(peers *peers, peer_exchange *e, void *memory, const comm_block *sends, int send_count,
                 const comm_block *receives, int receive_count);
/* Returns true if blocks of this exchange go this way. */
bool peers_has(const peer_exchange *e);
/* Copies the large blocks in a stream of the current device, behind the work of the other ranks so far.
 * `status`: an earlier failure of this rank, which then only tells the others. Returns the rank's failure,
 * which is to be given to peers_finish: a rank that failed goes on, so that no other waits for it. */
argand_status peers_start(const peers *peers, peer_exchange *e, argand_device *device, void *stream,
                          argand_status status);
/* Makes later work of the stream wait until the other ranks have copied. Fails if this rank has failed, or
 * one with which it exchanges. */
argand_status peers_finish(const peers *peers, peer_exchange *e, void *stream, argand_status status);
void peers_end(peer_exchange *e);

/* For tests: blocks to one rank that have so many bytes in all are copied from memory to memory. */
void argand_test_peer_bytes(size_t bytes);

#endif
