/* SPDX-License-Identifier: BSD-3-Clause */
/* recon.h: reconstruction of images from a scan. A session finds the volumes of a scan (every slice,
 * repetition, average, contrast, phase and set) and the maps that they need. Each call reconstructs one
 * volume:
 *
 *     argand_scan_read(&scan, "brain.h5", NULL);
 *     argand_sense_create(&session, device, scan, &(argand_sense_options){.iterations = 10});
 *     for (int v = 0; v < argand_sense_volumes(session); v++)
 *         argand_sense_run(session, v, image, NULL, NULL);
 *
 * Limits: 65535 slices, 16 sets of coil maps, ARGAND_MAX_REGULARIZERS regularizers; memory for the data of
 * one volume. Threads: a session is used by one thread at a time. Several sessions of one scan may run at the
 * same time, on different devices or the same. Refused: options that are out of range or contradict each
 * other (ARGAND_ARGUMENT, ARGAND_UNSUPPORTED), maps, weights and matrices that do not fit the scan
 * (ARGAND_ARGUMENT, with their names), scans that cannot be reconstructed (ARGAND_FORMAT,
 * ARGAND_UNSUPPORTED), images that are not finite (ARGAND_NUMERIC). NULL: see argand.h; options and monitor
 * may be NULL. */
#ifndef ARGAND_RECON_H
#define ARGAND_RECON_H

#include "calib.h"
#include "comm.h"
#include "io.h"
#include "mri.h"
#include "segments.h"
#include "solve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum argand_transform {
    /* The faster of DFT and SEGMENTED, as predicted, if there is a field map or R2*; otherwise NUFFT. */
    ARGAND_TRANSFORM_AUTO = 0,
    ARGAND_TRANSFORM_NUFFT = 1,
    ARGAND_TRANSFORM_DFT = 2,
    ARGAND_TRANSFORM_DFT_GRADIENTS = 3,
    ARGAND_TRANSFORM_SEGMENTED = 4 /* NUFFT with segments for field map and R2* (segments.h) */
} argand_transform;
ARGAND_API const char *argand_transform_name(argand_transform transform); /* "dft-gradients"; or "unknown" */

/* Weights of the samples' squared residuals. */
typedef enum argand_density {
    /* NONE if all samples lie on the Cartesian grid. Otherwise FILE if the scan has weights that even out
     * the density, else PIPE. A note names the choice. */
    ARGAND_DENSITY_AUTO = 0,
    ARGAND_DENSITY_NONE = 1, /* all samples have the weight 1 */
    ARGAND_DENSITY_PIPE = 2, /* Pipe and Menon's iteration */
    ARGAND_DENSITY_FILE =
        3, /* the caller's weights, or the scan's array DensityCompensation {samples, shots} */
    ARGAND_DENSITY_DECONVOLVE = 4 /* Fourier deconvolution: argand_density_deconvolve */
} argand_density;
ARGAND_API const char *argand_density_name(argand_density density); /* "pipe"; or "unknown" */
ARGAND_API ARGAND_MUST_USE argand_status argand_density_describe(argand_density density,
                                                                 argand_kind_info *info);

/* How the image is computed: SOLVE iterates. ADJOINT applies one weighted adjoint A^H W y with the coil
 * maps (gridding, or conjugate phase with a field map). ADJOINT_RSS takes the root of the sum of squares
 * of the coil images instead, without coil maps. Both adjoints need density weights; with DENSITY_NONE
 * they use DENSITY_PIPE. */
typedef enum argand_method {
    ARGAND_METHOD_SOLVE = 0,
    ARGAND_METHOD_ADJOINT = 1,
    ARGAND_METHOD_ADJOINT_RSS = 2
} argand_method;

/* How missing coil maps are estimated.
 *
 *   AUTO      ESPIRIT, if a block of k-space is sampled fully over 12 cells (cycles per field of view)
 *             along each axis and holds the signal of the whole object. Otherwise all three are tried (JOINT
 *             only if it takes minutes rather than hours). The one whose image explains the samples best is
 *             used, and a note names it. A Cartesian scan that is complete over fewer than 4 lines is
 *             refused, because images from such maps are aliased
 *   ADAPTIVE  local principal components (argand_coils_estimate) of windowed coil images
 *   ESPIRIT   argand_coils_espirit on up to 24 cells along each axis of low-resolution coil images, which
 *             are solved for coil by coil. With a crop of 0, maps are 0 where the eigenvalue is below 0.8.
 *             The limit is lower, down to none, if the image has more signal than noise in such pixels
 *   JOINT     image and maps together, by nonlinear inversion (Uecker et al., MRM 60:674, 2008), from all
 *             samples; without field map, R2* and phase maps. One set of maps
 *
 * The calibration uses all measured data: image lines and the calibration lines between them, or a
 * separate calibration scan if there is one. */
