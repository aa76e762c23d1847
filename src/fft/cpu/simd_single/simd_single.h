/* SPDX-License-Identifier: BSD-3-Clause */
/* A transform of one contiguous line of complex numbers by one thread or, where it is long, several, for
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
#include "fft/cpu/line/team.h"

typedef struct simd_single simd_single;

/* Whether n >= 1 has no prime factor above 13. */
bool simd_single_can(int64_t n);
/* Lines that are one function each: the lanes of their vectors; 0 for others. */
int64_t simd_single_small_lanes(bool is_double, int64_t n);
/* How many such lines are packed into a vector; 1 where none do. */
int64_t simd_single_packed_lines(bool is_double, int64_t n);

/* Makes a plan for the processor at hand (base/cpu.h); simd_single_can(n) must be true. */
argand_status simd_single_make(simd_single **w, bool is_double, int64_t n);
void simd_single_release(simd_single *w); /* NULL is allowed */
/* For many lines: they are packed where they can be, which takes less time for many and more for one. A
 * line's bits are the same among others as alone, but not those of a plan without this call. */
void simd_single_pack(simd_single *w);

/* A multiple of 64; 0 for the shortest lines. */
size_t simd_single_work_bytes(const simd_single *w);

/* out[k] = factor sum_j in[j] exp(-2 pi i j k / n), or exp(+2 pi i j k / n) if
 * inverse. out may be in; else they are disjoint. They need the alignment of their
 * points alone, work that of memory_new; work may be NULL where it has 0
 * bytes. */
void simd_single_run(const simd_single *w, void *out, const void *in, void *work, int inverse, double factor);
/* Several lines, with this stride in bytes; prefetch: each is fetched while the one before it is computed
 * (line/prefetch.h), and one more behind them. */
typedef struct simd_single_lines {
    int64_t count, out_step, in_step;
    bool prefetch;
    /* Element i of memory stands for i - rotate, modulo n: by half a line where simd_single_rotates_half, by
     * any amount where simd_single_rotates; not where multiplied by arrays, but by half a line. */
    int64_t rotate_in, rotate_out;
    /* Used in place of memory if not NULL; buffer: simd_single_callback_bytes, aligned as work is. */
    const line_callback *from, *to;
    void *buffer;
    line_team team; /* of lines in memory */
} simd_single_lines;
size_t simd_single_callback_bytes(const simd_single *w);
bool simd_single_rotates_half(const simd_single *w);
bool simd_single_rotates(const simd_single *w);
void simd_single_run_lines(const simd_single *w, void *out, const void *in, void *work, int inverse,
                           double factor, const simd_single_lines *lines);

/* Adds "7 x 16 columns, 16 points, ...": the factors in the order in which they
 * are done. */
void simd_single_print(const simd_single *w, text *t);

#endif
