/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns jobs into passes and appends them to a program. */
#ifndef FFT_GPU_SCHEDULE_PASSES_H
#define FFT_GPU_SCHEDULE_PASSES_H

#include "fft/gpu/cluster/cluster.h"

/* lines.c: appends the pass or passes of a job. */
argand_status program_lines(pass_program *p, const line_job *job, const block_limits *l);
/* fits.c: returns the longest line that fits in a tile. Columns share the tile with their neighbours. */
int64_t longest(const line_job *job, const block_limits *l);
/* Returns true if a job that goes forward and inverse can have tiles of lines together with their images,
 * the lines with X[-k]. */
bool images_fit(const line_job *job, int rank, const block_limits *l);
/* long_round_trip.c: returns true if lines that no tile holds can go forward and inverse. images: the
 * chain between uses X[-k]. */
bool round_trip_fits(const line_job *job, bool images, const block_limits *l);
/* real_lines.c: appends lines along the first axis of a real transform, as pairs of reals if possible. The
 * job describes complex lines of as many points, with the same strides. adjacent: pairs are contiguous and
 * start at even positions. */
argand_status program_real(pass_program *p, const line_job *job, bool forward, bool adjacent,
                           const block_limits *l);
/* Appends the same lines forward and inverse in one pass, with the chain job->access[2] in between;
 * requires real_round_trip_fits. */
bool real_round_trip_fits(const line_job *job, const block_limits *l);
argand_status program_real_round_trip(pass_program *p, const line_job *job, bool adjacent,
                                      const block_limits *l);
/* real_fold.c: appends real lines of an even length without radices, as pairs. A pass of its own converts
 * between the spectrum of the pairs and the half spectrum. */
bool real_fold_fits(const line_job *line, bool adjacent, const block_limits *l);
argand_status program_real_fold(pass_program *p, const line_job *line, bool forward, const block_limits *l);
/* scrambled.c: returns the first of two parts of axis 0 if its spectrum (or signal) may be in scrambled
 * order, the order that the passes produce; 0: natural order. */
int64_t scrambled_part(const fft_problem *p, const block_limits *l);
bool scrambled_is_output(const fft_problem *p, argand_direction direction); /* else the input is */
argand_status program_scrambled(pass_program *p, const line_job *job, int64_t n1, bool output,
                                const block_limits *l);
/* plane.c: two axes in one tile, the first contiguous. The functions return false if the plane does not
 * fit. */
bool fits_block(const job_axis *a, const job_axis *b, const block_limits *l); /* without a cluster */
bool plane_fits(const job_axis *a, const job_axis *b, const block_limits *l);
argand_status program_plane(pass_program *p, const line_job *job, const job_axis *second, int second_shift,
                            const block_limits *l);

/* real_plane.c: two axes of reals in one tile of pairs, and rows of odd length two by two. `axes` are those
 * of the transform, in reals, with the strides of the reals and of the half spectra. The job is along the
 * first axis and has the others (but not the second of a plane) as loops. */
typedef struct real_plane {
    plane_pairs pairs;
    int axis;     /* the axis of the pairs */
    int64_t n[2]; /* complex points of the tile */
} real_plane;
bool real_plane_choose(real_plane *plane, const job_axis *axes, int rank, const block_limits *l);
argand_status program_real_plane(pass_program *p, const line_job *job, const job_axis *axes,
                                 const real_plane *plane, bool forward, bool adjacent, const block_limits *l);
bool real_rows_fit(const job_axis *axes, int rank, const block_limits *l);
argand_status program_real_rows(pass_program *p, const line_job *job, const job_axis *axes, int rank,
                                bool forward, const block_limits *l);

/* volume.c: three axes in two passes; volume_fits returns false if other passes are faster. The number of
 * volumes is not considered, so that results do not depend on it. */
bool volume_fits(const job_axis *s, const block_limits *l);
/* a volume with a third axis of one point */
bool plane_is_split(const job_axis *a, const job_axis *b, const block_limits *l);
argand_status program_volume(pass_program *p, const line_job *job, const job_axis *s, const int shift[3],
                             const block_limits *l);
/* Three axes in three passes, if the tuning says how the second and the third axis are divided. */
bool volume_is_split_twice(const job_axis *s, const block_limits *l);
argand_status program_volume_split_twice(pass_program *p, const line_job *job, const job_axis *s,
                                         const int shift[3], const block_limits *l);
/* Two passes for volumes with accessors. volume_part returns the points of the middle axis in the first
 * pass, 0: no gain. program_volume_pass appends pass 0, whose job is along s[0] with s[2] among its loops,
 * or pass 1, along s[2] with s[0] among its loops. */
int64_t volume_part(const job_axis *s, const block_limits *l);
argand_status program_volume_pass(pass_program *p, const line_job *job, const job_axis *s, int pass,
                                  const block_limits *l);

/* columns.c: returns the cost of a column of n points that goes forward and inverse in one pass, in
 * operations; HUGE_VAL: it does not fit. */
double columns_cost(int64_t n, const block_limits *l);

#endif
