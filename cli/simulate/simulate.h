/* SPDX-License-Identifier: BSD-3-Clause */
/* argand simulate: what its files share. */
#ifndef CLI_SIMULATE_H
#define CLI_SIMULATE_H

#include <stdint.h>
#include "common/command.h"

enum { SIMULATE_MOST_ECHOES = 16 };

typedef struct simulate_settings {
    const char *output;
    option_sizes matrix;
    int kind; /* argand_trajectory */
    argand_trajectory_info trajectory;
    int coils, shots, samples, repetitions, slices, echoes, fineness, seed;
    double readout, echo, acceleration; /* ms, ms */
    double echo_spacing;                /* ms */
    double repetition_time;             /* ms; 0: no time stamps */
    double field_range;                 /* Hz */
    double phase_range;                 /* rad; 0: all shots have the same phase */
    double snr, noise;                  /* noise < 0: from snr */
    double field_of_view;               /* mm */
    bool golden, navigators;
    double partial_fourier;             /* share of the lines; 1: all */
    int calibration, bands, noise_scan; /* lines, slices at a time, acquisitions */
    int calibration_flags;              /* simulate_flags */
    common_options common;
} simulate_settings;

/* Flags of calibration lines, in the order of the option's choices. */
enum simulate_flags { FLAGS_STANDARD, FLAGS_IMAGING, FLAGS_CALIBRATION, FLAGS_SEPARATE, FLAGS_NONE };

static inline bool simulate_is_volume(const simulate_settings *s)
{
    return s->matrix.rank == 3 && s->matrix.n[2] > 1;
}

/* The head on one grid: arrays {nx, ny, planes[, coils]}. A single 2-D slice has one plane of the 2-D
 * phantom. Several slices are planes of a volume with an additional plane above and below, where the 3-D
 * phantom is almost empty. */
typedef struct simulate_head {
    argand_array *image, *field_map, *coil_maps;
} simulate_head;
argand_status simulate_head_make(simulate_head *head, argand_device *device, const simulate_settings *s,
                                 int fineness);
/* Creates a view of the head of one volume: the plane of a slice, as 2-D arrays, or all planes. */
argand_status simulate_head_view(simulate_head *view, const simulate_head *head, const simulate_settings *s,
                                 int slice);
void simulate_head_free(simulate_head *head);

/* The number of a shot and of its volume. */
typedef struct simulate_place {
    int64_t shot, partition;
    int slice, echo, repetition;
} simulate_place;

/* Computes the smooth phase map of a shot in rad, within the settings' range, different for each shot.
 * Pixels {nx, ny, nz} of any grid over the field of view. */
void simulate_phase_map(float *phase, const int64_t n[3], const simulate_settings *s,
                        const simulate_place *at);

/* k and t {samples, shots[, partitions]} of the scan's first echo; t of every echo. */
typedef struct simulate_points {
    argand_array *k[3], *t[SIMULATE_MOST_ECHOES];
} simulate_points;
argand_status simulate_points_make(simulate_points *p, argand_device *device, const simulate_settings *s);
void simulate_points_free(simulate_points *p);

/* Computes the noiseless samples {samples, shots[, partitions], coils} of a volume. Shots have their own
 * phases if the settings say so. */
argand_status simulate_signal(argand_array *samples, const simulate_settings *s, const simulate_head *fine,
                              const simulate_points *points, const simulate_place *at);

/* Computes the samples {points, coils} of one shot at any points. head: the head of its slice. */
argand_status simulate_shot(argand_array *samples, const simulate_settings *s, const simulate_head *head,
                            argand_array *const k[3], const argand_array *t, const simulate_place *at);

/* The contents of the file, with their memory. */
typedef struct simulate_file {
    argand_scan scan;
    argand_encoding encoding;
    argand_acquisition *acquisitions;
    argand_scan_array arrays[5];
    float *data, *k[3], *t; /* data: complex {samples, channels} of all acquisitions; k: of one volume, t: of
                               one of each echo */
    float *maps[5];
    argand_acquisition *calibrations, *noise; /* auxiliary.c */
    float *sums, *kz, *noise_data;
    double sample_time, echo_times[SIMULATE_MOST_ECHOES];
    int64_t samples, shots, partitions, added; /* acquisitions so far */
    argand_acquisition *navigators;            /* NULL: none */
    float *navigator_data, *navigator_k[3], *navigator_t;
} simulate_file;
argand_status simulate_file_create(simulate_file *f, const simulate_settings *s,
                                   const simulate_points *points, const simulate_head *head);
/* samples: complex float {samples, shots[, partitions], coils} of a volume */
argand_status simulate_file_add(simulate_file *f, const simulate_settings *s, const argand_array *samples,
                                const simulate_place *at);
/* Adds a navigator for each shot of a volume: the centre of k-space, read at one time. */
argand_status simulate_file_navigate(simulate_file *f, const simulate_settings *s, const simulate_head *fine,
                                     argand_device *device, double sigma, simulate_place at);
void simulate_file_free(simulate_file *f);

/* Removes lines, sums slices and adds a noise scan, when all samples are there. */
argand_status simulate_auxiliary_check(const simulate_settings *s);
argand_status simulate_auxiliary(simulate_file *f, const simulate_settings *s, argand_device *device,
                                 double sigma);
void simulate_auxiliary_free(simulate_file *f);
double simulate_acceleration(const simulate_settings *s); /* of the trajectory */

#endif
