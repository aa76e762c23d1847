/* SPDX-License-Identifier: BSD-3-Clause */
/* nufft3.h: the nonuniform FFT of type 3, from points anywhere to points anywhere:
 *   apply:    s_j = sum_n m_n exp(-2 pi i k_j . r_n)     sources at r_n -> targets at k_j
 *   adjoint:  m_n = sum_j s_j exp(+2 pi i k_j . r_n)     the exact adjoint
 * Any units whose product is cycles (a field of view and cycles per field of view), or radians by an option.
 * Nothing is scaled, nothing wraps around. With M samples |s - exact sum| <= tolerance sqrt(M) (sum of
 * |m_n|) for every m, whatever cancels, and likewise back (see nufft.h). Results are the same bits for any
 * number of threads.
 * Time and memory go with the product over the axes of (extent of the sources x extent of the targets in
 * cycles + a few): a transform of that many pixels to a grid twice as fine or finer on each axis. Points may
 * lie anywhere, as the middles of both extents cost only a phase.
 *
 * Limits: extents whose product is below 2^26 cycles on an axis, 2^32 - 1 points on each side, and the grid
 * must fit into memory (ARGAND_UNSUPPORTED, ARGAND_MEMORY). Threads: as plans of nufft.h. Refused: types that
 * are not complex, tolerances, oversampling and options out of range, a plan without points that is applied,
 * arrays of other shapes, types or devices than the plan's (ARGAND_ARGUMENT); positions that are not finite
 * (ARGAND_NUMERIC). NULL: see argand.h; options and every position's array are needed. */
#ifndef ARGAND_NUFFT3_H
#define ARGAND_NUFFT3_H

#include "nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_nufft3 argand_nufft3;

typedef struct argand_nufft3_options {
    argand_type type;    /* ARGAND_C32 or ARGAND_C64 */
    int rank;            /* 1, 2 or 3 */
    double tolerance;    /* 0 means 1e-5 for C32 and 1e-9 for C64 */
    double oversampling; /* of each of its two grids, > 1; raised where the tolerance needs it; 0: chosen */
    int sign;            /* of the exponent of apply, -1 or 1; adjoint has the other; 0 means -1 */
    argand_nufft_units units; /* ARGAND_NUFFT_RADIANS: k . r counts in radians, exp(-i k_j . r_n) */
} argand_nufft3_options;

typedef struct argand_nufft3_info {
    double tolerance;      /* asked for */
    double expected_error; /* error of windows and rounding, defined like the tolerance */
    int width;             /* of the window of the sources, in cells of the first grid */
    int64_t grid[3]; /* to which sources are spread; that of the FFT is finer: see argand_nufft3_print */
    size_t bytes;    /* held by the plan and its points */
    argand_type type;
    int rank;
    int64_t sources, targets; /* 0 before argand_nufft3_set_points */
    bool through_host;        /* the device has no NUFFT of its own: the CPU computes, on copies */
} argand_nufft3_info;

ARGAND_API ARGAND_MUST_USE argand_status argand_nufft3_create(argand_nufft3 **plan, argand_device *device,
                                                              const argand_nufft3_options *options);
/* sources[axis] and targets[axis] for rank axes, real arrays (R32 or R64) with one position per point,
 * contiguous, on any device. They are sorted and copied: the caller may free them. Fails and leaves the plan
 * as it was if a position is not finite, or if the grid would be too large. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft3_set_points(argand_nufft3 *plan,
                                                                  argand_array *const sources[],
                                                                  argand_array *const targets[]);
/* strengths: dims {sources, vectors}; samples: dims {targets, vectors}. A trailing dimension of 1 may be left
 * out; further ones are folded into the vectors, if there are no gaps between them. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft3_apply(const argand_nufft3 *plan, argand_array *samples,
                                                             const argand_array *strengths);
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft3_adjoint(const argand_nufft3 *plan,
                                                               argand_array *strengths,
                                                               const argand_array *samples);
ARGAND_API void argand_nufft3_describe(const argand_nufft3 *plan, argand_nufft3_info *info);
ARGAND_API void argand_nufft3_print(const argand_nufft3 *plan, char *text, size_t size);
ARGAND_API void argand_nufft3_destroy(argand_nufft3 *plan);

#ifdef __cplusplus
}
#endif
#endif
