/* SPDX-License-Identifier: BSD-3-Clause */
/* calib.h: what is measured before images are made: coil sensitivities, noise, coil compression, density of
 * the samples. Calibration happens once for a scan: these functions compute on the host, in double where sums
 * are long, and take and return arrays of any device. Results are the same bits for any number of threads.
 *
 * Limits: images of 2 or 3 dimensions, 2 to 64 echoes, as many sets of maps as coils; memory on the host for
 * the data. Threads: functions change nothing but their outputs, and may be called by several threads for
 * different outputs. Refused: arrays that do not have the shapes and types said below, options out of range
 * (ARGAND_ARGUMENT); data that are not finite, without signal, or too few to tell (ARGAND_NUMERIC or
 * ARGAND_ARGUMENT, as each function says). NULL: see argand.h; options may be NULL where all have a default,
 * and what else may be NULL says so. */
#ifndef ARGAND_CALIB_H
#define ARGAND_CALIB_H

#include "mri.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- coil sensitivities */

/* Coil sensitivities {nx, ny[, nz], coils} from coil images of the same shape and type: the local principal
 * component (Walsh, Gmitro, Marcellin, MRM 43:682, 2000) over a Gaussian window of `sigma` pixels (0 means
 * 3), found by the power iteration of Inati, Hansen, Kellman (ISMRM 2014, 4407), which needs memory for one
 * image next to the maps, and for the eight strongest virtual coils on cells of a window's size. The phase is
 * the one whose maps differ least from pixel to pixel, without vortices; on the whole the strongest virtual
 * coil, in which the strongest coil counts with a positive factor, sees it positive. The sum over coils of
 * |S|^2 is 1 wherever there is any signal within the window, noise included: no threshold cuts dark tissue
 * out. It is 0 where there is none (below 1e-15 of the largest energy). Multiply by a mask to keep the
 * background out of a reconstruction. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_estimate(argand_array *maps, const argand_array *images,
                                                               double sigma);

/* The largest block of k-space {nx, ny[, nz], coils} around its centre, element floor(n/2) of each axis, in
 * which every sample was acquired (is not 0 in some coil); region[axis] elements, from n/2 - region/2 on.
 * Axes grow in turn, up to `most` elements (0: no limit), and by themselves where the others cannot. */
ARGAND_API ARGAND_MUST_USE argand_status argand_calibration_region(int64_t region[3],
                                                                   const argand_array *kspace, int64_t most);

/* ESPIRiT (Uecker et al., MRM 71:990, 2014). Zero means default. */
typedef struct argand_espirit_options {
    int calibration[3]; /* region around k-space's centre; 0: the fully sampled one, up to 24. It is moved
                           where a block elsewhere, sampled as fully, holds clearly more energy (an object
                           with a linear phase) */
    int kernel[3];      /* 0: 6, or what fits */
    double threshold; /* of the singular values' squares (energies), relative to the largest: what is below is
                         noise; 0: 0.001, singular values of 3.2 %, as BART has it; negative: found from the
 singular values (Gavish and Donoho 2014), between its magnitude and 0.01 */
    double crop;      /* maps are 0 where the eigenvalue is below it; 0: 0.8. Negative: they never are */
    bool soft;        /* maps fall off smoothly towards the crop (Iyer, Ong, Lustig, ISMRM 2016, 1093) */
    bool images;      /* the data are coil images of the maps' shape, not k-space */
} argand_espirit_options;
typedef struct argand_espirit_report {
    int64_t calibration[3], origin[3], kernel[3]; /* origin: the region's first element in k-space */
    int64_t patches, rank;                        /* of the calibration matrix, and singular vectors kept */
    double inside;                                /* part of the pixels where the first map was kept */
    double
        folded; /* part of these where a second eigenvalue is above the crop, too (or 0.8, without one): two
                      places of the object lie there, or it reaches the image's edge. Of some rows alone */
} argand_espirit_report;
/* data: complex k-space {kx, ky[, kz], coils}, centre at floor(n/2), any size (a calibration scan, or the
 * scan itself); only the calibration region is read. maps: complex {nx, ny[, nz], coils} or {nx, ny[, nz],
 * coils, sets}, in the data's precision or not; set 0 keeps most of the calibration region's own
 * image, also where several explain it (a folded image); the others are orthogonal to it. At each pixel a set
 * has sum |S|^2 = 1 where it is kept. The phase is such that the data's strongest virtual coil, in which the
 * last coil counts with a positive factor, sees a real positive signal. eigenvalues: real {nx, ny[, nz][,
 * sets]}, near 1 where a set explains the data; may be NULL. report may be NULL. These are BART's definitions
 * and defaults (ecalib), so that maps can be compared. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_espirit(argand_array *maps, argand_array *eigenvalues,
                                                              const argand_array *data,
                                                              const argand_espirit_options *options,
                                                              argand_espirit_report *report);

/* ---- matrices that mix coils */

