/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares NVIDIA's cuFFT, which is opened when the first plan for a CUDA device is made. The declarations
 * follow the cuFFT API reference, so that no CUDA header is needed. */
#ifndef FFT_CUFFT_H
#define FFT_CUFFT_H

#include <stdbool.h>
#include <stddef.h>
#include "base/status.h"

typedef int cufft_handle;
typedef enum cufft_kind {
    CUFFT_C2C = 0x29,
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_Z2Z = 0x69,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c
} cufft_kind;

/* name, symbol, parameters; every function returns 0 or an error number */
#define CUFFT_FUNCTIONS(FUNCTION)                                                                        \
    FUNCTION(version, "cufftGetVersion", (int *version))                                                 \
    FUNCTION(create, "cufftCreate", (cufft_handle * plan))                                               \
    FUNCTION(destroy, "cufftDestroy", (cufft_handle plan))                                               \
    FUNCTION(allocate_itself, "cufftSetAutoAllocation", (cufft_handle plan, int yes))                    \
    FUNCTION(make_many, "cufftMakePlanMany64",                                                           \
             (cufft_handle plan, int rank, long long *n, long long *in_embed, long long in_stride,       \
              long long in_distance, long long *out_embed, long long out_stride, long long out_distance, \
              cufft_kind kind, long long batch, size_t *work_bytes))                                     \
    FUNCTION(set_work, "cufftSetWorkArea", (cufft_handle plan, void *work))                              \
    FUNCTION(set_stream, "cufftSetStream", (cufft_handle plan, void *stream))                            \
    FUNCTION(c2c, "cufftExecC2C", (cufft_handle plan, void *in, void *out, int direction))               \
    FUNCTION(z2z, "cufftExecZ2Z", (cufft_handle plan, void *in, void *out, int direction))               \
    FUNCTION(r2c, "cufftExecR2C", (cufft_handle plan, void *in, void *out))                              \
    FUNCTION(d2z, "cufftExecD2Z", (cufft_handle plan, void *in, void *out))                              \
    FUNCTION(c2r, "cufftExecC2R", (cufft_handle plan, void *in, void *out))                              \
    FUNCTION(z2d, "cufftExecZ2D", (cufft_handle plan, void *in, void *out))

#define CUFFT_MEMBER(name, symbol, parameters) int(*name) parameters;
typedef struct cufft_library {
    CUFFT_FUNCTIONS(CUFFT_MEMBER)
} cufft_library;

/* Returns the library, or NULL with the reason. ARGAND_CUFFT names its file if it is not found by itself. */
const cufft_library *cufft_open(const char **reason);
/* Returns ARGAND_OK for 0, else a status with cuFFT's name of the error. */
argand_status cufft_check(int result, const char *what);

/* For tests: cuFFT is tried on devices of every backend. Their memory must be the library's. */
void argand_test_cufft_serves_all(bool yes);

#endif
