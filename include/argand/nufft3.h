/* SPDX-License-Identifier: BSD-3-Clause */
/* nufft3.h: the nonuniform FFT of type 3, from points anywhere to points anywhere:
 *   apply:    s_j = sum_n m_n exp(-2 pi i k_j . r_n)     sources at r_n -> targets at k_j
 *   adjoint:  m_n = sum_j s_j exp(+2 pi i k_j . r_n)     the exact adjoint
 * The product of the units of k and r is cycles (for example cycles per field of view and fields of view), or
 * radians by an option. Nothing is scaled or wrapped. With M samples, |s - exact sum| <= tolerance sqrt(M)
 * (sum of |m_n|) for every m, even if terms cancel; likewise for the adjoint (see nufft.h). The bits do not
 * depend on the number of threads.
 *
 * Time and memory grow with the product over the axes of (extent of the sources times extent of the targets,
 * in cycles, plus a few): the plan makes a transform of so many pixels to a grid twice as fine or finer.
 * Points may lie anywhere, because the centres of both extents only add a phase.
 *
 * Limits: on each axis the product of the extents is below 2^26 cycles; 2^32 - 1 sources and targets; the
 * grid must fit into memory (ARGAND_UNSUPPORTED, ARGAND_MEMORY). Threads: as for plans of nufft.h. Refused
 * with ARGAND_ARGUMENT: types that are not complex, tolerances, oversampling and options out of range,
 * applying a plan without points, arrays whose shape, type or device is not the plan's; with ARGAND_NUMERIC:
 * positions that are not finite. NULL: see argand.h; options and all position arrays are required. */
#ifndef ARGAND_NUFFT3_H
#define ARGAND_NUFFT3_H

#include "nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_nufft3 argand_nufft3;

typedef struct argand_nufft3_options {
    argand_type type;         /* ARGAND_C32 or ARGAND_C64 */
    int rank;                 /* 1, 2 or 3 */
    double tolerance;         /* 0 means 1e-5 for C32 and 1e-9 for C64 */
    double oversampling;      /* of both grids, > 1; raised if the tolerance needs it; 0: automatic */
    int sign;                 /* of the exponent of apply, -1 or 1; adjoint has the other; 0 means -1 */
    argand_nufft_units units; /* ARGAND_NUFFT_RADIANS: k . r is in radians, exp(-i k_j . r_n) */
    bool wait_for_kernels;    /* CUDA: see "Cold plans" in nufft.h */
} argand_nufft3_options;

typedef struct argand_nufft3_info {
    double tolerance;      /* as requested */
    double expected_error; /* error of windows and rounding, defined like the tolerance */
    int width;             /* window width of the sources, in cells of the first grid */
    int64_t grid[3];       /* grid of the sources; that of the FFT is finer (argand_nufft3_print) */
    size_t bytes;          /* memory of the plan and its points */
    argand_type type;
    int rank;
    int64_t sources, targets; /* 0 before argand_nufft3_set_points */
} argand_nufft3_info;

ARGAND_API ARGAND_MUST_USE argand_status argand_nufft3_create(argand_nufft3 **plan, argand_device *device,
                                                              const argand_nufft3_options *options);
/* Sets sources[axis] and targets[axis] for rank axes: real arrays (R32 or R64) with one position per point,
 * contiguous, on any device. The plan sorts and copies them; the caller may free the arrays. If a position is
 * not finite or the grid would be too large, the call fails and the plan keeps its former points. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft3_set_points(argand_nufft3 *plan,
                                                                  argand_array *const sources[],
                                                                  argand_array *const targets[]);
/* Apply and adjoint. strengths: dims {sources, vectors}; samples: dims {targets, vectors}. A trailing
 * dimension of 1 may be left out; further dimensions count as vectors if no gaps lie between them. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft3_apply(const argand_nufft3 *plan, argand_array *samples,
                                                             const argand_array *strengths);
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft3_adjoint(const argand_nufft3 *plan,
                                                               argand_array *strengths,
                                                               const argand_array *samples);
/* Transforms memory of the host in one call, from strengths to samples: the bits, errors and messages are
 * those of argand_nufft3_create, argand_nufft3_set_points and argand_nufft3_apply. strengths:
 * sources->count x vectors elements; samples: targets->count x vectors. Both are complex, of options->type,
 * contiguous, and do not overlap; vectors is 1 or more. Refused also: as for argand_nufft_type2 (nufft.h). */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_type3(argand_device *device, void *samples,
                                                            const void *strengths, int64_t vectors,
                                                            const argand_nufft_points *sources,
                                                            const argand_nufft_points *targets,
                                                            const argand_nufft3_options *options);
ARGAND_API void argand_nufft3_describe(const argand_nufft3 *plan, argand_nufft3_info *info);
ARGAND_API void argand_nufft3_print(const argand_nufft3 *plan, char *text, size_t size);
ARGAND_API void argand_nufft3_destroy(argand_nufft3 *plan);

#ifdef __cplusplus
}
#endif
#endif
