/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of the opencl backend, for the files of this folder. */
#ifndef DEVICE_OPENCL_CONTEXT_H
#define DEVICE_OPENCL_CONTEXT_H

#include <pthread.h>
#include "device/backend.h"
#include "device/opencl/driver.h"

/* Host memory that the driver can reach by itself (pinned, on GPUs), through which transfers go in pieces. */
enum { STAGES = 8, STAGE_BYTES = 2 << 20 };
typedef struct opencl_stage {
    cl_mem memory;
    char *host;
    cl_event done; /* the device has read or written it; NULL when nothing is under way */
} opencl_stage;

typedef struct opencl_context {
    int index;
    opencl_place place;
    cl_context context;
    cl_queue queue; /* in order */
    bool foreign;   /* context and queue are the caller's */
    bool profiled;  /* the queue's events know their time */
    bool has_double;
    int items; /* per group, where the caller does not say */
    int items_most;
    char name[128], options[128];
    char reason[256]; /* what the driver reported to its context last */
    pthread_mutex_t reason_lock, stage_lock;
    opencl_stage stages[STAGES];
    int next_stage;
} opencl_context;

typedef struct opencl_memory {
    cl_mem memory;
} opencl_memory;

/* ARGAND_OK, or a status with a message: the device, what was tried, the code's name, what the driver
 * said. */
argand_status opencl_check(opencl_context *c, cl_int error, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* The functions of the table, by file. */
argand_status opencl_alloc(void *context, size_t bytes, void **memory);
void opencl_free(void *context, void *memory);
argand_status opencl_wrap(void *context, void *pointer, size_t bytes, void **memory);
argand_status opencl_copy(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes);
argand_status opencl_fill(void *context, void *memory, size_t at, size_t bytes, unsigned char value);

argand_status opencl_upload(void *context, void *memory, size_t at, const void *host, size_t bytes);
argand_status opencl_download(void *context, void *host, void *memory, size_t at, size_t bytes);
void opencl_stages_free(opencl_context *c);

argand_status opencl_build(void *context, const kernel_source *source, kernel_binary *binary, void **kernel);
void opencl_discard(void *context, void *kernel);
argand_status opencl_launch(void *context, const kernel_launch *launch);
argand_status opencl_needs(void *context, const kernel_launch *launch, kernel_needs *needs);

argand_status opencl_event_new(void *context, void **event);
void opencl_event_free(void *context, void *event);
argand_status opencl_event_record(void *context, void *event);
argand_status opencl_event_between(void *context, void *first, void *second, double *milliseconds);

#endif