typedef enum argand_coils {
    ARGAND_COILS_AUTO = 0,
    ARGAND_COILS_ADAPTIVE = 1,
    ARGAND_COILS_ESPIRIT = 2,
    ARGAND_COILS_JOINT = 3
} argand_coils;
ARGAND_API const char *argand_coils_name(argand_coils coils); /* "espirit"; or "unknown" */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_describe(argand_coils coils, argand_kind_info *info);

/* Use of a Toeplitz normal operator (toeplitz.h) in iterations. AUTO uses one if the transform is a NUFFT,
 * with or without segments, and the operator is predicted to save time. Its accuracy is nufft_tolerance, or
 * segment_tolerance with a field map. Simultaneous slices have no such operator: with AUTO, they use sums
 * over the pixels that alias, if samples lie on complete lines along x, without field map and density
 * weights. */
typedef enum argand_toeplitz_use {
    ARGAND_TOEPLITZ_AUTO = 0,
    ARGAND_TOEPLITZ_ON = 1,
    ARGAND_TOEPLITZ_OFF = 2
} argand_toeplitz_use;
ARGAND_API const char *argand_toeplitz_use_name(argand_toeplitz_use use); /* "on"; or "unknown" */

/* Source of the phase maps of shots, for scans whose shots differ in phase (diffusion, elastography). NONE
 * treats all shots of a volume as one. MAPS takes given maps. NAVIGATORS and SHOTS estimate maps from
 * low-resolution images: of the navigator that belongs to each shot, or of the shot's own central samples. */
typedef enum argand_phases {
    ARGAND_PHASES_NONE = 0,
    ARGAND_PHASES_MAPS = 1,
    ARGAND_PHASES_NAVIGATORS = 2,
    ARGAND_PHASES_SHOTS = 3
} argand_phases;

/* Options of a session; zero means default. Each map is an array of the caller or of the scan. Maps have
 * the grid's shape {nx, ny[, nz]}, coil maps {nx, ny, nz, coils}; a last dimension may count the slices. A
 * dimension nz of 1 may be left out. */
