/* SPDX-License-Identifier: BSD-3-Clause */
/* mri.h: operators and simulations for magnetic resonance imaging: coils, phantoms, trajectories,
 * images in nonlinear gradients.
 *
 * Limits: matrices of trajectories up to 65536 on an axis, readouts up to 1 s; arrays need one dimension for
 * coils, shots, bands or repetitions besides those of the image. Threads: operators are for one thread at a
 * time (op.h); the other functions change their outputs alone. Refused with ARGAND_ARGUMENT: coil maps, phase
 * maps and bases of another shape, type or device than required, trajectories that are impossible (a spiral
 * that does not reach its end, an echo before the start of the readout), options out of range, images
 * without a position. NULL: see argand.h; options are required; other arguments may be NULL where the
 * function says so. */
#ifndef ARGAND_MRI_H
#define ARGAND_MRI_H

#include "io.h"
#include "op.h"
#include "solve.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Creates the SENSE operator of any transform F: y_c = F(S_c x), adjoint sum_c conj(S_c) F^H y_c
 * (Pruessmann et al., MRM 42:952, 1999). transform: {image dims..., coils} -> {samples..., coils}, applied
 * to all coils at once. maps: complex {image dims..., coils}; the operator shares their storage. The
 * operator maps {image dims...} to the range of the transform. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_sense(argand_op **op, argand_op *transform,
                                                         const argand_array *maps);

/* Creates the SENSE operator of several shots, each with a phase map P_s: y_cs = F_s(S_c exp(+i P_s) x);
 * the adjoint has conj(S_c) exp(-i P_s). transforms[s]: {image dims..., coils} -> {samples of s...,
 * coils}, of any kind and number of samples; NULL: the shot is missing. maps: complex {image dims...,
 * coils}; the operator shares their storage. phases: real {image dims..., shots}, rad, on any device, with
 * a map for missing shots, too; they are copied. The operator maps {image dims...} to {samples of all
 * present shots, coils}: sample fastest, then shot, then coil. It needs memory for the coil images of one
 * shot, and for one complex image per shot. One thread at a time may use it. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_pcsense(argand_op **op, int shots,
                                                           argand_op *const transforms[],
                                                           const argand_array *maps,
                                                           const argand_array *phases);

/* Joins all repetitions to one operator: y_r = A_r x_r, with all y_r one after the other. parts: `count`
 * operators with equal images {image dims...}; the operator holds references to them, and several may be
 * the same. Without a basis (NULL) the domain is {image dims..., count}. With a temporal basis v, complex
 * {count, images} of few columns, y_r = A_r sum_k v_rk x_k and the domain is {image dims..., images}. The
 * range is {samples of all parts}, one dimension. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_repetitions(argand_op **op, argand_op *const parts[],
                                                               int count, const argand_array *basis);
/* Creates the normal operator of argand_op_repetitions from the normal operators N_r of the parts, such as
 * Toeplitz operators (Hermitian, {image dims...} to itself): z_k = sum_r conj(v_rk) N_r sum_l v_rl x_l. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_repetitions_normal(argand_op **op,
                                                                      argand_op *const parts[], int count,
                                                                      const argand_array *basis);

/* Creates the normal operator of SENSE, sum_c conj(S_c) T (S_c x), {image dims...} to itself, from the
 * normal operator T of the transform. If T has phase maps of shots, this is the normal operator of
 * multi-shot phase-corrected SENSE; if T has a field map, of SENSE with off-resonance. Coils are processed
 * in batches of bounded memory. maps: complex {image dims..., coils}; the operator shares their storage.
 * The caller keeps `toeplitz` and may destroy it. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_sense_normal(argand_op **op, argand_toeplitz *toeplitz,
                                                                const argand_array *maps);

/* Computes the root of the sum of squares over the coils: image real {dims...}, images complex {dims...,
 * coils}. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_rss(argand_array *image, const argand_array *images);
/* Simulates smooth coil sensitivities {nx, ny[, nz], coils}, complex: the field B_x - i B_y of loops on a
 * ring around the field of view that face its centre (radius 1.5 half fields of view; two rings for volumes
 * with an even number of at least 8 coils). The sum over coils of |S|^2 is 1 at every pixel. The maps are a
 * function of the position r alone, so that grids of different sizes sample the same maps. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_birdcage(argand_array *maps);

/* Shepp-Logan phantom with modified contrast (Toft 1996), 2-D (10 ellipses) or 3-D (ellipsoids). In fields of
 * view, the head reaches from -0.46 to 0.46 along y; y points down (posterior), so that the forehead is at
 * small y; z points to the head. argand_phantom_image: real or complex {nx, ny[, nz]}; a pixel is the mean of
 * the phantom over the pixel's area or volume, centred on r. argand_phantom_kspace: complex samples of the
 * exact continuous Fourier transform, the integral of f(r) exp(-2 pi i k r) dr, times `pixels`. With pixels =
 * nx ny nz this is the limit of the sum over the image's pixels. k: real, cycles per field of view. */
