/* SPDX-License-Identifier: BSD-3-Clause */
/* argand simulate: what its files share. */
#ifndef CLI_SIMULATE_H
#define CLI_SIMULATE_H

#include <stdint.h>
#include "command.h"

typedef struct simulate_settings {
    const char *output;
    option_sizes matrix;
    int coils, kind, shots, samples, repetitions, slices, fineness, seed;
    double readout, echo, acceleration; /* ms, ms */
    double field_range;                 /* Hz */
    double snr, noise;                  /* noise < 0: from snr */
    double field_of_view;               /* mm */
    bool golden;
    common_options common;
} simulate_settings;

static inline bool simulate_is_volume(const simulate_settings *s)
{
    return s->matrix.rank == 3 && s->matrix.n[2] > 1;
}

/* The head on one grid. Arrays {nx, ny, planes[, coils]}; a single 2-D slice has one plane of the 2-D
 * phantom. Several slices are planes of a volume with one more above and below, where the 3-D phantom has
 * little to show. */
typedef struct simulate_head {
    argand_array *image, *field_map, *coil_maps;
} simulate_head;
argand_status simulate_head_make(simulate_head *head, argand_device *device, const simulate_settings *s,
                                 int fineness);
/* The head of one volume: a view of the plane of a slice, as 2-D arrays, or of all planes. */
argand_status simulate_head_view(simulate_head *view, const simulate_head *head, const simulate_settings *s,
                                 int slice);
void simulate_head_free(simulate_head *head);

/* What goes into the file, and the memory that it points to. */
typedef struct simulate_file {
    argand_scan scan;
    argand_encoding encoding;
    argand_acquisition *acquisitions;
    argand_scan_array arrays[4];
    float *data, *k[3], *t; /* data: complex {samples, channels} of all acquisitions; k, t: of one volume */
    float *maps[4];
    double sample_time;
    int64_t samples, shots, partitions, added; /* acquisitions so far */
} simulate_file;
argand_status simulate_file_create(simulate_file *f, const simulate_settings *s, argand_array *const k[3],
                                   const argand_array *t, const simulate_head *head);
/* samples: complex float {samples, shots[, partitions], coils} */
argand_status simulate_file_add(simulate_file *f, const simulate_settings *s, const argand_array *samples,
                                int slice, int repetition);
void simulate_file_free(simulate_file *f);

#endif
