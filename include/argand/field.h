/* SPDX-License-Identifier: BSD-3-Clause */
/* field.h: the exact, field-corrected discrete Fourier transform, as a sum over all pairs of sample and
 * pixel.
 *   apply:   s_j = sum_n m_n B_jn exp(-R_n t_j) exp(-i (2 pi k_j . r_n + w_n t_j + sum_i c_i(j) b_i(n)))
 *   adjoint: the conjugate transpose, unscaled.
 * r = (n - floor(N/2)) / N, k in cycles per field of view, w in rad/s, R (R2*) in 1/s, t in seconds.
 *
 * B_jn is 1. With gradients, B_jn = prod_d sinc(k_d,j / N_d + G_d,n t_j), sinc(x) = sin(pi x)/(pi x), G in
 * cycles per voxel per second: the mean over a voxel in which the field is linear. B is the same in both
 * directions. A slice with a gradient through it is an image of rank 3 with N_z = 1.
 *
 * c_i(j) b_i(n) are up to 32 further phase terms in rad: c_i has one value per sample, such as a coefficient
 * of spherical harmonics that a field camera measured, and b_i one value per pixel, such as this harmonic
 * (Wilm, Barmet, Pavan and Pruessmann, Magn. Reson. Med. 65:1690, 2011).
 *
 * All vectors (coils) use the same phases. Phases are computed in turns and reduced before the sine, so that
 * single precision is accurate for any image size. The bits of the results do not depend on the number of
 * threads.
 *
 * Limits: 2^24 pixels on an axis and 2^40 in all, ARGAND_FIELD_TERMS further terms; |k| up to 10^6 cycles per
 * field of view, phases of field map and terms up to 10^6 turns; on a GPU 2^31 samples and 2^29 pixels.
 * Threads: several threads may apply a plan at once. Refused with ARGAND_ARGUMENT: arrays that are not real
 * or have another size than k or the image, missing or superfluous arrays of k, t or terms, values beyond the
 * limits (their unit is probably wrong), R2* that grows by more than exp(80); in calls, arrays whose shape or
 * type is not the plan's; with ARGAND_NUMERIC: values that are not finite, except at pixels outside the mask.
 * NULL: see argand.h; options and k[0..rank-1] are required; other arrays that are NULL are absent. */
#ifndef ARGAND_FIELD_H
#define ARGAND_FIELD_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_field argand_field;

enum { ARGAND_FIELD_TERMS = 32 };

/* Arrays are real (R32 or R64), on any device; the plan copies them. NULL: absent. */
typedef struct argand_field_options {
    argand_type type; /* ARGAND_C32 or ARGAND_C64 */
    int rank;         /* 1, 2 or 3 */
    int64_t n[3];     /* image size, x first */
    const argand_array
        *k[3]; /* k-space positions in cycles per field of view, one per sample; k[0..rank-1] required */
    const argand_array *t;           /* seconds, one per sample; required with a field map, R2* or gradient */
    const argand_array *field_map;   /* rad/s, one per pixel */
    const argand_array *r2star;      /* 1/s, one per pixel */
    const argand_array *gradient[3]; /* cycles per voxel per second, one per pixel */
    bool gradients;                  /* multiply by B also if all gradient arrays are absent (G = 0) */
    const argand_array *mask;        /* pixels with a mask of 0 are read as 0 and written as 0 */
    int terms;                       /* number of further phase terms, at most ARGAND_FIELD_TERMS */
    const argand_array *term_time[ARGAND_FIELD_TERMS];  /* c_i, one per sample */
    const argand_array *term_space[ARGAND_FIELD_TERMS]; /* b_i, one per pixel; c_i b_i in rad */
    double
        tolerance; /* allowed relative l2 error; 0: the best of the precision. Some devices are faster with a
                         larger error */
} argand_field_options;

ARGAND_API ARGAND_MUST_USE argand_status argand_field_create(argand_field **plan, argand_device *device,
                                                             const argand_field_options *options);
/* image: dims {nx[, ny[, nz]], vectors}; samples: dims {samples, vectors}, as in nufft.h. Arrays on another
 * device than the plan are copied to the plan's device, and results back, which waits for both devices. */
ARGAND_API ARGAND_MUST_USE argand_status argand_field_apply(const argand_field *plan, argand_array *samples,
                                                            const argand_array *image);
ARGAND_API ARGAND_MUST_USE argand_status argand_field_adjoint(const argand_field *plan, argand_array *image,
                                                              const argand_array *samples);
typedef struct argand_field_info {
    argand_type type;
    int rank;
    int64_t n[3];
    int64_t samples;
    int64_t pairs;      /* sample-pixel pairs of one vector: samples times unmasked pixels */
    const char *engine; /* name of the engine; "cpu" also if the host computes in place of the device */
} argand_field_info;
ARGAND_API void argand_field_describe(const argand_field *plan, argand_field_info *info);
ARGAND_API void argand_field_print(const argand_field *plan, char *text, size_t size);
ARGAND_API void argand_field_destroy(argand_field *plan);

/* Computes the gradient of a field map (rad/s) along one axis, in cycles per voxel per second: central
 * differences over two voxels divided by 2 pi; one-sided if one neighbour is outside the image or the mask; 0
 * if both are. map, gradient: real arrays of rank 1 to 3 and equal shape; mask: NULL is allowed. */
ARGAND_API ARGAND_MUST_USE argand_status argand_field_gradient(argand_array *gradient,
                                                               const argand_array *map,
                                                               const argand_array *mask, int axis);

#ifdef __cplusplus
}
#endif
#endif
