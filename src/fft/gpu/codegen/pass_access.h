/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the accessors at the input or output of a pass (kernels/fft/tile/chain.krn). */
#ifndef FFT_GPU_CODEGEN_PASS_ACCESS_H
#define FFT_GPU_CODEGEN_PASS_ACCESS_H

#include "fft/access/access.h"

enum { PASS_ACCESS_DIMS = 6 }; /* ACCESS_RANK of the kernels: axes and loops */
/* Properties of an accessor's array: its elements are real; offsets need 64 bits; its strides are those of
 * the array that the plan was made with, so that kernels have them as constants; results may be stored
 * into it. */
enum {
    ACCESS_KIND_BITS = 4,
    ACCESS_REAL_ARRAY = 1,
    ACCESS_FAR_ARRAY = 2,
    ACCESS_STEPS_KNOWN = 4,
    ACCESS_SHARED_ARRAY = 8
};
typedef struct pass_access {
    bool on;
    bool coordinates; /* the chain uses coordinates */
    argand_type type;
    const access_array_layout *layout; /* NULL: elements of the transform's type */
    const argand_accessor *chain;
    int links; /* accessors in the kernel: those of the chain without scalars merged into its factor */
    int place[ARGAND_MAX_ACCESSORS]; /* position of link i in the chain */
    bool factor;                     /* results are multiplied by a complex number */
    unsigned reals;   /* properties of the array of accessor i, from bit ACCESS_KIND_BITS i on */
    int chain_number; /* 0 load, 1 spectrum, 2 store */
    bool mirror;      /* the chain receives X[-k] */
    struct {
        int rank; /* 0: not loaded */
        int64_t points[PASS_ACCESS_DIMS], step[PASS_ACCESS_DIMS];
    } image; /* source of X[-k], loaded along with X[k]: points of the axes, and their strides */
    int windows;
    struct {
        int dim, points, first, count, border;
        int64_t stride;      /* in elements */
        int constant_stride; /* stride that is a constant of the kernel; 0: not constant */
    } window[2];
    /* positions of its elements among the launch arguments */
    int strides, split, around, link[ARGAND_MAX_ACCESSORS];
} pass_access;

#endif
