/* SPDX-License-Identifier: BSD-3-Clause */
/* Device handles, storage and kernels, as the other layers use them. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include <argand/device.h>
#include "device/backend.h"

/* Adds a user of the device; argand_device_close removes one. */
argand_device *device_keep(argand_device *device);
bool device_has_double(const argand_device *device);
/* Returns the description that plans may use (traits.h). It lives as long as the device. */
const device_traits *device_traits_of(const argand_device *device);
/* For tests: sets the description that later plans see. */
void argand_test_device_traits(argand_device *device, const device_traits *traits);

/* Returns true during graph capture of the device's present stream: no download is possible then. */
bool device_is_captured(const argand_device *device);

/* Returns true if the host can access the device's memory (argand_array_data is not NULL). */
bool device_is_host(const argand_device *device);
/* From now on the calling thread takes memory that it freed in such a section of the device before; only on
 * hosts, only small blocks, and not if another thread is in such a section. For plans that are made for one
 * call: to get their memory from the system each time takes as long as the call. The end takes what the begin
 * returned; the device must outlive it. */
bool device_pool_begin(argand_device *device);
void device_pool_end(argand_device *device, bool begun);
/* What a layer keeps with the device from one call to the next; the device destroys it when it is closed.
 * device_take_kept returns one that was given before, which then belongs to the caller, or NULL.
 * device_give_kept destroys it if other threads have given as many as the device keeps. */
typedef struct device_kept {
    void (*destroy)(struct device_kept *kept);
} device_kept;
device_kept *device_take_kept(argand_device *device);
void device_give_kept(argand_device *device, device_kept *kept);
/* Returns a device on the host for work that `device` cannot do. This is `device` itself if the host can
 * access its memory. Otherwise it is a cpu device with as many threads, made on first use. It lives as
 * long as `device`. */
argand_status device_host(argand_device **host, argand_device *device);
/* Returns ARGAND_MEMORY if `bytes` exceed the device's whole memory, so that plans which could never run
 * fail early (base/memory_available.h, also for `what`). */
argand_status device_check_memory(argand_device *device, size_t bytes, const char *what);

/* Memory of a device with a reference count. */
typedef struct storage storage;
argand_status storage_new(storage **out, argand_device *device, size_t bytes); /* zeroed */
/* Wraps the caller's memory, which starts `before` bytes before `pointer`. */
argand_status storage_wrap(storage **out, argand_device *device, void *pointer, size_t before, size_t bytes);
/* Allocates temporary memory, not zeroed, from the device's arena. It follows the order of the device's
 * work, so it may be released as soon as the last work on it is submitted. */
argand_status storage_scratch(storage **out, argand_device *device, size_t bytes);
/* The same for memory that is kept beyond a call: none that a graph writes to whenever it is started. */
argand_status storage_lasting(storage **out, argand_device *device, size_t bytes);
storage *storage_keep(storage *s);
void storage_release(storage *s); /* NULL is allowed */
argand_device *storage_device(const storage *s);
size_t storage_bytes(const storage *s);
void *storage_address(const storage *s); /* host address; NULL if the host cannot access it */

/* Computes by how many bytes a's memory starts after b's; also for wrapped memory. Returns false if this
 * is unknown. On devices with handles it is known only if both are the same. */
bool storage_distance(int64_t *bytes, const storage *a, const storage *b);
/* Returns true if both share memory. */
bool storage_overlaps(const storage *a, const storage *b);
/* For vendor libraries. storage_native returns memory as they expect it (a CUDA device pointer, a cl_mem;
 * NULL on the cpu). Calls of a vendor library go between device_enter, which makes the device current and
 * passes its stream, and device_leave. */
void *storage_native(const storage *s);
argand_status device_enter(argand_device *device, void **stream);
void device_leave(argand_device *device);

argand_status storage_upload(storage *s, size_t at, const void *host, size_t bytes);
argand_status storage_download(const storage *s, size_t at, void *host, size_t bytes);
/* Copies between memory of one device. The ranges must not overlap. */
argand_status storage_copy(storage *to, size_t to_at, const storage *from, size_t from_at, size_t bytes);

/* A run of the kernel `key` ("axpby REAL=float": name, then defines), which is built on first use. */
typedef struct kernel_run {
    const char *key;
    int64_t groups;
    storage *const *memory;
    int memory_count;
    const void *params;
    size_t params_bytes;
    int items; /* work items per group; 0: ITEMS of the key, else the device's default. Never give both */
    size_t shared_bytes; /* dynamic shared memory per group (CUDA) */
    bool overlaps;       /* may start before earlier launches have ended: the kernel has EARLIER_DONE */
    void *kernel;        /* from kernel_built, saves the lookup; NULL: look the key up */
} kernel_run;
argand_status kernel_start(argand_device *device, const kernel_run *run);
/* A sequence of runs that is often repeated, started as one if the device can. It is made with their
 * kernels and groups, and started with new memory and parameters. NULL: start them one by one. */
