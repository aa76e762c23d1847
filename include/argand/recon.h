/* SPDX-License-Identifier: BSD-3-Clause */
/* recon.h: from a scan to images. A session finds the volumes of a scan (every slice, repetition, average,
 * contrast, phase and set), the maps that they need, and reconstructs one volume a call:
 *
 *     argand_scan_read(&scan, "brain.h5", NULL);
 *     argand_sense_create(&session, device, scan, &(argand_sense_options){.iterations = 10});
 *     for (int v = 0; v < argand_sense_volumes(session); v++)
 *         argand_sense_run(session, v, image, NULL, NULL);
 *
 * Limits: 65535 slices, 16 sets of coil maps, ARGAND_MAX_REGULARIZERS regularizers; memory for what a volume
 * needs. Threads: a session is for one thread at a time; several sessions of one scan may run at the same
 * time as each other, on devices of their own or on one. Refused: options out of range or that do not go
 * together (ARGAND_ARGUMENT, ARGAND_UNSUPPORTED), maps, weights and matrices that do not fit the scan
 * (ARGAND_ARGUMENT, by their names), scans that cannot be reconstructed (ARGAND_FORMAT, ARGAND_UNSUPPORTED),
 * images that are not finite (ARGAND_NUMERIC). NULL: see argand.h; options and monitor may be NULL. */
#ifndef ARGAND_RECON_H
#define ARGAND_RECON_H

#include "calib.h"
#include "io.h"
#include "mri.h"
#include "segments.h"
#include "solve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum argand_transform {
    ARGAND_TRANSFORM_AUTO = 0, /* dft or segmented, whichever is predicted to be faster, where there is a
                                  field map or R2*, else nufft */
    ARGAND_TRANSFORM_NUFFT = 1,
    ARGAND_TRANSFORM_DFT = 2,
    ARGAND_TRANSFORM_DFT_GRADIENTS = 3,
    ARGAND_TRANSFORM_SEGMENTED = 4 /* NUFFT with segments for field map and R2* (segments.h) */
} argand_transform;
ARGAND_API const char *argand_transform_name(argand_transform transform); /* "dft-gradients"; or "unknown" */

/* Weights of the samples' squared residuals. */
typedef enum argand_density {
    ARGAND_DENSITY_AUTO = 0, /* NONE where all samples lie on the Cartesian grid; else FILE where the scan has
                                weights that even the density out, else PIPE; a note says which */
    ARGAND_DENSITY_NONE = 1, /* every sample counts alike */
    ARGAND_DENSITY_PIPE = 2, /* Pipe and Menon's iteration */
    ARGAND_DENSITY_FILE =
        3, /* the caller's weights, or the scan's array DensityCompensation {samples, shots} */
    ARGAND_DENSITY_DECONVOLVE = 4 /* Fourier deconvolution: argand_density_deconvolve */
} argand_density;
ARGAND_API const char *argand_density_name(argand_density density); /* "pipe"; or "unknown" */
ARGAND_API ARGAND_MUST_USE argand_status argand_density_describe(argand_density density,
                                                                 argand_kind_info *info);

/* How the image is found: by iteration, or by one weighted adjoint (gridding; conjugate phase with a field
 * map), A^H W y with the coil maps, or the root of the sum of the coils' squares without them. The adjoint
 * needs density weights: without them DENSITY_PIPE is taken. */
typedef enum argand_method {
    ARGAND_METHOD_SOLVE = 0,
    ARGAND_METHOD_ADJOINT = 1,
    ARGAND_METHOD_ADJOINT_RSS = 2
} argand_method;

