/* SPDX-License-Identifier: BSD-3-Clause */
/* calib.h: calibration before reconstruction: coil sensitivities, noise, coil compression, field maps,
 * density of the samples. These functions compute on the host, with long sums in double precision, and take
 * and return arrays on any device; argand_coils_espirit also computes on devices. The bits of the results do
 * not depend on the number of threads.
 *
 * Limits: images of 2 or 3 dimensions, 2 to 64 echoes, at most as many sets of maps as coils; host memory for
 * the data. Threads: functions change their outputs alone, and several threads may call them for different
 * outputs. Refused with ARGAND_ARGUMENT: arrays without the shapes and types below, options out of range;
 * with ARGAND_NUMERIC or ARGAND_ARGUMENT, as each function states: data that are not finite, without signal,
 * or too few. NULL: see argand.h; options may be NULL if all have a default; other arguments may be NULL
 * where the function says so. */
#ifndef ARGAND_CALIB_H
#define ARGAND_CALIB_H

#include "mri.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- coil sensitivities */

/* Estimates coil sensitivities {nx, ny[, nz], coils} from coil images of the same shape and type: the local
 * principal component (Walsh, Gmitro, Marcellin, MRM 43:682, 2000) in a Gaussian window of `sigma` pixels (0
 * means 3), by the power iteration of Inati, Hansen, Kellman (ISMRM 2014, 4407). Needs memory for one image
 * besides the maps, and for the eight strongest virtual coils on cells of the size of a window. The phase is
 * chosen so that maps vary least from pixel to pixel, without vortices; overall, the strongest virtual coil,
 * in which the strongest coil has a positive factor, sees a positive map. The sum over coils of |S|^2 is 1
 * wherever the window has any signal, noise included, because a threshold would cut dark tissue; it is 0
 * where there is no signal (below 1e-15 of the largest energy). Multiply by a mask to remove the background.
 */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_estimate(argand_array *maps, const argand_array *images,
                                                               double sigma);

/* Finds the largest fully sampled block around the centre of k-space {nx, ny[, nz], coils}, element
 * floor(n/2) of each axis. A sample counts as acquired if it is not 0 in some coil. The block has
 * region[axis] elements from n/2 - region/2 on. Axes grow one after the other, up to `most` elements (0: no
 * limit); an axis continues alone if the others cannot grow. */
ARGAND_API ARGAND_MUST_USE argand_status argand_calibration_region(int64_t region[3],
                                                                   const argand_array *kspace, int64_t most);

/* ESPIRiT (Uecker et al., MRM 71:990, 2014). Zero means default. */
typedef struct argand_espirit_options {
    int calibration
        [3];       /* size of the region at the centre of k-space; 0: the fully sampled region, up to 24. The
                           region moves if another fully sampled block has clearly more energy (an object
                           with a linear phase) */
    int kernel[3]; /* kernel size; 0: 6, or less if the region is small */
    double
        threshold; /* squared singular values below this fraction of the largest are noise; 0: 0.001, BART's
                         value (singular values of 3.2 %); negative: computed from the singular values
                         (Gavish and Donoho 2014), between its magnitude and 0.01 */
    double crop;   /* set maps to 0 where the eigenvalue is below this; 0: 0.8; negative: never */
    bool soft;     /* let maps fall off smoothly towards the crop (Iyer, Ong, Lustig, ISMRM 2016, 1093) */
    bool images;   /* the data are coil images with the shape of the maps, not k-space */
} argand_espirit_options;
typedef struct argand_espirit_report {
    int64_t calibration[3], origin[3], kernel[3]; /* origin: the region's first element in k-space */
    int64_t patches, rank; /* rows of the calibration matrix; number of singular vectors kept */
    double inside;         /* fraction of the pixels with a first map */
    double
        folded; /* fraction of these, in a sample of rows, whose second eigenvalue is also above the crop (0.8
                      without a crop): two places of the object alias there, or the object reaches the edge */
    char note[256]; /* a sentence, if the host computed the maps because the device could not; else "" */
} argand_espirit_report;
/* Estimates maps by ESPIRiT. data: complex k-space {kx, ky[, kz], coils} of any size with its centre at
 * floor(n/2) (a calibration scan, or the scan itself); only the calibration region is read. maps: complex
 * {nx, ny[, nz], coils} or {nx, ny[, nz], coils, sets}, in either precision. If several sets explain a pixel,
 * set 0 is the one that keeps most of the image of the calibration region; the others are orthogonal to it. A
 * set has sum |S|^2 = 1 at the pixels where it is kept. The phase is such that the strongest virtual coil of
 * the data, in which the last coil has a positive factor, sees a real positive signal. eigenvalues: real {nx,
 * ny[, nz][, sets]}, near 1 where a set explains the data; NULL is allowed. report: NULL is allowed.
 * Definitions and defaults are BART's (ecalib), so that maps can be compared.
 *
 * The singular vectors are computed on the host. The eigenvectors of the pixels are computed on the device of
 * the maps, or else on that of the data, unless the host can access its memory. Up to 1 GB of the device's
 * memory (at most an eighth of it) is used for as many pixels at a time as fit. If the device lacks memory,
 * double precision or a compiler, the host computes them, and report->note says so. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_espirit(argand_array *maps, argand_array *eigenvalues,
                                                              const argand_array *data,
                                                              const argand_espirit_options *options,
                                                              argand_espirit_report *report);

/* ---- matrices that mix coils */

