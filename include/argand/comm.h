/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.h: communicators. A communicator joins ranks that compute together: one process alone, threads of one
 * process, or the processes of an MPI job. Each rank holds its own handle and has a number below size.
 *
 *     argand_comm_open(&comm);                   the MPI job that started this process, or one rank
 *     argand_comm_sum(comm, image);              image = sum of the images of all ranks, on every rank
 *     status = argand_comm_agree(comm, status);  a failure of one rank becomes known to all ranks
 *
 * MPI is no part of the library: the library of the launcher (mpirun, srun) is opened at run time. Open MPI,
 * MPICH and libraries with MPICH's binary interface (Intel MPI, MVAPICH, Cray MPICH) serve. The environment
 * variable ARGAND_MPI names another library file, or "off" for none.
 *
 * NCCL is opened at run time too: libnccl.so.2. ARGAND_NCCL names another library file, or "off" for none.
 *
 * Limits: 4096 ranks that are threads, 2^20 processes; 2^62 bytes in one call. Threads: a communicator is
 * for one thread at a time; the ranks of argand_comm_threads are one thread each. All ranks make the same
 * calls in the same order, except for argand_comm_post and argand_comm_collect. Refused: ranks out of range,
 * arrays that are not contiguous (ARGAND_ARGUMENT); MPI libraries that cannot be opened (ARGAND_UNSUPPORTED,
 * with the reason); failures of the communication (ARGAND_DEVICE). NULL: see argand.h; a NULL communicator is
 * one rank, but argand_comm_nccl, _devices, _split, _post and _collect refuse it. */
#ifndef ARGAND_COMM_H
#define ARGAND_COMM_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_comm argand_comm;

/* Opens the communicator of the job that started this process. If no MPI launcher started the process, this
 * is a communicator of one rank, and no MPI library is opened. If this call starts MPI, destroying the last
 * communicator ends MPI, and MPI cannot be started again in this process. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_open(argand_comm **comm);
/* Creates a communicator of one rank. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_self(argand_comm **comm);
/* Creates the communicators of `ranks` ranks that are threads of this process: comms[r] is rank r's. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_threads(argand_comm **comms, int ranks);
/* Creates a communicator on a copy of an MPI communicator. mpi_comm points to the caller's MPI_Comm, from the
 * MPI library that the process has loaded; NULL means MPI_COMM_WORLD. MPI is started if it is not. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_mpi(argand_comm **comm, const void *mpi_comm);
/* Creates a communicator on the ranks of `host`, whose ranks have a CUDA device each: NCCL adds and copies
 * arrays of these devices, in the devices' streams. `host` serves host memory and other devices' arrays. If
 * one rank cannot take part, all ranks get its error (ARGAND_UNSUPPORTED without NCCL or a CUDA device,
 * ARGAND_DEVICE if NCCL fails, or another) and may go on with `host`. Keeps both. Arrays of one call are on
 * the ranks' own devices on all ranks, or on none. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_nccl(argand_comm **comm, argand_comm *host,
                                                          argand_device *device);
/* Chooses the communicator for arrays of these devices: that of argand_comm_nccl if it can be made, otherwise
 * `host`, which gets a further reference. argand_comm_describe says which one it is. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_devices(argand_comm **comm, argand_comm *host,
                                                             argand_device *device);
/* Divides the ranks: ranks with the same colour (0 or more) form a new communicator, ordered by key, then by
 * rank. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_split(argand_comm **part, argand_comm *comm, int colour,
                                                           int key);
ARGAND_API argand_comm *argand_comm_keep(argand_comm *comm); /* adds a reference; returns comm */
ARGAND_API void argand_comm_destroy(argand_comm *comm);      /* removes a reference; NULL is allowed */

ARGAND_API int argand_comm_rank(const argand_comm *comm);
ARGAND_API int argand_comm_size(const argand_comm *comm);

typedef struct argand_comm_info {
    const char *kind;  /* "self", "threads", "mpi", "nccl" */
    char library[128]; /* "Open MPI v4.1.4", "NCCL 2.28.9"; "" without a library */
    char host[64];     /* name of this rank's host */
    int local_rank;    /* number of this rank among the ranks of its host */
    int local_size;    /* ranks on this host */
    int hosts;
} argand_comm_info;
/* Describes the communicator; all ranks call it. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_describe(argand_comm *comm, argand_comm_info *info);

/* Waits until all ranks have called it. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_barrier(argand_comm *comm);
/* Makes failures known: each rank gives its status. If all are ARGAND_OK, so is the result. Otherwise each
 * rank gets the status of the lowest rank that failed, and argand_message() names the rank and its reason. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_agree(argand_comm *comm, argand_status status);
/* Adds the arrays of all ranks; every rank gets the sum, with the same bits. Terms are added in the order of
 * the ranks, so that repeated sums have the same bits. Arrays have the same shape and type, on any device. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_sum(argand_comm *comm, argand_array *array);
/* Does the same for numbers in host memory. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_sum_doubles(argand_comm *comm, double *numbers,
                                                                 int64_t count);
/* Copies the array of rank `root` to all ranks. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_broadcast(argand_comm *comm, int root,
                                                               argand_array *array);
/* Gathers `bytes` bytes of each rank in host memory, in the order of the ranks, on every rank: `all` has
 * bytes * size bytes. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_gather(argand_comm *comm, void *all, const void *mine,
                                                            size_t bytes);

/* Posts a message of `count` bytes to a rank, also to oneself. The library copies the bytes and does not
 * wait. Messages between two ranks arrive in order. All are to be collected before the communicator is
 * destroyed: with MPI, argand_comm_destroy waits until the messages of its rank have been received. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_post(argand_comm *comm, int to, const void *bytes,
                                                          size_t count);
/* Takes a message that has arrived, from any rank: *from is the sender, or -1 if there is none. The caller
 * frees *bytes with argand_comm_free. Does not wait for a message to begin. */
ARGAND_API ARGAND_MUST_USE argand_status argand_comm_collect(argand_comm *comm, int *from, void **bytes,
                                                             size_t *count);
ARGAND_API void argand_comm_free(void *bytes); /* NULL is allowed */
/* Ends all processes of an MPI job at once, with this exit code, when a rank cannot go on: the others would
 * wait for ever. With threads, calls of the other ranks that wait fail with ARGAND_DEVICE. A communicator of
 * one rank ignores the call. */
ARGAND_API void argand_comm_abort(argand_comm *comm, int exit_code);

#ifdef __cplusplus
}
#endif
#endif
