/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of a reconstruction session, for the files of this folder:
 *   options.c    options checked, defaults filled in
 *   volumes.c    which acquisitions make which volume
 *   embedded.c   calibration acquisitions that are lines of the image
 *   shots.c      which of them share a phase map
 *   samples.c    a volume's samples as arrays
 *   scale.c      how large the scan's numbers are; a look at the image
 *   grid.c       the image's matrix, field of view and place
 *   map_shape.c  what shapes maps may have
 *   maps.c       field, coil, mask and gradient maps: found, checked, cut to a slice
 *   phases.c     phase maps of the shots: found, checked, chosen for a volume
 *   navigate.c   phase maps estimated from navigators or the shots themselves
 *   transform.c  from an image to the samples of a shot: which transform, and how it is made
 *   segmented.c  the NUFFT with segments of the field
 *   model.c      the encoding operator of a volume
 *   density.c    weights of the samples
 *   weights.c    those that are given
 *   combine.c    coil images: the weighted adjoint of all shots
 *   channels.c   the receiver's channels whitened and compressed to the model's coils
 *   matrices.c   matrices for that which the caller gives
 *   block.c      the part of k-space that is sampled fully
 *   window.c     windows over the middle of k-space
 *   lowres.c     coil images of low resolution, solved for
 *   calibrate.c  coil maps from the data
 *   sets.c       several sets of coil maps
 *   misfit.c     whether the image explains the data
 *   beside.c     calibration and navigator acquisitions that belong to a volume
 *   bands.c      slices that were excited together
 *   partial.c    the phase constraint of partial Fourier scans
 *   normal.c     the normal operator by Toeplitz embedding
 *   joint.c, basis.c  repetitions solved together; their temporal basis
 *   solve.c      the image from the model
 *   sense.c      the session */
#ifndef RECON_SESSION_H
#define RECON_SESSION_H

#include <string.h>
#include <argand/recon.h>
#include "base/text.h"

/* An acquisition of a volume. */
typedef struct recon_row {
    const argand_acquisition *acquisition;
    int64_t offset;   /* samples of the volume before it, in the file's order */
    int64_t map;      /* rows with the same one are a shot: they share a phase map */
    bool calibration; /* of the scan's calibration acquisitions */
} recon_row;

/* The acquisitions that are reconstructed together, shot by shot, each in the file's order. */
typedef struct recon_volume {
    argand_counters counters; /* slice: of the image. The acquisitions' own is that of their group of bands */
    int band;                 /* 0 where every slice is by itself */
    int64_t count, samples;
    recon_row *rows;
} recon_volume;

typedef struct recon_grid {
    int rank; /* 2 or 3: of the transform */
    int64_t n[3];
    double field_of_view[3]; /* mm */
    double k_scale[3];       /* cycles per encoded field of view to cycles per grid field of view */
    double k_limit[3];       /* samples beyond are left out; 0: none is */
} recon_grid;

/* Where samples lie: k and t {count} on the device. */
typedef struct recon_points {
    int64_t count;
    argand_array *k[3], *t;
} recon_points;

typedef struct recon_shot {
    int64_t map, first, count; /* which phase map; its samples */
} recon_shot;

/* The samples of a volume on the device: y {samples, coils}, shot after shot. */
typedef struct recon_samples {
    recon_points at;
    argand_array *y;
    int64_t left_out;
    double *weights; /* the file's, on the host, where they are asked for */
    int shot_count;
    recon_shot *shots;
} recon_samples;

/* Maps as they are kept, over all slices. */
typedef struct recon_map {
    argand_array *array; /* NULL where there is none; dims {nx, ny, nz, per-pixel vectors, slices} */
    int64_t vectors, slices;
} recon_map;

typedef struct recon_maps {
    recon_map field, coils, mask, r2star, gradient[3];
} recon_maps;