typedef struct argand_sense_options {
    argand_type type; /* ARGAND_C32 (default) or ARGAND_C64 */
    argand_transform transform;
    argand_method method;
    int encoding; /* encoding space to reconstruct */
    /* Pixels of the image; zeros: the encoded matrix cut to the reconstructed field of view. */
    int64_t matrix[3];
    /* Field of view of the image in mm; 0: the reconstructed field of view of the header. Without a
     * matrix, the pixel size stays the same, so a field of view larger than the encoded one has more
     * pixels. Curved trajectories also measure signal outside the encoded field of view. Samples on a grid
     * alias this signal; only given coil maps can separate it again. */
    double field_of_view[3];
    /* Maximum number of iterations; 0: 50. With 0, CG without regularizers, partial_fourier and
     * preconditioner stops before more iterations would add more noise than signal
     * (argand_cg_options.noise), and at the latest when the gradient falls to 1e-4. */
    int iterations;
    /* Relative gradient at which the iteration stops; 0: no limit. With a tolerance, noise does not stop
     * the iteration. */
    double tolerance;
    double nufft_tolerance; /* 0 means 1e-5 in single, 1e-9 in double precision */
    /* For TRANSFORM_SEGMENTED: L, which gives L + 1 terms; 0: as many as segment_tolerance requires. */
    int segments;
    /* Relative rms error of the exponential; 0 means 1e-3 in single, 1e-6 in double precision. */
    double segment_tolerance;
    argand_interpolator interpolator;
    bool frequency_segments;                /* frequency instead of time segments */
    const argand_regularizer *regularizers; /* penalty.h; their weights have no scale (solve.h) */
    int regularizer_count;
    argand_solver solver;
    int inner; /* inner steps per iteration of solvers that have them; 0: the solver's default */
    argand_toeplitz_use toeplitz;
    /* Precondition CG with the circulant matrix nearest to the normal operator (argand_op_circulant). It
     * is made from the Toeplitz kernels, which are then always used. */
    bool precondition;
    /* Weight of the phase constraint (argand_op_phase_constraint) for scans with partial Fourier or
     * asymmetric echoes, relative to the mean diagonal of the normal operator; 0: none. 0.3 is a good
     * value. */
    double partial_fourier;
    /* Weight of SPIRiT's consistency (argand_op_spirit), relative to the mean diagonal of the normal
     * operator: the images of all coils are solved for, from samples y and kernels G of the calibration
     * region, as min |y - A x|^2 + weight |(G - I) x|^2. They are then combined by coil maps, or with
     * spirit_rss by the root of the sum of squares, which needs no maps. 0: none; 1 is a good value. Not with
     * phase maps, several sets of maps, simultaneous slices, repetitions that are solved together,
     * partial_fourier, Toeplitz kernels. */
    double spirit;
    bool spirit_rss;
    /* Iterations of POCS (argand_image_pocs) that complete each image after its reconstruction, along the
     * axes that the scan covers on one side (argand_coverage.partial); 0: none. 10 are enough for most. Not
     * with the root of the sum of squares, which has no phase, nor with partial_fourier. */
    int pocs;
    /* Completes each image by homodyne detection instead (argand_image_homodyne), under the same conditions;
     * scans that are incomplete along several axes are refused. */
    argand_homodyne homodyne;
    argand_density density;
    /* Power to which density weights are raised. 0: 1/2 for DENSITY_AUTO with METHOD_SOLVE, otherwise 1.
     * The power 1/2 converges nearly as fast as 1 and adds much less noise. */
    double density_power;
    /* By default, channels are whitened if the scan has enough noise acquisitions, because least squares
     * assumes equal, independent noise. A note says so. The scale of the images does not change. whiten:
     * fail if there is no noise to whiten by. as_received: never whiten. */
    bool whiten, as_received;
    /* Complex {samples, channels}: noise to whiten by. At least twice as many samples as channels, because
     * a square array is probably a matrix. */
    const argand_array *noise;
    /* complex {channels, channels}: whitening matrix, as argand_noise_whitener makes it. BART's optmat {1,
     * 1, 1, channels, channels} is recognised by its axes; its input channels come first. Give at most one
     * of noise and whitener; both take precedence over the scan's own noise. The matrix is scaled so that
     * the total noise of all channels does not change, as with noise samples. */
    const argand_array *whitener;
    /* Number of virtual coils to compress to (SVD); 0: no compression. Given coil maps are compressed by
     * the same matrix. */
    int compress;
    /* complex {virtual coils, channels}: compression matrix, applied after whitening, as
     * argand_coils_compress makes it (SVD). BART's {1, 1, 1, channels, virtual coils} (cc -M) is also
     * accepted and conjugated, as BART's ccapply does. Give at most one of compress and compression. */
    const argand_array *compression;
    /* Density weights, real, finite, 0 or more: one for each sample of a volume, sample fastest, then
     * shot, in the scan's order. All volumes use the same weights. If given, density is DENSITY_FILE. */
    const argand_array *weights;
    /* Names of the arrays above in messages, for example their files; NULL: no name. */
    const char *noise_name, *whitener_name, *compression_name, *weights_name;
    argand_coils coils;
    /* For ARGAND_COILS_ESPIRIT. `images` is ignored. A threshold of 0 is chosen from the singular
     * values. */
    argand_espirit_options espirit;
    double coil_sigma; /* for ARGAND_COILS_ADAPTIVE: sigma of argand_coils_estimate; 0: 3 */
    /* Sets of coil maps, given as {nx, ny, nz, coils, sets} or made by ESPIRiT; 0 means 1. With several
     * sets, each set has an image of its own (soft SENSE: Uecker et al., MRM 71:990, 2014), for objects
     * larger than the field of view. The result is the root of the sum of their squares with the phase of the
     * first. Not with phase maps, simultaneous slices, joint repetitions or partial Fourier. */
    int sets;
    /* Radius in k-space, up to 1, of the samples that coil maps are estimated from, however densely they
     * are sampled; 0: the fully sampled part. */
    double calibration;
    const argand_array *field_map; /* real, rad/s */
    const argand_array *coil_maps; /* complex */
    const argand_array *mask;      /* real; pixels where the mask is 0 are not reconstructed */
    const argand_array *r2star;    /* real, 1/s */
    /* Phase that a field camera measured in addition to trajectory and field map: real {samples of a
     * volume, terms}. The samples may have several dimensions; sample is fastest, then shot, in the scan's
     * order. There are 1, 4, 9, 16 or 20 terms of argand_phase_basis, in rad, rad/m, rad/m^2, rad/m^3.
     * Positions are in the patient's coordinates of the scan (LPS, origin at the isocentre). Linear terms
     * are added to k. All volumes use the same terms. Needs TRANSFORM_AUTO or SEGMENTED. */
    const argand_array *phase_terms;
    const char *phase_terms_name; /* name in messages */
    /* Main field in T, for the phase of concomitant fields (Bernstein et al., MRM 39:300, 1998) of symmetric
     * gradient coils; -1: the header's field strength; 0: not modelled. The gradients are the derivative of
     * k by the samples' times. The phase is counted from the first sample of a readout, or of a train of
     * lines that follow each other without a new excitation; gradients before are not known. A note says how
     * large it is at most; below 0.05 rad it is left out. It is added to phase_terms and has their limits. */
    double concomitant;
    /* true: zeros of the field map are measured values. By default, regions where the field map jumps to 0
     * count as not measured and are filled with the smooth (harmonic) continuation of the other values. A
     * note says so. */
    bool keep_field_zeros;
    const argand_array *gradient[3]; /* real, cycles per voxel per second; for DFT_GRADIENTS */
    /* If field_map is NULL: name of the scan's array to use; NULL means "FieldMap", "" none. If field_map
     * is given: its name in messages, for example the file. */
    const char *field_map_name;
    const char *coil_maps_name; /* likewise; NULL means "SENSEMap". Missing coil maps are estimated */
    const char *mask_name;      /* likewise; NULL means none */
    /* joint: solve for all repetitions of a volume as one problem, with one image per repetition. With a
     * basis v, complex or real {repetitions, columns}, repetition r is sum_k v_rk x_k. Only the images x_k
     * of the first `rank` columns (0: all) are then unknown. basis_name: the scan's array to use instead
     * ("v" in files of the forge family). The first repetition that is run solves for all. */
    bool joint;
    const argand_array *basis;
    const char *basis_name;
    int rank;
    /* With a basis: the volumes are the images x_k, as repetitions 0, 1, ... of their slice, and rows of the
     * basis are counted by the contrasts, phases, repetitions, sets or segments of the scan, or by the shots
     * of other than Cartesian scans: by those that are as many as rows. All their samples are one problem,
     * with one transform. Not with phase maps and simultaneous slices. */
    bool coefficients;
    argand_phases phases; /* source of the phase maps of shots */
    /* For PHASES_MAPS: real, rad. The dimensions are those of the grid, followed by axes for shot,
     * partition, slice, average, phase, contrast, repetition, segment, in this order; or all maps as one
     * vector. An axis of 1 means that all share a map. Each shot and partition with a map of its own is
     * one shot of the model. Shots that the scan lacks keep their place among the maps. */
    const argand_array *phase_maps;
    const char *phase_maps_name; /* the scan's array to use if phase_maps is NULL; NULL means "PhaseMaps" */
    /* Gradient impulse response (Vannesjo et al., MRM 69:583, 2013), which corrects the positions of image
     * data, calibrations and navigators. The gradient waveform of each readout is filtered by it. Complex
     * {frequencies} for all axes, or {frequencies, 2 or 3} for x, y, z. Element floor(n/2) is at 0 Hz and
     * near 1. Values are interpolated linearly, and are 0 outside the array. */
    const argand_array *girf;
    double girf_step;         /* frequency spacing of girf, in Hz */
    double gradient_delay[3]; /* delays of the x, y, z gradients in s, below 0.1 */
    const char *girf_name;    /* name of girf in messages */
    /* Ranks that solve each volume together (comm.h); NULL: one rank. Each has a share of the shots, if they
     * have phase maps, or of the coils. All ranks give the same scan and options; then argand_sense_create,
     * argand_sense_run and argand_sense_continue are collective. All ranks get the image of rank 0, or the
     * error if one fails. argand_sense_coil_maps, _eigenvalues and _phase_maps are collective, unless the
     * volume is the one that was run last: then one rank may ask alone, also after ARGAND_STOPPED in the
     * iterations. If ranks share that volume and all its samples are 0, they return ARGAND_ARGUMENT. The
     * session of rank 0 describes the run, if ranks are left over. Not with argand_sense_noise. */
    argand_comm *comm;
    /* How many of them share a volume. 0: as many as are predicted to be fastest, at least 1; others wait for
     * the image. With comm NULL or of one rank any number is accepted, and means one. */
    int ranks;
} argand_sense_options;

