/* SPDX-License-Identifier: BSD-3-Clause */
/* segments.h: off-resonance and decay for a transform without them, as a short sum of products:
 *   E_jn = exp(-(R_n + i w_n) t_j)  ~  sum_l a_l(t_j) b_l(n),
 * so that s_j = sum_l a_l(t_j) [F (b_l m)]_j, where F is a NUFFT or FFT: see argand_op_segmented.
 *   time segments:      b_l(n) = exp(-(R_n + i w_n) tau_l), L + 1 nodes tau_l evenly from the first to
 *                       the last sample's time, a_l(t) interpolates between them
 *   frequency segments: a_l(t) = exp(-(R + i omega_l) t), L + 1 nodes omega_l evenly from the least to the
 *                       largest w, R the mean, b_l(n) interpolates
 * Interpolators: linear, Hann, min-max (least squares over the distribution of w and R, or of t) and SVD (the
 * best for a given number of terms). w in rad/s, R (R2*) in 1/s, t in seconds from the excitation. Only the
 * ranges of w and t increase the number of terms; a long echo time or a large mean of w does not.
 *
 * The error is the relative rms of the exponential over all pixels in the mask and all samples,
 *   sqrt(sum_jn |E_jn - sum_l a_l(t_j) b_l(n)|^2 / sum_jn |E_jn|^2),
 * against the exact exponential, before a and b are rounded to the type.
 *
 * Limits: 256 terms; field maps up to 10^6 turns. Threads: segments are immutable, and several threads may
 * use them at once. Refused with ARGAND_ARGUMENT: a count of 256 or more, tolerances below 1e-6 (C32) or
 * 1e-12 (C64) or not below 1, no t, neither field map nor R2*, maps of different sizes, a mask of zeros,
 * values whose unit is probably wrong; with ARGAND_NUMERIC: values that are not finite, except at pixels
 * outside the mask; with ARGAND_UNSUPPORTED: more than 256 terms, or an interpolator that does not reach the
 * tolerance. NULL: see argand.h; options and t are required. */
#ifndef ARGAND_SEGMENTS_H
#define ARGAND_SEGMENTS_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_segments argand_segments;

typedef enum argand_interpolator {
    ARGAND_INTERPOLATE_AUTO = 0, /* min-max if it reaches the tolerance with at most one term more than the
                                    SVD, otherwise SVD; min-max if a count is given */
    ARGAND_INTERPOLATE_LINEAR,
    ARGAND_INTERPOLATE_HANN,
    ARGAND_INTERPOLATE_MINMAX,
    ARGAND_INTERPOLATE_SVD /* no nodes: time and frequency segments are the same */
} argand_interpolator;

/* Arrays are real (R32 or R64), contiguous, on any device; NULL means absent. They are read, not kept. */
typedef struct argand_segments_options {
    argand_type type; /* ARGAND_C32 or ARGAND_C64: of a and b */
    argand_interpolator interpolator;
    bool frequency; /* frequency segments instead of time segments */
    /* L, which gives L + 1 terms (SVD: rank L + 1); 0: as many as the tolerance requires. */
    int count;
    double tolerance;              /* error as defined above, used if count is 0; 0 means 1e-3 */
    const argand_array *t;         /* s, one per sample, in any order, shots one after the other */
    const argand_array *field_map; /* rad/s, one per pixel */
    const argand_array *r2star;    /* 1/s, one per pixel */
    const argand_array *mask;      /* pixels where the mask is 0 are not counted, and have b = 0 */
} argand_segments_options;

typedef struct argand_segments_info {
    argand_type type;
    argand_interpolator interpolator; /* interpolator in use, never AUTO */
    bool frequency;
    int terms;   /* L + 1 */
    int optimum; /* terms that the SVD needs for this error, or for the tolerance if one was given */
    int64_t samples, pixels, inside; /* inside: pixels in the mask */
    double tolerance;                /* requested tolerance; 0 if the count was given */
    double error;                    /* relative rms error, as defined above, that was reached */
    /* Maximum of |E - sum| over all pixels and the times that were checked, at least 4 per term. */
    double largest;
    double cycles; /* range of w times range of t, in turns */
    size_t bytes;  /* memory of a and b */
} argand_segments_info;

