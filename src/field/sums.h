/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner sums of both directions, on GCC's vector types, for variant files. A line is the phasors exp(-i
 * phase) = c - i s of one column for one block of samples: BLOCK values of c, then BLOCK of s. Several coils
 * are summed at a time in registers, so that a phasor is loaded once for all of them; the sums of a block's
 * samples or of a lane's are kept separate, which also keeps single precision sums short. */
#ifndef FIELD_SUMS_H
#define FIELD_SUMS_H

#include <stdint.h>
#include "field/phasor.h"
#include "field/plan.h"

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#define ACCUMULATORS 16
#define WIDTH 8
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#define ACCUMULATORS 8
#define WIDTH 4
#elif defined(__aarch64__)
#define VECTOR_BYTES 16
#define ACCUMULATORS 16
#define WIDTH 8
#else
#define VECTOR_BYTES 16
#define ACCUMULATORS 8
#define WIDTH 4
#endif

enum {
    BLOCK = BLOCK_BYTES / (int)sizeof(REAL),
    LANES = VECTOR_BYTES / (int)sizeof(REAL),
    VECTORS = BLOCK / LANES /* of one plane of a block */
};
typedef REAL vector __attribute__((vector_size(VECTOR_BYTES), may_alias));

typedef struct lines {
    const REAL *line;      /* 2 BLOCK values each */
    const uint16_t *index; /* of the line, per column */
    int count;             /* columns */
} lines;

/* Values of the columns: coil c's plane p begins at value + (c planes + p) stride. For pairs (planes = 4)
 * these are re, im of the sum and re, im of the difference of two pixels; else re, im of one. */
typedef struct columns {
    const REAL *value;
    int64_t stride;
} columns;

#define EACH(i, n) _Pragma("GCC unroll 8") for (int i = 0; i < (n); i++)

/* samples[coil][re, im][BLOCK] += sum over columns of (c - i s) value, for `coils` coils and `width` vectors
 */
INLINE void forward_part(const int pairs, const int coils, const int width, vector *samples, const lines *l,
                         const columns *v)
{
    vector re[4][WIDTH], im[4][WIDTH];
    EACH(k, coils)
        EACH(w, width) re[k][w] = samples[2 * k * VECTORS + w], im[k][w] = samples[(2 * k + 1) * VECTORS + w];
    for (int i = 0; i < l->count; i++) {
        const vector *line = (const vector *)(l->line + (int64_t)l->index[i] * 2 * BLOCK);
        EACH(k, coils) {
            const REAL *value = v->value + k * (pairs ? 4 : 2) * v->stride + i;
            const REAL sum_re = value[0], sum_im = value[v->stride];
            const REAL difference_re = pairs ? value[2 * v->stride] : sum_re;
            const REAL difference_im = pairs ? value[3 * v->stride] : sum_im;
            EACH(w, width) {
                re[k][w] += sum_re * line[w];
                im[k][w] += sum_im * line[w];
                re[k][w] += difference_im * line[VECTORS + w];
                im[k][w] -= difference_re * line[VECTORS + w];
            }
        }
    }
    EACH(k, coils)
        EACH(w, width) samples[2 * k * VECTORS + w] = re[k][w], samples[(2 * k + 1) * VECTORS + w] = im[k][w];
}

INLINE void forward_coils(const int pairs, const int coils, const int width, REAL *samples, const lines *l,
                          const columns *v)
{
    for (int at = 0; at < VECTORS; at += width) {
        const lines part = {l->line + at * LANES, l->index, l->count};
        forward_part(pairs, coils, width, (vector *)(void *)samples + at, &part, v);
    }
}

INLINE void forward_all(const int pairs, REAL *samples, const lines *l, columns v, int64_t coils)
{
    for (; coils >= 2; coils -= 2) {
        forward_coils(pairs, 2, WIDTH / 2, samples, l, &v);
        samples += 2 * 2 * BLOCK;
        v.value += 2 * (pairs ? 4 : 2) * v.stride;
    }
    if (coils) forward_coils(pairs, 1, WIDTH, samples, l, &v);
}