/* Mixes coils: mixed[..., v] = sum_c M[v, c] data[..., c]. data: complex {dims..., coils}; mixed:
 * {dims..., virtual coils} of the same precision, another array. matrix: complex {virtual coils, coils},
 * or {virtual coils, coils, n}, where matrix i mixes element i of the first dimension (geometric
 * compression along the readout). Samples, coil images and coil maps are mixed in the same way. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_mix(argand_array *mixed, const argand_array *matrix,
                                                          const argand_array *data);

/* Computes the noise covariance, C64 {coils, coils}: element [a, b] is `factor` times the mean of n_a
 * conj(n_b) over the noise samples {dims..., coils}. factor (0 means 1) converts from the noise measurement
 * to the scan: dwell time of a noise sample over that of an image sample, times the receiver's relative noise
 * bandwidth (0.79 on Siemens systems, Kellman and McVeigh, MRM 54:1439, 2005). */
ARGAND_API ARGAND_MUST_USE argand_status argand_noise_covariance(argand_array *covariance,
                                                                 const argand_array *noise, double factor);
/* Computes the whitening matrix L^-1, where covariance = L L^H (Cholesky). Noise mixed by it has the identity
 * as covariance: E |n|^2 = 1 in each coil. matrix, covariance: C64 {coils, coils}. ARGAND_ARGUMENT: the
 * covariance is not Hermitian (to 1e-5 of its diagonal). ARGAND_NUMERIC: the covariance is singular, for
 * example because there are fewer noise samples than coils, or a coil is switched off. */
ARGAND_API ARGAND_MUST_USE argand_status argand_noise_whitener(argand_array *matrix,
                                                               const argand_array *covariance);
/* Computes the factor L of covariance = L L^H, lower triangular with a real diagonal. L w is noise with
 * this covariance if w is independent noise with E |w|^2 = 1 in each coil. factor, covariance: C64 {coils,
 * coils}. Errors are those of argand_noise_whitener. */
ARGAND_API ARGAND_MUST_USE argand_status argand_noise_factor(argand_array *factor,
                                                             const argand_array *covariance);

