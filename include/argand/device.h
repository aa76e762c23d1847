/* SPDX-License-Identifier: BSD-3-Clause */
/* device.h: where the arrays live and who computes on them. A device is opened by name when the program
 * runs: "cpu", "cuda:0", or "auto" for the best one that is there and will compute. Without a name, the
 * environment variable ARGAND_DEVICE is used, and "auto" where that is not set. "offline:h200" (h100, a100)
 * is a GPU that is not there: plans are made for it and their kernels compiled, nothing is computed. Work on
 * one device is in order. Devices are reference counted by what was made on them, so that they may be closed
 * before their arrays and plans are destroyed.
 *
 * Limits: texts of argand_device_info are cut to their places; 4096 threads. Threads: a device may be used by
 * several threads at once, and its work is in some order; argand_device_set_threads and
 * argand_device_keep_kernels are for one thread while no other one uses the device, and so is a timer.
 * Refused: names that are none (ARGAND_ARGUMENT), devices that are not there or do not answer (ARGAND_DEVICE,
 * with the reason), processors that the library was not compiled for (ARGAND_UNSUPPORTED), a timer that is
 * read before it was started and stopped. NULL: see argand.h; a NULL name is the default device. */
#ifndef ARGAND_DEVICE_H
#define ARGAND_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_device argand_device;

typedef struct argand_device_info {
    char name[128];        /* as its maker calls it: "AMD EPYC 9654" */
    char backend[16];      /* "cpu", "cuda", "opencl" */
    char detail[256];      /* instruction set, driver and compiler versions */
    uint64_t memory;       /* bytes in all */
    int units;             /* threads in use on a CPU, multiprocessors on a GPU */
    bool has_double;       /* double precision is supported */
    bool host_addressable; /* its arrays may be read and written by host pointers */
    int capability;        /* CUDA compute capability: 90 is 9.0; 0 on other devices */
    bool is_processor;     /* an OpenCL device whose kernels run on processors, such as PoCL's */
    uint64_t group_memory; /* OpenCL: bytes of local memory a work-group may have; 0 elsewhere */
    int group_items;       /* OpenCL: work-items a work-group may have; 0 elsewhere */
    bool is_absent;        /* kernels are compiled for it, and nothing is computed ("offline:h200") */
} argand_device_info;

/* Opens a device by name; NULL for the default (see above). */
ARGAND_API ARGAND_MUST_USE argand_status argand_device_open(argand_device **device, const char *name);

/* The same, and all its work goes into the caller's stream: a CUstream (or cudaStream_t) of that CUDA device,
 * NULL for the legacy default stream. The stream must live until the device and all that was made on it are
 * gone. ARGAND_UNSUPPORTED on devices without streams. */
ARGAND_API ARGAND_MUST_USE argand_status argand_device_open_stream(argand_device **device, const char *name,
                                                                   void *stream);

/* From now on work goes into that stream, of the same CUDA device; it begins there when what was given to
 * the device before has ended. That is waited for by an event, and by the host where the stream is being
 * captured into a graph. While the device's present stream is captured, its work may not go elsewhere. For
 * one thread while no other one uses the device. The stream must live until another one is set, or as
 * above. ARGAND_UNSUPPORTED on devices other than CUDA's.
 *
 * What was called once before, with arrays of the same shapes, can be captured: it allocates nothing. What
 * needs memory, a transfer or a wait in a capture is refused (ARGAND_UNSUPPORTED), and the capture goes
 * on. A graph holds addresses of what plans and operators keep: they must outlive it, and it must not run
 * at the same time as other work of the device. */
ARGAND_API ARGAND_MUST_USE argand_status argand_device_set_stream(argand_device *device, void *stream);

/* Gives the handle back. NULL is allowed. */
ARGAND_API void argand_device_close(argand_device *device);

ARGAND_API ARGAND_MUST_USE argand_status argand_device_describe(argand_device *device,
                                                                argand_device_info *info);

/* How many threads the host part of this device uses, up to 4096; 0 means all that OpenMP offers (the
 * default). Results do not depend on it. 1 in a child of a process that had several threads when it forked
 * (argand.h), and for no device 0. */
ARGAND_API ARGAND_MUST_USE argand_status argand_device_set_threads(argand_device *device, int threads);
ARGAND_API int argand_device_threads(const argand_device *device);

/* Waits until all work given to the device is done, and reports its late failures. */
ARGAND_API ARGAND_MUST_USE argand_status argand_device_wait(argand_device *device);

/* A stop watch in the device's own time: start and stop are put among its work and do not wait for it. */
typedef struct argand_timer argand_timer;
ARGAND_API ARGAND_MUST_USE argand_status argand_timer_create(argand_timer **timer, argand_device *device);
ARGAND_API ARGAND_MUST_USE argand_status argand_timer_start(argand_timer *timer);
ARGAND_API ARGAND_MUST_USE argand_status argand_timer_stop(argand_timer *timer);
/* Waits until the work before the stop is done. */
ARGAND_API ARGAND_MUST_USE argand_status argand_timer_milliseconds(argand_timer *timer, double *milliseconds);
ARGAND_API void argand_timer_destroy(argand_timer *timer); /* NULL is allowed */

/* What has gone between host memory and the device's since it was opened; on the cpu device these are copies.
 */
typedef struct argand_transfers {
    int64_t uploads, downloads; /* how many */
    int64_t upload_bytes, download_bytes;
} argand_transfers;
ARGAND_API argand_transfers argand_device_transfers(const argand_device *device);

/* Where built kernels are kept between runs: in the folder ARGAND_CACHE ("off": nowhere), by default
 * $XDG_CACHE_HOME/argand or ~/.cache/argand. */
typedef struct argand_cache_info {
    bool is_on, is_writable;
    char folder[4096];
    int64_t files, bytes;
} argand_cache_info;
ARGAND_API ARGAND_MUST_USE argand_status argand_cache_describe(argand_cache_info *info);
/* The same of the kernels that came with the library: in the folder ARGAND_KERNELS ("off": nowhere), by
 * default share/argand/kernels next to the library's folder, as it is installed. */
ARGAND_API ARGAND_MUST_USE argand_status argand_kernels_describe(argand_cache_info *info);

/* From now on every kernel that the device builds is written to the folder, too, whatever the cache holds:
 * for other machines with such a chip, which find them there if argand_kernels_describe names it. CUDA
 * devices and those that are not there; ARGAND_UNSUPPORTED on others. A kernel that cannot be written is an
 * error of whoever wants it. NULL ends it. */
ARGAND_API ARGAND_MUST_USE argand_status argand_device_keep_kernels(argand_device *device,
                                                                    const char *folder);

/* How many backends are compiled in, and for each of them its name, the number of its devices and, where
 * there are none or they will not compute, the reason as text ("" otherwise). */
ARGAND_API int argand_backend_count(void);
ARGAND_API ARGAND_MUST_USE argand_status argand_backend_describe(int backend, const char **name, int *devices,
                                                                 const char **reason);

#ifdef __cplusplus
}
#endif
#endif
