/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations for the files of the opencl backend. */
#ifndef DEVICE_OPENCL_CONTEXT_H
#define DEVICE_OPENCL_CONTEXT_H

#include <pthread.h>
#include "device/backend.h"
#include "device/opencl/platforms.h"
#include "device/drivers/stages.h"

typedef struct opencl_context {
    int index;
    opencl_place place;
    cl_context context;
    cl_queue queue; /* in order */
    bool foreign;   /* context and queue belong to the caller */
    bool profiled;  /* events of the queue have time stamps */
    bool has_double;
    int items; /* default items per group */
    int items_most;
    char name[128], options[128];
    char reason[256]; /* the driver's last report to its context */
    pthread_mutex_t reason_lock;
    stage_ring stages;
} opencl_context;

typedef struct opencl_memory {
    cl_mem memory;
} opencl_memory;

/* Returns ARGAND_OK, or a status whose message names the device, the attempt, the error code and the
 * driver's report. */
argand_status opencl_check(opencl_context *c, cl_int error, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Functions of the backend's table, by file. */
argand_status opencl_alloc(void *context, size_t bytes, void **memory);
void opencl_free(void *context, void *memory);
argand_status opencl_wrap(void *context, void *pointer, size_t bytes, void **memory);
argand_status opencl_copy(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes);
argand_status opencl_fill(void *context, void *memory, size_t at, size_t bytes, unsigned char value);

argand_status opencl_upload(void *context, void *memory, size_t at, const void *host, size_t bytes);
argand_status opencl_download(void *context, void *host, void *memory, size_t at, size_t bytes);
extern const stage_calls opencl_stage_calls;

argand_status opencl_build(void *context, const kernel_source *source, kernel_binary *binary, void **kernel);
void opencl_discard(void *context, void *kernel);
argand_status opencl_launch(void *context, const kernel_launch *launch);
argand_status opencl_needs(void *context, const kernel_launch *launch, kernel_needs *needs);

argand_status opencl_event_new(void *context, void **event);
void opencl_event_free(void *context, void *event);
argand_status opencl_event_record(void *context, void *event);
argand_status opencl_event_between(void *context, void *first, void *second, double *milliseconds);

#endif