/* Phase maps on the host's device: {pixels, extents...}. */
enum { PHASE_AXES = 8 };
typedef struct recon_phases {
    argand_array *array;        /* NULL: none, or estimated */
    int64_t extent[PHASE_AXES]; /* shot, partition, slice, average, phase, contrast, repetition, segment; 1:
                                   the same for all */
} recon_phases;

/* The encoding operator of one volume, and what it was made for. */
typedef struct recon_model {
    int slice;
    recon_points at; /* compared with the next volume's */
    int shot_count;
    recon_shot *shots;
    argand_op **transforms;    /* of each shot: {grid, coils} -> {samples, coils} */
    argand_array *coil_maps;   /* {grid, coils}, and sets where there are several */
    argand_array *eigenvalues; /* {grid[, sets]} of maps by ESPIRiT; NULL: others */
    argand_array *weights;     /* {samples}; NULL: none */
    argand_array *phases;      /* {grid, shots} on the host's device; NULL: none */
    argand_op *sense;          /* {grid} -> {samples, coils} */
    double diagonal;           /* mean of A^H W A's diagonal */
    argand_op *normal;         /* A^H W A by Toeplitz embedding; NULL: by transform and adjoint */
    argand_op *preconditioner; /* made along with it; NULL: none */
    argand_array *spectrum;    /* of the circulant matrix near A^H W A, for splittings; NULL: none */
    argand_toeplitz_info toeplitz;
    argand_segments_info segments; /* the worst of all shots; terms 0: none */
    argand_op *constraint;         /* partial Fourier: its penalty; NULL: none */
    struct recon_model *bands; /* simultaneous slices: a model each; `sense` is their stack, {grid, bands} */
    int band_count;            /* models made */
} recon_model;

struct argand_sense {
    argand_device *device;
    const argand_scan *scan;
    argand_sense_options options; /* defaults filled in; pointers to the caller's arrays are not kept */
    argand_transform transform;
    bool judges_noise;                         /* iterations end by noise where the solver can */
    argand_noise_spectrum noise;               /* of the operator that was solved with last, for */
    int64_t noise_samples;                     /* so many samples and */
    double noise_diagonal;                     /* this diagonal */
    argand_outcome outcome;                    /* of the volume that was solved last, */
    int least_stop, most_stop;                 /* and where those so far ended by noise */
    bool density_is_chosen;                    /* options.density is the session's choice, not the caller's */
    bool toeplitz;                             /* iterations use a normal operator */
    double nufft_tolerance, segment_tolerance; /* in use: options', or less */
    const argand_encoding *encoding;
    recon_grid grid;
    recon_maps maps;
    recon_phases phases;
    int volume_count, slices;
    int channels, coils;    /* of the scan; of the model, virtual ones where they are compressed */
    argand_array *mix;      /* complex {coils, channels} on the host's device; NULL: as they are */
    bool weights_are_given; /* by the caller */
    double *weights;        /* density weights that were given, of a volume's samples in the file's order */
    recon_volume *volumes;
    recon_row *rows; /* of all volumes */
    recon_model model;
    bool has_model;
    bool unfolding_is_noted; /* of shots, for their phases */
    bool embedded; /* calibration acquisitions lie between the image's lines and are in its volumes */
    int bands;     /* slices that were excited together; 1 as a rule */
    argand_array *band_images;      /* {grid, bands}, solved together, */
    const recon_volume *solved;     /* for this volume's acquisitions; NULL: none yet */
    const recon_volume *joint;      /* a repetition of those that were solved together last; NULL: none */
    argand_array *joint_images;     /* {grid, repetitions} */
    argand_array *shared_coil_maps; /* estimated from all repetitions; NULL: from each volume */
    double *basis;                  /* complex {basis_rows, basis_count}; NULL: none */
    int64_t basis_rows, basis_count;
    argand_regularizer regularizers[ARGAND_MAX_REGULARIZERS]; /* options.regularizers points here */
    double sample_noise; /* sqrt(E |n|^2) of a sample as the file has it, mixed; 0: not known or not needed */
    bool told_weight;
    int exponent; /* samples are divided by 2^exponent where they are gathered, and images multiplied */
    bool is_zero; /* all samples are */
    text notes;
};