typedef enum argand_phantom { ARGAND_SHEPP_LOGAN_2D = 2, ARGAND_SHEPP_LOGAN_3D = 3 } argand_phantom;
ARGAND_API ARGAND_MUST_USE argand_status argand_phantom_image(argand_array *image, argand_phantom phantom);
ARGAND_API ARGAND_MUST_USE argand_status argand_phantom_kspace(argand_array *samples, argand_phantom phantom,
                                                               argand_array *const k[], double pixels);

/* Trajectories: k[axis] in cycles per field of view and t in seconds, real {samples, shots} or {samples,
 * shots, partitions}. Cartesian: lines along x that begin floor(n/2) steps below the centre. Radial: spokes
 * from -N/2 through 0. Spiral: from the centre to N/2 within limits of gradient amplitude and slew rate.
 * Stacks repeat these for each k_z from -floor(n_z/2). If n_x and n_y differ, voxels are square, and the axis
 * with fewer voxels has the smaller field of view. */
typedef enum argand_trajectory {
    ARGAND_CARTESIAN,
    ARGAND_RADIAL,
    ARGAND_SPIRAL,
    ARGAND_STACK_OF_SPIRALS,
    ARGAND_STACK_OF_STARS
} argand_trajectory;
typedef struct argand_trajectory_options {
    argand_trajectory kind;
    int64_t n[3];   /* matrix; n[2] = 0 or 1: 2-D */
    int shots;      /* interleaves, spokes or lines per partition; 0: the number for full sampling, which for
                       spirals depends on the readout */
    int samples;    /* samples per shot; 0: n_x for Cartesian lines, 2 N for spokes, |dk| <= 1 at the fastest
                       part of spirals */
    double readout; /* seconds from the first to the last sample of a shot, at most 1; 0 means 0.02 (spiral),
                       0.005 otherwise */
    double echo;    /* seconds from excitation to the k-space centre of a shot; 0: t counts from the centre */
    double acceleration;   /* undersampling of shots or lines; 0 means 1 */
    double field_of_view;  /* m, of the longer in-plane axis; 0 means 0.24. Used, with the limits below, for
                              spirals alone */
    double gradient_limit; /* T/m; 0 means 0.040 */
    double slew_limit;     /* T/m/s; 0 means 150 */
    bool golden; /* radial: spokes by the golden angle, 111.25 degrees, instead of evenly over 180 degrees */
} argand_trajectory_options;
/* Creates k (2 arrays, or 3 if n[2] > 1) and t on the device; the caller destroys them. */
ARGAND_API ARGAND_MUST_USE argand_status argand_trajectory_make(argand_array *k[3], argand_array **t,
                                                                argand_device *device, argand_type type,
                                                                const argand_trajectory_options *options);
/* Computes the shortest possible `echo`: the seconds from the first sample of a shot to the centre of
 * k-space. Ignores the `echo` of the options. */
ARGAND_API ARGAND_MUST_USE argand_status
argand_trajectory_shortest_echo(double *seconds, const argand_trajectory_options *options);

/* Describes a kind of trajectory, for help texts, messages and headers of files. Kinds are numbered from 0 to
 * argand_trajectory_count() - 1. The texts are static. ARGAND_ARGUMENT: unknown kind. */
