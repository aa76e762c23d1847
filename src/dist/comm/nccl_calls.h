/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of NCCL that Argand uses, declared here and found at run time. AMD's RCCL has the same
 * names and types: a backend for HIP would open librccl.so.1 with this table. */
#ifndef DIST_NCCL_CALLS_H
#define DIST_NCCL_CALLS_H

#include <stddef.h>

typedef struct ncclComm *ncclComm_t;
typedef struct ncclUniqueId {
    char internal[128];
} ncclUniqueId;

/* FUNCTION(result, name here, symbol, parameters). An int result is an ncclResult_t, a stream is a
 * CUstream. */
#define NCCL_FUNCTIONS(FUNCTION)                                                                            \
    FUNCTION(int, GetVersion, "ncclGetVersion", (int *version))                                             \
    FUNCTION(int, GetUniqueId, "ncclGetUniqueId", (ncclUniqueId * id))                                      \
    FUNCTION(int, CommInitRank, "ncclCommInitRank",                                                         \
             (ncclComm_t * comm, int size, ncclUniqueId id, int rank))                                      \
    FUNCTION(int, CommDestroy, "ncclCommDestroy", (ncclComm_t comm))                                        \
    FUNCTION(int, CommAbort, "ncclCommAbort", (ncclComm_t comm))                                            \
    FUNCTION(int, CommGetAsyncError, "ncclCommGetAsyncError", (ncclComm_t comm, int *error))                \
    FUNCTION(int, GroupStart, "ncclGroupStart", (void))                                                     \
    FUNCTION(int, GroupEnd, "ncclGroupEnd", (void))                                                         \
    FUNCTION(int, Send, "ncclSend",                                                                         \
             (const void *from, size_t count, int type, int peer, ncclComm_t comm, void *stream))           \
    FUNCTION(int, Recv, "ncclRecv",                                                                         \
             (void *to, size_t count, int type, int peer, ncclComm_t comm, void *stream))                   \
    FUNCTION(                                                                                               \
        int, AllReduce, "ncclAllReduce",                                                                    \
        (const void *from, void *to, size_t count, int type, int operation, ncclComm_t comm, void *stream)) \
    FUNCTION(const char *, GetErrorString, "ncclGetErrorString", (int result))

/* Versions before 2.13 lack it. */
#define NCCL_OPTIONAL_FUNCTIONS(FUNCTION) \
    FUNCTION(const char *, GetLastError, "ncclGetLastError", (ncclComm_t comm))

/* Constants of nccl.h. */
enum {
    NCCL_INVALID_USAGE = 5,
    NCCL_SUM = 0,
    NCCL_BYTES = 0,
    NCCL_FLOAT32 = 7,
    NCCL_FLOAT64 = 8,
};

#define NCCL_MEMBER(result, name, symbol, parameters) result(*name) parameters;
typedef struct nccl_library {
    NCCL_FUNCTIONS(NCCL_MEMBER)
    NCCL_OPTIONAL_FUNCTIONS(NCCL_MEMBER)
} nccl_library;

#endif