/* Finds the exponent; notes one sample that is far beyond all others. */
argand_status scale_find(argand_sense *s);
/* Puts the exponent back into the image and looks at it: ARGAND_NUMERIC where it holds what is no number. */
argand_status scale_finish(argand_sense *s, int volume, argand_array *image);

argand_status options_check(const argand_sense_options *given);
argand_sense_options options_with_defaults(const argand_sense_options *given);

argand_status volumes_find(argand_sense *s);
/* Whether calibration acquisitions are lines of the image; what is said about it once volumes are known. */
argand_status embedded_find(argand_sense *s);
void embedded_note(argand_sense *s);
static inline bool encoding_is_cartesian(const argand_encoding *e)
{
    return !strcmp(e->trajectory, "cartesian");
}
argand_status shots_find(argand_sense *s);
argand_status samples_load(const argand_sense *s, const recon_volume *v, recon_samples *out);
/* Whether the grid's k-space holds a sample. */
bool sample_is_inside(const argand_sense *s, const argand_acquisition *a, int64_t i);
/* The same for rows that need not be those of a volume; no file weights. */
argand_status samples_of_rows(const argand_sense *s, const recon_row *rows, int64_t count,
                              recon_samples *out);
void samples_free(recon_samples *out);
/* |y|^2 over the coils, for each sample; memory_free() it. */
argand_status samples_energies(const recon_samples *data, double **out);
void points_free(recon_points *p);
/* The points of a shot: views of those of all. */
argand_status points_of_shot(const recon_points *all, const recon_shot *shot, recon_points *out);

argand_status grid_choose(argand_sense *s);

/* Whether the dimensions are those of a map of that many numbers a pixel; how many slices it has. */
argand_status map_check_shape(const argand_sense *s, const char *what, int64_t vectors, int rank,
                              const int64_t *dims, int64_t *slices);
/* A map's name in messages, and where it comes from: given, or the scan's array of the first name that is not
 * NULL; "" is none. */
typedef struct map_request {
    const char *what;
    const argand_array *given;
    const char *name, *default_name;
} map_request;
typedef struct map_words {
    char chars[600];
} map_words;
/* A view of the map where it lies, or NULL where there is none; and what to call it: the field map "X" of the
 * scan. */
argand_status map_open(argand_sense *s, const map_request *r, argand_array **out, map_words *what);
argand_status maps_find(argand_sense *s, const argand_sense_options *given);
/* Zeros of the field map where nothing was measured become the smooth continuation of the rest. */
argand_status field_zeros_continue(argand_sense *s, recon_map *m);
void maps_free(recon_maps *m);
/* The map of a slice as a new array on the device: {grid} or, for coil maps, {grid, coils}; NULL where there
 * is none. */
argand_status map_of_slice(const argand_sense *s, const recon_map *m, int slice, argand_array **out);
bool map_is_zero(const recon_map *m);

argand_status phases_find(argand_sense *s, const argand_sense_options *given);
void phases_free(recon_phases *p);
/* Which map belongs to an acquisition. */
int64_t phases_index(const argand_sense *s, const argand_counters *c);
/* The maps of the shots {grid, shots} as a new array on the host's device. */
argand_status phases_of_shots(const argand_sense *s, const recon_samples *data, argand_array **out);
/* Estimated from the navigators or from the shots' own samples, relative to the first shot. */
argand_status phases_estimate(argand_sense *s, const recon_volume *v, const recon_samples *data,
                              argand_op *const *transforms, argand_array **out);

/* The maps that transforms of a slice need, and the segments of the last shot, which serve the next one where
 * its times are the same. To be zeroed before the first transform_make and freed after the last. */
