/* SPDX-License-Identifier: BSD-3-Clause */
/* toeplitz.h: normal operators A^H W A of nonuniform Fourier transforms as convolutions on a doubled grid, so
 * that an iteration needs FFTs alone: no samples, no spreading, on every device that has an FFT.
 *   A: s_j = sum_n m_n exp(i P_s(n)) exp(-R_n t_j) exp(-i (2 pi k_j . r_n + w_n t_j)), W = diag(weights)
 * for sample j of shot s, with the signs and units of nufft.h and field.h. Field map w, R2* R, phase maps P
 * and a mask are optional. Without field map and R2* a shot is one convolution. With them the product of two
 * exponentials is expanded over L + 1 nodes in time (Fessler, Lee, Olafsson, Shi and Noll, IEEE Trans. Signal
 * Process. 53:3393, 2005), as many convolutions, with L from the tolerance. The operator is Hermitian to
 * rounding; its kernels are made once (on the host) and may be shared by any number of operators.
 *
 * Limits: 2^24 pixels on an axis, 4096 segments; memory for the doubled grid, once for each convolution.
 * Threads: kernels do not change once they are made; operators of them may be applied by a thread each.
 * Refused: arrays that are not real or of another size than k or the image, weights below 0, samples that are
 * no whole number of shots, shots without phase maps, tolerances of 1 or more (ARGAND_ARGUMENT); values that
 * are not finite, but in pixels that the mask leaves out (ARGAND_NUMERIC); field maps that turn too often for
 * an expansion (ARGAND_UNSUPPORTED). NULL: see argand.h; options and k[0..rank-1] are needed, arrays that are
 * NULL are absent. */
#ifndef ARGAND_TOEPLITZ_H
#define ARGAND_TOEPLITZ_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_toeplitz argand_toeplitz;

/* Arrays are real (R32 or R64) on any device, with their elements in order whatever their shape; NULL means
 * absent. They are not kept. */
typedef struct argand_toeplitz_options {
    argand_type type; /* ARGAND_C32 or ARGAND_C64 */
    int rank;         /* 1, 2 or 3 */
    int64_t n[3];     /* image size, x first */
    const argand_array
        *k[3]; /* cycles per field of view, one per sample, shot after shot; k[0..rank-1] needed */
    const argand_array *weights;    /* W, >= 0, one per sample; NULL: 1 */
    const argand_array *t;          /* seconds, one per sample; needed with a field map or R2* */
    const argand_array *field_map;  /* rad/s, one per pixel */
    const argand_array *r2star;     /* 1/s, one per pixel */
    const argand_array *mask;       /* pixels where this is 0 are read as 0 and written as 0 */
    const argand_array *phase_maps; /* P, rad, {n..., shots} */
    int shots;                      /* with phase maps: shots of equally many samples each; 0 means 1 */
    double
        tolerance; /* relative l2 error of the operator against the exact one (with a field: on average over
                      pixels and samples). 0 means 1e-5 (C32) or 1e-9 (C64); 1e-3 with a field map or R2* */
    int segments;  /* L: L + 1 nodes in time; 0: as few as reach the tolerance */
} argand_toeplitz_options;

typedef struct argand_toeplitz_info {
    argand_type type;
    int rank;
    int64_t n[3];
    int64_t grid[3]; /* of the convolution: the doubled grid */
    int64_t samples;
    int shots, segments;  /* convolutions are their product */
    double segment_error; /* relative rms error of the expansion in time, over pairs of pixels and samples */
    size_t bytes;         /* held on the device */
    const char *engine;   /* who computes: "cpu" or "fft" */
} argand_toeplitz_info;

ARGAND_API ARGAND_MUST_USE argand_status argand_toeplitz_create(argand_toeplitz **toeplitz,
                                                                argand_device *device,
                                                                const argand_toeplitz_options *options);
ARGAND_API void argand_toeplitz_describe(const argand_toeplitz *toeplitz, argand_toeplitz_info *info);
ARGAND_API void argand_toeplitz_print(const argand_toeplitz *toeplitz, char *text, size_t size);
/* Operators keep what they need of it: it may be destroyed as soon as they are made. NULL is allowed. */
ARGAND_API void argand_toeplitz_destroy(argand_toeplitz *toeplitz);

/* Eigenvalues of the circulant matrix nearest to sum_c conj(S_c) T S_c (T. Chan 1988), T the normal operator:
 * what it gives for plane waves, in the order of an FFT. A new real array {n...} on the host's device.
 * maps: complex {n..., coils}, contiguous, of T's type and device; NULL: one coil that is 1. For
 * argand_solve_options.spectrum. */
ARGAND_API ARGAND_MUST_USE argand_status argand_toeplitz_circulant(argand_array **eigenvalues,
                                                                   const argand_toeplitz *toeplitz,
                                                                   const argand_array *maps);

/* Will it pay? By rates measured beforehand, seconds of a normal operator by NUFFT forward and adjoint (with
 * `terms` segments of a field map), by Toeplitz, and of making the kernels once. It pays where nufft >
 * toeplitz + kernels / iterations. */
typedef struct argand_toeplitz_problem {
    argand_type type;
    int rank;
    int64_t n[3];
    int64_t samples;  /* of all shots */
    int64_t vectors;  /* coils; 0: 1 */
    int shots;        /* with a phase map each; 0: 1 */
    int terms;        /* of argand_op_segmented; 0 or 1: no field */
    int segments;     /* nodes here; 0: twice as many as terms */
    double tolerance; /* 0 means 1e-5 */
} argand_toeplitz_problem;
typedef struct argand_toeplitz_times {
    double nufft, toeplitz, kernels;
} argand_toeplitz_times;
ARGAND_API ARGAND_MUST_USE argand_status argand_toeplitz_predict(argand_toeplitz_times *times,
                                                                 argand_device *device,
                                                                 const argand_toeplitz_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
