/* SPDX-License-Identifier: BSD-3-Clause */
/* What input or output of a pass does with accessors (kernels/fft/tile/chain.krn). */
#ifndef FFT_GPU_CODEGEN_PASS_ACCESS_H
#define FFT_GPU_CODEGEN_PASS_ACCESS_H

#include "fft/access/access.h"

enum { PASS_ACCESS_DIMS = 6 }; /* ACCESS_RANK of the kernels: axes and loops */
/* Of an accessor's array: it is real; it wants offsets of 64 bits; its elements have the strides of
 * the array that the plan was made with, so that kernels have them as constants; results may be stored where
 * it lies. */
enum {
    ACCESS_KIND_BITS = 4,
    ACCESS_REAL_ARRAY = 1,
    ACCESS_FAR_ARRAY = 2,
    ACCESS_STEPS_KNOWN = 4,
    ACCESS_SHARED_ARRAY = 8
};
typedef struct pass_access {
    bool on;
    bool coordinates; /* the chain looks at them */
    argand_type type;
    const access_array_layout *layout; /* NULL: the transform's own elements */
    const argand_accessor *chain;
    int links; /* that the kernel has: those of the chain but scalars that became its factor */
    int place[ARGAND_MAX_ACCESSORS]; /* of link i in the chain */
    bool factor;                     /* results are multiplied by a complex number */
    unsigned reals;   /* what the array of accessor i is: bits ACCESS_KIND_BITS i and the next ones */
    int chain_number; /* 0 load, 1 spectrum, 2 store */
    bool mirror;      /* the chain is given X[-k] */
    struct {
        int rank; /* 0: not loaded */
        int64_t points[PASS_ACCESS_DIMS], step[PASS_ACCESS_DIMS];
    } image; /* that, loaded along with X[k]: points of the axes, and their strides; in the middle: tiles
              * have lines and their images, where X[-k] is */
    int windows;
    struct {
        int dim, points, first, count, border;
        int64_t stride;      /* of elements */
        int constant_stride; /* a stride that the kernel has as a constant; 0: not */
    } window[2];
    /* where its elements are among those of the launch */
    int strides, split, around, link[ARGAND_MAX_ACCESSORS];
} pass_access;

#endif
