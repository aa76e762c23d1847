/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that run.c calls, compiled for each precision and instruction set. A cell has LANES real
 * parts, then LANES imaginary ones. Counts and distances are in cells or in complex numbers. */
#ifndef FFT_CPU_SIMD_SINGLE_KERNELS_H
#define FFT_CPU_SIMD_SINGLE_KERNELS_H

#include "base/cpu.h"
#include "fft/cpu/simd_single/simd_single.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIMD_SINGLE_MOST_RADIX = 16 };

/* Neighbouring vectors of lines, whose cells have this stride. Long lines take several at a time, as
 * neighbours in memory come together then. */
typedef struct simd_single_group {
    int64_t vectors, pitch;
    int64_t half; /* reals of half a line by which points in memory are moved; 0: none. For even radices */
} simd_single_group;

/* The factors of points as they are read or written: one for all (results only), or an array of real or
 * complex factors in the order of the points. */
typedef enum simd_single_weights_kind {
    WEIGHTS_NONE,
    WEIGHTS_ONE,
    WEIGHTS_REAL,
    WEIGHTS_COMPLEX,
    WEIGHTS_KINDS
} simd_single_weights_kind;
typedef struct simd_single_weights {
    simd_single_weights_kind kind;
    const void *at; /* for point 0 of `in`, or of `out` */
    double sign;    /* of their imaginary parts */
    double re, im;  /* the one */
} simd_single_weights;

/* Lines that are rotated: vectors stand so many of the matrix' rows later than they would, modulo all of
 * them. Of the one vector that passes the end of the line so many points stand before it, the others at
 * `begin`. */
typedef struct simd_single_shift {
    int64_t rows, before_end; /* 0: no vector passes it, else there is one vector at a time */
    void *begin;              /* of the line */
} simd_single_shift;

/* The first stage of a transform of `length` points of which point i is `count` interleaved points (LANES
 * are one vector) at in + i row: butterfly j fills the cells from places[j] radix on. If `exchange`, real and
 * imaginary parts are exchanged first. */
typedef void simd_single_first(void *cells, const void *in, const int32_t *places, int64_t length,
                               int64_t row, int64_t count, int exchange, simd_single_group group,
                               const simd_single_weights *weights);
typedef void simd_single_first_moved(void *cells, const void *in, const int32_t *places, int64_t length,
                                     int64_t row, int64_t count, int exchange, simd_single_group group,
                                     const simd_single_shift *shift);
/* Makes transforms of `done` points to such of done radix, in place, in
 * `length` cells. */
typedef void simd_single_stage(void *cells, const void *twiddles, int64_t length, int64_t done);
/* The last stage: done radix = length. Result k goes to interleaved points at
 * out + k row. If `exchange`, parts are exchanged last, and twiddles are the
 * conjugate ones. */
typedef void simd_single_last(void *out, const void *cells, const void *twiddles, int64_t length, int64_t row,
                              int64_t count, int exchange, simd_single_group group,
                              const simd_single_weights *weights);
typedef void simd_single_last_moved(void *out, const void *cells, const void *twiddles, int64_t length,
                                    int64_t row, int64_t count, int exchange, simd_single_group group,
                                    const simd_single_shift *shift);
/* A block of LANES cells transposed: lane i of cell j becomes lane j of the cell places[i]; multiplied by the
 * cells `twiddles`. */
typedef void simd_single_transpose(void *to, const int32_t *places, const void *from, const void *twiddles);
/* The same, and cell i also times exp(-i angle) whose cos and sin `more` has, and times factor. */
typedef void simd_single_transpose_coarse(void *to, const int32_t *places, const void *from,
                                          const void *twiddles, const void *coarse_twiddles, double factor);
typedef void simd_single_scale(void *cells, int64_t count, double factor);
/* Whole transforms of up to SIMD_SINGLE_MOST_RADIX points: a call takes longer than one of them. Lines are
 * done `together` at a time; those that are left behind them are not done. */
typedef void simd_single_codelet(void *out, const void *in, int inverse, double factor,
                                 const simd_single_lines *lines);
/* The same of up to twice as many reals, whose spectrum is half a one; roots: codelets.inc.h */
typedef void simd_single_real_codelet(void *out, const void *in, const void *roots, int inverse,
                                      double factor, const simd_single_lines *lines);
enum { SIMD_SINGLE_MOST_REALS = 2 * SIMD_SINGLE_MOST_RADIX };
typedef struct simd_single_codelets {
    int64_t together;
    simd_single_codelet *whole[SIMD_SINGLE_MOST_RADIX + 1];
    simd_single_real_codelet *reals[SIMD_SINGLE_MOST_REALS + 1]; /* NULL: 17, 19 and so on */
} simd_single_codelets;