typedef struct argand_sense argand_sense;
typedef struct argand_fill argand_fill;

/* How a volume is best shared, by predicted times of one iteration of CG. */
typedef struct argand_sense_split {
    int ranks;           /* the fastest number of ranks; 1: sharing a volume takes longer */
    bool shots;          /* the shots would be dealt; otherwise the coils */
    double one, seconds; /* predicted for an iteration with one rank, and with `ranks` */
} argand_sense_split;

/* Creates a session. The scan must outlive the session. Maps are copied, from any device. The
 * reconstruction runs on `device`. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_create(argand_sense **session, argand_device *device,
                                                             const argand_scan *scan,
                                                             const argand_sense_options *options);
/* Replaces the scan by another one of the same measurement, for example the next repetition that a scanner
 * sends. The session's volumes are then those of the new scan, which must outlive the session; the old
 * scan is no longer needed. The session keeps transforms and maps, the mixing of channels, and coil maps
 * and weights if trajectory and slice are the same. ARGAND_ARGUMENT: matrix, trajectory, channels or
 * slices do not fit. ARGAND_UNSUPPORTED: the session has phase maps or joint repetitions. After a failure
 * the session is unchanged. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_continue(argand_sense *session,
                                                               const argand_scan *scan);
/* Predicts how many ranks of a communicator should share a volume of the session, which may have been made
 * without it. All ranks call it and get the prediction of rank 0. The times of exchanges are those of a
 * common network; the prediction is the same in every run. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_split_ranks(const argand_sense *session,
                                                                  argand_comm *comm,
                                                                  argand_sense_split *split);
ARGAND_API int argand_sense_volumes(const argand_sense *session);
/* Returns the scan whose samples and positions the session uses: the caller's scan, or a copy with the
 * corrected positions of girf and gradient_delay. The result is valid until the session takes another scan
 * or is destroyed. */
