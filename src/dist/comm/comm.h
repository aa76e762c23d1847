/* SPDX-License-Identifier: BSD-3-Clause */
/* What a kind of communicator provides: a table of functions. Everything else (sums, agreement, broadcast) is
 * made of exchange and post in this folder:
 *
 *   comm.c       handles; the functions that need no communication
 *   collect.c    agree, gather, broadcast, describe
 *   sum.c        sums with the same bits on every rank
 *   spares.c      memory of exchanges that are under way
 *   threads.c    ranks that are threads of one process; one rank alone is a job of one thread
 *   mpi.c        MPI, opened at run time; mpi_calls.inc.h is its text for either binary interface
 *   cuda_calls.c calls of the CUDA driver: copies between devices, events
 *   peers.c      CUDA devices of one process, which read each other's memory
 *   nccl.c       CUDA devices over NCCL, opened at run time, on one of the kinds above for host memory */
#ifndef DIST_COMM_H
#define DIST_COMM_H

#include <argand/comm.h>
#include "array/array.h"
#include "base/status.h"

/* A part of memory that goes to, or comes from, another rank: `count` pieces of `length` bytes, `stride`
 * bytes apart. Host memory, unless the engine says device_memory. */
typedef struct comm_block {
    int rank;
    void *memory;
    size_t length, stride;
    int64_t count;
} comm_block;

typedef struct comm_engine {
    const char *kind;
    bool device_memory; /* blocks are addresses on the device (storage_native) */
    /* Takes the memory of `at_once` exchanges of so many blocks, sends and receives together. */
    argand_status (*reserve)(void *context, int blocks, int at_once);
    /* Starts an exchange. The k-th block to a rank meets the k-th block that this rank expects; both have
     * the same number of bytes in all, and may differ in their pieces. Memory must not be touched until
     * finish returns. Blocks of a rank to itself are allowed. */
    argand_status (*start)(void *context, const comm_block *sends, int send_count, const comm_block *receives,
                           int receive_count, void **pending);
    /* Completes an exchange and forgets it, also on failure. */
    argand_status (*finish)(void *context, void *pending);
    /* post, collect: NULL if the communicator has another one for host memory. */
    /* (optional) Does the same concurrently with later work of the device, until finish. */
    argand_status (*start_aside)(void *context, const comm_block *sends, int send_count,
                                 const comm_block *receives, int receive_count, void **pending);
    /* (optional, with device_memory) Copies a block of this rank to another one, instead of an exchange with
     * itself. At least one of them has no gaps. */
    argand_status (*copy)(void *context, const comm_block *to, const comm_block *from);
    argand_status (*post)(void *context, int to, const void *bytes, size_t count);
    argand_status (*collect)(void *context, int *from, void **bytes, size_t *count);
    argand_status (*split)(argand_comm *parent, int colour, int key, argand_comm **part);
    void (*library)(void *context, char *text, size_t size); /* (optional) */
    /* (optional) Adds arrays on the device, with the same bits on every rank. */
    argand_status (*sum)(void *context, argand_array *array);
    void (*abort)(void *context, int exit_code); /* (optional) */
    void (*free)(void *context);
} comm_engine;

struct argand_comm {
    const comm_engine *engine;
    void *context;
    int rank, size;
    int references;
    void *work; /* host memory for sums and agreement: COMM_FEW bytes for each rank, or more */
    size_t work_bytes;
    comm_block *blocks; /* 2 size entries, for calls that exchange one block with each rank */
    /* If blocks are device memory: the ranks' communicator for host memory, and the device. Otherwise NULL.
     * The engine's context owns both. */
    argand_comm *host;
    argand_device *device;
};

/* Bytes of each rank that are gathered without a further allocation. */
enum { COMM_FEW = 4096 };

/* Makes a handle; after a failure the context is not freed. */
argand_status comm_new(argand_comm **comm, const comm_engine *engine, void *context, int rank, int size);

/* Returns the communicator of the same ranks for blocks of host memory. */
static inline argand_comm *comm_host(argand_comm *comm)
{
    return comm && comm->host ? comm->host : comm;
}

/* Returns true if blocks of this communicator can be memory of the array's device. */
static inline bool comm_is_on_device(const argand_comm *comm, const argand_array *array)
{
    return comm && comm->device && comm->device == argand_array_device(array);
}

/* Returns the address of the array's first element: in host memory if the host can access it, else on the
 * device. */
void *comm_memory(const argand_array *array);

/* Chooses the communicator for exchanges of memory of these devices, one of each rank (NULL: the rank has no
 * memory to exchange): comm, or the one for host memory if a device is not the communicator's. */
argand_status comm_choose(argand_comm **chosen, argand_comm *comm, const argand_device *device);

/* Makes the work memory at least so large. All ranks ask for the same size; if one of them has no memory, all
 * get the error. */
argand_status comm_work(argand_comm *comm, size_t bytes);
/* A rank's place after a split. */
typedef struct split_place {
    int rank, size; /* in its part */
    int leader;     /* the part's rank 0, as a rank of the parent */
    bool leads;
} split_place;
argand_status split_place_find(argand_comm *parent, int colour, int key, split_place *place);
/* Returns true if the pieces follow each other without gaps. */
static inline bool comm_is_whole(const comm_block *b)
{
    return b->count == 1 || b->stride == b->length;
}
static inline size_t comm_block_bytes(const comm_block *b)
{
    return b->length * (size_t)b->count;
}
/* Takes memory for exchanges, before the ranks agree to make them: `at_once` exchanges that are under way at
 * the same time, of so many blocks (sends and receives together), then allocate nothing that could fail on
 * one rank alone. One exchange of one block to and from each rank needs no reservation. None is under way. */
argand_status comm_reserve(argand_comm *comm, int64_t blocks, int at_once);
/* Exchanges blocks and waits. */
argand_status comm_exchange(argand_comm *comm, const comm_block *sends, int send_count,
                            const comm_block *receives, int receive_count);
/* The same in two steps, so that a rank computes meanwhile. */
argand_status comm_start(argand_comm *comm, const comm_block *sends, int send_count,
                         const comm_block *receives, int receive_count, void **pending);
argand_status comm_start_aside(argand_comm *comm, const comm_block *sends, int send_count,
                               const comm_block *receives, int receive_count, void **pending);
argand_status comm_finish(argand_comm *comm, void *pending);
/* Range of `count` things that rank `part` of `parts` owns: the first ranks get one more. */
static inline void comm_share(int64_t count, int parts, int part, int64_t *first, int64_t *own)
{
    const int64_t each = count / parts, more = count % parts;
    *own = each + (part < more);
    *first = each * part + (part < more ? part : more);
}
/* Returns the part that holds thing `at`. */
static inline int comm_owner(int64_t count, int parts, int64_t at)
{
    const int64_t each = count / parts, more = count % parts, larger = more * (each + 1);
    return (int)(at < larger ? at / (each + 1) : more + (at - larger) / each);
}

#endif
