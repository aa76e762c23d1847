/* SPDX-License-Identifier: BSD-3-Clause */
/* One line of a job: where it is, what is fetched meanwhile, and its transform as a matrix (matrix.c). */
#ifndef FFT_CPU_SIMD_SINGLE_MATRIX_H
#define FFT_CPU_SIMD_SINGLE_MATRIX_H

#include "fft/cpu/line/prefetch.h"
#include "fft/cpu/simd_single/plan.h"

/* Bytes of lines that a processor fetches by itself, as they follow each other so closely that they are one
 * stream to it; and of those that the nearest cache can fetch while one is computed, asked for as a whole or
 * block by block. */
enum { NOT_FETCHED = 512, FETCHED_NEAR_AT_ONCE = 1536, FETCHED_NEAR = 2047 };

/* One line: memory and its weights, or where it is NULL a callback; and the next one's memory, to be fetched
 * meanwhile, or NULL. */
typedef struct simd_single_line {
    char *out;
    const char *in, *next_out, *next_in;
    simd_single_weights weights[2]; /* of `in` and of `out` */
    const char *next_weights[2];
    int64_t index;
} simd_single_line;

static inline __attribute__((always_inline)) void prefetch_part(const char *at, int64_t from, int64_t to,
                                                                bool near)
{
    if (!at) return;
    if (near)
        prefetch_near_range(at, from, to);
    else
        prefetch_range(at, from, to);
}

/* Prefetches the next line, and its weights, from one byte to another */
static inline __attribute__((always_inline)) void
simd_single_prefetch_next(const simd_single *w, const simd_single_line *l, int64_t from, int64_t to)
{
    const int64_t bytes = w->n * 2 * (int64_t)w->real;
    if (bytes <= NOT_FETCHED) return;
    const bool near = bytes <= (w->small ? FETCHED_NEAR_AT_ONCE : FETCHED_NEAR);
    prefetch_part(l->next_in, from, to, near);
    prefetch_part(l->next_out, from, to, near);
    for (int i = 0; i < 2; i++) {
        const int shift = l->weights[i].kind == WEIGHTS_REAL;
        prefetch_part(l->next_weights[i], from >> shift, to >> shift, near);
    }
}

/* Reals by which the halves of a line are moved: a rotation by half a line is one of the points of the first
 * and of the last butterfly. */
static inline int64_t simd_single_half(const simd_single *w, int64_t rotate)
{
    return rotate && 2 * rotate == w->n && simd_single_rotates_half(w) ? w->n : 0;
}

static inline bool simd_single_is_moved(const simd_single *w, int64_t rotate)
{
    return rotate && !simd_single_half(w, rotate);
}

/* The same of a line in memory as it is, whose vectors go one by one (group = 1): for a short one, what else
 * is looked at takes a fourth of the time. */
void simd_single_run_alone(const simd_single *w, char *out, const char *in, void *work, int inverse,
                           double factor);
void simd_single_run_matrix(const simd_single *w, const simd_single_line *l, void *work, int inverse,
                            double factor, const simd_single_lines *lines);

#endif
