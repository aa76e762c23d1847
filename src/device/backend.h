/* SPDX-License-Identifier: BSD-3-Clause */
/* What a backend is: one static const table, filled with named fields. All work of a context goes into its
 * one in-order stream; nothing but download and wait synchronises. A memory handle is the backend's own,
 * never a raw address. */
#ifndef DEVICE_BACKEND_H
#define DEVICE_BACKEND_H

#include <argand/device.h>
#include "base/status.h"

/* What a kernel is built from. key names the instance: "axpby REAL=float"; name is its first word, the
 * function in text; text is the whole source with its #define lines, NULL for backends without `items`. */
typedef struct kernel_source {
    const char *key, *name, *text;
    int items; /* work items per group, which the text knows as ITEMS */
} kernel_source;

/* A binary for the cache outside the backend: given (bytes != NULL) it is loaded, and built from the text
 * instead where it cannot be; otherwise it may be handed out, in memory of memory_new. */
typedef struct kernel_binary {
    unsigned char *bytes;
    size_t count;
} kernel_binary;

/* One launch: the kernel's buffers first, then one struct of plain scalars by value. */
typedef struct kernel_launch {
    void *kernel;
    int64_t groups;
    int items;           /* per group, as the kernel was built for */
    size_t shared_bytes; /* dynamic shared memory per group (CUDA) */
    void *const *memory;
    int memory_count;
    const void *params;
    size_t params_bytes;
} kernel_launch;

typedef struct backend {
    const char *name;

    /* How many devices there are. Opens the driver's library on first use; *reason says why where there are
     * none. */
    int (*count)(const char **reason);
    argand_status (*open)(int index, void **context);
    void (*close)(void *context);
    /* Fills all of info, and appends to detail whatever a cached binary depends on. */
    void (*describe)(void *context, argand_device_info *info);

    argand_status (*alloc)(void *context, size_t bytes, void **memory); /* not zeroed */
    void (*free)(void *context, void *memory); /* after the work that was given before */
    /* Memory that belongs to the caller: a host pointer, a device pointer, a cl_mem. free only forgets it. */
    argand_status (*wrap)(void *context, void *pointer, size_t bytes, void **memory);
    /* (optional) the host address of memory, for devices whose arrays the host may touch */
    void *(*address)(void *context, void *memory);

    argand_status (*upload)(void *context, void *memory, size_t at, const void *host,
                            size_t bytes); /* host reusable on return */
    argand_status (*download)(void *context, void *host, void *memory, size_t at,
                              size_t bytes); /* complete on return */
    argand_status (*copy)(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes);
    argand_status (*fill)(void *context, void *memory, size_t at, size_t bytes, unsigned char value);

    /* (NULL: kernels are compiled in and need no text) how many work items a group has by default */
    int (*items)(void *context);
    argand_status (*build)(void *context, const kernel_source *source, kernel_binary *binary, void **kernel);
    void (*discard)(void *context, void *kernel);
    argand_status (*launch)(void *context, const kernel_launch *launch);

    argand_status (*wait)(void *context); /* until all is done; reports late failures */
    /* (optional) how many host threads the context's own work uses */
    argand_status (*set_threads)(void *context, int threads);
} backend;

/* The backends that are compiled in, in the order in which "auto" prefers them; NULL-ended. */
extern const backend *const backends[];

#endif