/* How missing coil maps are estimated.
 *   AUTO      ESPIRIT, if a block of k-space is sampled fully over 12 cells (cycles per field of view)
 *             along each axis and holds the whole object's signal. Otherwise all three are tried (JOINT only
 *             if it takes minutes rather than hours), and the one whose image explains the samples best is
 *             used; a note says which. A Cartesian scan that is complete over fewer than 4 lines is refused:
 *             images from such maps are aliased
 *   ADAPTIVE  local principal components (argand_coils_estimate) of windowed coil images
 *   ESPIRIT   argand_coils_espirit on up to 24 cells along each axis of low-resolution coil images, which are
 *             solved for coil by coil. With a crop of 0, maps are 0 where the eigenvalue is below 0.8; or
 *             below less, down to nowhere, if the image has more signal than noise there
 *   JOINT     together with an image, by nonlinear inversion (Uecker et al., MRM 60:674, 2008), from all
 *             samples; without field map, R2* and phase maps. One set of maps
 * What calibrates is all that was measured: image lines and calibration lines between them; or a calibration
 * scan of its own, where there is one. */
typedef enum argand_coils {
    ARGAND_COILS_AUTO = 0,
    ARGAND_COILS_ADAPTIVE = 1,
    ARGAND_COILS_ESPIRIT = 2,
    ARGAND_COILS_JOINT = 3
} argand_coils;
ARGAND_API const char *argand_coils_name(argand_coils coils); /* "espirit"; or "unknown" */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_describe(argand_coils coils, argand_kind_info *info);

/* Whether iterations go through a Toeplitz normal operator (toeplitz.h): AUTO where the transform is a NUFFT,
 * with or without segments, and it is predicted to pay. To nufft_tolerance, or segment_tolerance where a
 * field is corrected. */
typedef enum argand_toeplitz_use {
    ARGAND_TOEPLITZ_AUTO = 0,
    ARGAND_TOEPLITZ_ON = 1,
    ARGAND_TOEPLITZ_OFF = 2
} argand_toeplitz_use;
ARGAND_API const char *argand_toeplitz_use_name(argand_toeplitz_use use); /* "on"; or "unknown" */

/* Phase maps of shots, for scans whose shots differ in phase (diffusion, elastography): where they come from.
 * NONE takes all shots of a volume together. NAVIGATORS and SHOTS estimate them from low-resolution images of
 * the navigator that belongs to each shot, or of the shot's own central samples. */
typedef enum argand_phases {
    ARGAND_PHASES_NONE = 0,
    ARGAND_PHASES_MAPS = 1,
    ARGAND_PHASES_NAVIGATORS = 2,
    ARGAND_PHASES_SHOTS = 3
} argand_phases;

/* A map: an array of the caller, or the scan's own. Maps have the grid's shape {nx, ny[, nz]}, and coil maps
 * {nx, ny, nz, coils}; a last dimension may count the slices. A dimension nz of 1 may be left out. */