/* mixed[..., v] = sum_c M[v, c] data[..., c]: data complex {dims..., coils}, mixed {dims..., virtual coils},
 * in one precision, not the same array. matrix: complex {virtual coils, coils}, or {virtual coils, coils, n}:
 * then element i of the first dimension is mixed by matrix i (geometric compression of data along the
 * readout). Samples, coil images and coil maps are mixed alike. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_mix(argand_array *mixed, const argand_array *matrix,
                                                          const argand_array *data);

/* covariance: C64 {coils, coils}, element [a, b] the mean of n_a conj(n_b) times `factor` over noise samples
 * {dims..., coils}. factor (0 means 1) says what noise of the scan is to be expected from the noise that was
 * measured: the time of a noise sample over that of an image's sample, times the receiver's noise bandwidth
 * factor (0.79 on Siemens systems, Kellman and McVeigh, MRM 54:1439, 2005). */
ARGAND_API ARGAND_MUST_USE argand_status argand_noise_covariance(argand_array *covariance,
                                                                 const argand_array *noise, double factor);
/* The matrix L^-1 of covariance = L L^H (Cholesky): mixed by it, noise has the identity as its covariance, E
 * |n|^2 = 1 in each coil. matrix, covariance: C64 {coils, coils}. ARGAND_ARGUMENT where the covariance is not
 * Hermitian (to 1e-5 of its diagonal), ARGAND_NUMERIC where the covariance is
 * singular, as from fewer noise samples than coils, or with a coil that is switched off. */
ARGAND_API ARGAND_MUST_USE argand_status argand_noise_whitener(argand_array *matrix,
                                                               const argand_array *covariance);
/* The factor L of covariance = L L^H, lower triangular with a real diagonal: L w is noise of this covariance,
 * where w is independent noise with E |w|^2 = 1 in each coil. factor, covariance: C64 {coils, coils}. Refused
 * is what argand_noise_whitener refuses. */
ARGAND_API ARGAND_MUST_USE argand_status argand_noise_factor(argand_array *factor,
                                                             const argand_array *covariance);

/* Coil compression: virtual coils that keep the signal's energy. */
typedef enum argand_compression {
    ARGAND_COMPRESS_SVD =
        0, /* one matrix (Buehrer et al., MRM 57:1131, 2007; Huang et al., MRI 26:133, 2008) */
    ARGAND_COMPRESS_GCC = 1 /* one for each position along the readout, aligned so that virtual coils are
                               smooth (Zhang et al., MRM 69:571, 2013) */
} argand_compression;
typedef struct argand_compress_options {
    argand_compression kind;
    int coils;     /* virtual coils; 0: as many as `energy` asks for */
    double energy; /* of the signal, to be kept where coils is 0; 0: 0.99 */
} argand_compress_options;
typedef struct argand_compress_report {
    int coils;     /* virtual coils */
    double energy; /* kept, of the calibration data's */
} argand_compress_report;
/* Makes the matrix {virtual coils, coils}, or for GCC {virtual coils, coils, nx}, as C64 on the data's
 * device, to be destroyed by the caller; its rows are orthonormal. data: complex {dims..., coils}; whiten it
 * first where there is a noise scan. For GCC the first dimension is the readout, fully sampled and centred,
 * and the data are in hybrid space: transformed to the image along the readout (argand_fft with `centred`);
 * so are those that the matrix is to be applied to. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_compress(argand_array **matrix,
                                                               const argand_array *data,
                                                               const argand_compress_options *options,
                                                               argand_compress_report *report);
/* GCC of Cartesian k-space {nx, ..., coils} in one call: transformed along the readout, mixed by the matrix
 * of its own calibration data, transformed back. compressed: {nx, ..., virtual coils}. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_mix_kspace(argand_array *compressed,
                                                                 const argand_array *matrix,
                                                                 const argand_array *kspace);

/* ---- field maps */