enum { KERNELS_REPLAYED = 8 };
typedef struct kernel_replay kernel_replay;
argand_status kernel_replay_new(kernel_replay **out, argand_device *device, const kernel_run *runs,
                                int count);
/* runs: as many as at its creation. */
argand_status kernel_replay_start(kernel_replay *replay, const kernel_run *runs);
void kernel_replay_free(kernel_replay *replay); /* NULL is allowed */
/* Starts the kernels of a call that is often repeated as one. From kernels_collect on, the kernels that this
 * thread starts on the device wait. kernels_start_collected starts them: as a graph if the previous call had
 * the same kernels, else one by one. With a status other than ARGAND_OK it starts nothing and returns that
 * status. A call_graph belongs to calls with the same kernels. */
typedef struct call_graph call_graph;
argand_status call_graph_new(call_graph **graph);
void call_graph_free(call_graph *graph); /* NULL is allowed */
argand_status kernels_collect(argand_device *device);
argand_status kernels_start_collected(call_graph *graph, argand_status status);
/* Work that is recorded once and then started as one. It keeps the addresses of its arrays, and uses scratch
 * memory of the device: no other thread may use the device from the recording to the last start. */
typedef struct device_graph device_graph;
/* Records the work, which must not allocate, wait, or transfer anything. *graph: NULL if the device has no
 * graphs or the work cannot be recorded. It must have run before, so that kernels and scratch memory
 * exist. */
argand_status device_record(device_graph **graph, argand_device *device, argand_status (*work)(void *context),
                            void *context);
argand_status device_graph_start(const device_graph *graph);
void device_graph_free(device_graph *graph); /* NULL is allowed */
/* Sets the number of groups of this run that a multiprocessor holds at a time; 0 if the driver does not
 * report it. */
argand_status kernel_occupancy(argand_device *device, const kernel_run *run, int *groups);
/* Builds a kernel now, so that errors in its text are reported now. */
argand_status kernel_prepare(argand_device *device, const char *key);
/* The same, and returns the kernel, which lives as long as the device. */
argand_status kernel_built(argand_device *device, const char *key, void **kernel);

/* Builds the kernels of these keys that are not yet built, in parallel if the compiler can. Returns the
 * first failure. */
enum { KERNELS_AT_ONCE = 64 };
bool kernels_in_parallel(const argand_device *device); /* true if its compiler can */
argand_status kernels_build(argand_device *device, const char *const *keys, int count);

/* Loads the kernels of these keys that need no compiler: those in the user's cache and among the shipped
 * kernels. Returns true if the device then has all of them. Waits for another thread that looks for one of
 * them there, but not for one that compiles it. A rehearsal of what cold plans begin with builds them. */
bool kernels_load(argand_device *device, const char *const *keys, int count);

/* background.c: kernels that a few threads build while the caller goes on, in the order of the requests. */
typedef struct kernel_request kernel_request;
/* Returns false if requests may not be made: kernels are kept in a folder, or only one thread may compile. */
bool kernels_background(const argand_device *device);
argand_status kernels_request(kernel_request **out, argand_device *device, const char *const *keys,
                              int count);
/* Returns true once the request is done. *status is then that of kernels_build, and `reason` (NULL: not
 * wanted), which lives as long as the request, its message. */
bool kernels_are_ready(const kernel_request *request, argand_status *status, const char **reason);
/* Has the kernels of these keys built, unless they are at hand. Nobody waits for them, but a use that comes
 * earlier. Each is tried once. */
void kernels_want(argand_device *device, const char *const *keys, int count);
/* Returns true if `general`, a kernel that can take the place of `own`, is at hand and `own` is not: `own` is
 * then wanted. In a rehearsal of what cold plans begin with, `general` always takes the place. */
bool kernel_gives_way(argand_device *device, const char *own, const char *general);
/* Returns why a kernel that was wanted cannot be built, one line that lives as long as the device; NULL: it
 * did not fail. */
const char *kernel_failure(argand_device *device, const char *key);
/* Forgets a request. If it is not begun, its kernels are not built. NULL is allowed. */
void kernels_forget(kernel_request *request);

/* Builds the kernels that nearly every computation in this precision ("float", "double") needs. It builds
 * several at a time, so that a first run with an empty cache waits less. Does nothing for backends whose
 * kernels are compiled in. */
void kernels_prepare(argand_device *device, const char *precision);

#endif