typedef struct argand_sense_options {
    argand_type type; /* ARGAND_C32 (default) or ARGAND_C64 */
    argand_transform transform;
    argand_method method;
    int encoding;      /* the encoding space that is reconstructed */
    int64_t matrix[3]; /* zeros: the encoded matrix within the reconstructed field of view */
    /* Field of view of the image in mm; 0: the reconstructed one that the header names. Without a matrix, the
     * pixel size stays, so a field of view larger than the encoded one has more pixels. Curved trajectories
     * measure what lies beyond the encoded field of view. Samples on a grid alias it; only given coil maps
     * can separate it again. */
    double field_of_view[3];
    /* At most. 0: 50; CG without regularizers, partial_fourier and preconditioner then stops where more would
     * add more noise than signal (argand_cg_options.noise), at 1e-4 of the gradient at the latest. */
    int iterations;
    double tolerance; /* relative gradient at which the iteration stops; 0: all iterations. With a tolerance
                         noise is not looked at */
    double nufft_tolerance;   /* 0 means 1e-5 in single, 1e-9 in double precision */
    int segments;             /* for TRANSFORM_SEGMENTED: L, L + 1 terms; 0: as many as the tolerance needs */
    double segment_tolerance; /* relative rms of the exponential; 0 means 1e-3 in single, 1e-6 in double
                                 precision */
    argand_interpolator interpolator;
    bool frequency_segments;                /* frequency instead of time segments */
    const argand_regularizer *regularizers; /* penalty.h; their weights have no scale (solve.h) */
    int regularizer_count;
    argand_solver solver;
    int inner; /* steps inside an iteration of some solvers; 0: their default */
    argand_toeplitz_use toeplitz;
    bool precondition; /* CG steps with the circulant matrix nearest to the normal operator
                          (argand_op_circulant), made from the Toeplitz kernels, which are then used in any
                          case */
    double
        partial_fourier; /* weight of the phase constraint (argand_op_phase_constraint) for scans with partial
                            Fourier or asymmetric echoes, relative to the same; 0: none; 0.3 is sound */
    argand_density density;
    /* weights are taken to this power; 0: 1/2 for DENSITY_AUTO with METHOD_SOLVE, which converges nearly as
     * fast as 1 and costs little of the noise that 1 costs; else 1 */
    double density_power;
    /* Channels are whitened by the scan's noise acquisitions where it has enough of them, as least squares
     * assumes noise that is equal and independent; a note says so. The scale of the images does not change.
     * whiten: or it is an error; as_received: never. */
    bool whiten, as_received;
    const argand_array *noise; /* complex {samples, channels}: whiten by this. At least twice as many samples
                                  as channels: a matrix is no noise */
    /* complex {channels, channels}: whiten by this, as argand_noise_whitener makes it; BART's optmat
     * {1, 1, 1, channels, channels} is recognised by its axes and taken input first. One of noise and
     * whitener at most; they go before the scan's own noise. Scaled so that the noise of all channels
     * together does not change, as with samples. */
    const argand_array *whitener;
    int compress; /* to so many virtual coils (SVD); 0: none. Given coil maps are mixed alike */
    /* complex {virtual coils, channels}: compress by this, after whitening, as argand_coils_compress makes it
     * (SVD); BART's {1, 1, 1, channels, virtual coils} (cc -M) likewise, conjugated as its
     * ccapply does. One of compress and compression at most. */
    const argand_array *compression;
    /* real, one number for each sample of a volume, sample fastest, then shot, in the scan's order: density
     * weights, 0 or more, finite. All volumes have the same. They count as DENSITY_FILE. */
    const argand_array *weights;
    /* What messages call the arrays above, say their files; NULL: nothing. */
    const char *noise_name, *whitener_name, *compression_name, *weights_name;
    argand_coils coils;
    argand_espirit_options espirit; /* of ARGAND_COILS_ESPIRIT; `images` is not looked at, and a threshold of
                                       0 means that it is found from the singular values */
    double coil_sigma;              /* of ARGAND_COILS_ADAPTIVE: argand_coils_estimate's sigma; 0: 3 */
    int sets; /* of coil maps, given {nx, ny, nz, coils, sets} or by ESPIRiT; 0 means 1. With several, each
                 set sees an image of its own (soft SENSE: Uecker et al., MRM 71:990, 2014), where the object
                 is larger than the field of view; what comes out is the root of the sum of their squares with
                 the phase of the first. Not with phase maps, simultaneous slices, repetitions together,
                 partial Fourier */
    double calibration; /* radius of the k-space that coil maps are estimated from, up to 1, whatever is
                           sampled there; 0: as far as it is sampled fully */
    const argand_array *field_map; /* real, rad/s */
    const argand_array *coil_maps; /* complex */
    const argand_array *mask;      /* real; only pixels where it is not 0 are reconstructed */
    const argand_array *r2star;    /* real, 1/s */
    /* Phase that a field camera has measured beyond what trajectory and field map say, real {samples of a
     * volume, terms} (further dimensions of samples are allowed before the last), sample fastest, then shot,
     * in the scan's order; 1, 4, 9, 16 or 20 terms of argand_phase_basis in rad, rad/m, rad/m^2, rad/m^3,
     * places in the patient's system of the scan (LPS, origin at the isocentre). Linear terms are added to k.
     * All volumes have the same. With TRANSFORM_AUTO or SEGMENTED. */
    const argand_array *phase_terms;
    const char *phase_terms_name; /* what messages call them */
    /* A field map that jumps to 0 is taken as not measured there, and continued smoothly (harmonically) from
     * its other values; a note says so. true: its zeros are values. */
    bool keep_field_zeros;
    const argand_array *gradient[3]; /* real, cycles per voxel per second; for DFT_GRADIENTS */
    const char *field_map_name; /* the scan's array to use where field_map is NULL; NULL means "FieldMap", ""
                                   none. Where field_map is given: what messages call it, say its file */
    const char *coil_maps_name; /* likewise, "SENSEMap"; estimated where there is none */
    const char *mask_name;      /* likewise; NULL means none */
    /* All repetitions of a volume as one problem, images side by side. With a basis v, complex or real
     * {repetitions, columns}, repetition r is sum_k v_rk x_k, and only the images x_k of the first `rank`
     * columns (0: all) are unknown; basis_name: the scan's array instead ("v" in files of the forge family).
     * The first repetition that is run solves for all. */
    bool joint;
    const argand_array *basis;
    const char *basis_name;
    int rank;
    argand_phases phases; /* where the shots' phase maps come from */
    /* For PHASES_MAPS: real, rad; the grid's shape followed by axes that count shot, partition, slice,
     * average, phase, contrast, repetition, segment (in that order, 1 where all share a map), or all that as
     * one vector. A shot and partition that has a map of its own is one shot of the model; shots that are
     * missing in the scan keep their place among the maps. */
    const argand_array *phase_maps;
    const char *phase_maps_name; /* the scan's array where phase_maps is NULL; NULL means "PhaseMaps" */
    /* What the gradients made of the positions that the scan says: of image data, calibrations and navigators
     * that have positions. The gradient waveform of each readout goes through the gradient impulse response
     * (Vannesjo et al., MRM 69:583, 2013), complex {frequencies} for all axes or {frequencies, 2 or 3} for x,
     * y, z, element floor(n/2) at 0 Hz, where it is near 1; linear between its elements, 0 beyond. */
    const argand_array *girf;
    double girf_step;         /* Hz from element to element */
    double gradient_delay[3]; /* s, by which the gradients of x, y, z are late; up to 0.1 */
    const char *girf_name;    /* what messages call it */
} argand_sense_options;

