/* SPDX-License-Identifier: BSD-3-Clause */
/* What run.c is made of, compiled for each precision and instruction set.
 * Cells: LANES real parts, LANES imaginary ones; all counts and distances are
 * of them or of complex numbers. */
#ifndef FFT_CPU_SIMD_SINGLE_KERNELS_H
#define FFT_CPU_SIMD_SINGLE_KERNELS_H

#include "base/cpu.h"
#include "fft/cpu/simd_single/simd_single.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WITHIN_MOST_RADIX = 16 };

/* Neighbouring vectors of lines, whose cells are so many apart. Long lines take several at a time, as
 * neighbours in memory come together then. */
typedef struct within_group {
    int64_t vectors, apart;
    int64_t half; /* reals of half a line by which numbers in memory are moved; 0: none. For even radices */
} within_group;

/* What numbers are multiplied by as they are read or written: one number for all of them (of results alone),
 * or a real or complex one each that lies where the number does. */
typedef enum within_weighing { WEIGH_NONE, WEIGH_ALL, WEIGH_REAL, WEIGH_COMPLEX, WEIGHINGS } within_weighing;
typedef struct within_weights {
    within_weighing kind;
    const void *at; /* for number 0 of `in`, or of `out` */
    double sign;    /* of their imaginary parts */
    double re, im;  /* the one */
} within_weights;

/* Lines that are rotated: vectors stand so many of the matrix' rows later than they would, modulo all of
 * them. Of the one vector that passes the end of the line so many numbers stand before it, the others at
 * `begin`. */
typedef struct within_shift {
    int64_t rows, before_end; /* 0: no vector passes it, else there is one vector at a time */
    void *begin;              /* of the line */
} within_shift;

/* The first stage of a transform of `length` points of which point i is `count` interleaved numbers (LANES
 * are one vector) at in + i row: butterfly j fills the cells from places[j] radix on. If `exchange`, real and
 * imaginary parts are exchanged first. */
typedef void within_first(void *cells, const void *in, const int32_t *places, int64_t length, int64_t row,
                          int64_t count, int exchange, within_group group, const within_weights *weights);
typedef void within_first_moved(void *cells, const void *in, const int32_t *places, int64_t length,
                                int64_t row, int64_t count, int exchange, within_group group,
                                const within_shift *shift);
/* Makes transforms of `done` points to such of done radix, in place, in
 * `length` cells. */
typedef void within_stage(void *cells, const void *turns, int64_t length, int64_t done);
/* The last stage: done radix = length. Result k goes to interleaved numbers at
 * out + k row. If `exchange`, parts are exchanged last, and turns are the
 * conjugate ones. */
typedef void within_last(void *out, const void *cells, const void *turns, int64_t length, int64_t row,
                         int64_t count, int exchange, within_group group, const within_weights *weights);
typedef void within_last_moved(void *out, const void *cells, const void *turns, int64_t length, int64_t row,
                               int64_t count, int exchange, within_group group, const within_shift *shift);
/* A block of LANES cells turned: number i of cell j becomes number j of the cell places[i]; multiplied by the
 * cells `turns`. */
typedef void within_turn(void *to, const int32_t *places, const void *from, const void *turns);
/* The same, and cell i also times exp(-i angle) whose cos and sin `more` has, and times factor. */
typedef void within_turn_more(void *to, const int32_t *places, const void *from, const void *turns,
                              const void *more, double factor);
typedef void within_scale(void *cells, int64_t count, double factor);
/* Whole transforms of up to WITHIN_MOST_RADIX points: a call takes longer than one of them. */
typedef void within_whole(void *out, const void *in, int exchange, double factor, const within_lines *lines);

/* Some lines of rows x 4 numbers in single precision, so many bytes apart, that are not rotated or weighed;
 * turns as for within_small of 4 lanes. */
typedef void within_several(void *out, const void *in, const void *turns, int exchange, double factor,
                            int64_t out_step, int64_t in_step);

typedef struct within_kernels {
    int64_t lanes;
    bool counts;                                           /* counts may be less than LANES */
    within_first *first[WEIGHINGS][WITHIN_MOST_RADIX + 1]; /* [][radix], from 2 */
    within_first_moved *first_moved[WITHIN_MOST_RADIX + 1];
    within_stage *stage[WITHIN_MOST_RADIX + 1];
    within_last *last[WEIGHINGS][WITHIN_MOST_RADIX + 1];
    within_last_moved *last_moved[WITHIN_MOST_RADIX + 1];
    within_turn *turn;
    within_turn_more *turn_more;
    within_scale *scale;
} within_kernels;

/* A whole line of lanes x lanes numbers or more; turns as a matrix of n / lanes
 * rows has them. weights, halves (within_group): those of `in`, then those of `out`. */
typedef struct within_small {
    void (*run[WEIGHINGS][WEIGHINGS])(void *out, const void *in, const void *turns, int exchange,
                                      double factor, const within_weights *weights, const int64_t *halves);
    /* Number i of `in`, and of `out`, stands for i - rotate. */
    void (*moved)(void *out, const void *in, const void *turns, int exchange, double factor,
                  const int64_t *rotate);
} within_small;

CPU_DECLARE(const within_kernels *, fft_within_kernels, void);
CPU_DECLARE(within_whole *, fft_within_whole, int64_t n);

/* And how many lines; NULL: there is none for the length, the precision or the processor. */
CPU_DECLARE(within_several *, fft_within_several, int64_t n, int64_t *count);

/* For vectors of so many bytes: NULL for other lengths, and where there are no
 * such vectors. */
CPU_DECLARE(const within_small *, fft_within_small_16, int64_t n, int64_t *lanes_used);
CPU_DECLARE(const within_small *, fft_within_small_32, int64_t n, int64_t *lanes_used);
CPU_DECLARE(const within_small *, fft_within_small_64, int64_t n, int64_t *lanes_used);

#endif