/* Coil compression: fewer, virtual coils that keep the energy of the signal. */
typedef enum argand_compression {
    ARGAND_COMPRESS_SVD =
        0, /* one matrix (Buehrer et al., MRM 57:1131, 2007; Huang et al., MRI 26:133, 2008) */
    ARGAND_COMPRESS_GCC = 1 /* one matrix for each position along the readout, aligned so that virtual coils
                               are smooth (Zhang et al., MRM 69:571, 2013) */
} argand_compression;
typedef struct argand_compress_options {
    argand_compression kind;
    int coils;     /* virtual coils; 0: as many as `energy` needs */
    double energy; /* fraction of the energy to keep if coils is 0; 0: 0.99 */
} argand_compress_options;
typedef struct argand_compress_report {
    int coils;     /* virtual coils */
    double energy; /* fraction of the energy of the data that is kept */
} argand_compress_report;
/* Creates the matrix {virtual coils, coils}, for GCC {virtual coils, coils, nx}, C64 on the device of the
 * data, with orthonormal rows; the caller destroys it. data: complex {dims..., coils}; whiten them first if
 * there is a noise scan. For GCC the first dimension is the readout, fully sampled and centred, and the data
 * are in hybrid space: transformed to the image along the readout (argand_fft with `centred`). Apply the
 * matrix to data in hybrid space, too. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_compress(argand_array **matrix,
                                                               const argand_array *data,
                                                               const argand_compress_options *options,
                                                               argand_compress_report *report);
/* Applies a GCC matrix to Cartesian k-space {nx, ..., coils}: transforms along the readout, mixes, transforms
 * back. compressed: {nx, ..., virtual coils}. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_mix_kspace(argand_array *compressed,
                                                                 const argand_array *matrix,
                                                                 const argand_array *kspace);

/* ---- field maps */

/* Unwraps a phase in rad, real {nx[, ny[, nz]]}: pixels are joined in the order of the local smoothness of
 * the phase (Herraez et al., Applied Optics 41:7437, 2002). weight (real, NULL is allowed): reliability of
 * each pixel, such as the magnitude. Outside mask (NULL is allowed) the result is 0. Each
 * connected part is shifted by the multiple of 2 pi that brings its weighted mean nearest to 0. */
ARGAND_API ARGAND_MUST_USE argand_status argand_phase_unwrap(argand_array *unwrapped,
                                                             const argand_array *phase,
                                                             const argand_array *weight,
                                                             const argand_array *mask);

typedef struct argand_fieldmap_options {
    int echo_count;
    const double *echo_times; /* s; any order, all different */
    const argand_array *mask; /* real; NULL: pixels with a signal above `threshold` */
    double threshold;         /* fraction of the 99th percentile of the signal; 0: 0.1 */
    double beta;              /* weight of the roughness relative to a mean pixel; 0: 0.05; negative: none */
    int iterations;           /* maximum for each echo spacing; 0: 30 */
    bool zero_outside;        /* write 0 outside the mask instead of a smooth continuation */
} argand_fieldmap_options;
typedef struct argand_fieldmap_report {
    int64_t inside; /* pixels of the mask */
    int iterations;
    double misfit; /* rms of the remaining phase differences in rad, weighted by the signal */
} argand_fieldmap_report;
/* Estimates a field map w in rad/s, real {nx, ny[, nz]}: an echo at time t has the phase exp(-i w t). echoes:
 * complex {nx, ny[, nz], coils, echoes} (one coil: size 1). The map is regularised by squared second
 * differences inside the mask (Funai et al., IEEE TMI 27:1484, 2008). Two echoes determine the map up to 2 pi
 * / (t_2 - t_1) in each connected part of the mask; the value nearest to 0 is taken. Fat and other chemical
 * shifts are not modelled. report: NULL is allowed. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fieldmap_estimate(argand_array *map,
                                                                  const argand_array *echoes,
                                                                  const argand_fieldmap_options *options,
                                                                  argand_fieldmap_report *report);

/* Options of argand_fieldmap_opposite. */
typedef struct argand_opposite_options {
    double echo_spacing; /* s between neighbouring lines of ky: that of the train over the acceleration */
    double beta;         /* weight of the roughness of the displacement; 0: 0.05 */
} argand_opposite_options;
typedef struct argand_opposite_report {
    int iterations;
    double before, after; /* rms difference of both images as given, and unwarped; relative to their rms */
    double displacement;  /* largest one of pixels with signal, in pixels */
} argand_opposite_report;
/* Estimates a field map w in rad/s from the magnitudes of two EPI images of an object, real {nx, ny[, nz or
 * slices]}, whose lines along y were read in opposite directions: up with ky rising in time, down with ky
 * falling. A field of f Hz moves signal along y by f ny echo_spacing pixels in `up`, and by as many to the
 * other side in `down`. The map is the one with which both agree after unwarping, regularised by squared
 * second differences (Andersson, Skare, Ashburner, NeuroImage 20:870, 2003). It is smooth beyond the object,
 * too. The object must not have moved. ARGAND_NUMERIC: an image without signal. ARGAND_ARGUMENT: sums of the
 * images that differ by a factor of 4. report: NULL is allowed. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fieldmap_opposite(argand_array *map, const argand_array *up,
                                                                  const argand_array *down,
                                                                  const argand_opposite_options *options,
                                                                  argand_opposite_report *report);

/* ---- density */

