/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain structs that kernels take by value after their buffers; compiled by the host and in every device
 * language. INDEX is a signed 64-bit integer, defined by portable.h on devices and by this file on the
 * host. */
#ifndef KERNELS_PARAMS_H
#define KERNELS_PARAMS_H

#ifndef INDEX
#include <stdint.h>
#define INDEX int64_t
#endif

/* Structs begin with their 64-bit members and have a size that is a multiple of 64 bits, so that every
 * language lays them out alike. SAME_LAYOUT fails to compile if a struct has another size. */
#define SAME_LAYOUT(name, bytes) typedef char name##_bytes[sizeof(struct name) == (bytes) ? 1 : -1]

#define KERNEL_RANK 8

/* A scalar for kernels of either precision. Its bits are stored as integers, because devices without
 * doubles must not see one. */
struct kernel_scalar {
    INDEX bits[2];   /* real and imaginary part: bits of doubles */
    float single[2]; /* the same as floats */
};
SAME_LAYOUT(kernel_scalar, 24);

/* Elements of a work-group, in up to three operands of one shape: `rows` rows of n[0] elements, dealt to
 * groups in blocks of row_block rows by chunk elements. Strides and offsets count reals. */
struct kernel_layout {
    INDEX n[KERNEL_RANK];
    INDEX stride[3][KERNEL_RANK];
    INDEX offset[3];
    INDEX rows, row_block, chunk, chunks;
    int width[3]; /* reals per element: 1 real, 2 complex */
    int rank;
    int lanes; /* items of a GPU along a row: a power of two */
    int pad;
};
SAME_LAYOUT(kernel_layout, 336);

struct pointwise_params {
    struct kernel_layout at;
    struct kernel_scalar a, b;
    int mode; /* described at the head of the kernel */
    int pad;
};
SAME_LAYOUT(pointwise_params, 392);

/* End of a reduction: numbers[at] = factor times the sum of `count` partial results (+ numbers[at]). */
struct collect_params {
    INDEX count, at;
    struct kernel_scalar factor;
    int add, pad;
};

/* Arrays of `count` reals for four_dots; offsets count reals. A group takes `chunk` reals. */
struct four_dots_params {
    INDEX count, chunk, chunks;
    INDEX r, x, b; /* offsets */
};
SAME_LAYOUT(four_dots_params, 48);

/* y = a x + b y, where a (or b, with `scale`) is multiplied by the ratio of two scalars on the device. */
struct ratio_params {
    struct kernel_layout at;
    struct kernel_scalar a, b;
    INDEX numerator, denominator;
    int scale, pad;
};

/* Images of `count` coils and one image, all contiguous; offsets count reals. A group takes `chunk` pixels
 * (one of `chunks` chunks) of `together` coils. */
struct coils_params {
    INDEX pixels, count, chunk, chunks, together;
    INDEX image, maps, coils; /* offsets */
};

/* Lines of `samples` samples and images of n x rows pixels, of `coils` coils; offsets count reals. A group
 * takes `chunk` results. */
struct lines_params {
    INDEX n, rows, samples, lines, coils, chunk;
    INDEX in, factors; /* offsets */
};
SAME_LAYOUT(lines_params, 64);

/* Vectors of `count` complex numbers; for each, `terms` other vectors of that length, and a factor for
 * each term. All are contiguous; offsets count reals. A group takes `chunk` elements of SEGMENTS_TOGETHER
 * vectors; `chunks` groups cover these vectors. */
struct segments_params {
    INDEX count, terms, vectors, chunk, chunks;
    INDEX many, factor, one; /* offsets */
    int conjugate, add;
};
SAME_LAYOUT(segments_params, 72);

/* Elements and vectors of one item. On a CPU the elements fill its vector registers. On a GPU the
 * neighbours are other items, and vectors share the loads of factors. */
#define SEGMENTS_TOGETHER_ON_GPU 4
#ifdef GPU
#define SEGMENTS_RUN 1
#define SEGMENTS_TOGETHER SEGMENTS_TOGETHER_ON_GPU
#else
#define SEGMENTS_RUN 32
#define SEGMENTS_TOGETHER 1
#endif

/* Contiguous complex numbers with circular shifts of up to three axes; sizes are 1 and shifts 0 beyond the
 * rank. Offsets count reals. */
struct circular_shift_params {
    INDEX n[3], shift[3]; /* 0 <= shift <= n */
    INDEX count, chunk;   /* number of elements, and elements of a group */
    INDEX out, in;        /* offsets */
    struct kernel_scalar factor;
};

/* Half spectra of m + 1 elements along axis 0, and the same packed into m: operand 0 is written, 1 read;
 * n[0] is m. */
struct half_params {
    struct kernel_layout at;
    INDEX last; /* distance from element 0 to element m of a half spectrum's row, in reals */
    int axes;   /* number of transformed axes, which come first; the others are a batch */
    int pad;
};
SAME_LAYOUT(half_params, 352);

/* Images of `vectors` vectors under `kernels` parities of the kernels of a Toeplitz operator; offsets
 * count reals. A group takes `chunk` points or pixels. */
struct toeplitz_params {
    INDEX n[3], m[3];
    INDEX pixels, points, vectors, kernels, first_kernel, chunk, chunks;
    INDEX image, maps, space, work, twiddles; /* offsets */
    int bits[3];
    int parities, has_maps, has_space, add, pad;
};
SAME_LAYOUT(toeplitz_params, 176);

/* Spectra {points, vectors, images} of a subspace, and the real spectra {points, kernels} of the kernels of
 * its pairs of images; offsets count reals. A group takes `chunk` points of MIX_TOGETHER vectors. */
struct toeplitz_mix_params {
    INDEX points, vectors, chunk, chunks;
    INDEX out, in, kernels; /* offsets */
    int images, is_complex;
};
SAME_LAYOUT(toeplitz_mix_params, 64);

/* Images that are written at once, and points and vectors of one item (as SEGMENTS_RUN). */
#define MIX_ROWS 4
#define MIX_TOGETHER_ON_GPU 4
#ifdef GPU
#define MIX_RUN 1
#define MIX_TOGETHER MIX_TOGETHER_ON_GPU
#else
#define MIX_RUN 32
#define MIX_TOGETHER 1
#endif

#endif
