/* SPDX-License-Identifier: BSD-3-Clause */
/* Device handles, storage and kernels, as the other layers use them. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include <argand/device.h>
#include "device/backend.h"

/* One more user of the device; argand_device_close is one less. */
argand_device *device_keep(argand_device *device);
bool device_has_double(const argand_device *device);
/* What plans may know of the device (traits.h). It lives as long as the device. */
const device_traits *device_traits_of(const argand_device *device);
/* For tests: plans that are made from now on take the device to be so. */
void argand_test_device_traits(argand_device *device, const device_traits *traits);

/* Returns true during graph capture of the device's present stream: no download is possible then. */
bool device_is_captured(const argand_device *device);

/* Whether the host may touch the device's memory (argand_array_data is not NULL). */
bool device_is_host(const argand_device *device);
/* The device that does on the host what `device` cannot do: itself where it is the host's, else a cpu device
 * of its own with as many threads, made on first use. It lives as long as the device. */
argand_status device_host(argand_device **host, argand_device *device);
/* ARGAND_MEMORY where so many bytes are more than the device has in all (base/memory_there.h), for plans that
 * could never be used; what: see there. */
argand_status device_check_memory(argand_device *device, size_t bytes, const char *what);

/* Memory of a device, shared by counted references. */
typedef struct storage storage;
argand_status storage_new(storage **out, argand_device *device, size_t bytes); /* zeroed */
/* The caller's memory, from `before` bytes before pointer on. */
argand_status storage_wrap(storage **out, argand_device *device, void *pointer, size_t before, size_t bytes);
/* Temporary memory, not zeroed, from what the device keeps for it. In the order of the device's work, so that
 * it may be released as soon as the last work with it was given. */
argand_status storage_scratch(storage **out, argand_device *device, size_t bytes);
storage *storage_keep(storage *s);
void storage_release(storage *s); /* NULL is allowed */
argand_device *storage_device(const storage *s);
size_t storage_bytes(const storage *s);
void *storage_address(const storage *s); /* host address, NULL on devices that have none */

/* How many bytes a's memory begins behind b's, wrapped memory too; false where neither addresses say so nor,
 * on devices that have handles, the same one for source and target. */
bool storage_distance(int64_t *bytes, const storage *a, const storage *b);
/* Whether they have memory in common. */
bool storage_overlaps(const storage *a, const storage *b);
/* For vendor libraries: memory as they take it (a CUDA device pointer, a cl_mem; NULL on the cpu), and around
 * their calls device_enter, which makes the device current and passes its stream, and device_leave. */
void *storage_native(const storage *s);
argand_status device_enter(argand_device *device, void **stream);
void device_leave(argand_device *device);

argand_status storage_upload(storage *s, size_t at, const void *host, size_t bytes);
argand_status storage_download(const storage *s, size_t at, void *host, size_t bytes);
/* Between two of one device; pieces that do not overlap. */
argand_status storage_copy(storage *to, size_t to_at, const storage *from, size_t from_at, size_t bytes);

/* Runs the kernel `key` ("axpby REAL=float": its name, then its defines), building it on first use. */
typedef struct kernel_run {
    const char *key;
    int64_t groups;
    storage *const *memory;
    int memory_count;
    const void *params;
    size_t params_bytes;
    int items; /* work items per group; 0: as the key (ITEMS=...) or else the device says. Never both */
    size_t shared_bytes; /* dynamic shared memory per group (CUDA) */
    bool overlaps;       /* may begin before what was started before has ended: the kernel has EARLIER_DONE */
    void *kernel;        /* what kernel_built found for the key, which spares looking it up; NULL: not yet */
} kernel_run;
argand_status kernel_start(argand_device *device, const kernel_run *run);
/* Runs that follow each other and are often repeated, as one start where the device can: made with their
 * kernels and groups, started with the memory and parameters of the moment. NULL: one by one. */
enum { KERNELS_REPLAYED = 8 };
typedef struct kernel_replay kernel_replay;
argand_status kernel_replay_new(kernel_replay **out, argand_device *device, const kernel_run *runs,
                                int count);
argand_status kernel_replay_start(kernel_replay *replay,
                                  const kernel_run *runs); /* as many as it was made of */
void kernel_replay_free(kernel_replay *replay);            /* NULL is allowed */
/* How many groups of such a run a multiprocessor holds at a time; 0 where the driver does not report it. */
argand_status kernel_occupancy(argand_device *device, const kernel_run *run, int *groups);
/* Builds it now, so that what its text has wrong is known. */
argand_status kernel_prepare(argand_device *device, const char *key);
/* The same, and what it is for as long as the device is there. */
argand_status kernel_built(argand_device *device, const char *key, void **kernel);

/* Builds the kernels of these keys that the device does not have yet, several at a time where its compiler
 * can; the first failure is reported. */
enum { KERNELS_AT_ONCE = 64 };
bool kernels_in_parallel(const argand_device *device); /* whether its compiler can */
argand_status kernels_build(argand_device *device, const char *const *keys, int count);

/* Builds what nearly every computation in this precision ("float", "double") needs, several kernels at a
 * time, so that a first run with an empty cache does not wait for one after the other. Does nothing where
 * kernels are compiled in. */
void kernels_prepare(argand_device *device, const char *precision);

#endif