/* Some lines of rows x 4 points in single precision, with this stride in bytes, that are not rotated or
 * multiplied; twiddles as for simd_single_small of 4 lanes. */
typedef void simd_single_packed(void *out, const void *in, const void *twiddles, int exchange, double factor,
                                int64_t out_step, int64_t in_step);

typedef struct simd_single_kernels {
    int64_t lanes;
    bool counts;                                                         /* counts may be less than LANES */
    simd_single_first *first[WEIGHTS_KINDS][SIMD_SINGLE_MOST_RADIX + 1]; /* [][radix], from 2 */
    simd_single_first_moved *first_moved[SIMD_SINGLE_MOST_RADIX + 1];
    simd_single_stage *stage[SIMD_SINGLE_MOST_RADIX + 1];
    simd_single_last *last[WEIGHTS_KINDS][SIMD_SINGLE_MOST_RADIX + 1];
    simd_single_last_moved *last_moved[SIMD_SINGLE_MOST_RADIX + 1];
    simd_single_transpose *transpose;
    simd_single_transpose_coarse *transpose_coarse;
    simd_single_scale *scale;
} simd_single_kernels;

/* A whole line of lanes x lanes points or more; twiddles as a matrix of n / lanes
 * rows has them. weights, halves (simd_single_group): those of `in`, then those of `out`. */
typedef struct simd_single_small {
    void (*run[WEIGHTS_KINDS][WEIGHTS_KINDS])(void *out, const void *in, const void *twiddles, int exchange,
                                              double factor, const simd_single_weights *weights,
                                              const int64_t *halves);
    /* Element i of `in`, and of `out`, stands for i - rotate. */
    void (*moved)(void *out, const void *in, const void *twiddles, int exchange, double factor,
                  const int64_t *rotate);
} simd_single_small;

/* Of `moved` below: element i of `in`, or of `out`, stands for i - n / 2. Radices are even there. */
enum { SIMD_SINGLE_IN_MOVED = 1, SIMD_SINGLE_OUT_MOVED = 2 };

/* Stages of lines in vectors that hold `points` pairs of real and imaginary parts (paired.c).
 * First: radix * columns points to cells, radix from `points` on. twiddles, for each vector of columns, from
 * k = 1 to radix - 1: cos and sin of 2 pi k column / (radix columns). */
typedef void simd_single_paired_first(void *cells, const void *in, const void *twiddles, int64_t columns,
                                      int inverse, int moved);
/* `rows` transforms of radix * inner cells, in place. twiddles, for i < inner, from k = 1 to radix - 1: cos
 * and sin of 2 pi k i / (radix inner) */
typedef void simd_single_paired_middle(void *cells, const void *twiddles, int64_t rows, int64_t inner,
                                       int inverse);
/* outer * radix cells for each vector of rows */
typedef void simd_single_paired_last(void *out, const void *cells, int64_t rows, int64_t outer, double factor,
                                     int inverse, int moved);
/* First and last of the shortest lines: a call of a stage takes a third of their time. */
typedef void simd_single_paired_whole(void *out, const void *in, const void *twiddles, int inverse,
                                      double factor, int moved);
typedef struct simd_single_paired_stages {
    int64_t points;
    simd_single_paired_first *first[SIMD_SINGLE_MOST_RADIX + 1];
    simd_single_paired_middle *middle[SIMD_SINGLE_MOST_RADIX + 1];
    simd_single_paired_last *last[SIMD_SINGLE_MOST_RADIX + 1];
    simd_single_paired_whole *whole[SIMD_SINGLE_MOST_RADIX + 1][SIMD_SINGLE_MOST_RADIX + 1];
} simd_single_paired_stages;

CPU_DECLARE(const simd_single_kernels *, simd_single_kernels_for, void);
/* NULL: the processor has no such vectors */
CPU_DECLARE(const simd_single_paired_stages *, simd_single_paired_stages_for, void);
CPU_DECLARE(const simd_single_codelets *, simd_single_codelets_of_one, void);
CPU_DECLARE(const simd_single_codelets *, simd_single_codelets_of_many, void);

/* And how many lines; NULL: there is none for the length, the precision or the processor. */
CPU_DECLARE(simd_single_packed *, simd_single_packed_for, int64_t n, int64_t *count);

/* Returns the function for vectors of so many bytes; NULL for other lengths, and if the processor has no
 * such vectors. */
CPU_DECLARE(const simd_single_small *, simd_single_small_for_16, int64_t n, int64_t *lanes_used);
CPU_DECLARE(const simd_single_small *, simd_single_small_for_32, int64_t n, int64_t *lanes_used);
CPU_DECLARE(const simd_single_small *, simd_single_small_for_64, int64_t n, int64_t *lanes_used);

#endif
