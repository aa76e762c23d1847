/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts that all folders of this layer share: the session and its members, conversion of arrays,
 * notes, grid and scale. A folder uses only those before it:
 *
 *   session/    options, grid, scale, conversion of arrays, notes
 *   maps/       maps with a value for every pixel
 *   samples/    from acquisitions to samples
 *   transform/  from an image to the samples of a shot and back
 *   calibrate/  coil maps and phase maps from the data
 *   model/      the encoding operator of a volume
 *   solve/      the image from samples and model
 *   sense.c     the public functions of the session */
#ifndef RECON_SESSION_H
#define RECON_SESSION_H

#include <string.h>
#include <argand/recon.h>
#include "base/text.h"

/* An acquisition of a volume. */
typedef struct recon_row {
    const argand_acquisition *acquisition;
    int64_t offset;         /* number of the volume's samples before it, in the file's order */
    int64_t map;            /* index of the phase map; rows with the same index are one shot */
    bool calibration;       /* from the scan's calibration acquisitions */
    argand_counters volume; /* counters that distinguish volumes */
    uint16_t time;          /* row of the basis, for coefficients */
} recon_row;

/* The acquisitions that are reconstructed together, shot by shot, each shot in the file's order. */
typedef struct recon_volume {
    argand_counters counters; /* slice: of the image; acquisitions count groups of bands */
    int band;                 /* 0 without simultaneous slices */
    int64_t count, samples;
    recon_row *rows;
    int unit;          /* number of the volumes that are solved together */
    int leader;        /* volume whose samples prepare the model (samples/order.c) */
    int noise;         /* leader whose model the noise spectrum is measured with */
    uint64_t replicas; /* noisy acquisitions that replicas.c has made of the volume */
} recon_volume;

typedef struct recon_grid {
    int rank; /* of the transform: 2 or 3 */
    int64_t n[3];
    double field_of_view[3]; /* mm */
    /* Factor from cycles per encoded field of view to cycles per grid field of view. */
    double k_scale[3];
    double k_limit[3]; /* largest |k| of samples in use; 0: no limit */
} recon_grid;

/* Zeros that count as not measured: the first and last samples of all readouts of length `samples`, and,
 * with `points`, every sample that is 0 in all channels. */
typedef struct recon_zeros {
    int64_t samples, first, last;
    bool points;
} recon_zeros;

/* Acquisitions of a calibration scan that serve the image: those of its encoding and of `encoding`. */
typedef struct recon_calibrations {
    int encoding;
    int64_t count;
} recon_calibrations;

/* Positions of samples: k and t {count} on the device. */
typedef struct recon_points {
    int64_t count;
    argand_array *k[3], *t;
    argand_array *phase; /* measured phase, R64 {count, terms} on the host's device; NULL: none */
} recon_points;

typedef struct recon_shot {
    int64_t map, first, count; /* index of the phase map; range of samples */
} recon_shot;

/* The part of a volume that this rank solves: all of it, unless several ranks share a volume (share.c). */
typedef struct recon_share {
    bool shots;              /* shots are dealt; otherwise coils */
    int64_t first, count;    /* shots or coils of this rank; count 0: none */
    int64_t sample, samples; /* range of its samples */
} recon_share;

/* The samples of a volume on the device: y {samples, coils}, shot after shot. */
typedef struct recon_samples {
    recon_points at;
    argand_array *y;
    int64_t left_out;
    double *weights; /* density weights of the file, on the host, if requested */
    int shot_count;
    recon_shot *shots;
    recon_share share; /* of a volume that samples_load has loaded */
    argand_array *own; /* its samples {samples, coils}; {1} without any */
} recon_samples;

/* A map of all slices. */
typedef struct recon_map {
    argand_array *array; /* {nx, ny, nz, vectors per pixel, slices}; NULL: no map */
    int64_t vectors, slices;
} recon_map;

typedef struct recon_maps {
    recon_map field, coils, mask, r2star, gradient[3];
} recon_maps;

/* Phase maps on the host's device: {pixels, extents...}. */
enum { PHASE_AXES = 8 };
typedef struct recon_phases {
    argand_array *array; /* NULL: none, or estimated maps */
    /* Shot, partition, slice, average, phase, contrast, repetition, segment; 1: all share a map. */
    int64_t extent[PHASE_AXES];
} recon_phases;

