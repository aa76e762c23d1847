/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs become passes, each of which is appended to a program. */
#ifndef FFT_GPU_SCHEDULE_PASSES_H
#define FFT_GPU_SCHEDULE_PASSES_H

#include "fft/gpu/cluster/cluster.h"

/* lines.c: appends the pass or passes of a job. */
argand_status program_lines(pass_program *p, const line_job *job, const block_limits *l);
/* Whether a job that goes forward and inverse can have tiles of lines and their images, where X[-k] is. */
bool images_fit(const line_job *job, int rank, const block_limits *l);
/* What such tiles, and those of a long line's middle, hold at most. */
block_limits round_trip_limits(const line_job *job, const block_limits *l);
/* The longest line of a tile. Columns need neighbours. */
int64_t longest(const line_job *job, const block_limits *l);
/* A long line in two parts, the first of n1 points. */
void divide_line(pass_program *p, const line_job *job, int64_t n1, line_job *first, line_job *second);
/* real_lines.c: lines along the first axis of a real transform, given as a complex line's job of as many
 * points and strides: as pairs of reals where that goes. together: pairs lie together, at even places. */
argand_status program_real(pass_program *p, const line_job *job, bool forward, bool adjacent,
                           const block_limits *l);
/* The same forward and inverse at once, through the chain of job->access[2]; where real_round_trip_fits. */
bool real_round_trip_fits(const line_job *job, const block_limits *l);
argand_status program_real_round_trip(pass_program *p, const line_job *job, bool adjacent,
                                      const block_limits *l);
/* Packed pairs' lines that are too long for a tile, where long_real_fits. */
bool long_real_fits(const line_job *job, const block_limits *l);
argand_status program_long_real(pass_program *p, const line_job *job, const block_limits *l);
/* real_fold.c: the same of an even length without radices, as pairs whose spectrum is folded by a pass of its
 * own. */
bool real_fold_fits(const line_job *line, bool adjacent, const block_limits *l);
argand_status program_real_fold(pass_program *p, const line_job *line, bool forward, const block_limits *l);
/* scrambled.c: the first of two parts of axis 0 where its frequencies (or its signal) may lie in the order
 * that the passes leave them in; 0: natural order. */
int64_t scrambled_part(const fft_problem *p, const block_limits *l);
bool scrambled_is_output(const fft_problem *p, argand_direction direction); /* else the input is */
argand_status program_scrambled(pass_program *p, const line_job *job, int64_t n1, bool output,
                                const block_limits *l);
/* middle.c: lines that are too long for a tile, there, through the chain of job->access[2], and back; images:
 * with X[-k]. */
bool round_trip_fits(const line_job *job, bool images, const block_limits *l);
argand_status program_round_trip(pass_program *p, const line_job *job, const block_limits *l);
/* long_convolution.c: lines without radices that are too long for a tile. */
argand_status program_long_convolution(pass_program *p, const line_job *job, const block_limits *l);
/* The longest part of such a line that leaves space for neighbours. */
int64_t longest_part(int64_t n, const block_limits *l);
/* The divisor of n that is best for the first of two parts; 0: none. */
int64_t first_factor(const line_job *job, int64_t n, const block_limits *l);
/* plane.c: two axes in one tile, the first contiguous; false where they do not fit. */
bool fits_block(const job_axis *a, const job_axis *b, const block_limits *l); /* without a cluster */
bool plane_fits(const job_axis *a, const job_axis *b, const block_limits *l);
argand_status program_plane(pass_program *p, const line_job *job, const job_axis *second, int second_shift,
                            const block_limits *l);

/* volume.c: three axes in two passes; false: it would take longer. How many volumes there are
 * does not matter, as results are to be the same. */
bool volume_fits(const job_axis *s, const block_limits *l);
bool plane_is_split(const job_axis *a, const job_axis *b, const block_limits *l); /* as s, and one point */
argand_status program_volume(pass_program *p, const line_job *job, const job_axis *s, const int shift[3],
                             const block_limits *l);
/* Three axes in three passes, where the tuning says how the second and the third one are divided. */
bool volume_is_split_twice(const job_axis *s, const block_limits *l);
argand_status program_volume_split_twice(pass_program *p, const line_job *job, const job_axis *s,
                                         const int shift[3], const block_limits *l);
/* The same for passes with accessors: how many points of the middle axis the first one has, 0: no gain; and
 * pass 0, whose job is along s[0] with s[2] among its loops, or 1, the other way round. */
int64_t volume_part(const job_axis *s, const block_limits *l);
argand_status program_volume_pass(pass_program *p, const line_job *job, const job_axis *s, int pass,
                                  const block_limits *l);

/* columns.c: what a column of n points costs forward and back in one pass, in operations; HUGE_VAL: it does
 * not fit one. */
double columns_cost(int64_t n, const block_limits *l);

#endif