/* Computes density weights by the iteration of Pipe and Menon (MRM 41:179, 1999), w <- w / (C C^T w), until
 * the w-weighted rms of 1 / (C C^T w) - 1 falls below tolerance (0 means 1e-3), or for `iterations` (0 means
 * 200). weights: real, one for each point of the plan, contiguous, in the plan's precision. They are scaled
 * to a sum of 1: A^H W A of an image with a single 1 is then 1 at that pixel for every trajectory, and the
 * weights of a complete Cartesian grid are 1/N. (A trajectory that covers the disc |k| <= N/2 alone makes
 * large uniform areas brighter by 4/pi.) ARGAND_NUMERIC: a weight is not finite. report: iterations, and the
 * last rms; NULL is allowed. The weights depend on the window C of the plan, which plans choose for speed on
 * their device. */
typedef struct argand_density_report {
    int iterations;
    double change;
} argand_density_report;
ARGAND_API ARGAND_MUST_USE argand_status argand_density_pipe(argand_array *weights, const argand_nufft *plan,
                                                             int iterations, double tolerance,
                                                             argand_density_report *report);

/* Creates a plan for argand_density_pipe that has the same window on every device and for any number of
 * points (grid of 1.5 times the image, tolerance 1e-3), so that weights agree up to rounding. The tool and
 * the Python package use this plan. type: complex; k[axis]: as in argand_nufft_set_points; n: image size,
 * both for `rank` axes. Errors are those of argand_nufft_create and argand_nufft_set_points. */
ARGAND_API ARGAND_MUST_USE argand_status argand_density_plan(argand_nufft **plan, argand_device *device,
                                                             argand_type type, argand_array *const k[],
                                                             int rank, const int64_t *n);

/* Computes density weights without iteration, by Fourier deconvolution (Luo, Hu, Qi, arXiv 2510.14873, 2025):
 * the point spread function of the weights on an image of size 2n is cut to the field of view, and the
 * weights are divided by the resulting density in k-space, twice. This takes two pairs of NUFFTs on the
 * device of the weights. k[axis]: real, for `rank` axes, one position in cycles per field of view for each
 * weight. Memory: a complex image of 2^rank times the pixels, and that of the NUFFT. ARGAND_NUMERIC: a
 * density is not positive. */
ARGAND_API ARGAND_MUST_USE argand_status argand_density_deconvolve(argand_array *weights,
                                                                   argand_array *const k[], int rank,
                                                                   const int64_t *n);

/* Computes density weights of samples in a plane as the areas of their Voronoi cells inside the convex
 * hull of all samples (Rasche et al., IEEE TMI 18:385, 1999), scaled to a sum of 1. Samples at one
 * position (within 1e-7 of the extent) share its cell. k[0], k[1]: real, one position for each weight, in
 * any unit. area (NULL is allowed): area of the hull; weight times area is the area of a cell. Samples at
 * the rim have cells of about half the size, because the hull ends there. ARGAND_ARGUMENT: all samples lie
 * on a line. For stacks, compute the weights of one partition. */
ARGAND_API ARGAND_MUST_USE argand_status argand_density_voronoi(argand_array *weights,
                                                                argand_array *const k[2], double *area);

/* ---- gridding reconstruction */

