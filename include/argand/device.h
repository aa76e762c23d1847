/* SPDX-License-Identifier: BSD-3-Clause */
/* device.h: devices hold arrays and compute. A device is opened by name at run time: "cpu", "cuda:0",
 * "opencl:0", or "auto" for the best device that is present and computes. Without a name, the environment
 * variable ARGAND_DEVICE names the device; without the variable, "auto" is used. "offline:h200" (h100, a100,
 * b200, rtx5090) names a GPU that is not present: plans are made and their kernels compiled, but nothing is
 * computed. With the environment variable ARGAND_REHEARSE=1 all calls succeed on such a device, their results
 * mean nothing, and every kernel that they ask for is written into the folder of ARGAND_KERNELS.
 * Work on one device is done in order. Arrays and plans hold a reference to their device, so that the device
 * may be closed before them.
 *
 * Limits: texts of argand_device_info are cut to their size; 4096 threads. Threads: several threads may use a
 * device at once; their work is done in some order. Call argand_device_set_threads,
 * argand_device_keep_kernels and timer functions from one thread while no other thread uses the device.
 * Refused: unknown names (ARGAND_ARGUMENT); devices that are absent or do not respond (ARGAND_DEVICE, with
 * the reason); CPUs for which the library was not compiled (ARGAND_UNSUPPORTED); reading a timer that was not
 * started and stopped. NULL: see argand.h; a NULL name means the default device. */
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
    char name[128];        /* product name, such as "AMD EPYC 9654" */
    char backend[16];      /* "cpu", "cuda", "hip", "metal", "opencl" */
    char detail[256];      /* instruction set, driver and compiler versions */
    uint64_t memory;       /* total bytes */
    int units;             /* threads in use on a CPU, multiprocessors on a GPU; assumed on "metal" */
    bool has_double;       /* supports double precision */
    bool host_addressable; /* host pointers can read and write its arrays */
    int capability;        /* CUDA compute capability: 90 is 9.0; 0 on other devices */
    bool is_processor;     /* an OpenCL device that runs on CPUs, such as PoCL */
    uint64_t group_memory; /* largest shared (local) memory of a work-group in bytes; 0 on "cpu" */
    int group_items;       /* largest number of work-items in a work-group; 0 on "cpu" */
    bool is_absent;        /* kernels can be compiled but not run ("offline:h200") */
} argand_device_info;

/* Opens a device by name; NULL opens the default device (see above). */
ARGAND_API ARGAND_MUST_USE argand_status argand_device_open(argand_device **device, const char *name);

/* Opens a device whose work goes into the caller's stream: a CUstream (or cudaStream_t) of that CUDA device,
 * or NULL for the legacy default stream. The stream must exist until the device and all objects made on it
 * are destroyed. ARGAND_UNSUPPORTED on devices without streams. */
ARGAND_API ARGAND_MUST_USE argand_status argand_device_open_stream(argand_device **device, const char *name,
                                                                   void *stream);

/* Sends further work of the device into another stream of the same CUDA device. Work in the new stream begins
 * after all earlier work of the device, by an event, or by waiting on the host if the stream is being
 * captured into a graph. While the present stream is being captured, the stream cannot be changed. Call this
 * from one thread while no other thread uses the device. The stream must exist until another one is set, or
 * the device and its objects are destroyed. ARGAND_UNSUPPORTED on devices other than CUDA.
 *
 * A call can be captured if it was made once before with arrays of the same shapes: it then allocates
 * nothing. A call that needs memory, a transfer or a wait is refused during capture (ARGAND_UNSUPPORTED); the
 * capture goes on. A graph contains addresses of buffers of plans and operators: these must outlive the
 * graph, and the graph must not run concurrently with other work of the device. */
ARGAND_API ARGAND_MUST_USE argand_status argand_device_set_stream(argand_device *device, void *stream);

