/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of accessors are given. Below 1024 bytes with six buffers, as OpenCL 1.2 promises no
 * more. */
#define ACCESS_RANK 6
#define DIMS ACCESS_RANK
#define ACCESS_LINKS 4
#define ACCESS_NUMBERS 8

/* Dimensions are axes, then loops. Scalars travel as the bits of a REAL: devices without doubles must not see
 * one. */
struct access_params {
    INDEX n[ACCESS_RANK];      /* points of each axis, length of each loop */
    INDEX count[ACCESS_RANK];  /* elements of the array */
    INDEX first[ACCESS_RANK];  /* the point of element 0 */
    INDEX stride[ACCESS_RANK]; /* of the array, in its elements */
    INDEX at, imaginary;       /* the array's first element; from there to imaginary parts */
    INDEX work;                /* the transform's first element, in reals */
    INDEX total, chunk;        /* elements in all, and of a group */
    INDEX link_stride[ACCESS_LINKS][ACCESS_RANK]; /* of the accessors' arrays */
    INDEX link_at[ACCESS_LINKS];                  /* their first elements, in reals */
    INDEX scalar[ACCESS_LINKS][2], numbers[ACCESS_LINKS][ACCESS_NUMBERS];
    INDEX around[2], factor;
    int border[ACCESS_RANK];
    int real_array[ACCESS_LINKS]; /* 1: real, 2: complex */
    int sum;                      /* bit d: dimension d is summed */
    int pad;
};
SAME_LAYOUT(access_params, 848);
