/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of a device that plans read: limits, abilities and rates. The backend fills it when the
 * device is opened; nothing outside this folder compares names of chips, names of backends or compute
 * capabilities to choose a plan.
 *
 * Each field states its unit and its sources. "driver": cuDeviceGetAttribute of that name. "chips.c": the
 * table there, as no driver reports the fact. "cl": clGetDeviceInfo. A field that a backend does not fill is
 * 0 or false, and plans then do without the ability. */
#ifndef DEVICE_TRAITS_H
#define DEVICE_TRAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How kernels reach matrix units. */
typedef enum device_matrix {
    DEVICE_MATRIX_NONE,
    DEVICE_MATRIX_WAVE, /* one wave multiplies (mma.sync of 8.0 on) */
    DEVICE_MATRIX_WAVES /* four waves multiply together (wgmma of 9.0) */
} device_matrix;

/* Rates for predictions. They decide between plans whose times differ by factors. chips.c: measured on the
 * chip (docs/performance.md), or for other chips estimated from their generation and size. */
typedef struct device_rates {
    double far_rate;   /* bytes a second, read and written together, of arrays in memory */
    double near_rate;  /* bytes a second of arrays that fit the last cache */
    double near_bytes; /* bytes that the last cache holds */
    double launch;     /* seconds before a kernel does anything */
    double operations; /* floating point a second in FFT butterflies of single precision */
    double doubles;    /* the same in double precision */
} device_rates;

typedef struct device_traits {
    /* ---- kind ---- */
    bool is_host;      /* the host may touch its memory: the backend has `address` */
    bool is_processor; /* kernels run on processors. cpu: true; cl: CL_DEVICE_TYPE */
    bool is_absent;    /* kernels are only compiled ("offline:h200") */

    /* ---- groups and items ---- */
    int units; /* multiprocessors. driver: MULTIPROCESSOR_COUNT; cl: CL_DEVICE_MAX_COMPUTE_UNITS; cpu: 0,
                        * as its threads may be set at any time (argand_device_threads) */
    int wave;  /* items that execute together (warp, wavefront, SIMD-group). driver: WARP_SIZE; cl: 0,
                        * as OpenCL 1.2 does not report it. Only kernels for matrix units depend on it */
    int group_items; /* items of a group at most. driver: MAX_THREADS_PER_BLOCK; cl:
                        * CL_DEVICE_MAX_WORK_GROUP_SIZE */
    int registers; /* 32-bit registers of a group's items together. driver: MAX_REGISTERS_PER_BLOCK; cl: 0 */
    int cluster;   /* groups that reach each other's shared memory at most; 0: none. chips.c */
    bool progresses; /* a group that waits for another one does not keep that one from running, so that
                        * persistent groups may wait for each other. chips.c */
    bool
        orders_atomics; /* a group that sees another group's atomic addition sees what that group wrote before
                          * it. cuda: true (__threadfence) */
    bool overlaps;      /* a launch may begin before the launch before it has ended. chips.c */

    /* ---- memory ---- */
    uint64_t memory;     /* bytes. driver: cuDeviceTotalMem; cl: CL_DEVICE_GLOBAL_MEM_SIZE; cpu: sysconf */
    size_t group_memory; /* bytes of shared memory of a group at most. driver:
                                  * MAX_SHARED_MEMORY_PER_BLOCK_OPTIN; cl: CL_DEVICE_LOCAL_MEM_SIZE */
    size_t group_memory_default; /* bytes of it that a kernel may have without asking. cuda: 48 KiB (CUDA
                                  * programming guide); cl: all */
    bool group_memory_given;     /* the launch gives the size of dynamic shared memory, not the kernel's text.
                                  * cuda: true */
    bool bulk_copies; /* one item copies whole rows to and from shared memory (cp.async.bulk). chips.c */

    /* ---- arithmetic ---- */
    bool has_double;      /* cuda, cpu: true; cl: cl_khr_fp64 */
    bool native_sine;     /* sine and cosine of the hardware, of an absolute error below 2^-20. cuda: true */
    device_matrix matrix; /* chips.c */

    /* ---- what was measured ---- */
    device_rates rates;
    double size;        /* its multiprocessors in those of the chip that predictions were fitted on
                          * (CHIP_UNITS): 1 is an H200. chips.c */
    bool fft_tuned;     /* the FFT's guesses (fft/gpu/estimate) were fitted to this kind of device. chips.c */
    bool fft_leads;     /* on such chips Argand's FFT was faster than the vendor's for most sizes. chips.c */
    const char *wisdom; /* the chip whose measured FFT plans serve where this device has none; NULL: none.
                          * chips.c */
} device_traits;

enum { CHIP_UNITS = 132 }; /* multiprocessors of an H200 */

#endif
