/* SPDX-License-Identifier: BSD-3-Clause */
/* array.h: elements on a device, with a shape. The first dimension is the fastest in memory: dims {nx, ny,
 * nz, coils}. An array is a view of storage: views and reshapes share it, and it lives until the last of them
 * is destroyed. Strides count elements; a stride of 0 repeats an element along its dimension (for reading
 * only).
 *
 * Limits: 8 dimensions, each of 1 or more, and at most 2^58 elements. Threads: arrays may be read by several
 * threads at once, and written by one. Refused: unknown types, dimensions below 1, views and parts that reach
 * beyond their storage, a reshape of what is not contiguous, operands of different shapes, devices or
 * precisions (all ARGAND_ARGUMENT); double precision on devices without it, and computing with storage types
 * (ARGAND_UNSUPPORTED). Outputs that repeat elements (a stride of 0) are refused, too. NULL: of no array
 * questions give 0, false or NULL; whatever computes refuses it. */
#ifndef ARGAND_ARRAY_H
#define ARGAND_ARRAY_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ARGAND_MAX_RANK = 8 };

/* The type of an element. Precision is a value everywhere in Argand, never part of a function's name. Storage
 * types are for keeping and moving (create, wrap, view, copy, upload, download); transforms convert them as
 * they read and write (argand_fft_layout), nothing else computes with them. */
typedef enum argand_type {
    ARGAND_R32 = 1,  /* float */
    ARGAND_R64 = 2,  /* double */
    ARGAND_C32 = 3,  /* two floats: real, imaginary */
    ARGAND_C64 = 4,  /* two doubles */
    ARGAND_R16 = 5,  /* storage: half (IEEE binary16): 11 bits, up to 65504 */
    ARGAND_C16 = 6,  /* storage: two halves */
    ARGAND_RB16 = 7, /* storage: bfloat16: 8 bits, the range of a float */
    ARGAND_CB16 = 8, /* storage: two bfloat16 */
    ARGAND_U8 = 9 /* storage: whole numbers 0 to 255; what is written is rounded, and cut off at both ends */
} argand_type;

ARGAND_API size_t argand_type_size(argand_type type); /* bytes: 4, 8, 8, 16; 2, 4, 2, 4, 1 */
ARGAND_API const char *argand_type_name(argand_type type);

typedef struct argand_array argand_array;

/* Makes a new array filled with zeros. rank 0 to ARGAND_MAX_RANK; every dimension >= 1. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_create(argand_array **array, argand_device *device,
                                                             argand_type type, int rank, const int64_t *dims);

/* Wraps memory that belongs to the caller: a host pointer on the cpu device, a device pointer on a GPU.
 * strides in elements, NULL for contiguous. The memory must outlive the array and its views. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_wrap(argand_array **array, argand_device *device,
                                                           argand_type type, int rank, const int64_t *dims,
                                                           const int64_t *strides, void *pointer);

/* A view of the same storage: any shape and strides (elements) from `offset` elements after the array's
 * first. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_view(argand_array **view, const argand_array *array,
                                                           int rank, const int64_t *dims,
                                                           const int64_t *strides, int64_t offset);

/* The same memory as numbers of the other type of its precision: a complex array as the reals that it is
 * made of, with dimension 0 twice as long (re, im, re, ...), or reals as complex numbers, with half of it.
 * Dimension 0 must lie together (stride 1); towards complex numbers its length, the other strides and the
 * offset must be even, else ARGAND_ARGUMENT says which is not. For real transforms in place: make the half
 * spectrum's array, with rows of N/2 + 1, and take a view of its first N reals a row. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_view_as(argand_array **view, const argand_array *array,
                                                              argand_type type);

/* The part from start (included) of length count along one axis; the rank is unchanged. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_part(argand_array **view, const argand_array *array,
                                                           int axis, int64_t start, int64_t count);

/* The same elements in another shape; the array must be contiguous and the counts equal. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_reshape(argand_array **view, const argand_array *array,
                                                              int rank, const int64_t *dims);

ARGAND_API void argand_array_destroy(argand_array *array); /* NULL is allowed */

ARGAND_API argand_device *argand_array_device(const argand_array *array);
ARGAND_API argand_type argand_array_type(const argand_array *array);
ARGAND_API int argand_array_rank(const argand_array *array);
ARGAND_API int64_t argand_array_dim(const argand_array *array, int axis); /* 1 for an axis beyond the rank */
ARGAND_API int64_t argand_array_stride(const argand_array *array, int axis);
ARGAND_API int64_t argand_array_count(const argand_array *array); /* elements */
ARGAND_API bool argand_array_is_contiguous(const argand_array *array);

/* The first element's address on a host-addressable device, else NULL. Wait for the device before using it.
 */
ARGAND_API void *argand_array_data(const argand_array *array);

/* Host memory, contiguous, of the array's type and count. Both return once the host memory may be used again.
 */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_upload(argand_array *array, const void *host);
ARGAND_API ARGAND_MUST_USE argand_status argand_array_download(const argand_array *array, void *host);

/* Pointwise operations. Operands must have equal shapes (use views with stride 0 to repeat), live on one
 * device and have equal precision; a real operand may stand where a complex one is read. Output may be an
 * input (exactly the same view). Scalars are complex numbers given as real and imaginary part; for real
 * arrays the imaginary part must be 0. */
typedef struct argand_scalar {
    double re, im;
} argand_scalar;

ARGAND_API ARGAND_MUST_USE argand_status argand_array_fill(argand_array *y, argand_scalar value);
/* y = x; converts between precisions, to and from storage types (by way of float, to the nearest, ties to
 * even) and from real to complex; complex to real is refused (see argand_array_real). x may live on another
 * device: then it goes through the host's memory, and the call returns when that is done. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_copy(argand_array *y, const argand_array *x);
ARGAND_API ARGAND_MUST_USE argand_status argand_array_scale(argand_array *y, argand_scalar a); /* y = a y */
/* y = a x + b y (b = 1: axpy; a = 1: xpay) */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_axpby(argand_array *y, argand_scalar a,
                                                            const argand_array *x, argand_scalar b);
/* y = a b, or y = conj(a) b; and with `add` y += */
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

/* Reductions, accumulated in double, the same bits for any number of threads. */
/* sum conj(x) y */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_dot(argand_scalar *result, const argand_array *x,
                                                          const argand_array *y);
ARGAND_API ARGAND_MUST_USE argand_status argand_array_norm(double *result,
                                                           const argand_array *x); /* sqrt(sum |x|^2) */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_sum(argand_scalar *result, const argand_array *x);
ARGAND_API ARGAND_MUST_USE argand_status argand_array_max_abs(double *result, const argand_array *x);
/* false if any element is NaN or infinite */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_is_finite(bool *result, const argand_array *x);

#ifdef __cplusplus
}
#endif
#endif