typedef struct recon_physics {
    argand_array *field, *r2star, *mask, *gradient[3];
    argand_array *t; /* that the segments were made for */
    argand_segments *segments;
    argand_segments_info worst; /* of all segments so far: the largest error */
} recon_physics;
argand_status physics_of_slice(const argand_sense *s, int slice, recon_physics *p);
void physics_free(recon_physics *p);
argand_status transform_make(const argand_sense *s, const recon_points *at, recon_physics *p,
                             argand_op **transform);
/* The same for one set of points. */
argand_status transform_of_slice(const argand_sense *s, const recon_points *at, int slice,
                                 argand_op **transform);
argand_status transform_choose(argand_sense *s);
argand_status nufft_of_points(const argand_sense *s, const recon_points *at, argand_nufft **plan);
argand_status segmented_make(const argand_sense *s, const recon_points *at, recon_physics *p,
                             argand_op **transform);
/* What is to be predicted: of one shot, how many of which there are. */
argand_status segmented_problem(const argand_sense *s, argand_segments_problem *problem, int *shots);
/* Whether segments are predicted to be faster than the exact DFT; a note says so. */
argand_status segmented_pays(argand_sense *s, bool *pays);
/* Whether two arrays hold the same numbers; NULL is equal to nothing. */
argand_status arrays_equal(const argand_array *a, const argand_array *b, bool *result);

/* What calibrates coil maps of a slice, where that is not the volume itself: a calibration scan with the
 * image data that are flagged as such; or another volume of the slice, all of it, where that has calibration
 * lines and this one has none. The list comes back empty where the volume's own samples are what there is.
 * For samples_of_rows; memory_free() it. */
argand_status calibrations_of(const argand_sense *s, const recon_volume *v, int slice, recon_row **rows,
                              int64_t *count);
/* Whether a scan of its own calibrates. */
bool calibrations_are_apart(const argand_sense *s);
/* The navigators of a volume, shot by shot (of any contrast, as navigators often are a second echo); their
 * `map` is that of their shot. For samples_of_rows; memory_free() it. */
argand_status navigators_of(const argand_sense *s, const recon_volume *v, recon_row **rows, int64_t *count);

/* The encoding of one slice; transforms and weights that are there are kept. */
argand_status model_of_slice(argand_sense *s, const recon_volume *v, int slice, const recon_samples *data,
                             recon_model *m);
/* The stack of the slices that share a volume's samples. */
argand_status bands_prepare(argand_sense *s, const recon_volume *v, const recon_samples *data,
                            recon_model *m);
/* Takes the phase of its band away from what a slice was calibrated by; nothing where kz is 0. */
argand_status bands_straighten(const argand_sense *s, int slice, const recon_samples *samples);
/* x = the volume's band; all bands are solved with the first that is asked for. */
argand_status bands_run(argand_sense *s, const recon_volume *v, argand_array *x, argand_monitor monitor,
                        void *context);
/* The penalty of partial Fourier, from the phase of the samples that lie on both sides of k-space. */
argand_status partial_prepare(argand_sense *s, const recon_samples *data, recon_model *m);
void partial_note(argand_sense *s);
/* image {grid} or {grid, bands} under a Hann window on k, 0 from so many cells on along each axis. */
argand_status partial_low_pass(const argand_sense *s, argand_array *image, const double reach[3]);

/* The multiplication by a slice's mask; NULL where there is none. */
argand_status model_mask(const argand_sense *s, const recon_model *m, argand_op **mask);
argand_status model_prepare(argand_sense *s, const recon_volume *v, const recon_samples *data);
void model_free(recon_model *m);

/* numbers.c: a real array as doubles (to be freed; of complex ones two each), and doubles as a new array of
 * the session's precision. */
