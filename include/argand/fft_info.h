/* SPDX-License-Identifier: BSD-3-Clause */
/* fft_info.h: the passes of a plan, the candidates that it was chosen from, and the order of its frequencies.
 *
 * Limits: texts are cut to their size. Threads: several threads may query a plan at once. Refused with
 * ARGAND_ARGUMENT: a pass or candidate number out of range. A position or frequency out of range gives -1.
 * NULL: see argand.h; NULL in place of a plan has no passes, no candidates and no work memory. */
#ifndef ARGAND_FFT_INFO_H
#define ARGAND_FFT_INFO_H

#include "fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- passes and candidates ---- */

/* One pass of a plan over memory: `lines` lines of `length` points are read, transformed and written. */
typedef struct argand_fft_pass {
    char what[48];                       /* "rows", "columns in tiles of 8", "cuFFT" */
    int axis;                            /* transformed axis; -1: several, or unknown */
    int64_t length, lines;               /* 0: unknown */
    char radices[64];                    /* "16x16x4", or the engine's own text; "": unknown */
    int64_t read_bytes, write_bytes;     /* memory traffic, including tables if they matter */
    int64_t read_segment, write_segment; /* contiguous bytes; 0: all are contiguous */
    double operations;                   /* floating-point operations */
    int launches;                        /* kernel launches on a GPU; 0 means 1 */
    double seconds;                      /* predicted time */
    /* On CPUs: the algorithms that were compared for these lines, with the estimated or measured nanoseconds
     * of a line, or the reason why an algorithm cannot be used; "": unknown. */
    char algorithms[512];
} argand_fft_pass;

/* Returns the number of passes of a call in the given direction, on contiguous arrays or along the plan's
 * axes; 0 if the engine does not report passes. */
ARGAND_API int argand_fft_pass_count(const argand_fft *plan, argand_direction direction);
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_pass_describe(const argand_fft *plan,
                                                                  argand_direction direction, int index,
                                                                  argand_fft_pass *pass);
/* Returns the bytes of work memory of a call, which the device keeps between calls. Copies for strided arrays
 * are not included. */
ARGAND_API int64_t argand_fft_workspace(const argand_fft *plan, argand_direction direction);

/* A candidate that the planner considered: an engine and one of its variants. */
typedef struct argand_fft_candidate {
    char engine[32], variant[160];
    bool possible, taken;
    /* Seconds of a forward transform (real: of both directions); 0: unknown. Of the tunings of an engine only
     * the first, or the one that is taken, has a prediction. */
    double predicted, measured;
    char reason[192]; /* why it is impossible, or why it was or was not taken */
    /* Taken for inverse transforms. A real plan that measured both directions may take another candidate for
     * each. */
    bool taken_inverse;
    double measured_inverse; /* real transforms: measured seconds of the inverse */
} argand_fft_candidate;
ARGAND_API int argand_fft_candidate_count(const argand_fft *plan);
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_candidate_describe(const argand_fft *plan, int index,
                                                                       argand_fft_candidate *candidate);

/* ---- the order of frequencies ----
 * axis: 0 to rank - 1. Positions and frequencies: 0 to n - 1; frequency k means k - n if k > n/2. Centred
 * plans have frequency 0 at position floor(n/2). The functions are right for every order of a plan. */

/* Returns the frequency at a position. */
ARGAND_API int64_t argand_fft_frequency(const argand_fft *plan, int axis, int64_t position);
/* Returns the position of a frequency. */
ARGAND_API int64_t argand_fft_position(const argand_fft *plan, int axis, int64_t frequency);
/* Returns the position of frequency -k for the frequency k at `position`. Along axis 0 of a real plan half of
 * the frequencies are not stored; for these, all three functions return -1. For several axes, mirror the
 * position on each axis. */
ARGAND_API int64_t argand_fft_mirror(const argand_fft *plan, int axis, int64_t position);
/* For the signal: return the element at a position, and the position of an element. */
ARGAND_API int64_t argand_fft_signal_index(const argand_fft *plan, int axis, int64_t position);
ARGAND_API int64_t argand_fft_signal_position(const argand_fft *plan, int axis, int64_t index);

#ifdef __cplusplus
}
#endif
#endif
