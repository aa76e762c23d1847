/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface of a backend: a static const table with named fields. All work of a context goes into its
 * one in-order stream. Only download and wait synchronise. A memory handle is the backend's own, never a
 * raw address. */
#ifndef DEVICE_BACKEND_H
#define DEVICE_BACKEND_H

#include <argand/device.h>
#include "base/hash.h"
#include "base/status.h"
#include "device/traits.h"

/* Source of a kernel. key names the variant: "axpby REAL=float". name is the key's first field, the
 * function in text. text is the whole source with its #define lines; NULL for backends without `items`. */
typedef struct kernel_source {
    const char *key, *name, *text;
    int items;                           /* work items per group; ITEMS in the text */
    unsigned char text_hash[HASH_BYTES]; /* of source_hash, by which binaries are found */
} kernel_source;

/* A compiled kernel for the cache outside the backend. If bytes is not NULL, the backend loads them. If
 * there are none or they cannot be loaded, the backend compiles the text and stores the new binary here
 * (memory_new). */
typedef struct kernel_binary {
    unsigned char *bytes;
    size_t count;
    bool fresh, unwanted; /* fresh: bytes are new. unwanted: the caller does not need the binary */
} kernel_binary;

/* One launch. The kernel's arguments are its buffers, then one struct of scalars by value. */
typedef struct kernel_launch {
    void *kernel;
    int64_t groups;
    int items;           /* per group, as in the build */
    size_t shared_bytes; /* dynamic shared memory per group (CUDA) */
    void *const *memory;
    int memory_count;
    const void *params;
    size_t params_bytes;
    /* May start before the previous launch has ended: all groups of the kernel wait for that launch
     * themselves (EARLIER_DONE). */
    bool overlaps;
} kernel_launch;

/* Resources that a kernel needs; 0 if the driver does not report them. */
typedef struct kernel_needs {
    int registers;             /* per item */
    size_t shared, spilled;    /* bytes: all shared memory of a group; spilled registers of an item */
    int groups, items_at_most; /* per multiprocessor: resident groups of this kernel; items of any kernel */
} kernel_needs;

typedef struct backend {
    const char *name;

    /* Returns the number of devices. Opens the driver's library on first use. *reason says why there are
     * none, or why the present ones cannot compute ("auto" skips these); "" if they can. */
    int (*count)(const char **reason);
    /* (NULL: devices have only numbers) Returns the index of the device of that name, -1 if there is none. */
    int (*find)(const char *word);
    argand_status (*open)(int index, void **context);
    void (*close)(void *context);
    /* Fills info's name, backend and capability. Without describe_target, detail has all that a cached
     * binary depends on. The other fields come from the traits. */
    void (*describe)(void *context, argand_device_info *info);
    /* (optional) Writes all that a kernel's binary depends on but its text: target and compiler. NULL: name
     * and detail. */
    void (*describe_target)(void *context, char *text, size_t size);
    /* Fills the description that plans read. Called once, when the device is opened. */
    void (*traits)(void *context, device_traits *traits);

    /* (optional) Sends all work to the caller's stream or queue. Called before any other work. */
    argand_status (*use_stream)(void *context, void *stream);
    /* (optional) The same at any time: later work starts in the new stream once earlier work has ended. */
    argand_status (*follow_stream)(void *context, void *stream);
    /* (optional) Returns true while the stream is captured into a graph, which keeps the addresses that it
     * sees. */
    bool (*is_captured)(void *context);

    argand_status (*alloc)(void *context, size_t bytes, void **memory); /* not zeroed */
    void (*free)(void *context, void *memory);                          /* takes effect after earlier work */
    /* Wraps the caller's memory: a host pointer, a device pointer, a cl_mem. free then only forgets it. */
    bool handles; /* wrap takes handles, which have no distance in bytes */
    argand_status (*wrap)(void *context, void *pointer, size_t bytes, void **memory);
    /* (optional) Returns the host address of memory, for devices whose arrays the host can access. */
    void *(*address)(void *context, void *memory);
    /* (optional) Returns memory as vendor libraries expect it: a device pointer, a cl_mem. */
    void *(*native)(void *context, void *memory);
    /* (optional) Enclose calls of a vendor library: make the context current and pass the stream; restore. */
    argand_status (*native_enter)(void *context, void **stream);
    void (*native_leave)(void *context);

    argand_status (*upload)(void *context, void *memory, size_t at, const void *host,
                            size_t bytes); /* host reusable on return */
    argand_status (*download)(void *context, void *host, void *memory, size_t at,
                              size_t bytes); /* complete on return */
    argand_status (*copy)(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes);
    argand_status (*fill)(void *context, void *memory, size_t at, size_t bytes, unsigned char value);

    /* (NULL: kernels are compiled in and need no text) Returns the default number of work items per group. */
    int (*items)(void *context);
    argand_status (*build)(void *context, const kernel_source *source, kernel_binary *binary, void **kernel);
    bool builds_in_parallel; /* several threads may call build at once */
    /* (optional) Compiles an empty kernel: only its first compilation shows what a compiler has to do at the
     * program's exit. */
    void (*compile_nothing)(void *context);
    void (*discard)(void *context, void *kernel);
    argand_status (*launch)(void *context, const kernel_launch *launch);
    /* (optional, all or none) Start a fixed sequence of launches as one. It is made with their kernels,
     * groups and shared memory, and started with new memory and parameters. *started is false if the
     * stream cannot take it now, because it is captured. Only one thread at a time may call these. */
    argand_status (*replay_new)(void *context, const kernel_launch *launches, int count, void **replay);
    argand_status (*replay_start)(void *context, void *replay, const kernel_launch *launches, bool *started);
    void (*replay_free)(void *context, void *replay);
    /* (optional, all or none) Between capture_begin and capture_end all work is recorded in a graph and not
     * done; graph_start does it. capture_end makes no graph (NULL) if something could not be recorded. */
    argand_status (*capture_begin)(void *context);
    argand_status (*capture_end)(void *context, void **graph);
    argand_status (*graph_start)(void *context, void *graph);
    void (*graph_free)(void *context, void *graph);
    /* (optional) Reports the resources of a launch: of its kernel, items and shared_bytes. */
    argand_status (*needs)(void *context, const kernel_launch *launch, kernel_needs *needs);

    argand_status (*wait)(void *context); /* until all work is done; reports late failures */
    /* (optional, all or none) Measure points in time on the device. event_between waits for the second
     * one. */
    argand_status (*event_new)(void *context, void **event);
    void (*event_free)(void *context, void *event);
    argand_status (*event_record)(void *context, void *event);
    argand_status (*event_between)(void *context, void *first, void *second, double *milliseconds);
    /* (optional) Sets the number of host threads for the context's work. */
    argand_status (*set_threads)(void *context, int threads);
} backend;

/* All backends of this build, in the order in which "auto" tries them; NULL ends the list. */
extern const backend *const backends[];
/* Offline devices, for which kernels are only compiled; NULL in a build without CUDA. */
extern const backend *const backend_absent;

#endif
