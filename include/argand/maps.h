/* SPDX-License-Identifier: BSD-3-Clause */
/* maps.h: images that are maps: relaxation and water-fat separation from images of several echoes. Fits are
 * computed on the host in double precision; arrays may lie on any device. The bits of the results do not
 * depend on the number of threads.
 *
 * Signs and units: an echo at time t after the excitation has the phase exp(-i w t) of the field w; decay is
 * exp(-R2* t); t in s, w in rad/s, R2* in 1/s.
 *
 * Limits: 2 to 64 echoes, host memory for all echoes in double precision. Threads: functions change their
 * outputs alone, and several threads may call them for different outputs. Refused with ARGAND_ARGUMENT:
 * arrays without the shapes and types below, options out of range, a mask that is empty; with ARGAND_NUMERIC:
 * echoes that are not finite. NULL: options are required because of the echo times; maps, masks and reports
 * may be NULL. */
#ifndef ARGAND_MAPS_H
#define ARGAND_MAPS_H

#include "op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_echo_options {
    int echo_count;
    const double *echo_times; /* s after the excitation; rising */
    const argand_array *mask; /* real, of one volume or all; NULL: pixels with a signal above `threshold` */
    double threshold;         /* fraction of the 99th percentile of the signal; 0: 0.05 */
    double noise;             /* standard deviation in the real and in the imaginary part; 0: estimated */
} argand_echo_options;

/* ---- R2* */

/* Maps to compute, real, with one value for each pixel: {nx, ny[, nz[, ...]]}. NULL: not wanted. Outside the
 * mask they are 0. R2* is limited to the range from 0.01 / last echo time to 4 / shortest spacing. */
typedef struct argand_t2star_maps {
    argand_array *r2star, *t2star; /* 1/s and s; one is the inverse of the other */
    argand_array *amplitude;       /* the magnitude at t = 0 */
    argand_array *error;           /* standard deviation of r2star, 1/s; 0: unknown (too few echoes) */
} argand_t2star_maps;

typedef struct argand_t2star_report {
    int64_t inside;  /* pixels of the mask */
    int64_t limited; /* pixels whose R2* is at the limits of its range */
    double noise;    /* the standard deviation that was used as the noise floor of magnitudes; 0: none */
} argand_t2star_report;

/* Fits S0 exp(-R2* t) to echoes {nx, ny[, nz[, ...]], echoes}.
 * Complex echoes: S0 is complex, and each pixel has a frequency of its own, so that there is no noise floor
 * (variable projection; the frequency is found up to multiples of 1 / spacing). The error comes from the
 * residual of each pixel, or from options->noise.
 * Magnitudes (real echoes): have the mean square S^2 + 2 noise^2, which is fitted by Fisher scoring with the
 * variance 4 noise^2 (S^2 + noise^2), so that long echoes in noise do not make R2* too small. Without
 * options->noise, it comes from the median residual of the quarter of the pixels with the most signal. Two
 * echoes do not determine it: then magnitudes are fitted as they are. A negative noise does the same. */
ARGAND_API ARGAND_MUST_USE argand_status argand_t2star_fit(const argand_t2star_maps *maps,
                                                           const argand_array *echoes,
                                                           const argand_echo_options *options,
                                                           argand_t2star_report *report);

/* ---- water and fat */

typedef struct argand_fat_peak {
    double shift;     /* ppm from water; negative: lower frequency */
    double amplitude; /* relative to the other peaks; they are scaled to a sum of 1 */
} argand_fat_peak;

typedef struct argand_water_fat_options {
    double frequency;             /* of water, Hz (127.7e6 at 3 T) */
    int peak_count;               /* 0: six peaks of the liver (Hamilton et al., NMR Biomed. 24:784, 2011) */
    const argand_fat_peak *peaks; /* at most 32 */
    double smoothness;            /* weight of the smoothness of the field in its start; 0: 0.05 */
    bool conjugate;               /* the echoes have the phase exp(+i w t) */
} argand_water_fat_options;

/* Maps to compute, real, with one value for each pixel. NULL: not wanted. Outside the mask they are 0. Water
 * and fat may be complex arrays; otherwise they are magnitudes. */
typedef struct argand_water_fat_maps {
    argand_array *water, *fat; /* magnitudes at t = 0 */
    argand_array *fraction;    /* fat / (water + fat), by magnitude discrimination: noise may bring it below
                                     0 or above 1, so that its mean is right */
    argand_array *r2star, *field;                /* 1/s, limited as in argand_t2star_maps; rad/s */
    argand_array *fraction_error, *r2star_error; /* standard deviations; 0: unknown (three echoes) */
} argand_water_fat_maps;

typedef struct argand_water_fat_report {
    int64_t inside;  /* pixels of the mask */
    int64_t limited; /* pixels whose R2* is at the limits of its range */
    double misfit;   /* rms of what the fit leaves over rms of the echoes */
    double
        sign_ratio; /* least misfit of single pixels over that with the opposite sign of the phase; above 1:
                          probably the sign is wrong */
} argand_water_fat_report;

/* Fits (water + fat sum_p a_p exp(-2 pi i f_p t)) exp(-(R2* + i w) t) to complex echoes {nx, ny[, nz[, ...]],
 * echoes}, at least three, with complex water and fat (variable projection). The field w is ambiguous in a
 * single pixel. Its start is one of the minima of each pixel, or of 2 x 2 pixels of large images: those
 * which together minimise residuals and squared differences between neighbours in all dimensions up to three
 * (Hernando et al., MRM 63:79, 2010), by sequential tree-reweighted message passing (Kolmogorov, IEEE TPAMI
 * 28:1568, 2006). The start of w is searched within 1.25 / shortest spacing on either side of 0; w is known
 * up to a multiple of 2 pi / spacing if echoes are equidistant. */
ARGAND_API ARGAND_MUST_USE argand_status argand_water_fat(const argand_water_fat_maps *maps,
                                                          const argand_array *echoes,
                                                          const argand_echo_options *options,
                                                          const argand_water_fat_options *fat,
                                                          argand_water_fat_report *report);

/* Computes the fat fraction of water and fat, complex: as argand_water_fat does. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fat_fraction(argand_array *fraction,
                                                             const argand_array *water,
                                                             const argand_array *fat);

/* Creates the operator from water and fat, C32 {nx, ny, nz, 2}, to the samples of a scan, C32 {points,
 * coils}, with all that happens during the readout:
 *
 *   y_jc = sum_n S_c(n) (water_n + fat_n sum_p a_p exp(-2 pi i f_p t_j))
 *                exp(-(R_n + i w_n) t_j - 2 pi i k_j r_n)
 *
 * maps: r2star and field; the others are not used. coils: C32 {nx, ny, nz, coils}, whose storage is shared.
 * k[axis]: R32, for `rank` axes (2: nz is 1), cycles per field of view; t: R32, s, one for each point; the
 * points of all echoes, in any order. The error of field and decay is 1e-4 (segments.h). Least squares with
 * this operator (argand_solve_cg) move the fat to where it is. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_water_fat(
    argand_op **op, const argand_water_fat_maps *maps, const argand_array *coils, argand_array *const k[],
    int rank, const argand_array *t, const argand_water_fat_options *fat);

#ifdef __cplusplus
}
#endif
#endif