ARGAND_API const argand_scan *argand_sense_scan(const argand_sense *session);
/* The image of a volume does not depend on the volumes that the session ran before. Volumes may therefore
 * be dealt to several sessions of one scan, in any order, with the same bits on the same kind of device.
 * (After argand_sense_continue, a session keeps maps and noise spectrum of volumes that it ran before.)
 *
 * argand_sense_unit returns the number (0, 1, ...) of the volumes that are solved together, and should
 * therefore be run one after the other by the same session: slices that were excited together, or joint
 * repetitions. Other volumes are units of their own. argand_sense_leader returns the volume whose samples
 * give the coil maps of a volume: the first of the volumes of a slice that follow each other with the same
 * trajectory; with given maps and for simultaneous slices, also if other slices lie between them. A session
 * that runs a volume first prepares its leader, so it takes less time if one session runs all volumes with
 * the same leader. Both return -1 if there is no such volume. */
ARGAND_API int argand_sense_unit(const argand_sense *session, int volume);
ARGAND_API int argand_sense_leader(const argand_sense *session, int volume);
/* Deals the volumes to `parts` sessions. Writes the numbers of the volumes of part 0 ... parts-1 to
 * `volumes`, which holds argand_sense_volumes elements, in the order that takes the least time, and returns
 * their number. Each volume is in one part. Units stay together and follow each other; parts differ as
 * little as possible in the number of units, and have the same leaders where this leaves the largest part as
 * small. A part may be empty. volumes NULL: only the number. Returns 0 if there is no such part. */
ARGAND_API int argand_sense_deal(const argand_sense *session, int part, int parts, int *volumes);
/* Returns the slice, repetition, ... of a volume (shot, partition and segment are 0). */
ARGAND_API const argand_counters *argand_sense_counters(const argand_sense *session, int volume);
/* Return the size {nx, ny, nz} of the image, and its position in the patient. */
ARGAND_API void argand_sense_grid(const argand_sense *session, int64_t n[3]);
ARGAND_API argand_geometry argand_sense_geometry(const argand_sense *session, int volume);
/* Returns true if a sample of an acquisition counts as measured. In Cartesian scans, samples that are exactly
 * 0 in all channels do not count, because masks and asymmetric echoes are stored as zeros. If the receivers
 * count in whole numbers, zeros are data, except for zeros at the same end of every readout. In other scans,
 * whole acquisitions of zeros do not count, unless shots have phase maps. Returns false as well if an
 * argument is NULL or the acquisition has no such sample. */
