/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes lines to be transformed, before the tiles are chosen. */
#ifndef FFT_GPU_CODEGEN_JOB_H
#define FFT_GPU_CODEGEN_JOB_H

#include "fft/gpu/codegen/shape.h"

typedef enum pass_memory { MEMORY_IN, MEMORY_OUT, MEMORY_WORK } pass_memory;

/* A pass of a long convolution; see chirp_part in shape.h. */
typedef struct job_chirp {
    chirp_part part;
    int64_t points, step, convolution, origin;
    bool rader;              /* in Rader's order instead of Bluestein's */
    convolution_split split; /* split over the blocks of a cluster */
} job_chirp;

/* One axis of a job, or one loop around it. */
typedef struct job_axis {
    int64_t n, in, out; /* length, strides */
    /* growth of a point's index in its real line; 0: the kernel needs no index */
    int64_t number;
    int dim;      /* the coordinate of accessors that grows along it, from 1 on; 0: none */
    int64_t step; /* growth of that coordinate per point */
} job_axis;

enum { JOB_AXES = 2 * ARGAND_MAX_RANK + 4 };

/* Lines of one length along an axis, and the loops over them. */
typedef struct line_job {
    job_axis axis;
    int loops;
    job_axis loop[JOB_AXES];
    int counted_loop; /* loop whose index the kernel must know; -1: none */
    /* results are multiplied by exp(-2 pi i k index / twiddle_points); 0: no factor */
    int64_t twiddle_points;
    job_chirp chirp; /* role in a long convolution */
    pass_memory from, to;
    int64_t from_at, to_at;
    int shift_in, shift_out, /* element i of the transform lies at (i + shift) mod n */
        twiddle_from;        /* line with index 0 in its twiddle factors */
    bool scaled;
    bool back;     /* opposite direction to the call's, as in tile_pass */
    int streaming; /* operands with streaming access, as in tile_shape */
    /* order of tiles: 0 rising; 1 and 2 rising and falling alternately, because the last results of the
     * pass before may still be in the cache */
    int order;
    load_kind in_kind;
    store_kind out_kind;
    int real_points;
    int64_t in_pair, out_pair; /* distance between the elements of an unpacked half spectrum, or of a pair */
    plane_pairs plane;         /* the axis is one of a plane of pairs */
    bool adjacent;             /* pairs of reals are contiguous and start at even positions */
    /* counted lines g and n - g share a tile, because a half spectrum has its mirror images there */
    bool folded;
    bool any_lines; /* tiles may begin with any line */
    bool narrow;    /* tiles may have one line, because caches merge accesses to neighbouring lines */
    int number;     /* number of the axis in the problem */
    pass_access access[3];
    int dims, at_part, at_with;
    int64_t at_with_n;
    const char *const *own; /* kernel text of each set of user chains, by name */
} line_job;

/* Merges loops that continue each other, drops loops of length 1 and sorts the rest by stride. */
void job_tidy(line_job *job);
/* job_may_divide returns true if a line with circular shifts may be divided in two parts, the first of n1
 * points. job_share_shift divides the shifts between both parts. */
bool job_may_divide(const line_job *job, int64_t n, int64_t n1, const block_limits *l);
void job_share_shift(line_job *first, line_job *second, int64_t n1, int64_t n2);
/* Inserts the loop over the lines of a part before the other loops of the job. */
void job_put_lines(line_job *job, job_axis lines);

#endif
