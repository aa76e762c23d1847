/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines that are to be transformed, before it is known in which tiles. */
#ifndef FFT_GPU_CODEGEN_JOB_H
#define FFT_GPU_CODEGEN_JOB_H

#include "fft/gpu/codegen/shape.h"

typedef enum pass_memory { MEMORY_IN, MEMORY_OUT, MEMORY_WORK } pass_memory;

/* A long convolution's part, as tile_shape.chirp says. */
typedef struct job_chirp {
    chirp_part part;
    int64_t points, step, convolution, origin;
    bool rader;              /* in Rader's order instead, */
    convolution_split split; /* of a cluster */
} job_chirp;

/* One axis of a job, and one loop around it. */
typedef struct job_axis {
    int64_t n, in, out; /* length, strides */
    int64_t number;     /* how elements of points of a real line grow along it, where they are asked for */
    int dim;            /* the coordinate that accessors see grow along it, from 1 on; 0: none */
    int64_t step;       /* by how much a point */
} job_axis;

enum { JOB_AXES = 2 * ARGAND_MAX_RANK + 4 };

/* Lines of one length along an axis; loops over them. */
typedef struct line_job {
    job_axis axis;
    int loops;
    job_axis loop[JOB_AXES];
    int counted_loop;       /* whose index the kernel must know; -1: none */
    int64_t twiddle_points; /* results are multiplied by exp(-2 pi i k index / twist_points); 0: not */
    job_chirp chirp;        /* of a long convolution */
    pass_memory from, to;
    int64_t from_at, to_at;
    int shift_in, shift_out, /* element i of the transform lies at (i + shift) mod n */
        twiddle_from;        /* the line whose index is 0 for its twiddles */
    bool scaled;
    int streaming; /* layouts whose elements nobody will want soon, as in tile_shape */
    int order;     /* of tiles: 0 rising; 1, 2: rising and falling alternately, as what the pass before wrote
                * last may still be in the cache */
    load_kind in_kind;
    store_kind out_kind;
    int real_points;
    int64_t in_pair, out_pair; /* half a spectrum, not packed: between its elements */
    bool adjacent;             /* pairs of reals lie together, at even places */
    bool folded;    /* counted lines g and n - g in one tile, where a half spectrum's mirror images are */
    bool any_lines; /* tiles may begin with any line */
    bool narrow;    /* tiles may have one line, where caches bring together what lies next to it */
    int number;     /* of the axis in the problem */
    pass_access access[3];
    int dims, at_part, at_with;
    int64_t at_with_n;
    const char *const *own; /* texts of each set of chains, by name */
} line_job;

/* Loops that follow each other become one; unit ones go. */
void job_tidy(line_job *job);
/* A long line in two parts, the first of n1 points: whether a rotated one may be; how both are rotated. */
bool job_may_divide(const line_job *job, int64_t n, int64_t n1, const block_limits *l);
void job_share_shift(line_job *first, line_job *second, int64_t n1, int64_t n2);
/* A job's loops with the one over a part's lines before them. */
void job_put_lines(line_job *job, job_axis lines);

#endif