/* Computes coil images A^H W y by the plan's adjoint, and the root of the sum of their squares. samples:
 * complex {points, coils}, or {samples, shots, coils} with as many points. weights: real, one for each
 * point (argand_density_...); NULL: 1. image: real {nx[, ny[, nz]]}; coil_images: complex {nx[, ny[, nz]],
 * coils}; one of them may be NULL. With weights of sum 1 an image of one bright pixel keeps its
 * brightness. */
ARGAND_API ARGAND_MUST_USE argand_status argand_gridding(argand_array *image, argand_array *coil_images,
                                                         const argand_nufft *plan,
                                                         const argand_array *samples,
                                                         const argand_array *weights);

/* ---- delays */

/* Phase error of reversed readout lines of EPI relative to forward lines: in the image along the readout, the
 * phase constant + 2 pi shift r, r in fields of view; the echo of reversed lines comes `shift` samples late.
 * Reversed lines are stored in order of rising k, as readers of scans leave them. */
typedef struct argand_epi_phase {
    double constant; /* rad */
    double shift;    /* samples */
} argand_epi_phase;
/* Estimates this error from lines without phase encoding, complex {samples, lines[, coils]}, with one flag
 * per line. Three lines, forward, reversed, forward, are best: a drift of the phase then cancels. */
ARGAND_API ARGAND_MUST_USE argand_status argand_epi_phase_estimate(argand_epi_phase *phase,
                                                                   const argand_array *lines,
                                                                   const bool *reversed);
/* Removes this error from the reversed lines of {samples, lines[, coils]}, in place. */
ARGAND_API ARGAND_MUST_USE argand_status argand_epi_phase_correct(argand_array *lines, const bool *reversed,
                                                                  const argand_epi_phase *phase);

/* Displacement of radial spokes by gradient delays: a spoke of direction n is displaced by S n samples along
 * k, S = [xx xy; xy yy]. (If the x gradient alone is late by t, xx = -t / sample time.) The fields of view of
 * x and y may differ. */
typedef struct argand_radial_delay {
    double xx, yy, xy;
} argand_radial_delay;
/* Estimates S from the spokes themselves: two spokes must have equal values where they cross (RING:
 * Rosenzweig, Holme, Uecker, MRM 81:1898, 2019). samples: complex {samples, spokes[, coils]}; k: nominal
 * positions, real {samples, spokes}, on straight lines through 0. Finds displacements up to 3 samples. */
ARGAND_API ARGAND_MUST_USE argand_status argand_radial_delay_estimate(argand_radial_delay *delay,
                                                                      const argand_array *samples,
                                                                      argand_array *const k[2]);
/* Adds S n to nominal positions {samples, spokes...}, in place, which gives the true positions. */
ARGAND_API ARGAND_MUST_USE argand_status argand_radial_delay_correct(argand_array *const k[2],
                                                                     const argand_radial_delay *delay);

/* ---- rigid motion between shots or repetitions ---- */

typedef struct argand_motion_options {
    double field_of_view[3]; /* mm, of the coil maps and the image */
    double cycles;  /* radius of the samples in use at last, in cycles per longest field of view; 0: 20 */
    bool use_start; /* improve the given motion with the outer samples; otherwise begin at 0 */
} argand_motion_options;
typedef struct argand_motion_report {
    double before, after; /* |residual| / |samples| without and with the motion, weighted */
    /* F statistic of the motion: about 1 in noise, larger with motion or wrong coil maps. */
    double evidence;
    double shift, rotation; /* largest, mm and degrees */
    /* Largest standard deviations, for noise of the residual's size and a known image: lower bounds. */
    double shift_error, rotation_error;
    double cycles;        /* radius of the samples in use at last */
    int64_t undetermined; /* rows without samples in this radius: between their neighbours */
} argand_motion_report;
/* Estimates the position of the object in each row (shot or repetition, in order of time) relative to row
 * 0: an image and the positions are fitted to the samples together, from the centre of k-space outwards.
 * samples: complex {points, coils}; row: of each point, 0 to rows - 1; k: real {points}, cycles per field of
 * view, an array for each axis; maps: complex {nx, ny[, nz], coils}, on any grid, moving with the object.
 * motion: `rows` elements; in a plane tx, ty and rz. Finds shifts of 1/20 of the field of view and rotations
 * of 10 degrees, and more if shots sample the centre densely. Detail of the object beyond the radius does
 * not matter. ARGAND_ARGUMENT: fewer than 2 rows, shapes that do not fit, no samples near the centre. */
