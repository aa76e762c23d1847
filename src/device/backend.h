/* SPDX-License-Identifier: BSD-3-Clause */
/* What a backend is: one static const table, filled with named fields. All work of a context goes into its
 * one in-order stream; nothing but download and wait synchronises. A memory handle is the backend's own,
 * never a raw address. */
#ifndef DEVICE_BACKEND_H
#define DEVICE_BACKEND_H

#include <argand/device.h>
#include "base/status.h"
#include "device/traits.h"

/* What a kernel is built from. key names the instance: "axpby REAL=float"; name is its first field, the
 * function in text; text is the whole source with its #define lines, NULL for backends without `items`. */
typedef struct kernel_source {
    const char *key, *name, *text;
    int items; /* work items per group, which the text knows as ITEMS */
} kernel_source;

/* A binary for the cache outside the backend. Given (bytes != NULL) it is loaded; where it is not given or
 * cannot be loaded, the backend builds from the text and hands out a fresh one in its place (memory_new). */
typedef struct kernel_binary {
    unsigned char *bytes;
    size_t count;
    bool fresh, unwanted; /* unwanted: nobody keeps it, so that the backend need not hand it out */
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
    bool overlaps; /* it may begin before the launch before it has ended, as the kernel itself waits for that
                    * in all its groups (EARLIER_DONE) */
} kernel_launch;

/* What a kernel takes of a multiprocessor; 0 where the driver does not report it. */
typedef struct kernel_needs {
    int registers;             /* of an item */
    size_t shared, spilled;    /* bytes: of a group, all of it; of an item, in slow memory */
    int groups, items_at_most; /* at a time on one multiprocessor: groups of this kernel; items of any */
} kernel_needs;

typedef struct backend {
    const char *name;

    /* How many devices there are. Opens the driver's library on first use; *reason says why there are none,
     * or why those that are there will not compute ("auto" passes them over); "" where all is well. */
    int (*count)(const char **reason);
    /* (NULL: devices have numbers alone) the number of the device of that name, -1 where there is none */
    int (*find)(const char *word);
    argand_status (*open)(int index, void **context);
    void (*close)(void *context);
    /* Fills info's name, backend and capability, and appends to detail whatever a cached binary depends on.
     * The other fields come from the traits. */
    void (*describe)(void *context, argand_device_info *info);
    /* Fills the description that plans read, once, when the device was opened. */
    void (*traits)(void *context, device_traits *traits);

    /* (optional) all further work goes into the caller's stream or queue; before any other work */
    argand_status (*use_stream)(void *context, void *stream);
    /* (optional) the same at any time: work in the stream begins when what was given before has ended */
    argand_status (*follow_stream)(void *context, void *stream);
    /* (optional) whether somebody captures the stream into a graph, which keeps the addresses it is given */
    bool (*is_captured)(void *context);

    argand_status (*alloc)(void *context, size_t bytes, void **memory); /* not zeroed */
    void (*free)(void *context, void *memory); /* after the work that was given before */
    /* Memory that belongs to the caller: a host pointer, a device pointer, a cl_mem. free only forgets it. */
    bool handles; /* what wrap takes is a handle, from which no bytes can be counted back */
    argand_status (*wrap)(void *context, void *pointer, size_t bytes, void **memory);
    /* (optional) the host address of memory, for devices whose arrays the host may touch */
    void *(*address)(void *context, void *memory);
    /* (optional) memory as vendor libraries take it: a device pointer, a cl_mem */
    void *(*native)(void *context, void *memory);
    /* (optional) around calls of a vendor library: makes the context current and passes the stream; and back
     */
    argand_status (*native_enter)(void *context, void **stream);
    void (*native_leave)(void *context);

    argand_status (*upload)(void *context, void *memory, size_t at, const void *host,
                            size_t bytes); /* host reusable on return */
    argand_status (*download)(void *context, void *host, void *memory, size_t at,
                              size_t bytes); /* complete on return */
    argand_status (*copy)(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes);
    argand_status (*fill)(void *context, void *memory, size_t at, size_t bytes, unsigned char value);

    /* (NULL: kernels are compiled in and need no text) how many work items a group has by default */
    int (*items)(void *context);
    argand_status (*build)(void *context, const kernel_source *source, kernel_binary *binary, void **kernel);
    bool builds_in_parallel; /* build may be called by several threads at once */
    void (*discard)(void *context, void *kernel);
    argand_status (*launch)(void *context, const kernel_launch *launch);
    /* (optional, all or none) Launches that follow each other and are often repeated, as one: made with their
     * kernels, groups and shared memory, started with the memory and parameters that they have by then.
     * *started is false where the stream takes no such thing now (somebody captures it). One thread at a
     * time. */
    argand_status (*replay_new)(void *context, const kernel_launch *launches, int count, void **replay);
    argand_status (*replay_start)(void *context, void *replay, const kernel_launch *launches, bool *started);
    void (*replay_free)(void *context, void *replay);
    /* (optional) of a launch: kernel, items and shared_bytes count */
    argand_status (*needs)(void *context, const kernel_launch *launch, kernel_needs *needs);

    argand_status (*wait)(void *context); /* until all is done; reports late failures */
    /* (optional, all or none) a moment of the device's own time; between waits for the second */
    argand_status (*event_new)(void *context, void **event);
    void (*event_free)(void *context, void *event);
    argand_status (*event_record)(void *context, void *event);
    argand_status (*event_between)(void *context, void *first, void *second, double *milliseconds);
    /* (optional) how many host threads the context's own work uses */
    argand_status (*set_threads)(void *context, int threads);
} backend;

/* The backends that are compiled in, in the order in which "auto" prefers them; NULL-ended. */
extern const backend *const backends[];
/* Devices that are not there, for which kernels are compiled; NULL in a build without CUDA. */
extern const backend *const backend_absent;

#endif