/* A phase in rad, real {nx[, ny[, nz]]}, without its jumps of 2 pi: neighbours are joined in the order of how
 * smooth the phase is there (Herraez et al., Applied Optics 41:7437, 2002). weight (real, may be NULL) says
 * how far each pixel can be trusted, say the magnitude; outside of mask (may be NULL) the result is 0. Each
 * connected part comes out with a mean nearest to 0. */
ARGAND_API ARGAND_MUST_USE argand_status argand_phase_unwrap(argand_array *unwrapped,
                                                             const argand_array *phase,
                                                             const argand_array *weight,
                                                             const argand_array *mask);

typedef struct argand_fieldmap_options {
    int echo_count;
    const double *echo_times; /* s; any order, all different */
    const argand_array *mask; /* real; NULL: where the signal is above `threshold` */
    double threshold;         /* of the 99th percentile of the signal; 0: 0.1 */
    double beta;              /* weight of roughness against a mean pixel's data; 0: 0.05; negative: none */
    int iterations;           /* at most, for each set of echo spacings; 0: 30 */
    bool zero_outside;        /* 0 outside of the mask, instead of a smooth continuation */
} argand_fieldmap_options;
typedef struct argand_fieldmap_report {
    int64_t inside; /* pixels of the mask */
    int iterations;
    double misfit; /* rad: rms of the phase differences that the map leaves, weighted by the signal */
} argand_fieldmap_report;
/* map: real {nx, ny[, nz]}, rad/s, such that an echo at t has the phase exp(-i w t) of the field. echoes:
 * complex {nx, ny[, nz], coils, echoes} (one coil: a dimension of 1). Regularised by squared second
 * differences inside the mask (Funai et al., IEEE TMI 27:1484, 2008). With two echoes the map is known up to
 * 2 pi / (t_2 - t_1) in each connected part of the mask: the value nearest to 0 is taken. Fat and other
 * shifts are not modelled. report may be NULL. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fieldmap_estimate(argand_array *map,
                                                                  const argand_array *echoes,
                                                                  const argand_fieldmap_options *options,
                                                                  argand_fieldmap_report *report);

/* ---- density */

/* Density compensation by the iteration of Pipe and Menon (MRM 41:179, 1999), w <- w / (C C^T w), run until
 * the root of the mean of (1 / (C C^T w) - 1)^2, weighted by w, falls below tolerance (0 means 1e-3), or
 * `iterations` (0 means 200) are done. weights: real, one per point of the plan, in any contiguous shape and
 * the plan's precision; scaled to a sum of 1, so that A^H W A of an image with a single 1 is 1 at that pixel
 * for every trajectory, and the weights of a complete Cartesian grid are 1/N. (A trajectory that covers only
 * the disc |k| <= N/2 so makes large even areas brighter by the area it leaves out, 4/pi.) Fails with
 * ARGAND_NUMERIC where a weight is not finite. report: iterations done, last change as above; may be NULL.
 * Weights depend on the plan's window, C, which plans choose by what is fast on their device. */
typedef struct argand_density_report {
    int iterations;
    double change;
} argand_density_report;
ARGAND_API ARGAND_MUST_USE argand_status argand_density_pipe(argand_array *weights, const argand_nufft *plan,
                                                             int iterations, double tolerance,
                                                             argand_density_report *report);

/* A plan for it, with the same window on every device and for any number of points (a grid of 1.5 times the
 * image, to 1e-3), so that weights agree to rounding: what argand sense, argand calibrate and the Python
 * package take. type: complex; k[axis]: as argand_nufft_set_points takes them, n: the image's size, on `rank`
 * axes each. Refused is what argand_nufft_create and argand_nufft_set_points refuse. */
ARGAND_API ARGAND_MUST_USE argand_status argand_density_plan(argand_nufft **plan, argand_device *device,
                                                             argand_type type, argand_array *const k[],
                                                             int rank, const int64_t *n);

