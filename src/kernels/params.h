/* SPDX-License-Identifier: BSD-3-Clause */
/* The plain structs that kernels take by value after their buffers; read by the host and by every device
 * language. INDEX is a signed 64-bit integer, defined by portable.h on devices and by this file on the host.
 */
#ifndef KERNELS_PARAMS_H
#define KERNELS_PARAMS_H

#ifndef INDEX
#include <stdint.h>
#define INDEX int64_t
#endif

/* Structs have the fields of 64 bits first and end on a multiple of them, so that every language lays them
 * out alike; this fails to compile where it does not. */
#define SAME_LAYOUT(name, bytes) typedef char name##_bytes[sizeof(struct name) == (bytes) ? 1 : -1]

#define KERNEL_RANK 8

/* A scalar for kernels of either precision: devices without doubles must not see one, so its bits travel as
 * an integer. */
struct kernel_scalar {
    INDEX bits[2];   /* real, imaginary, as doubles, bit for bit */
    float single[2]; /* the same as floats */
};
SAME_LAYOUT(kernel_scalar, 24);

/* How a work-group finds its share of up to three operands of one shape: rows of n[0] elements, `rows` of
 * them, dealt to groups in blocks of row_block rows by chunk elements. Strides and offsets count reals. */
struct kernel_layout {
    INDEX n[KERNEL_RANK];
    INDEX stride[3][KERNEL_RANK];
    INDEX offset[3];
    INDEX rows, row_block, chunk, chunks;
    int width[3]; /* reals per element: 1 real, 2 complex */
    int rank;
    int lanes; /* of a GPU's items side by side in a row: a power of two */
    int pad;
};
SAME_LAYOUT(kernel_layout, 336);

struct pointwise_params {
    struct kernel_layout at;
    struct kernel_scalar a, b;
    int mode; /* what the kernel's head says */
    int pad;
};
SAME_LAYOUT(pointwise_params, 392);

/* The end of a reduction: numbers[at] = factor times the sum of `count` partial results (+ numbers[at]). */
struct collect_params {
    INDEX count, at;
    struct kernel_scalar factor;
    int add, pad;
};

/* y = a x + b y, where a (or b, with `scale`) is multiplied by a ratio of two numbers of the device. */
struct ratio_params {
    struct kernel_layout at;
    struct kernel_scalar a, b;
    INDEX numerator, denominator;
    int scale, pad;
};

/* Images of `count` coils and one image, all contiguous; offsets count reals. Groups take `chunk` pixels, of
 * which there are `chunks`, of `together` coils. */
struct coils_params {
    INDEX pixels, count, chunk, chunks, together;
    INDEX image, maps, coils; /* offsets */
};

/* Vectors of `count` complex numbers, each with `terms` others of that length, and a factor for each term,
 * all contiguous; offsets count reals. Groups take `chunk` elements of SEGMENTS_TOGETHER vectors, `chunks`
 * groups for these. */
struct segments_params {
    INDEX count, terms, vectors, chunk, chunks;
    INDEX many, factor, one; /* offsets */
    int conjugate, add;
};
SAME_LAYOUT(segments_params, 72);

/* Elements and vectors of one item: on a CPU as many elements as keep its vectors full; on a GPU the
 * neighbours are other items, and vectors share the reading of factors. */
#define SEGMENTS_TOGETHER_ON_GPU 4
#ifdef GPU
#define SEGMENTS_RUN 1
#define SEGMENTS_TOGETHER SEGMENTS_TOGETHER_ON_GPU
#else
#define SEGMENTS_RUN 32
#define SEGMENTS_TOGETHER 1
#endif

/* Contiguous complex numbers of which up to three axes are shifted circularly; 1 and 0 beyond the rank.
 * Offsets count reals. */
struct circular_shift_params {
    INDEX n[3], shift[3]; /* 0 <= shift <= n */
    INDEX count, chunk;   /* elements in all, and of a group */
    INDEX out, in;        /* offsets */
    struct kernel_scalar factor;
};

/* Half spectra of m + 1 elements along axis 0, and the same packed into m: operand 0 is written, 1 read, and
 * n[0] is m. */
struct half_params {
    struct kernel_layout at;
    INDEX last; /* from element 0 of a half spectrum's row to element m, in reals */
    int axes;   /* the first ones, which were transformed; the others are a batch */
    int pad;
};
SAME_LAYOUT(half_params, 352);

/* Images of `vectors` under `kernels` parities of the kernels of a Toeplitz operator; offsets count reals.
 * Groups take `chunk` points or pixels. */
struct toeplitz_params {
    INDEX n[3], m[3];
    INDEX pixels, points, vectors, kernels, first_kernel, chunk, chunks;
    INDEX image, maps, space, work, twiddles; /* offsets */
    int bits[3];
    int parities, has_maps, has_space, add, pad;
};
SAME_LAYOUT(toeplitz_params, 176);

#endif