/* Creates segments. If all pixels have the same w and R, or all samples the same t, one term is exact, and
 * only one is made. ARGAND_UNSUPPORTED: more than 256 terms would be needed; the exact DFT (field.h) is
 * then faster. */
ARGAND_API ARGAND_MUST_USE argand_status argand_segments_create(argand_segments **segments,
                                                                argand_device *device,
                                                                const argand_segments_options *options);
/* Phase measured by a field camera in addition to a trajectory:
 *
 *   E_jn = exp(-(R_n + i w_n) t_j - i sum_l c_l(t_j) h_l(n)).
 *
 * The expansion uses frequency segments in which a pixel takes the role of a frequency. The error is
 * measured at samples and pixels that were not used to make it. */
typedef struct argand_segments_phase_options {
    argand_type type;
    double tolerance;              /* 0 means 1e-3; at least 1e-6 */
    const argand_array *phase;     /* c, real {samples, terms} */
    const argand_array *basis;     /* h, real {pixels, terms}; c h is in rad */
    const argand_array *t;         /* s; required with a field map or R2*, both of which may be NULL */
    const argand_array *field_map; /* rad/s, one per pixel */
    const argand_array *r2star;    /* 1/s */
    const argand_array *mask;      /* pixels where this is 0 have b = 0 */
} argand_segments_phase_options;
ARGAND_API ARGAND_MUST_USE argand_status argand_segments_create_phase(
    argand_segments **segments, argand_device *device, const argand_segments_phase_options *options);

/* Computes the basis functions of measured phase at a place in metres: real solid harmonics of order 0 to
 * 3 in the order of field cameras' software, then those of concomitant fields.
 *
 *    0        1
 *    1 to 3   x, y, z
 *    4 to 8   x y, z y, 3 z^2 - r^2, x z, x^2 - y^2
 *    9 to 15  3 y x^2 - y^3, x y z, (5 z^2 - r^2) y, 5 z^3 - 3 z r^2, (5 z^2 - r^2) x, z (x^2 - y^2),
 *             x^3 - 3 x y^2
 *   16 to 19  z^2, x^2 + y^2, x z, y z */
enum { ARGAND_PHASE_TERMS = 20 };
ARGAND_API void argand_phase_basis(double h[ARGAND_PHASE_TERMS], const double place[3]);

/* Return a, complex {samples, terms}, and b, complex {pixels, terms}, on the device. The arrays belong to
 * the segments. */
ARGAND_API const argand_array *argand_segments_time(const argand_segments *segments);
ARGAND_API const argand_array *argand_segments_space(const argand_segments *segments);
ARGAND_API void argand_segments_describe(const argand_segments *segments, argand_segments_info *info);
/* Writes a description such as "(segments 6 of time by min-max, error 8.6e-04)". */
ARGAND_API void argand_segments_print(const argand_segments *segments, char *text, size_t size);
ARGAND_API const char *argand_interpolator_name(argand_interpolator interpolator); /* "min-max" */
ARGAND_API void argand_segments_destroy(argand_segments *segments);                /* NULL is allowed */

/* A problem with a field map whose times are predicted from rates that were measured beforehand: seconds
 * of one application, the mean of forward and adjoint, of the exact DFT (field.h) and of a segmented
 * NUFFT. */
typedef struct argand_segments_problem {
    argand_type type;
    int rank;
    int64_t n[3];
    int64_t inside; /* pixels in the mask; 0: all */
    int64_t samples;
    int64_t vectors;  /* coils; 0: 1 */
    int terms;        /* terms of the segments; 0: predicted from the next two */
    double cycles;    /* range of w times range of t, in turns */
    double tolerance; /* 0 means 1e-3 */
    bool decay, gradients;
} argand_segments_problem;
typedef struct argand_segments_times {
    double exact, segmented;
    int terms;
} argand_segments_times;
ARGAND_API ARGAND_MUST_USE argand_status argand_segments_predict(argand_segments_times *times,
                                                                 argand_device *device,
                                                                 const argand_segments_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