ARGAND_API ARGAND_MUST_USE argand_status argand_motion_estimate(argand_rigid *motion, int64_t rows,
                                                                const argand_array *samples,
                                                                const int32_t *row, argand_array *const k[],
                                                                const argand_array *maps,
                                                                const argand_motion_options *options,
                                                                argand_motion_report *report);

/* ---- T1 and T2 by a temporal basis ----
 * Signals of tissue at the times of a sequence (a dictionary), the basis that spans them, and maps of the
 * tissue's parameters by dictionary match. A reconstruction by the basis (argand_sense_options.basis with
 * coefficients) gives the images that are matched. Limits: 65536 times, 2^24 atoms, 16 parameters. All is
 * computed on the host in double precision. */

typedef enum argand_signal {
    /* Echoes of a train of spin echoes over T2, by extended phase graphs (Hennig 1988; Weigel, J. Magn.
     * Reson. Imaging 41:266, 2015): excitation by 90 degrees, equidistant refocusing pulses of one angle
     * with the phase of CPMG. With 180 degrees exp(-t / T2), at any times. */
    ARGAND_SIGNAL_T2 = 1,
    /* Longitudinal magnetisation over T1 after inversion. With a flip angle it is read by pulses in
     * distances of `repetition` (Look and Locker 1970): it then approaches a smaller value with a shorter
     * time constant (Deichmann and Haase, J. Magn. Reson. 96:608, 1992). */
    ARGAND_SIGNAL_T1 = 2
} argand_signal;
ARGAND_API int argand_signal_count(void);
/* Describes a kind: "t2", "t1". ARGAND_ARGUMENT: unknown kind. */
ARGAND_API ARGAND_MUST_USE argand_status argand_signal_describe(argand_signal kind, argand_kind_info *info);

typedef struct argand_signal_options {
    argand_signal kind;
    const double *times; /* s: echo times, or times after the inversion */
    int64_t time_count;
    double angle;      /* degrees: of refocusing pulses, 0 means 180; or of the readout pulses, 0: none */
    double t1;         /* T2: the T1 in s that stimulated echoes decay with; 0: they do not */
    double repetition; /* T1 with an angle: s from readout pulse to readout pulse */
    double efficiency; /* T1: inverted part of the magnetisation, -Mz / M0; 0 means 1 */
} argand_signal_options;
/* Computes signals, real {times, atoms}, for the values of T2 or T1 in s, one for each atom; 1 is the signal
 * of the whole magnetisation. */
ARGAND_API ARGAND_MUST_USE argand_status argand_signal_make(argand_array *signals, const double *values,
                                                            const argand_signal_options *options);

/* Computes the basis, real or complex {times, K}, with orthonormal columns, that spans the signals {times,
 * atoms} best, each normalised: left singular vectors. left: the largest part |s - V V^H s| / |s| of an
 * atom outside; NULL is allowed. Real signals are needed for a real basis. K at most times and atoms. */
ARGAND_API ARGAND_MUST_USE argand_status argand_subspace_basis(argand_array *basis,
                                                               const argand_array *signals, double *left);