typedef struct argand_trajectory_info {
    const char *name;    /* "stack-of-spirals" */
    const char *summary; /* "the same spirals in each partition of a volume" */
    const char *paper;   /* reference of the method; NULL: a textbook method */
    const char *shot;    /* name in the header of an ISMRMRD file: "cartesian", "radial", "spiral", "other" */
    bool is_flat;        /* meant for one plane */
    bool is_volume;      /* takes partitions, n[2] > 1 */
    bool is_centre_out;  /* a shot begins at k = 0; otherwise k = 0 is at sample floor(samples / 2) */
} argand_trajectory_info;
ARGAND_API int argand_trajectory_count(void);
ARGAND_API ARGAND_MUST_USE argand_status argand_trajectory_describe(argand_trajectory kind,
                                                                    argand_trajectory_info *info);

/* Simulates a smooth field map of a head in rad/s, between -range and range: a maximum above the nasal sinus,
 * two minima at the ear canals, and a remaining shim gradient. map: real {nx, ny[, nz]}, a function of the
 * position r alone, y to posterior. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fieldmap_head(argand_array *map, double range);

/* Simulates the signal of an object with coils and a field map:
 *   samples_jc = integral of f(r) S_c(r) exp(-i (2 pi k_j r + w(r) t_j)) dr, times n_x n_y n_z,
 * the limit of the sum over the pixels of a reconstruction. The object is given on a grid at least twice as
 * fine as the reconstruction's: data made on the reconstruction's own grid would give too small errors.
 * Computed by the exact DFT with a field map, by a NUFFT without. Pixels are means over their area, as
 * argand_phantom_image makes them; their transform is divided out. */
typedef struct argand_simulation {
    const argand_array *image;     /* f: real or complex {fine dims}, 2 or 3 dimensions */
    const argand_array *coil_maps; /* S: complex {fine dims, coils}; NULL: one coil that is 1 everywhere */
    const argand_array *field_map; /* w: real {fine dims}, rad/s; NULL: none */
    const argand_array *k[3];      /* cycles per field of view */
    const argand_array *t;         /* s; needed with a field map */
    int64_t n[3];                  /* matrix of the reconstruction */
} argand_simulation;
/* samples: complex {dims of k..., coils}; their precision is that of the result. */
ARGAND_API ARGAND_MUST_USE argand_status argand_simulate(argand_array *samples,
                                                         const argand_simulation *simulation);

/* Adds Gaussian noise of standard deviation sigma to the real and the imaginary part of each element of a
 * complex array. The same seed gives the same noise. */
ARGAND_API ARGAND_MUST_USE argand_status argand_noise_add(argand_array *array, double sigma, uint64_t seed);

/* Creates the operator of simultaneous slices (multiband): y = sum_b P_b A_b x_b. parts: `bands` operators
 * {image dims...} -> {samples, coils}, each with the coil maps and field map of its slice; they may share
 * a transform, and the operator holds references to them. phases: P, complex {samples, bands}, the same
 * for all coils, storage shared; NULL means 1. The domain is {image dims..., bands}. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_multiband(argand_op **op, argand_op *const parts[],
                                                             int bands, const argand_array *phases);
/* Computes the phases of blipped CAIPI: P_jb = exp(-2 pi i kz_j (b - floor(bands / 2)) / bands). kz: real
 * {samples}, in cycles per (bands times slice spacing), as argand_bands of io.h: an integer kz shifts
 * neighbouring slices against each other by (field of view) / bands. phases: complex {samples, bands}. */
ARGAND_API ARGAND_MUST_USE argand_status argand_multiband_phases(argand_array *phases,
                                                                 const argand_array *kz);

/* Creates the operator y = Im(conj(p) x), real, for an image x. A penalty on y asks that the image has the
 * phase p or its opposite, which completes partial Fourier scans. p: complex {image dims...}, |p| = 1. The
 * operator is linear over the reals; its adjoint is the transpose for Re<., .>, which argand_solve_cg
 * uses. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_phase_constraint(argand_op **op,
                                                                    const argand_array *phase);
/* Computes phase = image / |image|, or 1 where the image is 0: makes p from a low-resolution image. */
ARGAND_API ARGAND_MUST_USE argand_status argand_phase_unit(argand_array *phase, const argand_array *image);