static void forward_sums(REAL *samples, const lines *l, columns v, int64_t coils, int planes)
{
    if (planes == 4)
        forward_all(1, samples, l, v, coils);
    else
        forward_all(0, samples, l, v, coils);
}

/* Adds to four sums per column and coil if `pairs`: re, im of sum c y and re, im of sum s y; otherwise to
 * two: re, im of sum (c + i s) y. Each lane has its own sum: sums[column][coil][which] are vectors,
 * `stride` of them for a column. */
INLINE void adjoint_part(const int pairs, const int coils, const int width, vector *sums, int64_t stride,
                         const vector *const *line, const vector *samples)
{
    vector a[4][2][2], b[4][2][2];
    const int each = pairs ? 4 : 2;
    EACH(i, width)
        EACH(k, coils)
            EACH(p, 2) a[i][k][p] = sums[i * stride + each * k + p];
    if (pairs) {
        EACH(i, width)
            EACH(k, coils)
                EACH(p, 2) b[i][k][p] = sums[i * stride + each * k + 2 + p];
    }
    for (int j = 0; j < VECTORS; j++) {
        EACH(i, width)
            EACH(k, coils) {
                const vector c = line[i][j], s = line[i][VECTORS + j];
                const vector re = samples[2 * k * VECTORS + j], im = samples[(2 * k + 1) * VECTORS + j];
                a[i][k][0] += c * re;
                a[i][k][1] += c * im;
                if (pairs) {
                    b[i][k][0] += s * re;
                    b[i][k][1] += s * im;
                } else {
                    a[i][k][0] -= s * im;
                    a[i][k][1] += s * re;
                }
            }
    }
    EACH(i, width)
        EACH(k, coils)
            EACH(p, 2) sums[i * stride + each * k + p] = a[i][k][p];
    if (pairs) {
        EACH(i, width)
            EACH(k, coils)
                EACH(p, 2) sums[i * stride + each * k + 2 + p] = b[i][k][p];
    }
}

/* `width` columns at a time, and what is left one by one. */
INLINE void adjoint_coils(const int pairs, const int coils, const int width, vector *sums, int64_t stride,
                          const lines *l, const REAL *samples)
{
    const vector *const y = (const vector *)(const void *)samples, *line[4];
    int i = 0;
    for (; i + width <= l->count; i += width) {
        EACH(w, width) line[w] = (const vector *)(l->line + (int64_t)l->index[i + w] * 2 * BLOCK);
        adjoint_part(pairs, coils, width, sums + i * stride, stride, line, y);
    }
    for (; i < l->count; i++) {
        line[0] = (const vector *)(l->line + (int64_t)l->index[i] * 2 * BLOCK);
        adjoint_part(pairs, coils, 1, sums + i * stride, stride, line, y);
    }
}

INLINE void adjoint_all(const int pairs, REAL *sums, const lines *l, const REAL *samples, int64_t coils)
{
    const int each = pairs ? 4 : 2;
    const int64_t stride = coils * each;
    vector *sum = (vector *)(void *)sums;
    for (; coils >= 2; coils -= 2) {
        adjoint_coils(pairs, 2, ACCUMULATORS / (2 * each), sum, stride, l, samples);
        sum += 2 * each;
        samples += 2 * 2 * BLOCK;
    }
    if (coils)
        adjoint_coils(pairs, 1, ACCUMULATORS / each > 4 ? 4 : ACCUMULATORS / each, sum, stride, l, samples);
}

static void adjoint_sums(REAL *sums, const lines *l, const REAL *samples, int64_t coils, int planes)
{
    if (planes == 4)
        adjoint_all(1, sums, l, samples, coils);
    else
        adjoint_all(0, sums, l, samples, coils);
}

#endif
