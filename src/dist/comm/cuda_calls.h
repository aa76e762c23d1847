/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the CUDA driver for exchanges between devices: copies of blocks, streams, events, memory that
 * other devices may use. The driver is opened at run time. */
#ifndef DIST_CUDA_CALLS_H
#define DIST_CUDA_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include "dist/comm/comm.h"

/* An end of a copy of rows (cuda.h). Host addresses and arrays of textures stay NULL. */
typedef struct cuda_copy_end {
    size_t x, y;
    int kind;
    const void *host;
    unsigned long long device;
    void *texture;
    size_t pitch;
} cuda_copy_end;
typedef struct cuda_copy_rows {
    cuda_copy_end from, to;
    size_t width, height;
} cuda_copy_rows;
/* Lets a device use the memory that another one gives out in stream order (cuda.h). */
typedef struct cuda_pool_access {
    int kind, device, flags;
} cuda_pool_access;
typedef struct cuda_calls {
    int (*rows)(const cuda_copy_rows *copy, void *stream); /* cuMemcpy2DAsync */
    int (*piece)(unsigned long long to, unsigned long long from, size_t bytes,
                 void *stream); /* cuMemcpyDtoDAsync */
    /* a second stream, and events between it and the device's */
    int (*stream_create)(void **stream, unsigned flags);          /* cuStreamCreate */
    int (*stream_destroy)(void *stream);                          /* cuStreamDestroy */
    int (*event_create)(void **event, unsigned flags);            /* cuEventCreate */
    int (*event_destroy)(void *event);                            /* cuEventDestroy */
    int (*event_record)(void *event, void *stream);               /* cuEventRecord */
    int (*event_wait)(void *stream, void *event, unsigned flags); /* cuStreamWaitEvent */
    /* (NULL: the driver has no such memory) */
    int (*device)(int *device);                                                /* cuCtxGetDevice */
    int (*pool)(void **pool, int device);                                      /* cuDeviceGetMemPool */
    int (*pool_access)(void *pool, const cuda_pool_access *who, size_t count); /* cuMemPoolSetAccess */
} cuda_calls;

/* Filled by cuda_calls_open. */
extern cuda_calls cuda_copies;

/* Opens the driver; otherwise `why` says what is missing. Called once. */
bool cuda_calls_open(char *why, size_t size);
/* Copies a block to another one of the same number of bytes; both may be on different devices. At least one
 * has no gaps, or their pieces are of the same length. */
argand_status cuda_copy_block(const comm_block *to, const comm_block *from, void *stream);
/* Reports a failed call for a stream or an event. */
argand_status cuda_check_event(int result);

#endif