ARGAND_API bool argand_sense_is_measured(const argand_sense *session, const argand_acquisition *acquisition,
                                         int64_t sample);
/* Returns text for people about choices and assumptions, one sentence per line. */
ARGAND_API const char *argand_sense_notes(const argand_sense *session);
/* Returns the name of the transform in use: "nufft", "dft", "dft-gradients" or "segmented". */
ARGAND_API const char *argand_sense_transform(const argand_sense *session);

/* Properties of the volume that was run last. If shots differ, the largest count and the largest error. */
typedef struct argand_sense_info {
    const char *transform;
    int shots;                /* shots with a phase map each; 1 without phase correction */
    int segments;             /* terms; 0 without segments */
    double segment_error;     /* relative rms error of the exponential that was reached */
    const char *interpolator; /* "min-max"; "" without segments */
    int convolutions;         /* convolutions of the Toeplitz normal operator; 0 without one */
    const char *solver;       /* "cg" */
    const char *density;      /* density weights: "none", "pipe", "file" or "deconvolve" */
    double density_power;     /* power to which the weights are raised */
    int iterations;           /* maximum for a volume */
    /* Why the last volume's iterations ended: "iterations", "converged" or "noise"; "" before. */
    const char *stop;
    int iteration; /* the iteration whose result is the image */
    double noise;  /* estimated noise of the image, |noise| / |image|; 0: not known */
    /* Coil maps were estimated although the centre of k-space is sampled too sparsely to be sure of them.
     * Set once a volume's maps exist. */
    bool coils_doubtful;
    argand_coils coils; /* algorithm that estimated the last volume's coil maps; AUTO: none did */
    int ranks;          /* ranks that share a volume */
    bool by_shots;      /* they share the shots; otherwise the coils */
} argand_sense_info;
ARGAND_API void argand_sense_describe(const argand_sense *session, argand_sense_info *info);

/* Reconstructs a volume into a complex array of nx ny nz elements, on any device. The session keeps
 * encoding operators between calls, and makes new ones only if trajectory or slice differ. ARGAND_STOPPED:
 * the monitor or observer stopped the call; if the solver had begun, the image holds the last iterate.
 * ARGAND_NUMERIC: the image has elements that are not finite. Samples may have any magnitude, because a
 * power of two is divided out and multiplied back. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_run(argand_sense *session, int volume,
                                                          argand_array *image, argand_monitor monitor,
                                                          void *monitor_context);
/* Creates a copy of the coil maps in use for a volume, given or estimated: {nx, ny, nz, coils}, or {nx,
 * ny, nz, coils, sets} with several sets. The caller destroys it. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_coil_maps(argand_sense *session, int volume,
                                                                argand_array **maps);
/* Creates a copy of the eigenvalues of coil maps that ESPIRiT estimated for a volume: real {nx, ny, nz[,
 * sets]}, near 1 where maps explain the data. *values is NULL if the maps have another source. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_eigenvalues(argand_sense *session, int volume,
                                                                  argand_array **values);
/* Creates a copy of the phase maps in use for a volume, given or estimated: {nx, ny, nz, shots} on the
 * host's device, in the order of the shots' numbers. *maps is NULL without phase correction. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_phase_maps(argand_sense *session, int volume,
                                                                 argand_array **maps);
/* Estimates the noise of a volume's image by pseudo-replicas (Robson et al., MRM 60:895, 2008): `count`
 * reconstructions with noise added to the samples. deviation: real {nx, ny, nz}, the standard deviation of
 * a pixel's real part, which equals that of its imaginary part. Its relative error is 1 / sqrt(4 count) or
 * more. image: the result of argand_sense_run for the volume. factor: C64 {channels, channels}, the factor
 * L of the channels' noise covariance L L^H (argand_noise_factor) in the units of the scan's samples;
 * NULL: independent noise with E |n|^2 = 1. Samples that were not measured get no noise. Each call draws
 * different noise, which follows from the volume and the calls for it before. ARGAND_UNSUPPORTED:
 * simultaneous slices, joint repetitions. The monitor is called for the iterations of all reconstructions;
 * the observer sees the stage "noise map". */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_noise(argand_sense *session, int volume,
                                                            const argand_array *image, int count,
                                                            const argand_array *factor,
                                                            argand_array *deviation, argand_monitor monitor,
                                                            void *monitor_context);