typedef struct argand_sense argand_sense;

/* The scan must outlive the session; maps are copied, from any device. The device keeps the whole solve. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_create(argand_sense **session, argand_device *device,
                                                             const argand_scan *scan,
                                                             const argand_sense_options *options);
/* The session goes on with another scan of the same measurement, say its next repetition as a scanner sends
 * it: the volumes are now those of this scan, which must outlive the session instead of the one before. What
 * was chosen stays: transforms, coil maps and weights where trajectory and slice do, channels' mixing, maps.
 * ARGAND_ARGUMENT where matrix, trajectory, channels or slices do not fit; ARGAND_UNSUPPORTED with phase maps
 * and for repetitions together. A session that refuses is as it was. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_continue(argand_sense *session,
                                                               const argand_scan *scan);
ARGAND_API int argand_sense_volumes(const argand_sense *session);
/* The scan whose samples and positions the session uses: the caller's, or a copy of its lists with the
 * positions that the gradients played. It lives until the session takes another scan or is destroyed. */
ARGAND_API const argand_scan *argand_sense_scan(const argand_sense *session);
/* Which slice, repetition, ... a volume is (shot, partition and segment are 0). */
ARGAND_API const argand_counters *argand_sense_counters(const argand_sense *session, int volume);
/* The image's size {nx, ny, nz} and its place in the patient. */
ARGAND_API void argand_sense_grid(const argand_sense *session, int64_t n[3]);
ARGAND_API argand_geometry argand_sense_geometry(const argand_sense *session, int volume);
/* Returns true if a sample of an acquisition counts as measured. In Cartesian scans, samples that are exactly
 * 0 in all channels do not count, because masks and asymmetric echoes are stored as zeros. If the receivers
 * count in whole numbers, zeros are data, except for zeros at the same end of every readout. In other scans,
 * whole acquisitions of zeros do not count, unless shots have phase maps. Returns false as well if an
 * argument is NULL or the acquisition has no such sample. */
ARGAND_API bool argand_sense_is_measured(const argand_sense *session, const argand_acquisition *acquisition,
                                         int64_t sample);
