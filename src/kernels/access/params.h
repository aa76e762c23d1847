/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of the kernels of accessors. They and six buffers stay below 1024 bytes, because OpenCL 1.2
 * guarantees no more. */
#define ACCESS_RANK 6
#define DIMS ACCESS_RANK
#define ACCESS_LINKS 4
#define ACCESS_NUMBERS 8

/* Dimensions are axes, then loops. Scalars are stored as the bits of a REAL: devices without doubles must
 * not see one. */
struct access_params {
    INDEX n[ACCESS_RANK];                         /* points of each axis, length of each loop */
    INDEX count[ACCESS_RANK];                     /* elements of the array */
    INDEX first[ACCESS_RANK];                     /* point of element 0 */
    INDEX stride[ACCESS_RANK];                    /* strides of the array, in its elements */
    INDEX at, imaginary;                          /* offset of the array; distance to its imaginary parts */
    INDEX work;                                   /* offset of the transform's array, in reals */
    INDEX total, chunk;                           /* number of elements, and elements of a group */
    INDEX link_stride[ACCESS_LINKS][ACCESS_RANK]; /* strides of the accessors' arrays */
    INDEX link_at[ACCESS_LINKS];                  /* their offsets, in reals */
    INDEX scalar[ACCESS_LINKS][2], numbers[ACCESS_LINKS][ACCESS_NUMBERS];
    INDEX around[2], factor;
    int border[ACCESS_RANK];
    int real_array[ACCESS_LINKS]; /* 1: real, 2: complex */
    int sum;                      /* bit d: dimension d is summed */
    int pad;
};
SAME_LAYOUT(access_params, 848);