/* The encoding operator of one volume, and the data that it was made for. */
typedef struct recon_model {
    int slice;
    recon_points at; /* compared with the points of the next volume */
    int shot_count;
    recon_shot *shots;
    argand_op **transforms;    /* one per shot: {grid, coils} -> {samples, coils} */
    argand_array *coil_maps;   /* {grid, coils}, or {grid, coils, sets} with several sets */
    argand_array *eigenvalues; /* {grid[, sets]} of maps by ESPIRiT; NULL: other maps */
    argand_array *weights;     /* {samples}; NULL: none */
    argand_array *phases;      /* {grid, shots} on the host's device; NULL: none */
    argand_op *sense;          /* {grid} -> {samples, coils}; SPIRiT: {grid, coils} */
    argand_density density;    /* kind of the weights */
    double diagonal;           /* mean diagonal of A^H W A */
    argand_op *normal;         /* A^H W A by Toeplitz embedding; NULL: use transform and adjoint */
    argand_op *preconditioner; /* made together with the normal operator; NULL: none */
    /* Eigenvalues of the circulant matrix nearest to A^H W A, for splitting solvers; NULL: none. */
    argand_array *spectrum;
    argand_toeplitz_info toeplitz;
    argand_segments_info segments; /* largest error of all shots; terms 0: none */
    argand_op *constraint;         /* penalty of partial Fourier or SPIRiT; NULL: none */
    /* Simultaneous slices: one model each; `sense` is their stack, {grid, bands}. */
    struct recon_model *bands;
    int band_count; /* number of models in `bands` */
    double bytes;   /* of the products of `normal` for simultaneous slices */
    /* Noise spectrum that was measured with this model, with its number of samples; 0: none was. */
    argand_noise_spectrum noise;
    int64_t noise_samples;
} recon_model;

/* A model that volumes to come need again, and its leader; -1: it is found by its slice and positions. */
typedef struct recon_kept {
    recon_model model;
    int leader;
} recon_kept;

/* A copy of the scan with corrected positions (samples/gradients.c). */
typedef struct recon_played recon_played;
struct gradient_response;

struct argand_sense {
    argand_device *device;
    const argand_scan *scan;            /* the caller's scan, or `played` */
    struct gradient_response *response; /* gradient impulse response; NULL: positions of the scan */
    recon_played *played;
    argand_sense_options options; /* with defaults; without the caller's array pointers */
    argand_transform transform;
    bool judges_noise;           /* noise ends the iterations if the solver supports it */
    argand_noise_spectrum noise; /* measured with the model of the volume noise_of (-1: with none), which */
    int noise_of;
    int64_t noise_samples;                     /* had this number of samples and */
    double noise_diagonal;                     /* this mean diagonal */
    argand_outcome outcome;                    /* result of the last solve */
    bool density_is_chosen;                    /* the session chose options.density */
    bool toeplitz;                             /* iterations use a normal operator */
    double nufft_tolerance, segment_tolerance; /* tolerances in use: those of the options, or smaller */
    const argand_encoding *encoding;
    bool cartesian; /* samples lie on the encoded grid */
    recon_grid grid;
    recon_maps maps;
    recon_phases phases;
    int volume_count, slices;
    int channels, coils;    /* channels of the scan; coils of the model, virtual ones after compression */
    argand_array *mix;      /* complex {coils, channels} on the host's device; NULL: identity */
    bool weights_are_given; /* density weights are the caller's */
    double *terms; /* measured phase {samples of a volume, term_given} in the file's order; NULL: none */
    int64_t term_count, term_given, term_samples; /* term_count: with the concomitant ones */
    double concomitant;                           /* T: concomitant fields are modelled; 0: they are not */
    double *weights; /* given density weights of a volume's samples, in the file's order */
    recon_volume *volumes;
    recon_row *rows; /* rows of all volumes */
    int unit_count;
    int *units; /* the volumes, unit after unit; then the place of each unit's first one, and the end */
    recon_model model;
    bool has_model;
    bool returns;     /* volumes come back to a leader after others: models are kept (model/kept.c) */
    recon_kept *kept; /* kept_count models of other volumes, which take kept_bytes */
    int kept_count;
    double kept_bytes;
    int led_by;               /* leader of the volume that the model was made for; -1: none yet */
    bool unaliasing_is_noted; /* the notes mention the unaliasing of shots for their phases */
    int noted_segments;       /* largest number of segments, and largest error, in the notes */
    double noted_segment_error;
    recon_zeros zeros;
    bool coils_doubtful;   /* AUTO found no region sampled fully enough for ESPIRiT alone */
    argand_coils coils_by; /* algorithm of the last coil maps; AUTO: none were estimated */
    bool continued;        /* argand_sense_continue replaced the scan */
    bool embedded;         /* volumes include calibration acquisitions that lie between the image's lines */
    recon_calibrations calibrations;
    int bands;                      /* number of slices excited together; usually 1 */
    argand_array *band_images;      /* {grid, bands}, the images of all bands */
    const recon_volume *solved;     /* volume whose acquisitions band_images belongs to; NULL: none yet */
    const recon_volume *joint;      /* a repetition of the last joint solve; NULL: none */
    argand_array *joint_images;     /* {grid, repetitions} */
    argand_array *shared_coil_maps; /* maps estimated from all repetitions; NULL: maps of each volume */
    int shared_of;                  /* unit of the repetitions of shared_coil_maps; -1: none */
    double *basis;                  /* complex {basis_rows, basis_count}; NULL: none */
    int64_t basis_rows, basis_count;
    int time_counter; /* volumes are coefficients, and rows of the basis are counted by this counter of
                         solve/times.c; 0: volumes are those of the scan */
    argand_regularizer regularizers[ARGAND_MAX_REGULARIZERS]; /* options.regularizers points here */
    double sample_noise; /* sqrt(E |n|^2) of a mixed sample in the file's units; 0: not known or not needed */
    bool told_weight;
    int exponent;      /* gathered samples are divided by 2^exponent, and images multiplied */
    bool is_zero;      /* all samples are 0 */
    uint64_t replicas; /* noisy acquisitions that replicas.c made of volumes of the scans before */
    text notes;
    argand_comm *comm;          /* ranks that run the session together; NULL: one rank */
    struct op_meeting *meeting; /* of those that share a volume; NULL: no other rank does */
    bool idle;                  /* this rank has no share of any volume, and receives the images */
    int ranks;                  /* that share a volume */
    argand_sense_split split;   /* predicted for them */
    int empty;                  /* the volume that was run last, if its samples are all 0; otherwise -1 */
    int made_for; /* volume whose model is the last one, after a run of several ranks; -1: none */
};

