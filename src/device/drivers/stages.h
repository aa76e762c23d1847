/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of host memory that a device accesses directly (pinned memory), for transfers in pieces: copies
 * on the host and those of the device overlap, and an upload returns when its last piece is in the ring. */
#ifndef DEVICE_DRIVERS_STAGES_H
#define DEVICE_DRIVERS_STAGES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_STAGES = 8 };

typedef struct stage {
    char *host;   /* NULL: not made yet */
    void *memory; /* the backend's handle of this memory, if it has one */
    void *done;   /* the backend's event: the device has finished reading or writing */
} stage;

/* The backend's part. Functions that return a number return the driver's error, 0 for success. */
typedef struct stage_calls {
    bool (*make)(void *context, stage *s);  /* false: there is no memory */
    void (*drop)(void *context, stage *s);  /* of whatever part of it was made */
    int (*settle)(void *context, stage *s); /* waits until the device has finished with it */
    /* Start the transfer of a piece and mark its end in s->done. The caller settles the stage before `send`,
     * not before `receive`: the stream's order protects it on CUDA and HIP, and OpenCL settles it first. */
    int (*send)(void *context, stage *s, void *memory, size_t at, size_t bytes);
    int (*receive)(void *context, stage *s, void *memory, size_t at, size_t bytes);
} stage_calls;

typedef struct stage_ring {
    const stage_calls *calls;
    void *context;
    size_t bytes; /* of a stage */
    int count;
    bool spreads; /* small transfers go round all stages; otherwise only those that large ones needed */
    int next, made;
    pthread_mutex_t lock;
    stage stages[MOST_STAGES];
} stage_ring;

void stages_open(stage_ring *ring, const stage_calls *calls, void *context, int count, size_t bytes);
void stages_drop(stage_ring *ring); /* gives back its memory; the ring can be used again */
void stages_close(stage_ring *ring);

/* Returns how many of the bytes were sent; fewer, without an error, if a stage cannot be had. The caller
 * then transfers the rest by the driver. */
size_t stages_upload(stage_ring *ring, void *memory, size_t at, const char *host, size_t bytes, int *error);
/* Returns false if stages cannot be had. Otherwise the bytes are there, or *error is set. */
bool stages_download(stage_ring *ring, char *host, void *memory, size_t at, size_t bytes, int *error);

#endif