/* Results of argand_dictionary_match, real unless noted; NULL: not wanted. */
typedef struct argand_match {
    argand_array *values;  /* {pixels, parameters}: those of the atom that correlates best */
    argand_array *errors;  /* likewise: standard deviations */
    argand_array *density; /* complex {pixels}: factor of that atom's signal (proton density) */
    argand_array *misfit;  /* {pixels}: |image - density signal| / |image| */
} argand_match;
/* Finds for each pixel the atom d and the factor rho with the least |x - rho V^H d|. images: x, complex
 * {pixels, K}, coefficients of the basis V {times, K}, or with basis NULL the images of the times. signals:
 * d, {times, atoms}; parameters: real {parameters, atoms}. Pixels that are 0 give 0.
 *
 * Errors come from the likelihoods of all atoms, for noise of the size of the misfit, over 2 K - 2 -
 * parameters degrees of freedom (at least 1). They are not below the distance to the next best atom times
 * 0.6: a dictionary cannot tell more. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dictionary_match(const argand_match *match,
                                                                 const argand_array *images,
                                                                 const argand_array *basis,
                                                                 const argand_array *signals,
                                                                 const argand_array *parameters);
/* ---- g-factor */

/* Regular undersampling of a Cartesian grid. */
typedef struct argand_undersampling {
    int factors[2]; /* every so manyth line along y, partition along z; 0: 1. Their product is at most 64 */
    int shift;      /* lines by which those of the next acquired partition are displaced (CAIPIRINHA) */
    /* Encoded field of view over that of the images along x, y, z, at least 1; 0: 1. */
    double extent[3];
} argand_undersampling;
/* Computes the g-factor of SENSE by formula (Pruessmann et al., MRM 42:952, 1999), without calibration lines
 * in the image. maps: {nx, ny[, nz], coils} of coils with equal, independent noise. gfactor: real, one
 * element for each pixel; 0 where the maps are 0 or do not separate the pixels that alias. If pixels alias
 * between pixels, because their number is no multiple of the factors, maps are interpolated there.
 * ARGAND_ARGUMENT: factors, shift or extents out of range, arrays whose shapes do not fit. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_gfactor(argand_array *gfactor, const argand_array *maps,
                                                              const argand_undersampling *undersampling);

/* ---- GRAPPA (Griswold et al., MRM 47:1202, 2002): missing samples of Cartesian k-space from their acquired
 * neighbours, by weights that fully sampled calibration lines give. The memory beyond the arrays is the
 * matrix of the window's elements (positions times coils) and one batch of weights (128 MB). */

typedef struct argand_grappa_options {
    /* Window around a missing sample whose acquired samples are its sources: odd numbers of samples along
     * each axis. 0: chosen by the distance R of acquired lines: 5 along a complete readout, 4 R - 1 along a
     * single undersampled axis (two lines on either side), 2 R + 1 up to 9 along each of two, up to 7 for
     * masks of points; less if the calibration region is small. */
    int kernel[3];
    /* Tikhonov regularization of the weights, relative to the Frobenius norm of the sources' Gram matrix
     * over its rows (pygrappa's lamda); 0: 0.01; negative: none. */
    double regularization;
    /* C64 {coils, coils}: noise covariance. The regularization is then that of whitened coils. NULL: the
     * unit matrix. */
    const argand_array *covariance;
} argand_grappa_options;

typedef struct argand_grappa argand_grappa;

typedef struct argand_grappa_info {
    int kernel[3];           /* window in use */
    int64_t calibration[3];  /* size of the calibration region */
    int64_t equations;       /* patches of the region: equations for each weight vector */
    int64_t unknowns;        /* elements of the longest weight vector */
    int64_t patterns;        /* different sets of acquired neighbours */
    int64_t missing, filled; /* positions without sample; those of them that get one */
} argand_grappa_info;

/* Makes a plan for k-space {nx, ny[, nz], coils}, whose missing samples are 0 in all coils. Missing samples
 * are grouped by the pattern of their acquired neighbours, at the edges of the matrix too; every pattern has
 * weights of its own. Samples that are farther from all acquired ones than acquired lines are from each
 * other stay 0: corners that were not measured, and the part that partial Fourier leaves out. calibration:
 * fully sampled k-space of the same coils and spacing, {cx, cy[, cz], coils}; NULL: the fully sampled block
 * around the centre of `kspace` (argand_calibration_region). Both are read only during the call.
 * ARGAND_ARGUMENT: shapes do not fit, the window is even or does not fit into the calibration region, which
 * is named, or values are not finite. */
