/* SPDX-License-Identifier: BSD-3-Clause */
/* toeplitz.h: normal operators A^H W A of nonuniform Fourier transforms, computed as convolutions on a
 * doubled grid. An iteration then needs only FFTs, and neither samples nor spreading.
 *   A: s_j = sum_n m_n exp(i P_s(n)) exp(-R_n t_j) exp(-i (2 pi k_j . r_n + w_n t_j)), W = diag(weights)
 * for sample j of shot s, with the signs and units of nufft.h and field.h. Field map w, R2* R, phase maps P
 * and a mask are optional. Without field map and R2* a shot is one convolution. With them the product of two
 * exponentials is expanded over L + 1 nodes in time (Fessler, Lee, Olafsson, Shi and Noll, IEEE Trans. Signal
 * Process. 53:3393, 2005). Each node needs one convolution; L follows from the tolerance. The operator is
 * Hermitian to rounding. Its kernels are made once, on the host, and any number of operators may share them.
 *   With factors f of a subspace, K images have common samples: s_j = sum_k f_jk (A m_k)_j. The operator then
 * maps K images to K images by K (K + 1) / 2 convolutions (Tamir et al., Magn. Reson. Med. 77:180, 2017).
 *
 * Limits: 2^24 pixels on an axis, 4096 segments; memory for one doubled grid per convolution. Threads:
 * kernels are immutable; several threads may apply different operators made from them. Refused: arrays that
 * are not real or do not have the size of k or of the image, negative weights, a number of samples that is
 * not a multiple of the shots, several shots without phase maps, tolerances of 1 or more (ARGAND_ARGUMENT);
 * factors together with a field map, R2*, a mask or phase maps (ARGAND_UNSUPPORTED);
 * values that are not finite, except at pixels outside the mask (ARGAND_NUMERIC); field maps whose phase
 * makes too many turns for an expansion (ARGAND_UNSUPPORTED). NULL: see argand.h; options and k[0..rank-1]
 * are required, other arrays may be NULL. */
#ifndef ARGAND_TOEPLITZ_H
#define ARGAND_TOEPLITZ_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_toeplitz argand_toeplitz;
enum { ARGAND_TOEPLITZ_IMAGES = 16 };

/* Arrays are real (R32 or R64) on any device, with their elements in order whatever their shape; NULL
 * means absent. They are read during creation and not kept. */
typedef struct argand_toeplitz_options {
    argand_type type; /* ARGAND_C32 or ARGAND_C64 */
    int rank;         /* 1, 2 or 3 */
    int64_t n[3];     /* image size, x first */
    const argand_array
        *k[3]; /* cycles per field of view, one per sample, shot after shot; k[0..rank-1] are required */
    const argand_array *weights;    /* W, >= 0, one per sample; NULL: 1 */
    const argand_array *t;          /* s, one per sample; required with a field map or R2* */
    const argand_array *field_map;  /* rad/s, one per pixel */
    const argand_array *r2star;     /* 1/s, one per pixel */
    const argand_array *mask;       /* pixels where the mask is 0 are read as 0 and written as 0 */
    const argand_array *phase_maps; /* P, rad, {n..., shots} */
    /* Number of shots with phase maps, each with the same number of samples; 0 means 1. */
    int shots;
    /* Relative l2 error against the exact operator (with a field map: mean over pixels and samples). 0
     * means 1e-5 (C32) or 1e-9 (C64), and 1e-3 with a field map or R2*. */
    double tolerance;
    int segments; /* L, which gives L + 1 nodes in time; 0: as few as reach the tolerance */
    /* f, real or complex {samples, K}, K at most ARGAND_TOEPLITZ_IMAGES: row j is the row of a temporal
     * basis at the time of sample j. NULL: one image and factors of 1 */
    const argand_array *factors;
} argand_toeplitz_options;

typedef struct argand_toeplitz_info {
    argand_type type;
    int rank;
    int64_t n[3];
    int64_t grid[3]; /* size of the convolution's doubled grid */
    int64_t samples;
    int shots, segments;  /* their product is the number of convolutions */
    double segment_error; /* relative rms error of the expansion in time, over pairs of pixels and samples */
    size_t bytes;         /* memory on the device */
    const char *engine;   /* implementation: "cpu", "fft" or "subspace" */
    int images;           /* K; 1 without factors */
} argand_toeplitz_info;

ARGAND_API ARGAND_MUST_USE argand_status argand_toeplitz_create(argand_toeplitz **toeplitz,
                                                                argand_device *device,
                                                                const argand_toeplitz_options *options);
ARGAND_API void argand_toeplitz_describe(const argand_toeplitz *toeplitz, argand_toeplitz_info *info);
ARGAND_API void argand_toeplitz_print(const argand_toeplitz *toeplitz, char *text, size_t size);
/* Destroys the kernels; NULL is allowed. Operators keep the parts that they need, so the kernels may be
 * destroyed as soon as the operators exist. */
ARGAND_API void argand_toeplitz_destroy(argand_toeplitz *toeplitz);

/* Computes the eigenvalues of the circulant matrix nearest to sum_c conj(S_c) T S_c (T. Chan 1988), where
 * T is the normal operator. The result is a new real array {n...} on the host's device, in the order of an
 * FFT's frequencies, for argand_solve_options.spectrum. maps: complex {n..., coils}, contiguous, with the
 * type and device of T; NULL: one coil with a sensitivity of 1. */
ARGAND_API ARGAND_MUST_USE argand_status argand_toeplitz_circulant(argand_array **eigenvalues,
                                                                   const argand_toeplitz *toeplitz,
                                                                   const argand_array *maps);

/* A problem whose times are predicted from rates that were measured beforehand. The times are in seconds:
 * `nufft` and `toeplitz` for one application of the normal operator, by NUFFT forward and adjoint (with
 * `terms` segments of a field map) or by Toeplitz; `kernels` for making the kernels once. Toeplitz saves
 * time if nufft > toeplitz + kernels / iterations. */
typedef struct argand_toeplitz_problem {
    argand_type type;
    int rank;
    int64_t n[3];
    int64_t samples;  /* of all shots */
    int64_t vectors;  /* coils; 0: 1 */
    int shots;        /* each with a phase map; 0: 1 */
    int terms;        /* of argand_op_segmented; 0 or 1: no field map */
    int segments;     /* nodes of the Toeplitz operator; 0: twice as many as terms */
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
