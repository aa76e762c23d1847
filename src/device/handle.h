/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a device handle, for the files of this folder. */
#ifndef DEVICE_HANDLE_H
#define DEVICE_HANDLE_H

#include <pthread.h>
#include <stdatomic.h>
#include "base/memory_pool.h"
#include "device/device.h"

typedef struct kernel_entry {
    struct kernel_entry *next;
    void *kernel;  /* NULL while a thread builds it */
    bool is_tried; /* that thread only looks whether it needs no compiler */
    int items;
    int occupancy; /* resident groups per multiprocessor with occupancy_shared bytes; -1: unknown */
    size_t occupancy_shared;
    char key[];
} kernel_entry;

/* A kernel that was once wanted in the background (kernels_want). */
typedef struct kernel_wanted {
    struct kernel_wanted *next;
    char failure[256]; /* why it cannot be built, one line; "": it was built, or is not yet */
    char key[];
} kernel_wanted;

typedef struct arena_block arena_block;

enum { DEVICE_KEPT = 4 }; /* for as many threads */

struct argand_device {
    const backend *backend;
    void *context;
    atomic_int users;
    int threads;
    device_traits traits;
    bool blocking;                 /* wait after each kernel (ARGAND_LAUNCH_BLOCKING) */
    int capability;                /* compute capability of a CUDA device; else 0 */
    char *kept_in;                 /* folder in which further kernels are kept; NULL: none */
    _Atomic(argand_device *) host; /* computes what this device cannot; NULL before first use */
    atomic_llong uploads, downloads, upload_bytes, download_bytes;
    pthread_mutex_t kernels_lock;
    pthread_cond_t kernels_built;
    kernel_entry *kernels; /* all built kernels; they live as long as the device */
    kernel_wanted *wanted;
    pthread_mutex_t arena_lock;
    arena_block *arena;            /* temporary memory without a user */
    atomic_size_t held, most_held; /* bytes from the backend, the arena's included; for tests */
    atomic_size_t limit;           /* most bytes from the backend; 0: no limit; for tests */
    pthread_mutex_t pool_lock;     /* of the thread that uses the pool */
    memory_pool *pool;             /* host memory of plans; NULL before first use */
    _Atomic(device_kept *) kept[DEVICE_KEPT];
};

/* Returns the entry of a kernel, NULL if there is none. The caller holds kernels_lock. */
kernel_entry *kernel_find(const argand_device *device, const char *key, int items);
/* Returns the kernel of a key with `items` per group; builds it if it is not yet built. */
argand_status kernel_get(argand_device *device, const char *key, int items, void **kernel);
/* launch.c: converts a run to a launch for the backend. `memory` holds its buffers. */
enum { KERNEL_BUFFERS = 16 };
argand_status kernel_launch_of(kernel_launch *launch, void *memory[KERNEL_BUFFERS], argand_device *device,
                               const kernel_run *run);
/* kernel_start and kernel_replay_start without the collection of this thread. */
argand_status kernel_start_now(argand_device *device, const kernel_run *run);
argand_status kernel_replay_start_now(kernel_replay *replay, const kernel_run *runs);
int kernel_replay_count(const kernel_replay *replay);
argand_device *kernel_replay_device(const kernel_replay *replay);
/* collect.c: adds a run to the collection of this thread. *collected: false if the thread collects nothing
 * for the device now. */
argand_status kernel_collect(bool *collected, argand_device *device, const kernel_run *run);
/* Starts what this thread collected for the device. Later runs are not collected until kernels_collect is
 * called again. */
argand_status device_flush(const argand_device *device);
/* Returns the items per group: `wanted`, else the key's, else the device's default. */
int kernel_items(const argand_device *device, const char *key, int wanted);
void kernels_discard(argand_device *device);
/* background.c: waits until no thread builds kernels of the device, which has no users any more, and forgets
 * what is wanted. */
void kernels_finish(argand_device *device);

/* storage.c: allocates memory, not zeroed. */
argand_status storage_create(storage **out, argand_device *device, size_t bytes);
void *storage_memory(const storage *s); /* the backend's handle */

/* Allocates memory from the backend. If there is none, frees the arena's unused blocks and tries again. */
argand_status arena_alloc(argand_device *device, size_t bytes, void **memory);
void arena_free(argand_device *device, size_t bytes, void *memory);
/* Takes temporary memory of at least `bytes`. lasting: it is kept beyond a call, and no graph may have it. */
argand_status arena_take(argand_device *device, size_t bytes, bool lasting, arena_block **block);
void *arena_memory(const arena_block *block);
/* Returns host memory that is kept with the block, NULL at first. It must come from memory_new, because it
 * is freed with the block. */
void **arena_kept(arena_block *block);
void arena_give(argand_device *device, arena_block *block);
bool arena_empty(argand_device *device); /* frees unused blocks but those in graphs; true if there were any */
void arena_close(argand_device *device); /* frees all blocks */

#endif