ARGAND_API ARGAND_MUST_USE argand_status argand_grappa_create(argand_grappa **grappa,
                                                              const argand_array *kspace,
                                                              const argand_array *calibration,
                                                              const argand_grappa_options *options);
/* Fills the missing samples of k-space of the plan's shape and coils, sampled like the plan's; acquired
 * samples keep their bits. Weights are computed in batches, and kept if they are one batch. The result is
 * the same for any number of threads. ARGAND_NUMERIC: without regularization, the sources of a pattern
 * depend on each other. */
ARGAND_API ARGAND_MUST_USE argand_status argand_grappa_fill(argand_grappa *grappa, argand_array *kspace);
ARGAND_API void argand_grappa_describe(const argand_grappa *grappa, argand_grappa_info *info);
/* Makes the convolution that completes regularly undersampled k-space: complex C32 {kx, ky, kz, coils,
 * coils} on the host. Element {a, b, c, s, t} multiplies the acquired sample of coil s at the distance (a -
 * kx/2, b - ky/2, c - kz/2) from a sample of coil t; the centre is 1 for s = t. The extent is not used. The
 * caller destroys it. ARGAND_ARGUMENT: the window is too small for the factors. */
ARGAND_API ARGAND_MUST_USE argand_status argand_grappa_kernel(argand_array **kernel,
                                                              const argand_grappa *grappa,
                                                              const argand_undersampling *undersampling);
/* Computes the g-factor of GRAPPA by formula (Breuer et al., MRM 62:739, 2009): in the image the kernel is a
 * matrix W for each pixel, and the noise of the combined image sum p_c x_c is that of p W. combination: p,
 * complex {nx, ny[, nz], coils}, with maps S of a complete scan conj(S_c) / sum |S|^2; pixels where all p are
 * 0 give 0. covariance: C64 {coils, coils} of the channels' noise; NULL: the unit matrix. gfactor: real, one
 * element for each pixel, below 1 where the regularization of the weights suppresses noise. */
ARGAND_API ARGAND_MUST_USE argand_status argand_grappa_gfactor(argand_array *gfactor,
                                                               const argand_array *kernel,
                                                               const argand_array *combination,
                                                               const argand_array *covariance,
                                                               const argand_undersampling *undersampling);
ARGAND_API void argand_grappa_destroy(argand_grappa *grappa);

/* ---- SPIRiT (Lustig and Pauly, MRM 64:457, 2010): every sample of a coil is a linear combination of its
 * neighbours in all coils, acquired or not. */

typedef struct argand_spirit_options {
    int kernel[3];         /* window: odd numbers of samples along each axis; 0: 5, less for small regions */
    double regularization; /* of the weights, as for GRAPPA; 0: 0.01; negative: none */
} argand_spirit_options;

typedef struct argand_spirit_report {
    int kernel[3];               /* window in use */
    int64_t calibration[3];      /* size of the calibration region */
    int64_t equations, unknowns; /* patches of the region; weights of a coil */
    double bytes;                /* memory of the operator */
} argand_spirit_report;

/* Makes the operator G - I of coil images {nx, ny[, nz], coils}: what remains of each coil after the
 * prediction by all coils. Images {n} and k-space belong together as for argand_nufft. calibration: fully
 * sampled k-space of the same coils, of cells of one cycle per field of view, {cx, cy[, cz], coils}; read
 * only during the call. The operator keeps a matrix of coils x coils for every pixel, of the images' type, 8
 * GB at most. As a penalty of argand_solve_cg next to any transform from images {n..., coils} to samples, it
 * gives SPIRiT's images.
 *
 * ARGAND_ARGUMENT: shapes do not fit, the window is even or the region too small. ARGAND_UNSUPPORTED: the
 * matrices take more than 8 GB; the message names the number of coils that fits. report: NULL is allowed. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_spirit(argand_op **op, argand_device *device,
                                                          const argand_shape *images,
                                                          const argand_array *calibration,
                                                          const argand_spirit_options *options,
                                                          argand_spirit_report *report);

#ifdef __cplusplus
}
#endif
#endif
