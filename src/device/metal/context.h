/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations for the files of the metal backend. */
#ifndef DEVICE_METAL_CONTEXT_H
#define DEVICE_METAL_CONTEXT_H

#include <pthread.h>
#include "device/backend.h"
#include "device/metal/driver.h"

enum {
    METAL_BUFFERS_AT_WORK = 4, /* command buffers that were committed and not yet waited for */
    METAL_LAUNCHES = 64,       /* commands of one command buffer */
    METAL_PARAMS = 4096,       /* bytes that setBytes takes */
    METAL_MOST_ITEMS = 1024    /* of a threadgroup, on all GPUs (Metal feature set tables) */
};

/* Commands are collected in one command buffer, with an encoder for kernels or one for a copy. It is
 * committed when it is full, or when the host needs the results. The lock guards all of that. */
typedef struct metal_context {
    int index;
    objc_id device, queue, fence;
    char name[128];
    pthread_mutex_t lock;
    objc_id commands, compute, blit; /* NULL: none is open; at most one encoder is */
    int count;                       /* commands in it */
    bool fenced;                     /* an encoder has updated the fence */
    objc_id at_work[METAL_BUFFERS_AT_WORK];
    int first, committed; /* the oldest of at_work, and their number */
} metal_context;

/* Memory that the host and the GPU share. */
typedef struct metal_memory {
    objc_id buffer;
    char *address;
    size_t at; /* offset of the memory in its buffer */
} metal_memory;

/* Returns a status whose message names the device, the attempt and Metal's explanation (an NSError). */
argand_status metal_failure(const metal_context *c, argand_status status, objc_id error, const char *what,
                            ...) __attribute__((format(printf, 4, 5)));

/* Return an encoder: the open one for kernels, or a new one for a copy. They end the other one, and commit a
 * full command buffer before. The caller holds the lock. */
argand_status metal_compute(metal_context *c, objc_id *encoder);
argand_status metal_blit(metal_context *c, objc_id *encoder);
/* Commits what is collected and waits for all of it. The caller holds the lock. */
argand_status metal_settle(metal_context *c);

/* Functions of the backend's table, by file. */
argand_status metal_alloc(void *context, size_t bytes, void **memory);
void metal_free(void *context, void *memory);
argand_status metal_wrap(void *context, void *pointer, size_t bytes, void **memory);
argand_status metal_upload(void *context, void *memory, size_t at, const void *host, size_t bytes);
argand_status metal_download(void *context, void *host, void *memory, size_t at, size_t bytes);
argand_status metal_copy(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes);
argand_status metal_fill(void *context, void *memory, size_t at, size_t bytes, unsigned char value);

argand_status metal_build(void *context, const kernel_source *source, kernel_binary *binary, void **kernel);
void metal_discard(void *context, void *kernel);
argand_status metal_launch(void *context, const kernel_launch *launch);
argand_status metal_needs(void *context, const kernel_launch *launch, kernel_needs *needs);

#endif
