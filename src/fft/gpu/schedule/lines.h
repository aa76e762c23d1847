/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that plan passes along one axis. */
#ifndef FFT_GPU_SCHEDULE_LINES_H
#define FFT_GPU_SCHEDULE_LINES_H

#include "fft/gpu/schedule/passes.h"

/* Contiguous bytes of a strided access: minimum, and wanted number. */
enum { SEGMENT_LEAST = 32, SEGMENT_GOOD = 64 };

/* one_pass.c: returns the number of adjacent lines that a tile should have. */
int lines_in_segment(const block_limits *l);
/* Returns true if, in the input or output, the axis has a smaller stride than the adjacent lines. */
bool lines_are_along(const line_job *job, bool out);
/* lines_are_folded: half of a tile's lines are elsewhere in memory. lines_are_round_trip: pairs of reals
 * go forward and inverse in one pass. lines_are_packed: input or output is such pairs or a packed half
 * spectrum. */
bool lines_are_folded(const line_job *job);
bool lines_are_round_trip(const line_job *job);
bool lines_are_packed(const line_job *job);
/* Returns the number of lines of a tile. */
int lines_for(const line_job *job, int n, const radix_list *r, const block_limits *l, bool rows,
              convolution_kind fused);
argand_status lines_one_pass(pass_program *p, const line_job *job, const radix_list *chosen,
                             const line_convolution *f, const block_limits *l);

/* A line that no tile holds, as a job for each of its parts, in order. */
enum { PARTS_MOST = 3 };
typedef struct line_parts {
    int count;
    line_job job[PARTS_MOST];
} line_parts;
/* divide.c: two parts, the first of n1 points. */
void divide_line(pass_program *p, const line_job *job, int64_t n1, line_parts *parts);
/* Returns the longest part that leaves space for neighbours. */
int64_t longest_part(int64_t n, const block_limits *l);
/* Returns the best divisor of n as the first of two parts; 0: none. */
int64_t first_factor(const line_job *job, int64_t n, const block_limits *l);
/* long_real.c: lines of packed pairs, if long_real_fits. */
bool long_real_fits(const line_job *job, const block_limits *l);
argand_status divide_packed(pass_program *p, const line_job *job, const block_limits *l, line_parts *parts);
/* long_round_trip.c: lines that go forward, through the chain job->access[2], and inverse. */
argand_status divide_round_trip(pass_program *p, const line_job *job, const block_limits *l,
                                line_parts *parts);
/* long_convolution.c: lines without radices. */
argand_status divide_convolution(pass_program *p, const line_job *job, const block_limits *l,
                                 line_parts *parts);

/* fits.c: returns the limits of tiles that also hold X[-k], or of the middle of a long line that goes
 * forward and inverse. */
block_limits round_trip_limits(const line_job *job, const block_limits *l);

/* columns.c: sets lines and threads of tiles for columns that go forward and inverse in one pass. */
void columns_fit(block_limits *own, const line_job *job);

#endif
