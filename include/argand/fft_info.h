/* SPDX-License-Identifier: BSD-3-Clause */
/* fft_info.h: what a plan will do and why, the candidates among which it was chosen, and where its
 * frequencies lie.
 *
 * Limits: of a pass that is shown and of a candidate's reason, the lengths of their texts. Threads: a plan
 * may be asked by several threads at once. Refused with ARGAND_ARGUMENT: passes and candidates that there
 * are not; positions and frequencies that an axis does not have are -1. NULL: see argand.h; a plan that is
 * NULL has no passes, no candidates and no work memory. */
#ifndef ARGAND_FFT_INFO_H
#define ARGAND_FFT_INFO_H

#include "fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what a plan will do, and why ---- */

/* One pass over memory that a plan takes: so many lines of one length are read, transformed and written. */
typedef struct argand_fft_pass {
    char what[48];                       /* "rows", "columns in tiles of 8", "cuFFT" */
    int axis;                            /* whose lines; -1 where it is several, or not known */
    int64_t length, lines;               /* 0 where not known */
    char radices[64];                    /* "16x16x4", or the engine's text for it; "" where not known */
    int64_t read_bytes, write_bytes;     /* all that goes over memory, tables included where they count */
    int64_t read_segment, write_segment; /* bytes that lie together; 0: all do */
    double operations;                   /* floating point */
    int launches;                        /* of kernels on a GPU; 0 means 1 */
    double seconds;                      /* predicted */
    /* On processors, which algorithms for its lines were compared: nanoseconds of a line by each, estimated
     * or measured, or why it cannot; "" where not known. */
    char algorithms[512];
} argand_fft_pass;

/* The passes of a call in that direction, on contiguous arrays or along the plan's axes; 0 where the engine
 * does not report it. */
ARGAND_API int argand_fft_pass_count(const argand_fft *plan, argand_direction direction);
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_pass_describe(const argand_fft *plan,
                                                                  argand_direction direction, int index,
                                                                  argand_fft_pass *pass);
/* Bytes of work memory during a call, which the device keeps between calls; copies that strided arrays may
 * need are not counted. */
ARGAND_API int64_t argand_fft_workspace(const argand_fft *plan, argand_direction direction);

/* A candidate for the problem that was considered when the plan was made: an engine, and one of its
 * variants. */
typedef struct argand_fft_candidate {
    char engine[32], variant[160];
    bool possible, taken;
    double predicted,
        measured;     /* seconds of a forward transform (of both directions of a real one); 0: not known */
    char reason[192]; /* why it cannot do it, or why it was or was not taken */
    /* Inverse transforms go by it; that may be another one than the one taken for forward transforms where a
     * real plan measured both. */
    bool taken_inverse;
    double measured_inverse; /* of what was measured of a real transform, the inverse's part */
} argand_fft_candidate;
ARGAND_API int argand_fft_candidate_count(const argand_fft *plan);
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_candidate_describe(const argand_fft *plan, int index,
                                                                       argand_fft_candidate *candidate);

/* ---- the order of frequencies ----
 * axis 0 to rank - 1; positions and frequencies from 0 to n - 1, where frequency k means k - n for k > n/2;
 * centred plans have frequency 0 at position floor(n/2). In the spectrum of a plan, whatever its
 * order: */

/* The frequency at a position. */
ARGAND_API int64_t argand_fft_frequency(const argand_fft *plan, int axis, int64_t position);
/* Where a frequency lies. */
ARGAND_API int64_t argand_fft_position(const argand_fft *plan, int axis, int64_t frequency);
/* The position of frequency -k, where k is the one at `position`. Along axis 0 of a real plan half of the
 * frequencies are not stored: -1 for these from all three functions. Real arrays with several axes: mirror
 * all of them. */
ARGAND_API int64_t argand_fft_mirror(const argand_fft *plan, int axis, int64_t position);
/* The same of the signal: which element of the signal lies at a position, and where it lies. */
ARGAND_API int64_t argand_fft_signal_index(const argand_fft *plan, int axis, int64_t position);
ARGAND_API int64_t argand_fft_signal_position(const argand_fft *plan, int axis, int64_t index);

#ifdef __cplusplus
}
#endif
#endif
