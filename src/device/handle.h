/* SPDX-License-Identifier: BSD-3-Clause */
/* The device handle's inside, for the files of this folder. */
#ifndef DEVICE_HANDLE_H
#define DEVICE_HANDLE_H

#include <pthread.h>
#include <stdatomic.h>
#include "device/device.h"

typedef struct kernel_entry {
    struct kernel_entry *next;
    void *kernel;
    int items;
    int occupancy; /* groups at a time on a multiprocessor with so much shared memory; -1: not asked yet */
    size_t occupancy_shared;
    char key[];
} kernel_entry;

typedef struct arena_block arena_block;

struct argand_device {
    const backend *backend;
    void *context;
    atomic_int users;
    int threads;
    device_traits traits;
    bool blocking;                 /* wait after each kernel (ARGAND_LAUNCH_BLOCKING) */
    int capability;                /* of a CUDA device; 0: of others */
    char *kept_in;                 /* the folder for kernels from now on; NULL: none */
    _Atomic(argand_device *) host; /* computes what this device cannot; NULL before it is asked for */
    atomic_llong uploads, downloads, upload_bytes, download_bytes;
    pthread_mutex_t kernels_lock;
    kernel_entry *kernels; /* built so far, for the device's life */
    pthread_mutex_t arena_lock;
    arena_block *arena;            /* temporary memory that nobody uses now */
    atomic_size_t held, most_held; /* of the backend's memory, the arena's too; for tests, as the next */
    atomic_size_t limit;           /* beyond which there is none; 0: none */
};

/* The built kernel of that key for groups of so many items, from those kept or newly built. */
argand_status kernel_get(argand_device *device, const char *key, int items, void **kernel);
/* A run as backends take it; its buffers lie in `memory`. */
enum { KERNEL_BUFFERS = 16 };
argand_status kernel_launch_of(kernel_launch *launch, void *memory[KERNEL_BUFFERS], argand_device *device,
                               const kernel_run *run);
/* Items per group: as wanted, or else as the key says, or else as the device likes it. */
int kernel_items(const argand_device *device, const char *key, int wanted);
void kernels_discard(argand_device *device);

/* Memory from the backend; when there is none, what the arena keeps is given back first. */
argand_status arena_alloc(argand_device *device, size_t bytes, void **memory);
void arena_free(argand_device *device, size_t bytes, void *memory);
/* Temporary memory of at least so many bytes. */
argand_status arena_take(argand_device *device, size_t bytes, arena_block **block);
void *arena_memory(const arena_block *block);
void **arena_kept(arena_block *block); /* host memory that is kept with it, NULL at first: from memory_new, as
                                          it is freed with the block */
void arena_give(argand_device *device, arena_block *block);
bool arena_empty(argand_device *device); /* whether anything was kept; blocks in graphs stay */
void arena_close(argand_device *device); /* they, too */

#endif