/* Completes an image of partial Fourier by POCS (Haacke, Lindskog, Lin, J. Magn. Reson. 92:126, 1991), in
 * place: each iteration gives the image the phase of its symmetric part of k-space (Hann window), then the
 * acquired k-space. image: complex {nx[, ny[, nz]]}; k-space outside is ignored. low, high: first and last
 * acquired cell along each axis, counted from the centre; along a complete axis -floor(n/2) and
 * floor((n-1)/2). 10 iterations are enough for most images. ARGAND_ARGUMENT: an incomplete axis without
 * cells on both sides of the centre. */
ARGAND_API ARGAND_MUST_USE argand_status argand_image_pocs(argand_array *image, const int64_t low[3],
                                                           const int64_t high[3], int iterations);
/* Weighting of homodyne reconstruction: the part of k-space that was acquired on both sides of the centre
 * gets a ramp from 0 to 2, or 1. Samples beyond it count twice. */
typedef enum argand_homodyne {
    ARGAND_HOMODYNE_NONE = 0,
    ARGAND_HOMODYNE_RAMP = 1,
    ARGAND_HOMODYNE_STEP = 2
} argand_homodyne;
/* Completes an image of partial Fourier by homodyne detection (Noll, Nishimura, Macovski, IEEE Trans. Med.
 * Imaging 10:154, 1991), in place: k-space is weighted, and the image becomes the part that has the phase of
 * the symmetric part of k-space. Arguments and errors are those of argand_image_pocs. ARGAND_UNSUPPORTED:
 * more than one incomplete axis. */
ARGAND_API ARGAND_MUST_USE argand_status argand_image_homodyne(argand_array *image, const int64_t low[3],
                                                               const int64_t high[3], argand_homodyne kind);

/* ---- nonlinear gradients
 *
 * The field of a gradient coil is not linear far from the isocentre, so that images are distorted there. The
 * coil's spherical harmonic coefficients tell how. Computed on the host in double precision; the bits do not
 * depend on the number of threads. Up to 4096 coefficients, n up to 30; host memory for volumes as complex
 * doubles twice, and for 32 bytes a voxel.
 *
 * The system of the gradients is Siemens's: for a patient head first and supine x points to the patient's
 * left, y to the front, z to the feet, all from the isocentre. A source at x is seen at x + d(x), where
 *
 *     d_a / R = sum over n, m of (r/R)^n N_nm P_nm(cos theta) (A_a(n, m) cos m phi + B_a(n, m) sin m phi)
 *
 * P_nm are the associated Legendre functions without the factor (-1)^m, N_n0 = 1, and for m > 0 N_nm =
 * sqrt((2 n + 1) (n - m)! / (2 (n + m)!)). R is the coefficients' radius. */

/* A coefficient A(n, m), or B(n, m) if `sine`, of the gradient along an axis. */
typedef struct argand_gradient_term {
    int axis; /* 0: x, 1: y, 2: z */
    bool sine;
    int n, m;
    double value;
} argand_gradient_term;

typedef struct argand_gradient_coefficients {
    double radius; /* R, mm */
    int64_t count;
    argand_gradient_term *terms; /* of argand_gradient_coefficients_read: belongs to it */
} argand_gradient_coefficients;

/* Reads Siemens's text (coeff.grad): lines "1 A( 3, 0) -0.1 z" and the radius, "0.25 m = R0, lnorm = 4".
 * ARGAND_FORMAT: another kind of file, no radius, another normalisation than 4, a coefficient twice, or
 * linear terms near 1, because such a file describes the field and not its error. */
ARGAND_API ARGAND_MUST_USE argand_status
argand_gradient_coefficients_read(argand_gradient_coefficients **coefficients, const char *path);
ARGAND_API void argand_gradient_coefficients_destroy(argand_gradient_coefficients *coefficients);

/* Computes d at positions {3, count}, both in mm in the system of the gradients. jacobian (NULL allowed): {3,
 * 3, count}, the derivative of component i by coordinate j at [3 i + j]. */
