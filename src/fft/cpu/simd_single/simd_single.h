/* SPDX-License-Identifier: BSD-3-Clause */
/* A transform of one contiguous line of complex numbers by one thread, for
 * every length whose prime factors are 13 or less. SIMD runs along the line
 * (run.c says how). A plan is immutable: several threads may run it at once,
 * each with work memory of its own. */
#ifndef FFT_CPU_SIMD_SINGLE_SIMD_SINGLE_H
#define FFT_CPU_SIMD_SINGLE_SIMD_SINGLE_H

#include "base/status.h"
#include "base/text.h"
#include <stdbool.h>
#include <stdint.h>
#include "fft/cpu/line/callback.h"

typedef struct within within;

/* Whether n >= 1 has no prime factor above 13. */
bool within_takes(int64_t n);
/* Lines that are one function each: the lanes of their vectors; 0 for others. */
int64_t within_small_lanes(bool is_double, int64_t n);
/* How many such lines go beside each other; 1 where none do. */
int64_t within_at_a_time(bool is_double, int64_t n);

/* n must be one that it takes. For the processor at hand (base/cpu.h). */
argand_status within_make(within **w, bool is_double, int64_t n);
void within_release(within *w); /* NULL is allowed */

/* A multiple of 64; 0 for the shortest lines. */
size_t within_work_bytes(const within *w);

/* out[k] = factor sum_j in[j] exp(-2 pi i j k / n), or exp(+2 pi i j k / n) if
 * inverse. out may be in; else they are apart. They need the alignment of their
 * numbers alone, work that of memory_new; work may be NULL where it has 0
 * bytes. */
void within_run(const within *w, void *out, const void *in, void *work, int inverse, double factor);
/* Several lines, so many bytes apart; ahead: each is fetched while the one before it is computed
 * (line/prefetch.h), and one more behind them. */
typedef struct within_lines {
    int64_t count, out_step, in_step;
    bool ahead;
    /* Number i of memory stands for i - rotate, modulo n: by half a line where within_turns_half, by any
     * number where within_rotates; not where weighed by arrays, but by half a line. */
    int64_t rotate_in, rotate_out;
    /* In place of memory, where they are not NULL; room: within_edge_bytes, aligned as work is. */
    const line_edge *from, *to;
    void *room;
} within_lines;
size_t within_edge_bytes(const within *w);
bool within_turns_half(const within *w);
bool within_rotates(const within *w);
void within_run_lines(const within *w, void *out, const void *in, void *work, int inverse, double factor,
                      const within_lines *lines);

/* Adds "7 x 16 columns, 16 points, ...": the factors in the order in which they
 * are done. */
void within_print(const within *w, text *t);

#endif
