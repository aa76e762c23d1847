/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations for the files of the cuda backend. */
#ifndef DEVICE_CUDA_CONTEXT_H
#define DEVICE_CUDA_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>
#include "device/backend.h"
#include "device/chips.h"
#include "device/cuda/driver.h"

/* Pinned host memory for staging large transfers of pageable memory in pieces. */
enum { STAGES = 4, STAGE_BYTES = 4 << 20 };
typedef struct cuda_stage {
    char *host;
    CUevent done; /* the device has finished reading or writing it */
} cuda_stage;

enum { CUDA_ITEMS = 256 }; /* default items per group */

typedef struct cuda_context {
    int index, capability;
    CUdevice device;
    CUcontext context; /* the device's primary context, which the CUDA runtime uses too */
    CUstream stream;
    CUevent before;         /* end of the work in the previous stream; made when the stream changes */
    bool own_stream, pools; /* pools: memory is allocated in stream order */
    bool overlaps;          /* a launch may start before the previous one has ended */
    char name[128];
    pthread_mutex_t stage_lock;
    cuda_stage stages[STAGES];
    int next_stage, stages_made;
    struct cuda_memory *late; /* freed during a capture, when the driver cannot free */
} cuda_context;

typedef struct cuda_memory {
    CUdeviceptr address;
    bool owned;
    struct cuda_memory *next; /* list of memory that is freed late */
} cuda_memory;

/* Make the context current for this thread, and restore the previous one. Calls of the driver go between
 * both. */
argand_status cuda_enter(const cuda_context *c);
argand_status cuda_leave(argand_status status); /* returns `status` */
/* The same for functions that free. They go on even if the context cannot be made current, and keep the
 * present message. */
bool cuda_enter_to_free(const cuda_context *c);
void cuda_leave_freed(bool entered);
/* Returns ARGAND_OK, or a status whose message names the device, the attempt and the driver's error. */
argand_status cuda_check(const cuda_context *c, CUresult result, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Describe a present device; a chip without a device (traits.c). */
void cuda_traits(void *context, device_traits *traits);
void cuda_traits_absent(const device_chip *chip, device_traits *traits);

/* Functions of the backend's table, by file. */
argand_status cuda_use_stream(void *context, void *stream);
argand_status cuda_follow_stream(void *context, void *stream);
/* The context must be current. The refusal's message is "..., WHAT while the stream is captured". */
bool cuda_is_captured(const cuda_context *c);
argand_status cuda_refuse_captured(const cuda_context *c, const char *what);

argand_status cuda_alloc(void *context, size_t bytes, void **memory);
void cuda_free(void *context, void *memory);
void cuda_free_late(cuda_context *c); /* with the context current */
argand_status cuda_wrap(void *context, void *pointer, size_t bytes, void **memory);
argand_status cuda_copy(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes);
argand_status cuda_fill(void *context, void *memory, size_t at, size_t bytes, unsigned char value);

argand_status cuda_upload(void *context, void *memory, size_t at, const void *host, size_t bytes);
argand_status cuda_download(void *context, void *host, void *memory, size_t at, size_t bytes);
void cuda_stages_free(cuda_context *c); /* with the context current */

argand_status cuda_build(void *context, const kernel_source *source, kernel_binary *binary, void **kernel);
void cuda_discard(void *context, void *kernel);
argand_status cuda_launch(void *context, const kernel_launch *launch);
/* Arguments of a launch: addresses of the buffers and of the parameters. cuda_pass also checks that the
 * device can run the launch. */
enum { CUDA_MOST_ARGUMENTS = 16 };
typedef struct cuda_arguments {
    CUfunction function;
    CUdeviceptr addresses[CUDA_MOST_ARGUMENTS];
    void *pointers[CUDA_MOST_ARGUMENTS + 1];
} cuda_arguments;
argand_status cuda_pass(cuda_arguments *to, const cuda_context *c, const kernel_launch *l);

argand_status cuda_replay_new(void *context, const kernel_launch *launches, int count, void **replay);
argand_status cuda_replay_start(void *context, void *replay, const kernel_launch *launches, bool *started);
void cuda_replay_free(void *context, void *replay);
argand_status cuda_needs(void *context, const kernel_launch *launch, kernel_needs *needs);

argand_status cuda_event_new(void *context, void **event);
void cuda_event_free(void *context, void *event);
argand_status cuda_event_record(void *context, void *event);
argand_status cuda_event_between(void *context, void *first, void *second, double *milliseconds);

#endif