/* Computes the g-factor of a volume by formula: the noise of a pixel over that of a complete scan without
 * undersampling, times 1 / sqrt(R) for the fewer samples. fill NULL: that of SENSE (argand_coils_gfactor),
 * for coils with equal, independent noise. Otherwise the scan is argand_fill_scan(fill), made with
 * keep_kernels, and the g-factor is that of GRAPPA (argand_grappa_gfactor) with the combination by the
 * session's coil maps; covariance: C64 {channels, channels} of the channels' noise, NULL: the unit matrix.
 * gfactor: real {nx, ny, nz}. Calibration lines between the image's lines are not in the formula; a note says
 * so. ARGAND_UNSUPPORTED: the lines are no regular undersampling of a Cartesian grid, or the image is not the
 * least-squares solution with one set of coil maps. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_gfactor(argand_sense *session, int volume,
                                                              const argand_fill *fill,
                                                              const argand_array *covariance,
                                                              argand_array *gfactor);
ARGAND_API void argand_sense_destroy(argand_sense *session);

/* ---- rigid motion from the scan itself */

typedef struct argand_motion_search {
    int encoding;
    argand_motion_counter by; /* what the rows count */
    /* Consecutive shots or segments that share a position; 0: 1, or as many as leave 32 positions. */
    int group;
    double cycles;      /* as in argand_motion_options */
    argand_coils coils; /* coil maps: as in argand_sense_options */
    double calibration;
    const argand_array *coil_maps;
    const char *coil_maps_name;
} argand_motion_search;
/* Estimates the position of the object in each shot, segment or repetition, relative to the first that was
 * acquired (argand_motion_estimate). `rows` elements of motion: argand_scan_motion_rows. Shots and segments
 * are fitted together, from the slice with the most signal; if the scan has no coil maps, they are estimated
 * again after each correction. Repetitions are fitted to the first one by one; the residuals in the report
 * are those of the repetition with the most evidence. The coils move with the object. ARGAND_ARGUMENT: fewer
 * than 2 positions; shots whose numbers repeat. ARGAND_UNSUPPORTED: simultaneous slices. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_motion(argand_rigid *motion, int64_t rows,
                                                            argand_device *device, const argand_scan *scan,
                                                            const argand_motion_search *options,
                                                            argand_motion_report *report);

/* ---- undersampled Cartesian scans become complete ones, which a session reconstructs as any other */

typedef struct argand_fill_options {
    int encoding;                 /* encoding space */
    argand_grappa_options grappa; /* window, regularization, noise covariance of the channels */
    bool keep_kernels;            /* keep what argand_sense_gfactor needs; refuses irregular undersampling */
} argand_fill_options;

typedef struct argand_fill_info {
    int64_t volumes;         /* of the encoding */
    int64_t filled;          /* volumes that got samples */
    int64_t lines, added;    /* acquired image lines; lines that were added */
    argand_grappa_info last; /* of the last volume that was filled */
} argand_fill_info;

/* Makes a complete scan; `scan` must outlive it. Samples that are 0 in all channels count as missing.
 *
 * The weights of a volume (all lines that share slice, repetition, average, contrast, phase and set) come
 * from its separate calibration lines; else from the fully sampled block around the centre of its k-space,
 * embedded calibration lines included; else from the first volume of the slice that has either. Lines are
 * added with the times of the nearest acquired line. ARGAND_ARGUMENT, ARGAND_UNSUPPORTED: the samples do not
 * lie on the Cartesian grid of the encoded matrix, slices were excited together, or a volume has no
 * calibration data or too little; the message names the volume and what is missing. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fill_create(argand_fill **fill, const argand_scan *scan,
                                                            const argand_fill_options *options);
/* Returns the complete scan, which lives as long as fill. */
ARGAND_API const argand_scan *argand_fill_scan(const argand_fill *fill);
ARGAND_API void argand_fill_describe(const argand_fill *fill, argand_fill_info *info);
/* Returns sentences for people, one per line: what was done. */
ARGAND_API const char *argand_fill_notes(const argand_fill *fill);
ARGAND_API void argand_fill_destroy(argand_fill *fill);

#ifdef __cplusplus
}
#endif
#endif
