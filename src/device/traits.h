/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of a device for plans: limits, abilities and rates. The backend fills it when the device
 * is opened. No code outside this folder compares names of chips, names of backends or compute
 * capabilities to choose a plan.
 *
 * Each field states its unit and its source. "driver": cuDeviceGetAttribute of that name. "chips.c": the
 * table there, because no driver reports the fact. "cl": clGetDeviceInfo. A field that a backend does not
 * fill is 0 or false; plans then do without the ability. */
#ifndef DEVICE_TRAITS_H
#define DEVICE_TRAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of access to matrix units. */
typedef enum device_matrix {
    DEVICE_MATRIX_NONE,
    DEVICE_MATRIX_WAVE, /* multiplied by one wave (mma.sync, from 8.0 on) */
    DEVICE_MATRIX_WAVES /* multiplied by four waves together (wgmma of 9.0) */
} device_matrix;

/* Rates for predictions, which choose between plans whose times differ by factors. chips.c: measured
 * (docs/performance.md), or for other chips estimated from generation and size. */
typedef struct device_rates {
    double far_rate;   /* bytes/s, read and written together, of arrays in memory */
    double near_rate;  /* bytes/s of arrays that fit the last-level cache */
    double near_bytes; /* size of the last-level cache in bytes */
    double launch;     /* seconds from the launch of a kernel to its first operation */
    double operations; /* operations/s of single-precision FFT butterflies */
    double doubles;    /* the same in double precision */
} device_rates;

typedef struct device_traits {
    /* ---- kind ---- */
    bool is_host;      /* the host can access its memory: the backend has `address` */
    bool is_processor; /* kernels run on processors. cpu: true; cl: CL_DEVICE_TYPE */
    bool is_absent;    /* kernels are only compiled ("offline:h200") */
    /* The driver keeps the kernels that it compiled, and compiles them once more for a caller who asks for
     * the binary: ours are not kept. cl: true for PoCL. */
    bool keeps_kernels;
    bool rehearses;       /* absent, but launches succeed and compute nothing (ARGAND_REHEARSE) */
    bool rehearses_first; /* and takes the kernels that cold plans begin with (ARGAND_REHEARSE=first) */

    /* ---- groups and items ---- */
    /* Multiprocessors. driver: MULTIPROCESSOR_COUNT; cl: CL_DEVICE_MAX_COMPUTE_UNITS; cpu: 0, as its
     * threads may be set at any time (argand_device_threads). */
    int units;
    /* Items that execute together (warp, wavefront, SIMD-group); only kernels for matrix units depend on
     * it. driver: WARP_SIZE; cl: 0, as OpenCL 1.2 does not report it. */
    int wave;
    /* Most items of a group. driver: MAX_THREADS_PER_BLOCK; cl: CL_DEVICE_MAX_WORK_GROUP_SIZE. */
    int group_items;
    int registers; /* 32-bit registers of all items of a group. driver: MAX_REGISTERS_PER_BLOCK; cl: 0 */
    int cluster;   /* most groups that can access each other's shared memory; 0: none. chips.c */
    /* A group that waits for another one does not prevent that one from running, so persistent groups may
     * wait for each other. chips.c */
    bool progresses;
    /* A group that sees an atomic addition of another group also sees that group's earlier writes. cuda:
     * true (__threadfence). */
    bool orders_atomics;
    bool overlaps; /* a launch may start before the previous one has ended. chips.c */

    /* ---- memory ---- */
    uint64_t memory; /* bytes. driver: cuDeviceTotalMem; cl: CL_DEVICE_GLOBAL_MEM_SIZE; cpu: sysconf */
    /* Most bytes of shared memory of a group. driver: MAX_SHARED_MEMORY_PER_BLOCK_OPTIN; cl:
     * CL_DEVICE_LOCAL_MEM_SIZE. */
    size_t group_memory;
    /* Bytes of shared memory without opt-in. cuda: 48 KiB (CUDA programming guide); cl: all. */
    size_t group_memory_default;
    /* The launch, not the kernel's text, sets the size of dynamic shared memory. cuda: true. */
    bool group_memory_given;
    bool bulk_copies; /* one item copies whole rows to and from shared memory (cp.async.bulk). chips.c */

    /* ---- arithmetic ---- */
    bool has_double;      /* cuda, cpu: true; cl: cl_khr_fp64 */
    bool native_sine;     /* hardware sine and cosine with an absolute error below 2^-20. cuda: true */
    device_matrix matrix; /* chips.c */

    /* ---- measurements ---- */
    device_rates rates;
    /* Number of multiprocessors divided by that of the chip that predictions were fitted to (CHIP_UNITS):
     * 1 is an H200. chips.c */
    double size;
    bool fft_tuned; /* the FFT's estimates (fft/gpu/estimate) were fitted to this kind of device. chips.c */
    bool fft_leads; /* Argand's FFT was faster than the vendor's for most sizes on such chips. chips.c */
    const char *wisdom; /* chip whose measured FFT plans serve if this device has none; NULL: none. chips.c */
} device_traits;

enum { CHIP_UNITS = 132 }; /* multiprocessors of an H200 */

#endif