/* The same without iteration, by Fourier deconvolution (Luo, Hu, Qi, arXiv 2510.14873, 2025): the weights'
 * point spread function on an image of twice the size n is cut to the field of view, which in k-space is
 * the density that the weights are divided by, twice. Two pairs of NUFFTs in all, on the weights' device.
 * k[axis]: real, one position in cycles per field of view for each weight, on `rank` axes. Memory: an
 * image of 2^rank times the pixels, complex, and the NUFFT's. Fails with ARGAND_NUMERIC where a density is
 * not above 0. */
ARGAND_API ARGAND_MUST_USE argand_status argand_density_deconvolve(argand_array *weights,
                                                                   argand_array *const k[], int rank,
                                                                   const int64_t *n);

/* Density weights of samples in the plane as areas of their Voronoi cells inside the convex hull of all
 * samples (Rasche et al., IEEE TMI 18:385, 1999), scaled to a sum of 1 as those above. Samples at one place
 * (within 1e-7 of the extent) share its cell. k[0], k[1]: real, one position for each weight, in any unit.
 * area (may be NULL) is the hull's, so that weight times area is the cell's. Samples at the rim have cells of
 * about half the size, since there is nothing beyond. Refused where all samples lie on a line. For stacks,
 * take the weights of one partition. */
ARGAND_API ARGAND_MUST_USE argand_status argand_density_voronoi(argand_array *weights,
                                                                argand_array *const k[2], double *area);

/* ---- gridding reconstruction */

/* Coil images A^H W y by the plan's adjoint, and the root of the sum of their squares. samples: complex
 * {points, coils}, or {samples, shots, coils} with as many points. weights: real, one for each point
 * (argand_density_...); NULL: 1. image: real {nx[, ny[, nz]]}; coil_images: complex {nx[, ny[, nz]], coils};
 * one of them may be NULL. With weights of sum 1 an image of one bright pixel keeps its brightness. */
ARGAND_API ARGAND_MUST_USE argand_status argand_gridding(argand_array *image, argand_array *coil_images,
                                                         const argand_nufft *plan,
                                                         const argand_array *samples,
                                                         const argand_array *weights);

/* ---- delays */

/* What reversed readout lines of EPI have that forward ones have not: in the image along the readout the
 * phase constant + 2 pi shift r, r in fields of view; the echo of reversed lines comes `shift` samples late.
 * Reversed lines are in rising order already, as the reader of scans leaves them: k rises in all. */
typedef struct argand_epi_phase {
    double constant; /* rad */
    double shift;    /* samples */
} argand_epi_phase;
/* From lines without phase encoding, complex {samples, lines[, coils]} with one flag a line: forward,
 * reversed, forward at best: a drift of the phase from line to line then cancels. */
ARGAND_API ARGAND_MUST_USE argand_status argand_epi_phase_estimate(argand_epi_phase *phase,
                                                                   const argand_array *lines,
                                                                   const bool *reversed);
/* Takes it out of the reversed ones of lines {samples, lines[, coils]}, in place. */
ARGAND_API ARGAND_MUST_USE argand_status argand_epi_phase_correct(argand_array *lines, const bool *reversed,
                                                                  const argand_epi_phase *phase);

/* How delays of the gradients move radial spokes: the spoke of direction n was measured S n samples further
 * on, S = [xx xy; xy yy] (the x gradient alone late by t: xx = -t / sample time). Fields of view may differ
 * in x and y. */
typedef struct argand_radial_delay {
    double xx, yy, xy;
} argand_radial_delay;
/* From the spokes: what two of them measured where they cross must agree (RING: Rosenzweig, Holme, Uecker,
 * MRM 81:1898, 2019). samples: complex {samples, spokes[, coils]}; k: nominal positions, real {samples,
 * spokes}, straight lines through 0. Shifts up to 3 samples are found. */
ARGAND_API ARGAND_MUST_USE argand_status argand_radial_delay_estimate(argand_radial_delay *delay,
                                                                      const argand_array *samples,
                                                                      argand_array *const k[2]);
/* Adds S n to the positions {samples, spokes...}, in place: nominal ones become true ones. */
ARGAND_API ARGAND_MUST_USE argand_status argand_radial_delay_correct(argand_array *const k[2],
                                                                     const argand_radial_delay *delay);

#ifdef __cplusplus
}
#endif
#endif
