/* SPDX-License-Identifier: BSD-3-Clause */
/* mri.h: what magnetic resonance imaging adds: coils, phantoms, trajectories.
 *
 * Limits: matrices of trajectories up to 65536 on an axis, readouts up to 1 s; a dimension is needed for
 * coils, shots, bands or repetitions behind the image's. Threads: operators are for one thread at a time
 * (op.h); the other functions change nothing but their outputs. Refused with ARGAND_ARGUMENT: coil maps,
 * phase maps and bases that do not have the shape, type or device of what they go with, trajectories that
 * cannot be played (a spiral that does not reach its end, an echo before the readout begins), options out of
 * range. NULL: see argand.h; options are needed, and what may be NULL says so. */
#ifndef ARGAND_MRI_H
#define ARGAND_MRI_H

#include "op.h"
#include "solve.h"

#ifdef __cplusplus
extern "C" {
#endif

/* SENSE over any transform: y_c = F(S_c x), adjoint sum_c conj(S_c) F^H y_c (Pruessmann et al., MRM 42:952,
 * 1999). transform: takes {image dims..., coils} to {samples..., coils}; all coils go through it at once.
 * maps: complex {image dims..., coils}, storage shared. The operator takes {image dims...} to the transform's
 * range. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_sense(argand_op **op, argand_op *transform,
                                                         const argand_array *maps);

/* SENSE of several shots with a phase map P_s each: y_cs = F_s(S_c exp(+i P_s) x), the adjoint has conj(S_c)
 * exp(-i P_s). Shot s has its own transform {image dims..., coils} -> {samples of s..., coils}, of any kind
 * and number of samples; NULL where the shot is missing. maps: complex {image dims..., coils}, storage
 * shared. phases: real {image dims..., shots}, rad, on any device, missing shots included; they are copied.
 * The operator takes {image dims...} to {samples of all shots that are there, coils}: sample fastest, then
 * shot, then coil. It needs memory for the coil images of one shot besides one complex image a shot. One
 * operator may not be applied from two threads at once. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_pcsense(argand_op **op, int shots,
                                                           argand_op *const transforms[],
                                                           const argand_array *maps,
                                                           const argand_array *phases);

/* Repetitions as one problem: y_r = A_r x_r, all y_r one after the other. parts: `count` operators (kept;
 * several may be the same) that take equal images {image dims...}. basis NULL: the operator takes {image
 * dims..., count}. With a temporal basis v, complex {count, images} of few columns: y_r = A_r sum_k v_rk x_k,
 * and it takes {image dims..., images}. The range is {samples of all parts}, as one dimension. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_repetitions(argand_op **op, argand_op *const parts[],
                                                               int count, const argand_array *basis);
/* Its normal operator from those of the parts, N_r (Hermitian, {image dims...} to itself; of Toeplitz
 * kernels, say): z_k = sum_r conj(v_rk) N_r sum_l v_rl x_l. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_repetitions_normal(argand_op **op,
                                                                      argand_op *const parts[], int count,
                                                                      const argand_array *basis);

/* The normal operator of SENSE, sum_c conj(S_c) T (S_c x), {image dims...} to itself, from the normal
 * operator T of the transform: with phase maps of shots in T it is that of multi-shot phase-corrected SENSE,
 * with a field map that of SENSE with off-resonance. All coils go through it in batches of bounded memory.
 * maps: complex {image dims..., coils}, storage shared; T is kept as far as needed and remains the
 * caller's. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_sense_normal(argand_op **op, argand_toeplitz *toeplitz,
                                                                const argand_array *maps);

/* Root of the sum of squares over the last dimension: real {dims...} from complex coil images {dims...,
 * coils}. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_rss(argand_array *image, const argand_array *images);
/* Smooth sensitivities of loops that look inwards on a ring around the field of view (radius 1.5 half fields
 * of view; two rings for volumes and an even number of at least 8 coils), from the magnetic field of the
 * loops, B_x - i B_y. The sum over coils of |S|^2 is 1 at every pixel. maps: complex {nx, ny[, nz], coils}; a
 * function of the position r alone, so that grids of different size sample the same maps. */
ARGAND_API ARGAND_MUST_USE argand_status argand_coils_birdcage(argand_array *maps);

/* Shepp-Logan phantom, modified contrast (Toft 1996), in 2-D (10 ellipses) and 3-D (ellipsoids), in fields of
 * view: the head reaches from -0.46 to 0.46 along y. It stands upright with y pointing down (to posterior):
 * the forehead is at small y; z points to the head. phantom_image: real or complex {nx, ny[, nz]}; a pixel
 * holds the mean of the phantom over its area or volume, centred on r. phantom_kspace: complex samples of the
 * exact continuous Fourier transform, integral of f(r) exp(-2 pi i k r) dr, times `pixels`. With pixels = nx
 * ny nz that is what the sum over the image's pixels tends to. k: real, cycles per field of view. */
typedef enum argand_phantom { ARGAND_SHEPP_LOGAN_2D = 2, ARGAND_SHEPP_LOGAN_3D = 3 } argand_phantom;
ARGAND_API ARGAND_MUST_USE argand_status argand_phantom_image(argand_array *image, argand_phantom phantom);
ARGAND_API ARGAND_MUST_USE argand_status argand_phantom_kspace(argand_array *samples, argand_phantom phantom,
                                                               argand_array *const k[], double pixels);

/* Trajectories: k[axis] in cycles per field of view and t in seconds, real {samples, shots} or {samples,
 * shots, partitions}. Cartesian: lines along x, floor(n/2) steps below the centre; radial: spokes from -N/2
 * on through 0; spiral: from the centre outwards to N/2, within limits of gradient amplitude and slew rate.
 * Stacks repeat these for k_z = -floor(n_z/2) and up. Where n_x and n_y differ, voxels are square and the
 * axis with fewer has the smaller field of view. */
typedef enum argand_trajectory {
    ARGAND_CARTESIAN,
    ARGAND_RADIAL,
    ARGAND_SPIRAL,
    ARGAND_STACK_OF_SPIRALS,
    ARGAND_STACK_OF_STARS
} argand_trajectory;
typedef struct argand_trajectory_options {
    argand_trajectory kind;
    int64_t n[3];   /* matrix; n[2] of 0 or 1 is 2-D */
    int shots;      /* interleaves, spokes or lines per partition; 0: as the sampling theorem and a spiral's
                       readout ask */
    int samples;    /* per shot; 0: n_x of Cartesian lines, 2 N of spokes, |dk| <= 1 at the fastest part of
                       spirals */
    double readout; /* seconds from the first to the last sample of a shot, at most 1; 0 means 0.02 (spiral),
                       0.005 otherwise */
    double
        echo; /* seconds from excitation to the k-space centre of a shot; with 0, t counts from the centre */
    double acceleration;   /* of shots or lines; 0 means 1 */
    double field_of_view;  /* m, of the longer in-plane axis; 0 means 0.24. This and the limits shape spirals
                              only */
    double gradient_limit; /* T/m; 0 means 0.040 */
    double slew_limit;     /* T/m/s; 0 means 150 */
    bool golden; /* radial: spokes by the golden angle, 111.25 degrees, instead of evenly over 180 */
} argand_trajectory_options;
/* Makes k (2 arrays, or 3 where n[2] > 1) and t on the device; the caller destroys them. */
ARGAND_API ARGAND_MUST_USE argand_status argand_trajectory_make(argand_array *k[3], argand_array **t,
                                                                argand_device *device, argand_type type,
                                                                const argand_trajectory_options *options);
/* Returns the shortest `echo` that the options allow: the seconds from the first sample of a shot to the
 * centre of k-space. The `echo` of the options is not looked at. */
ARGAND_API ARGAND_MUST_USE argand_status
argand_trajectory_shortest_echo(double *seconds, const argand_trajectory_options *options);

/* Describes a kind, for help texts, messages and headers of files. Kinds are numbered from 0 to
 * argand_trajectory_count() - 1. Texts belong to the library and are valid for ever. ARGAND_ARGUMENT for a
 * kind that is not known. */
typedef struct argand_trajectory_info {
    const char *name;    /* "stack-of-spirals" */
    const char *summary; /* "the same spirals in each partition of a volume" */
    const char *paper;   /* where the method comes from; NULL: a textbook */
    const char
        *shot;    /* what the header of an ISMRMRD file calls it: "cartesian", "radial", "spiral", "other" */
    bool is_flat; /* meant for one plane */
    bool is_volume;     /* takes partitions, n[2] > 1 */
    bool is_centre_out; /* a shot begins at k = 0; otherwise sample floor(samples / 2) is there */
} argand_trajectory_info;
ARGAND_API int argand_trajectory_count(void);
ARGAND_API ARGAND_MUST_USE argand_status argand_trajectory_describe(argand_trajectory kind,
                                                                    argand_trajectory_info *info);

/* A smooth field map of a head in rad/s, between -range and range: a strong maximum above the nasal sinus,
 * two minima at the ear canals and a remaining shim gradient. map: real {nx, ny[, nz]}; a function of the
 * position r alone, y to posterior. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fieldmap_head(argand_array *map, double range);

/* The signal of an object that is known on a grid finer than the one that it will be reconstructed on (twice
 * as fine or more: data made on the reconstruction's own grid would flatter it), with coils and field:
 *   samples_jc = integral of f(r) S_c(r) exp(-i (2 pi k_j r + w(r) t_j)) dr, times n_x n_y n_z,
 * so that it is what the sum over the reconstruction's pixels tends to. By the exact DFT with a field map, by
 * a NUFFT without. Pixels are taken as means over their area, as argand_phantom_image makes them, and their
 * transform is divided out. */
typedef struct argand_simulation {
    const argand_array *image;     /* f: real or complex {fine dims}, 2 or 3 of them */
    const argand_array *coil_maps; /* S: complex {fine dims, coils}; NULL: one coil that is 1 everywhere */
    const argand_array *field_map; /* w: real {fine dims}, rad/s; NULL: none */
    const argand_array *k[3];      /* cycles per field of view */
    const argand_array *t;         /* s; needed with a field map */
    int64_t n[3];                  /* the reconstruction's matrix */
} argand_simulation;
/* samples: complex {as k..., coils} in the precision wanted. */
ARGAND_API ARGAND_MUST_USE argand_status argand_simulate(argand_array *samples,
                                                         const argand_simulation *simulation);

/* Adds normal noise of standard deviation sigma to the real part and as much to the imaginary part of each
 * element of a complex array; the same numbers for the same seed. */
ARGAND_API ARGAND_MUST_USE argand_status argand_noise_add(argand_array *array, double sigma, uint64_t seed);

/* Slices that were excited together (multiband): y = sum_b P_b A_b x_b. parts: `bands` operators (kept) of
 * equal shapes, {image dims...} -> {samples, coils}, with the coil maps and the field of their slice; a
 * transform may be shared among them. phases: P, complex {samples, bands}, the same for all coils, storage
 * shared; NULL means
 * 1. The operator takes {image dims..., bands}. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_multiband(argand_op **op, argand_op *const parts[],
                                                             int bands, const argand_array *phases);
/* The phases of blipped CAIPI: P_jb = exp(-2 pi i kz_j (b - floor(bands / 2)) / bands). kz: real {samples},
 * in cycles per bands x spacing (as argand_bands of io.h has it), so that a whole kz shifts neighbouring
 * slices by field of view / bands against each other. phases: complex {samples, bands}. */
ARGAND_API ARGAND_MUST_USE argand_status argand_multiband_phases(argand_array *phases,
                                                                 const argand_array *kz);

/* y = Im(conj(p) x), real, of an image x: a penalty with this operator says that the image has the phase p
 * (and its opposite) mostly, which fills in what partial Fourier scans leave out. p: complex {image dims...},
 * |p| = 1. Linear over the real numbers: the adjoint is the transpose in Re<., .>, which is what
 * argand_solve_cg uses. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_phase_constraint(argand_op **op,
                                                                    const argand_array *phase);
/* phase = image / |image|, 1 where the image is 0: from an image of low resolution, for the constraint. */
ARGAND_API ARGAND_MUST_USE argand_status argand_phase_unit(argand_array *phase, const argand_array *image);

#ifdef __cplusplus
}
#endif
#endif