ARGAND_API ARGAND_MUST_USE argand_status
argand_gradient_displacement(double *displacement, double *jacobian, int64_t count, const double *positions,
                             const argand_gradient_coefficients *coefficients);

/* How the patient lies: head or feet first, supine or prone. */
typedef enum argand_patient_position {
    ARGAND_PATIENT_HFS = 0,
    ARGAND_PATIENT_HFP = 1,
    ARGAND_PATIENT_FFS = 2,
    ARGAND_PATIENT_FFP = 3
} argand_patient_position;

typedef enum argand_unwarp_interpolation {
    ARGAND_UNWARP_CUBIC = 0, /* cubic B-splines through the values */
    ARGAND_UNWARP_LINEAR = 1,
    ARGAND_UNWARP_NEAREST = 2
} argand_unwarp_interpolation;

typedef struct argand_unwarp_options {
    argand_patient_position position;
    argand_unwarp_interpolation interpolation;
    bool keep_intensity; /* leave out the factor of the volume, for maps and masks */
    bool in_plane;       /* leave out the displacement along the third axis; a single slice always does */
} argand_unwarp_options;

typedef struct argand_unwarp_report {
    double displacement;                    /* largest in the volume, mm */
    double least_intensity, most_intensity; /* of the factors that voxels were multiplied by */
    int64_t outside; /* voxels of a volume whose source lies outside of the image; they become 0 */
    int64_t folded;  /* voxels where the gradients' field is not one to one; they become 0 */
    bool in_plane;
} argand_unwarp_report;

/* Unwarps volumes {nx, ny, nz, ...} at this position: to(x) = from(x + d(x)) |det(1 + d')|. Both arrays have
 * the same shape and are both real or both complex. ARGAND_UNSUPPORTED: storage types. ARGAND_NUMERIC: cubic
 * interpolation of values that are not finite, as one would spread to the whole volume. */
ARGAND_API ARGAND_MUST_USE argand_status argand_unwarp(argand_array *to, const argand_array *from,
                                                       const argand_geometry *geometry,
                                                       const argand_gradient_coefficients *coefficients,
                                                       const argand_unwarp_options *options,
                                                       argand_unwarp_report *report);

/* ---- rigid motion between shots or repetitions */

/* Where the object is: a point x of the object before is at R x + shift, R = Rz Ry Rx. The axes are those
 * of the image (x: readout direction, y: phase, z: slice), and x = 0 is the image's centre. */
typedef struct argand_rigid {
    double shift[3];    /* mm */
    double rotation[3]; /* degrees, about x, y, z; right-handed */
} argand_rigid;

typedef enum argand_motion_counter {
    ARGAND_MOTION_SHOTS = 0, /* rows are counted by counters.shot (ISMRMRD: kspace_encode_step_1) */
    ARGAND_MOTION_REPETITIONS = 1,
    ARGAND_MOTION_SEGMENTS = 2 /* interleaved Cartesian lines: shots of several lines */
} argand_motion_counter;
/* Returns the number of rows: the highest number of an encoding's image acquisitions plus 1. */
ARGAND_API int64_t argand_scan_motion_rows(const argand_scan *scan, int encoding, argand_motion_counter by);

/* Makes a scan of the object that does not move: samples s(k) become s(k) exp(2 pi i k shift) at R^T k.
 * motion: `count` rows, one for each shot, repetition or segment by its number. Image acquisitions of the
 * encoding are changed; calibrations and navigators stay. Calibrations that measure the image too
 * (argand_scan_embedded) become image acquisitions as well. Coil maps are taken as moving with the object.
 * `scan` shares everything else with `moving`, which must outlive it. ARGAND_ARGUMENT: too few rows, an
 * unknown field of view, motion out of the plane of a 2-D scan. ARGAND_UNSUPPORTED: simultaneous slices. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_still(argand_scan **scan, const argand_scan *moving,
                                                           int encoding, argand_motion_counter by,
                                                           int64_t count, const argand_rigid *motion);

#ifdef __cplusplus
}
#endif
#endif