argand_status numbers_of_array(const argand_array *a, double **out);
argand_status array_of_numbers(const argand_sense *s, const double *numbers, int64_t count,
                               argand_array **out);
argand_status complex_of_numbers(const argand_sense *s, const double *numbers, int64_t count,
                                 argand_array **out);

/* matrices.c: given->whitener and given->compression, checked, as C64 {rows, channels} on the host's device.
 */
void matrix_words(map_words *words, const char *what, const char *file); /* "the noise", "n.npy" or NULL */
argand_status matrix_whitener(argand_sense *s, const argand_sense_options *given, argand_array **out);
argand_status matrix_compression(argand_sense *s, const argand_sense_options *given, argand_array **out);
/* Whitening and compression of the channels, as far as they are asked for. */
argand_status channels_find(argand_sense *s, const argand_sense_options *given);
/* The array {dims..., channels} becomes a new one {dims..., coils}, where there is anything to mix. */
argand_status channels_mix(const argand_sense *s, argand_array **array);

/* Weights that are given, where density is DENSITY_FILE: checked and kept; as the volume's samples lie. */
argand_status weights_take(argand_sense *s, const argand_sense_options *given);
argand_status weights_of_volume(const argand_sense *s, const recon_volume *v, recon_samples *out);
/* Sets options.density where it is left open, by where the samples of the first volume lie. */
argand_status density_choose(argand_sense *s);
const char *density_name(argand_density way);
/* Density weights {samples} by options.density; NULL: none. */
argand_status density_weights(argand_sense *s, const recon_samples *data, argand_array **weights);
argand_status density_of_points(const argand_sense *s, const recon_points *at, argand_array **weights);
/* The same {samples, coils}, coils with stride 0. */
argand_status density_of_samples(const argand_sense *s, const recon_samples *data, argand_array **weights);
/* y weighted by a {samples} array that all coils share. */
argand_status combine_weigh(argand_array *y, const argand_array *weights);
/* images {grid, coils} = F_s^H (w y_s) of one shot; w {all samples} may be NULL. */
argand_status combine_one(const argand_sense *s, const argand_array *y, const recon_shot *shot,
                          const argand_array *weights, const argand_op *transform, argand_array *images);
/* exp(-i P) of a shot, as a {grid, coils} array that repeats for all coils; *turn owns it. */
argand_status combine_turn(const argand_sense *s, const argand_array *phases, int shot,
                           const argand_shape *shape, argand_array **turn);
/* images {grid, coils} = sum over shots of exp(-i P_s) F_s^H (w y_s). w {samples} may be NULL, phases too. */
argand_status combine_shots(const argand_sense *s, const recon_samples *data, argand_op *const *transforms,
                            const argand_array *weights, const argand_array *phases, argand_array **images);
/* The part of k-space's radius, up to 1, in which at least half of the sampling theorem's cells hold a
 * sample; not less than `least`. */
argand_status calibrate_radius(const argand_sense *s, const recon_points *at, double least, double *most);
/* A Hann window {samples} over k-space up to that part of its radius; 1 everywhere where that is 1. */
argand_status calibrate_window(const argand_sense *s, const recon_points *at, double most,
                               argand_array **out);
/* Part of k-space's grid, in cells of one cycle: the cell of k = 0 has index floor(n / 2). */
typedef struct recon_block {
    int64_t first[3], size[3];
    double all; /* part of all cells that holds a sample */
} recon_block;
/* The largest block around the centre whose cells hold samples (all of them in Cartesian scans, 90 % in
 * others), up to most[axis] cells (0: no limit); moved where another one holds clearly more
 * energy.
 */
argand_status block_find(const argand_sense *s, const recon_samples *data, const int64_t most[3],
                         recon_block *block);
/* A Hann window {samples} over the block; 1 along axes that it covers. */
argand_status calibrate_block_window(const argand_sense *s, const recon_points *at, const recon_block *block,
                                     argand_array **out);