/* share.c: the share of this rank; its samples; the largest share of a number of ranks, and whether it is of
 * shots. */
recon_share share_of(const argand_sense *s, const recon_samples *data);
argand_status share_samples(const argand_sense *s, recon_samples *data);
int64_t share_most(const argand_sense *s, int64_t shots, int ranks);
bool share_is_of_shots(const argand_sense *s, int64_t shots, int ranks);
/* Gives an array of rank 0 to all that share a volume: estimates may differ in rounding between machines. */
argand_status share_same(const argand_sense *s, argand_array *array);
/* Finds the exponent, and notes a sample that is far larger than all others. */
argand_status scale_find(argand_sense *s);
/* Multiplies the image by 2^exponent. ARGAND_NUMERIC: the image has elements that are not finite. */
argand_status scale_finish(argand_sense *s, int volume, argand_array *image);
argand_status options_check(const argand_sense_options *given);
argand_sense_options options_with_defaults(const argand_sense_options *given);
/* Returns true if the image data lie on the encoded grid: by the header, or, for EPI and headers without a
 * trajectory, by their positions. */
bool grid_is_cartesian(const argand_scan *scan, int encoding);
argand_status grid_choose(argand_sense *s);
void grid_note(argand_sense *s); /* what the header asks for and the images do not have */
/* Refuses a matrix of the header that is too large for the number of samples. */
argand_status bound_check(const argand_sense *s);
/* Refuses a volume that the session does not have (queries.c). */
argand_status session_check_volume(const argand_sense *s, int volume);
/* Sets *result to true if two arrays hold the same numbers; NULL equals nothing. */
argand_status arrays_equal(const argand_array *a, const argand_array *b, bool *result);
/* numbers.c: copy a real array to doubles, or a complex one to two doubles per element (the caller frees
 * them); copy doubles to a new array of the session's precision. */
argand_status numbers_of_array(const argand_array *a, double **out);
argand_status array_of_numbers(const argand_sense *s, const double *numbers, int64_t count,
                               argand_array **out);
argand_status complex_of_numbers(const argand_sense *s, const double *numbers, int64_t count,
                                 argand_array **out);
/* Replaces the array {dims..., channels} by a new one {dims..., coils} if the session mixes channels. */
argand_status channels_mix(const argand_sense *s, argand_array **array);
/* Adds a line to the notes unless the notes contain it. */
__attribute__((format(printf, 2, 3))) void note_once(argand_sense *s, const char *format, ...);

#endif
