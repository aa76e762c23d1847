/* SPDX-License-Identifier: BSD-3-Clause */
/* array.h: arrays of elements on a device. The first dimension is the fastest in memory: dims {nx, ny, nz,
 * coils}. An array is a view of storage. Views and reshapes share the storage, which is freed with the last
 * of them. Strides count elements; a stride of 0 repeats an element along its dimension (read only).
 *
 * Limits: 8 dimensions of 1 or more, at most 2^58 elements. Threads: several threads may read an array at
 * once; one may write it. Refused with ARGAND_ARGUMENT: unknown types, dimensions below 1, views and parts
 * that reach beyond their storage, reshapes of arrays that are not contiguous, operands of different shapes,
 * devices or precisions, outputs that repeat elements (stride 0); with ARGAND_UNSUPPORTED: double precision
 * on devices without it, arithmetic on storage types. NULL: queries return 0, false or NULL; all other
 * functions refuse NULL. */
#ifndef ARGAND_ARRAY_H
#define ARGAND_ARRAY_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ARGAND_MAX_RANK = 8 };

/* The type of an element. Precision is part of the type, never of a function's name. Storage types can be
 * stored and copied (create, wrap, view, copy, upload, download). Transforms convert them at load and store
 * (argand_fft_layout); no other function computes with them. */
typedef enum argand_type {
    ARGAND_R32 = 1,  /* float */
    ARGAND_R64 = 2,  /* double */
    ARGAND_C32 = 3,  /* two floats: real, imaginary */
    ARGAND_C64 = 4,  /* two doubles */
    ARGAND_R16 = 5,  /* storage: half (IEEE binary16), 11 significant bits, up to 65504 */
    ARGAND_C16 = 6,  /* storage: two halves */
    ARGAND_RB16 = 7, /* storage: bfloat16, 8 significant bits, the range of float */
    ARGAND_CB16 = 8, /* storage: two bfloat16 */
    ARGAND_U8 = 9    /* storage: integers 0 to 255; stores round and clamp */
} argand_type;

ARGAND_API size_t argand_type_size(argand_type type); /* bytes: 4, 8, 8, 16; 2, 4, 2, 4, 1 */
ARGAND_API const char *argand_type_name(argand_type type);

typedef struct argand_array argand_array;

/* Creates an array of zeros. rank 0 to ARGAND_MAX_RANK; every dimension >= 1. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_create(argand_array **array, argand_device *device,
                                                             argand_type type, int rank, const int64_t *dims);

/* Wraps memory that belongs to the caller: a host pointer on the cpu device, a device pointer on a GPU.
 * strides in elements, NULL for contiguous. The memory must outlive the array and its views. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_wrap(argand_array **array, argand_device *device,
                                                           argand_type type, int rank, const int64_t *dims,
                                                           const int64_t *strides, void *pointer);

/* Makes a view of the same storage with any shape and strides (in elements), beginning `offset` elements
 * after the array's first element. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_view(argand_array **view, const argand_array *array,
                                                           int rank, const int64_t *dims,
                                                           const int64_t *strides, int64_t offset);

/* Makes a view of the same memory with the other type of its precision: a complex array as reals, with twice
 * the length of dimension 0 (re, im, re, ...), or reals as complex numbers, with half the length. Dimension 0
 * must have stride 1. Towards complex numbers its length, the other strides and the offset must be even;
 * otherwise ARGAND_ARGUMENT names the odd one. For real transforms in place, create the array of the half
 * spectrum with rows of N/2 + 1, and take a view of the first N reals of each row. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_view_as(argand_array **view, const argand_array *array,
                                                              argand_type type);

/* Makes a view of elements start to start + count - 1 along one axis; the rank stays the same. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_part(argand_array **view, const argand_array *array,
                                                           int axis, int64_t start, int64_t count);

/* Makes a view with another shape; the array must be contiguous, and the number of elements the same. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_reshape(argand_array **view, const argand_array *array,
                                                              int rank, const int64_t *dims);

ARGAND_API void argand_array_destroy(argand_array *array); /* NULL is allowed */

ARGAND_API argand_device *argand_array_device(const argand_array *array);
ARGAND_API argand_type argand_array_type(const argand_array *array);
ARGAND_API int argand_array_rank(const argand_array *array);
ARGAND_API int64_t argand_array_dim(const argand_array *array, int axis); /* 1 beyond the rank */
ARGAND_API int64_t argand_array_stride(const argand_array *array, int axis);
ARGAND_API int64_t argand_array_count(const argand_array *array); /* number of elements */
ARGAND_API bool argand_array_is_contiguous(const argand_array *array);

/* Returns the address of the first element on a host-addressable device, otherwise NULL. Wait for the device
 * before reading the elements. */
ARGAND_API void *argand_array_data(const argand_array *array);

/* Copies between the array and contiguous host memory of the array's type and size. Both return when the host
 * memory may be used again. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_upload(argand_array *array, const void *host);
ARGAND_API ARGAND_MUST_USE argand_status argand_array_download(const argand_array *array, void *host);

/* Pointwise operations. All operands have the same shape, device and precision (repeat elements by views with
 * stride 0). A real operand may stand in for a complex one that is read. The output may be exactly the same
 * view as an input. For real arrays the imaginary part of a scalar must be 0. */
typedef struct argand_scalar {
    double re, im;
} argand_scalar;

ARGAND_API ARGAND_MUST_USE argand_status argand_array_fill(argand_array *y, argand_scalar value);
/* Copies: y = x. Converts between precisions, to and from storage types (through float, to nearest, ties
 * to even), and from real to complex. Complex to real is refused (use argand_array_real). If x is on
 * another device, the data go through host memory, and the call returns when the copy is complete. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_copy(argand_array *y, const argand_array *x);
ARGAND_API ARGAND_MUST_USE argand_status argand_array_scale(argand_array *y, argand_scalar a); /* y = a y */
/* Computes y = a x + b y (b = 1: axpy; a = 1: xpay). */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_axpby(argand_array *y, argand_scalar a,
                                                            const argand_array *x, argand_scalar b);
/* Flags of argand_array_multiply: y = a b, y = conj(a) b; with ARGAND_PRODUCT_ADD the product is added to y.
 */
typedef enum argand_product {
    ARGAND_PRODUCT = 0,
    ARGAND_PRODUCT_CONJ = 1,
    ARGAND_PRODUCT_ADD = 2
} argand_product;
ARGAND_API ARGAND_MUST_USE argand_status argand_array_multiply(argand_array *y, const argand_array *a,
                                                               const argand_array *b, int flags);
ARGAND_API ARGAND_MUST_USE argand_status argand_array_abs(argand_array *y,
                                                          const argand_array *x); /* real y = |x| */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_phase(argand_array *y,
                                                            const argand_array *x); /* real y = arg x */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_real(argand_array *y,
                                                           const argand_array *x); /* real y = Re x */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_imag(argand_array *y,
                                                           const argand_array *x); /* real y = Im x */

/* Reductions, accumulated in double precision. The bits do not depend on the number of threads. */
/* Computes result = sum conj(x) y. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_dot(argand_scalar *result, const argand_array *x,
                                                          const argand_array *y);
ARGAND_API ARGAND_MUST_USE argand_status argand_array_norm(double *result,
                                                           const argand_array *x); /* sqrt(sum |x|^2) */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_sum(argand_scalar *result, const argand_array *x);
ARGAND_API ARGAND_MUST_USE argand_status argand_array_max_abs(double *result, const argand_array *x);
/* Sets *result to false if any element is NaN or infinite. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_is_finite(bool *result, const argand_array *x);

#ifdef __cplusplus
}
#endif
#endif