/* What was chosen and assumed, a sentence a line, for people. */
ARGAND_API const char *argand_sense_notes(const argand_sense *session);
/* The transform in use: "nufft", "dft", "dft-gradients" or "segmented". */
ARGAND_API const char *argand_sense_transform(const argand_sense *session);

/* What is in use for the volume that was run last; of several shots the most and the worst. */
typedef struct argand_sense_info {
    const char *transform;
    int shots;                /* that have a phase map each; 1 without phase correction */
    int segments;             /* terms; 0 without segments */
    double segment_error;     /* reached: relative rms of the exponential */
    const char *interpolator; /* "min-max"; "" without segments */
    int convolutions;         /* of the Toeplitz normal operator; 0 without one */
    const char *solver;       /* "cg" */
    const char *density;      /* weights: "none", "pipe", "file" or "deconvolve" */
    double density_power;     /* to which they are taken */
    int iterations;           /* of a volume, at most */
    const char *stop; /* why the last volume's ended: "iterations", "converged" or "noise"; "" before */
    int iteration;    /* whose iterate the image is */
    double noise;     /* estimate of the part of the image that is noise, |noise| / |image|; 0: not known */
    bool coils_doubtful; /* coil maps were estimated although k-space's middle is sampled too sparsely to be
                            sure of them; known once a volume's maps are */
    argand_coils coils;  /* the algorithm that estimated the last volume's coil maps; AUTO: none did */
} argand_sense_info;
ARGAND_API void argand_sense_describe(const argand_sense *session, argand_sense_info *info);

/* Reconstructs a volume into a complex array of nx ny nz elements, on any device. Encoding operators are kept
 * from call to call and made anew only where trajectory or slice differ. On ARGAND_STOPPED the image holds
 * the last iterate. ARGAND_NUMERIC: it holds elements that are not finite. Samples may have any size: a power
 * of two is taken out of all and put back. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_run(argand_sense *session, int volume,
                                                          argand_array *image, argand_monitor monitor,
                                                          void *monitor_context);
/* The coil maps {nx, ny, nz, coils} in use for a volume, the scan's or estimated; {nx, ny, nz, coils, sets}
 * of several sets; a new array, to be destroyed. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_coil_maps(argand_sense *session, int volume,
                                                                argand_array **maps);
/* The eigenvalues real {nx, ny, nz[, sets]} of coil maps that ESPIRiT estimated for a volume, near 1 where
 * maps explain the data; a new array, or NULL where maps are others. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_eigenvalues(argand_sense *session, int volume,
                                                                  argand_array **values);
/* The phase maps {nx, ny, nz, shots} in use for a volume, given or estimated, shots in the order of their
 * numbers; a new array on the host's device, or NULL without phase correction. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_phase_maps(argand_sense *session, int volume,
                                                                 argand_array **maps);
/* The noise of a volume's image by pseudo-replicas (Robson et al., MRM 60:895, 2008): `count`
 * reconstructions with noise added to the samples. deviation: real {nx, ny, nz}, the standard deviation of a
 * pixel's real part, as of its imaginary part; its relative error is 1 / sqrt(4 count) and more. image: what
 * argand_sense_run made of the volume. factor: C64 {channels, channels}, L of the channels' noise covariance
 * L L^H (argand_noise_factor) in the units of the scan's samples; NULL: independent noise with E |n|^2 = 1.
 * Samples that were not measured get no noise. A session draws other noise each time; sessions that are made
 * and asked alike draw the same. ARGAND_UNSUPPORTED: simultaneous slices, and repetitions together. The
 * monitor sees the iterations of all reconstructions; the observer hears of "noise map". */
ARGAND_API ARGAND_MUST_USE argand_status argand_sense_noise(argand_sense *session, int volume,
                                                            const argand_array *image, int count,
                                                            const argand_array *factor,
                                                            argand_array *deviation, argand_monitor monitor,
                                                            void *monitor_context);
ARGAND_API void argand_sense_destroy(argand_sense *session);

#ifdef __cplusplus
}
#endif
#endif
