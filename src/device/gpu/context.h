/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations for the files that backends with a driver of CUDA's shape share. */
#ifndef DEVICE_GPU_CONTEXT_H
#define DEVICE_GPU_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>
#include "device/backend.h"
#include "device/gpu/vendor.h"
#include "device/drivers/stages.h"

enum { GPU_ITEMS = 256, GPU_MOST_ITEMS = 1024, GPU_MOST_ARGUMENTS = 16 };

struct gpu_context {
    const gpu_vendor *vendor;
    const gpu_driver *call; /* the driver's functions */
    int index, device;
    gpu_stream stream;
    pthread_mutex_t stream_lock; /* held while the stream changes: a background thread asks for captures */
    gpu_event before;            /* end of the work in the previous stream; made when the stream changes */
    bool own_stream, pools;      /* pools: memory is allocated in stream order */
    bool overlaps;               /* a launch may start before the previous one has ended */
    char name[128];
    stage_ring stages;
    pthread_mutex_t late_lock;
    struct gpu_memory *late; /* freed during a capture, when the driver cannot free */
};

typedef struct gpu_memory {
    gpu_address address;
    bool owned;
    struct gpu_memory *next; /* list of memory that is freed late */
} gpu_memory;

struct gpu_kernel {
    gpu_module module;
    gpu_function function;
    size_t own_shared;          /* bytes of its static arrays */
    atomic_size_t shared_bytes; /* most dynamic shared memory requested so far */
    char key[];
};

/* Arguments of a launch: addresses of the buffers and of the parameters. */
struct gpu_arguments {
    gpu_function function;
    gpu_address addresses[GPU_MOST_ARGUMENTS];
    void *pointers[GPU_MOST_ARGUMENTS + 1];
};

/* Make the device current for this thread, and restore the previous one. Calls of the driver go between
 * both. */
argand_status gpu_enter(const gpu_context *c);
argand_status gpu_leave(const gpu_context *c, argand_status status); /* returns `status` */
/* The same for functions that free. They go on even if the device cannot be made current, and keep the
 * present message. */
bool gpu_enter_to_free(const gpu_context *c);
void gpu_leave_freed(const gpu_context *c, bool entered);
/* Returns ARGAND_OK, or a status whose message names the device, the attempt and the driver's error. */
argand_status gpu_check(const gpu_context *c, gpu_result result, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns true if the stream is captured. The legacy stream reports an error while another stream that
 * waits for it is captured; nothing may be done then either. Other errors belong to earlier work, and the
 * next call reports them. */
bool gpu_captures(const gpu_context *c, gpu_stream stream);
/* The same of the device's stream. The device must be current. The refusal's message is "..., WHAT while the
 * stream is captured". */
bool gpu_is_captured(const gpu_context *c);
argand_status gpu_refuse_captured(const gpu_context *c, const char *what);

/* Returns the driver's value of an attribute; `unknown` if the driver does not know it. */
int gpu_attribute(const gpu_context *c, int which, int unknown);
/* Fills the traits that the driver knows. */
void gpu_traits(const gpu_context *c, device_traits *t);

extern const stage_calls gpu_stage_calls;
void gpu_free_late(gpu_context *c); /* with the device current */
/* Fills the arguments and checks that the device can run the launch. */
argand_status gpu_pass(gpu_arguments *to, const gpu_context *c, const kernel_launch *l);

/* Functions of the backend's table. */
argand_status gpu_open(const gpu_vendor *vendor, int index, void **context);
void gpu_close(void *context);
argand_status gpu_use_stream(void *context, void *stream);
argand_status gpu_follow_stream(void *context, void *stream);
bool gpu_stream_is_captured(void *context);
argand_status gpu_wait(void *context);
argand_status gpu_alloc(void *context, size_t bytes, void **memory);
void gpu_free(void *context, void *memory);
argand_status gpu_wrap(void *context, void *pointer, size_t bytes, void **memory);
void *gpu_native(void *context, void *memory);
argand_status gpu_native_enter(void *context, void **stream);
void gpu_native_leave(void *context);
argand_status gpu_upload(void *context, void *memory, size_t at, const void *host, size_t bytes);
argand_status gpu_download(void *context, void *host, void *memory, size_t at, size_t bytes);
argand_status gpu_copy(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes);
argand_status gpu_fill(void *context, void *memory, size_t at, size_t bytes, unsigned char value);
int gpu_items(void *context);
extern const kernel_source gpu_nothing; /* an empty kernel */
void gpu_compile_nothing(void *context);
argand_status gpu_build(void *context, const kernel_source *source, kernel_binary *binary, void **kernel);
void gpu_discard(void *context, void *kernel);
argand_status gpu_launch(void *context, const kernel_launch *launch);
argand_status gpu_needs(void *context, const kernel_launch *launch, kernel_needs *needs);
argand_status gpu_event_new(void *context, void **event);
void gpu_event_free(void *context, void *event);
argand_status gpu_event_record(void *context, void *event);
argand_status gpu_event_between(void *context, void *first, void *second, double *milliseconds);

/* The part of the table that all of these backends have. */
#define GPU_BACKEND                                                                                         \
    .close = gpu_close, .use_stream = gpu_use_stream, .follow_stream = gpu_follow_stream,                   \
    .is_captured = gpu_stream_is_captured, .alloc = gpu_alloc, .free = gpu_free, .wrap = gpu_wrap,          \
    .native = gpu_native, .native_enter = gpu_native_enter, .native_leave = gpu_native_leave,               \
    .upload = gpu_upload, .download = gpu_download, .copy = gpu_copy, .fill = gpu_fill, .items = gpu_items, \
    .builds_in_parallel = true, .build = gpu_build, .discard = gpu_discard, .launch = gpu_launch,           \
    .needs = gpu_needs, .wait = gpu_wait, .event_new = gpu_event_new, .event_free = gpu_event_free,         \
    .event_record = gpu_event_record, .event_between = gpu_event_between

#endif
