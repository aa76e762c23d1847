/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs become passes, each of which is appended to a program. */
#ifndef FFT_GPU_SCHEDULE_PASSES_H
#define FFT_GPU_SCHEDULE_PASSES_H

#include "fft/gpu/cluster/cluster.h"

/* lines.c: appends the pass or passes of a job. */
argand_status program_lines(box_program *p, const box_job *job, const box_limits *l);
/* Whether a job that goes there and back can have boxes of lines and their images, where X[-k] is. */
bool images_fit(const box_job *job, int rank, const box_limits *l);
/* What such boxes, and those of a long line's middle, hold at most. */
box_limits middle_limits(const box_job *job, const box_limits *l);
/* The longest line of a box. Columns need neighbours beside them. */
int64_t longest(const box_job *job, const box_limits *l);
/* A long line in two parts, the first of n1 points. */
void divide_line(box_program *p, const box_job *job, int64_t n1, box_job *first, box_job *second);
/* real_lines.c: lines along the first axis of a real transform, given as a complex line's job of as many
 * points and strides: as pairs of reals where that goes. together: pairs lie together, at even places. */
argand_status program_real(box_program *p, const box_job *job, bool forward, bool together,
                           const box_limits *l);
/* The same there and back at once, through the chain of job->access[2]; where real_middle_fits. */
bool real_middle_fits(const box_job *job, const box_limits *l);
argand_status program_real_middle(box_program *p, const box_job *job, bool together, const box_limits *l);
/* Packed pairs' lines that are too long for a box, where halves_fit. */
bool halves_fit(const box_job *job, const box_limits *l);
argand_status program_halves(box_program *p, const box_job *job, const box_limits *l);
/* scrambled.c: the first of two parts of axis 0 where its frequencies (or its signal) may lie in the order
 * that the passes leave them in; 0: it stays natural. */
int64_t scrambled_factor(const fft_problem *p, const box_limits *l);
bool scrambled_is_output(const fft_problem *p, argand_direction direction); /* else the input is */
argand_status program_scrambled(box_program *p, const box_job *job, int64_t n1, bool output,
                                const box_limits *l);
/* middle.c: lines that are too long for a box, there, through the chain of job->access[2], and back; images:
 * with X[-k]. */
bool middle_fits(const box_job *job, bool images, const box_limits *l);
argand_status program_middle(box_program *p, const box_job *job, const box_limits *l);
/* long_convolution.c: lines without radices that are too long for a box. */
argand_status program_convolved(box_program *p, const box_job *job, const box_limits *l);
/* The longest part of such a line that leaves room for neighbours. */
int64_t longest_part(int64_t n, const box_limits *l);
/* The divisor of n that is best for the first of two parts; 0: none. */
int64_t first_factor(const box_job *job, int64_t n, const box_limits *l);
/* plane.c: two axes in one box, the first contiguous; false where they do not fit. */
bool fits_group(const box_span *a, const box_span *b, const box_limits *l); /* without a cluster */
bool plane_fits(const box_span *a, const box_span *b, const box_limits *l);
argand_status program_plane(box_program *p, const box_job *job, const box_span *second, int second_shift,
                            const box_limits *l);

/* volume.c: three axes in two passes; false: it would take longer. How many volumes there are
 * does not matter, as results are to be the same. */
bool volume_fits(const box_span *s, const box_limits *l);
bool plane_is_shared(const box_span *a, const box_span *b, const box_limits *l); /* as s, and one point */
argand_status program_volume(box_program *p, const box_job *job, const box_span *s, const int shift[3],
                             const box_limits *l);
/* Three axes in three passes, where the tuning tells how the second and the third one are divided. */
bool volume_is_deep(const box_span *s, const box_limits *l);
argand_status program_volume_deep(box_program *p, const box_job *job, const box_span *s, const int shift[3],
                                  const box_limits *l);
/* The same for passes with accessors: how many points of the middle axis the first one has, 0: no gain; and
 * pass 0, whose job is along s[0] with s[2] among its loops, or 1, the other way round. */
int64_t volume_part(const box_span *s, const box_limits *l);
argand_status program_volume_pass(box_program *p, const box_job *job, const box_span *s, int pass,
                                  const box_limits *l);

#endif
