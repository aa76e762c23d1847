/* SPDX-License-Identifier: BSD-3-Clause */
/* What all folders of this layer share: the session and what is in it; numbers of arrays, notes, the grid,
 * the scale. Folders use those before them:
 *   session/    options checked, grid, scale, numbers, notes
 *   maps/       what is known for every pixel
 *   samples/    from acquisitions to samples
 *   transform/  from an image to the samples of a shot and back
 *   calibrate/  coil maps and phase maps from the data
 *   model/      the encoding operator of a volume
 *   solve/      the image from samples and model
 *   sense.c     the session as its users see it */
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

/* Zeros that were not measured: at the ends of all readouts of `samples`, so many first and last ones; with
 * `points` every sample that is 0 in all channels. */
typedef struct recon_zeros {
    int64_t samples, first, last;
    bool points;
} recon_zeros;

/* Where samples lie: k and t {count} on the device. */
typedef struct recon_points {
    int64_t count;
    argand_array *k[3], *t;
    argand_array *phase; /* R64 {count, terms} on the host's device: measured phase; NULL: none */
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

/* The scan with other positions (samples/gradients.c). */
typedef struct recon_played recon_played;
struct gradient_response;

struct argand_sense {
    argand_device *device;
    const argand_scan *scan;            /* the caller's, or `played` */
    struct gradient_response *response; /* of the gradients; NULL: positions are those of the scan */
    recon_played *played;
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
    double *terms; /* measured phase {samples of a volume, term_count} in the file's order; NULL: none */
    int64_t term_count, term_samples;
    double *weights; /* density weights that were given, of a volume's samples in the file's order */
    recon_volume *volumes;
    recon_row *rows; /* of all volumes */
    recon_model model;
    bool has_model;
    bool unfolding_is_noted; /* of shots, for their phases */
    int noted_segments;      /* the most, and the largest error, that notes told of */
    double noted_segment_error;
    recon_zeros zeros;
    bool coils_doubtful;   /* AUTO had no region of k-space that is sampled fully enough for ESPIRiT alone */
    argand_coils coils_by; /* that the last coil maps were estimated by; AUTO: none were */
    bool continued;        /* the scan is not the one that the session was made for */
    bool embedded;         /* calibration acquisitions lie between the image's lines and are in its volumes */
    int bands;             /* slices that were excited together; 1 as a rule */
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
    uint64_t replica_seed; /* of the noise that was added last (replicas.c) */
    text notes;
};

/* Finds the exponent; notes one sample that is far beyond all others. */
argand_status scale_find(argand_sense *s);
/* Puts the exponent back into the image and looks at it: ARGAND_NUMERIC where it holds what is no number. */
argand_status scale_finish(argand_sense *s, int volume, argand_array *image);
argand_status options_check(const argand_sense_options *given);
argand_sense_options options_with_defaults(const argand_sense_options *given);
static inline bool encoding_is_cartesian(const argand_encoding *e)
{
    return !strcmp(e->trajectory, "cartesian");
}
argand_status grid_choose(argand_sense *s);
/* Refuses a grid of the header that the samples cannot fill. */
argand_status bound_check(const argand_sense *s);
/* Whether two arrays hold the same numbers; NULL is equal to nothing. */
argand_status arrays_equal(const argand_array *a, const argand_array *b, bool *result);
/* numbers.c: a real array as doubles (to be freed; of complex ones two each), and doubles as a new array of
 * the session's precision. */
argand_status numbers_of_array(const argand_array *a, double **out);
argand_status array_of_numbers(const argand_sense *s, const double *numbers, int64_t count,
                               argand_array **out);
argand_status complex_of_numbers(const argand_sense *s, const double *numbers, int64_t count,
                                 argand_array **out);
/* The array {dims..., channels} becomes a new one {dims..., coils}, where there is anything to mix. */
argand_status channels_mix(const argand_sense *s, argand_array **array);
/* A sentence that is not there yet, as a line of the notes. */
__attribute__((format(printf, 2, 3))) void note_once(argand_sense *s, const char *format, ...);

#endif
