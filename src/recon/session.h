/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of a reconstruction session, for the files of this folder:
 *   volumes.c  which acquisitions make which volume, and their samples as arrays
 *   grid.c     the image's matrix, field of view and place
 *   maps.c     field, coil, mask and gradient maps: found, checked, cut to a slice
 *   model.c    the encoding operator of a volume
 *   density.c  weights of the samples
 *   calibrate.c coil maps from the data
 *   sense.c    the session */
#ifndef RECON_SESSION_H
#define RECON_SESSION_H

#include <argand/recon.h>
#include "base/text.h"

/* The acquisitions that are reconstructed together. */
typedef struct recon_volume {
    argand_counters counters;
    int64_t count, samples;
    const argand_acquisition **acquisitions;
} recon_volume;

typedef struct recon_grid {
    int rank; /* 2 or 3: of the transform */
    int64_t n[3];
    double field_of_view[3]; /* mm */
    double k_scale[3];       /* cycles per encoded field of view to cycles per grid field of view */
    double k_limit[3];       /* samples beyond are left out; 0: none is */
} recon_grid;

/* The samples of a volume on the device: y {samples, coils}, k and t {samples}. */
typedef struct recon_samples {
    int64_t count, left_out;
    argand_array *y, *k[3], *t;
} recon_samples;

/* Maps as they are kept: host arrays over all slices. */
typedef struct recon_map {
    argand_array *array; /* NULL where there is none; dims {nx, ny, nz, per-pixel vectors, slices} */
    int64_t vectors, slices;
} recon_map;

typedef struct recon_maps {
    recon_map field, coils, mask, r2star, gradient[3];
} recon_maps;

/* The encoding operator of one volume, and what it was made for. */
typedef struct recon_model {
    int slice;
    argand_array *k[3], *t;  /* compared with the next volume's */
    argand_op *transform;    /* {grid, coils} -> {samples, coils} */
    argand_op *sense;        /* {grid} -> {samples, coils} */
    argand_array *coil_maps; /* {grid, coils} */
    argand_array *weights;   /* {samples}; NULL: none */
    double diagonal;         /* mean of A^H W A's diagonal */
    argand_op *difference[3];
} recon_model;

struct argand_sense {
    argand_device *device;
    const argand_scan *scan;
    argand_sense_options options; /* defaults filled in; pointers to the caller's arrays are not kept */
    argand_transform transform;
    const argand_encoding *encoding;
    recon_grid grid;
    recon_maps maps;
    int volume_count, coils, slices;
    recon_volume *volumes;
    recon_model model;
    bool has_model;
    text notes;
};

argand_status volumes_find(argand_sense *s);
void volumes_free(argand_sense *s);
argand_status samples_load(const argand_sense *s, const recon_volume *v, recon_samples *out);
void samples_free(recon_samples *out);

argand_status grid_choose(argand_sense *s);

argand_status maps_find(argand_sense *s, const argand_sense_options *given);
void maps_free(recon_maps *m);
/* The map of a slice as a new array on the device: {grid} or, for coil maps, {grid, coils}; NULL where there
 * is none. */
argand_status map_of_slice(const argand_sense *s, const recon_map *m, int slice, argand_array **out);
bool map_is_zero(const recon_map *m);

argand_status model_prepare(argand_sense *s, const recon_volume *v, const recon_samples *data);
void model_free(recon_model *m);

/* numbers.c: a real array as doubles (to be freed), and doubles as a new array of the session's precision. */
argand_status numbers_of_array(const argand_array *a, double **out);
argand_status array_of_numbers(const argand_sense *s, const double *numbers, int64_t count,
                               argand_array **out);

/* Coil maps {grid, coils} estimated from the samples through the transform. */
argand_status calibrate_coils(const argand_sense *s, const recon_samples *data, argand_op *transform,
                              argand_array **maps);
/* Density weights {samples} by the way that is asked for. */
argand_status density_weights(const argand_sense *s, const recon_volume *v, const recon_samples *data,
                              argand_density way, argand_array **weights);

#endif