/* Coil images of low resolution, solved for: {n..., coils}, their k-space right in the block, which lies
 * around its centre; on a grid of few pixels over the same field of view, or the image's. */
argand_status lowres_images(const argand_sense *s, const recon_block *block, const recon_samples *data,
                            argand_op *const *transforms, const argand_array *phases, argand_array **images);
/* A sentence that is not there yet, as a line of the notes. */
__attribute__((format(printf, 2, 3))) void note_once(argand_sense *s, const char *format, ...);
/* Coil maps {grid, coils[, sets]} estimated from the samples through the transforms; *values: their
 * eigenvalues {grid[, sets]}, or NULL where they have none. */
argand_status calibrate_coils(argand_sense *s, const recon_samples *data, argand_op *const *transforms,
                              const argand_array *phases, argand_array **maps, argand_array **values);

/* sets.c: several coil maps for each coil and pixel, each set with an image of its own. The maps' shape; the
 * given ones {grid, coils, sets, slices} as maps.coils; the operator {grid, sets} -> {samples, coils}; the
 * volume's image from those of the sets. */
argand_shape sets_shape(const argand_sense *s);
argand_status sets_adopt(const argand_sense *s, const char *what, const argand_array *given,
                         argand_array **as_vectors);
argand_status sets_of_slice(const argand_sense *s, argand_array **maps);
argand_status sets_operator(const argand_sense *s, recon_model *m);
argand_status sets_solve(argand_sense *s, const recon_samples *data, argand_array *x, argand_monitor monitor,
                         void *context);

/* A monitor that keeps the last residual on the way to the caller's; a note where that is too large for
 * noise. */
typedef struct recon_misfit {
    argand_monitor monitor;
    void *context;
    double residual;
} recon_misfit;
bool misfit_watch(void *context, const argand_progress *progress);
argand_status misfit_note(argand_sense *s, const recon_samples *data, const recon_misfit *m);

/* Samples, model and image of a volume (of all its bands). */
argand_status sense_solve(argand_sense *s, const recon_volume *v, argand_array *x, argand_monitor monitor,
                          void *context);
/* What a solver gets. */
typedef struct recon_problem {
    const argand_op *op;
    const argand_array *y, *weights; /* weights NULL: 1 */
    argand_op *constraint;           /* of partial Fourier; NULL: none */
    argand_op *normal;               /* A^H W A; NULL: by op */
    argand_op *preconditioner;       /* NULL: none */
    const argand_array *spectrum;    /* of solve.h; NULL: none */
    double diagonal;                 /* mean of A^H W A's diagonal */
} recon_problem;
argand_status solve_problem(argand_sense *s, const recon_problem *p, argand_array *x, argand_monitor monitor,
                            void *context);
/* Whether iterations use a normal operator, as asked for or predicted to pay; the tolerances that transforms
 * are made to. */
argand_status normal_choose(argand_sense *s);
/* m->normal and m->spectrum, where they are used. */
argand_status normal_make(const argand_sense *s, const recon_samples *data, recon_model *m);
/* Spectra of images that are solved together, {grid, images}, 0 at first, of the type and on the device of
 * one of them; += factor `spectrum` of one. */
argand_status spectrum_new(const argand_sense *s, const argand_array *like, int64_t images,
                           argand_array **all);
argand_status spectrum_add(argand_array *all, int64_t image, double factor, const argand_array *spectrum);
/* The temporal basis and whether repetitions can be solved together. */
argand_status joint_find(argand_sense *s, const argand_sense_options *given);
argand_status basis_take(argand_sense *s, const char *what, const argand_array *found);
argand_status joint_run(argand_sense *s, const recon_volume *v, argand_array *x, argand_monitor monitor,
                        void *context);
void joint_forget(argand_sense *s);
argand_status solve_volume(argand_sense *s, const recon_samples *data, argand_array *x,
                           argand_monitor monitor, void *context);

#endif
