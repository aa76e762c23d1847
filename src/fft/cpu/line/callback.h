/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends of lines that are not plain memory: an algorithm that can (line_algorithm.callback_bytes) lets them
 * fill, or empty, a few points at a time in the nearest cache, where it would have read or written memory. */
#ifndef FFT_CPU_LINE_CALLBACK_H
#define FFT_CPU_LINE_CALLBACK_H

#include <stdbool.h>
#include <stdint.h>

/* Planes of rows of neighbours in a buffer of the algorithm's. Neighbours are points of one line or, with
 * `lines`, lines at one point. A row holds interleaved points or, as a cell, the real parts of all lanes and
 * then their imaginary ones; lanes without a line become 0. Steps count points and lines, and are at least 0.
 */
typedef struct line_piece {
    void *at;
    int64_t pitch, plane_pitch; /* reals from row to row, from plane to plane */
    int64_t planes, rows, count;
    int64_t line, point;             /* of the first point */
    int64_t line_step, point_step;   /* from row to row */
    int64_t plane_lines, plane_step; /* from plane to plane: lines, points */
    bool lines, cells;
} line_piece;

/* Factors for plain memory (the job's, rotated as the job says): points times an array; or results times a
 * complex scalar; results may also be multiplied by a real scalar. Algorithms multiply in registers. Steps
 * count reals. */
typedef struct line_weights {
    const void *at; /* for point 0 of line 0; NULL: none */
    int64_t point, line;
    bool real, conjugate;
    double re, im; /* the scalar; with an array im is 0, of what is read it is 1 */
} line_weights;

/* Points are those of the transform, lines those of the job. */
typedef struct line_callback {
    void (*move)(const struct line_callback *callback, const line_piece *piece);
    const line_weights *weights; /* the same as `move`, where they say it all; else NULL */
} line_callback;

#endif