/* Closes the device. NULL is allowed. */
ARGAND_API void argand_device_close(argand_device *device);

ARGAND_API ARGAND_MUST_USE argand_status argand_device_describe(argand_device *device,
                                                                argand_device_info *info);

/* Sets or returns the number of CPU threads, up to 4096; 0 means all threads that OpenMP offers (the
 * default). Results do not depend on this number. argand_device_threads returns 1 in a child of a process
 * that had several threads when it forked (argand.h), and 0 for NULL. */
ARGAND_API ARGAND_MUST_USE argand_status argand_device_set_threads(argand_device *device, int threads);
ARGAND_API int argand_device_threads(const argand_device *device);

/* Waits for all work of the device, and returns errors that this work had. */
ARGAND_API ARGAND_MUST_USE argand_status argand_device_wait(argand_device *device);

/* A timer of the device: start and stop are queued with its work and do not wait. */
typedef struct argand_timer argand_timer;
ARGAND_API ARGAND_MUST_USE argand_status argand_timer_create(argand_timer **timer, argand_device *device);
ARGAND_API ARGAND_MUST_USE argand_status argand_timer_start(argand_timer *timer);
ARGAND_API ARGAND_MUST_USE argand_status argand_timer_stop(argand_timer *timer);
/* Waits for the work before the stop; returns the time between start and stop. */
ARGAND_API ARGAND_MUST_USE argand_status argand_timer_milliseconds(argand_timer *timer, double *milliseconds);
ARGAND_API void argand_timer_destroy(argand_timer *timer); /* NULL is allowed */

/* Transfers between host memory and device memory since the device was opened; copies on the CPU. */
typedef struct argand_transfers {
    int64_t uploads, downloads; /* number of transfers */
    int64_t upload_bytes, download_bytes;
} argand_transfers;
ARGAND_API argand_transfers argand_device_transfers(const argand_device *device);

/* The folder that keeps compiled kernels between runs: the environment variable ARGAND_CACHE ("off": none),
 * by default $XDG_CACHE_HOME/argand or ~/.cache/argand. */
typedef struct argand_cache_info {
    bool is_on, is_writable;
    char folder[4096];
    int64_t files, bytes;
} argand_cache_info;
ARGAND_API ARGAND_MUST_USE argand_status argand_cache_describe(argand_cache_info *info);
/* Describes the folder of kernels shipped with the library: the environment variable ARGAND_KERNELS ("off":
 * none), by default share/argand/kernels in the installation. */
ARGAND_API ARGAND_MUST_USE argand_status argand_kernels_describe(argand_cache_info *info);

/* Packs the compiled kernels of a folder, one file each, into the compressed file kernels.archive there, and
 * removes the files. Kernels of an earlier archive stay, for all chips, unless one of the files is for the
 * same chip and purpose. Several processes may pack the same folder. Plans look for kernels in the archive,
 * then among files. ARGAND_FILE if the folder cannot be read or written, or is locked for half a minute. */
ARGAND_API ARGAND_MUST_USE argand_status argand_kernels_pack(const char *folder);

/* Also writes every kernel that the device compiles from now on into the folder, even if the cache has the
 * kernel. Another machine with such a chip uses the folder if ARGAND_KERNELS names it. A kernel that cannot
 * be written is an error of the call that needs the kernel. NULL stops this. ARGAND_UNSUPPORTED on devices
 * other than CUDA and "offline:". */
ARGAND_API ARGAND_MUST_USE argand_status argand_device_keep_kernels(argand_device *device,
                                                                    const char *folder);

/* Returns the number of compiled-in backends, and describes each: name, number of devices, and the reason if
 * there is no usable device ("" otherwise). */
ARGAND_API int argand_backend_count(void);
ARGAND_API ARGAND_MUST_USE argand_status argand_backend_describe(int backend, const char **name, int *devices,
                                                                 const char **reason);

#ifdef __cplusplus
}
#endif
#endif
