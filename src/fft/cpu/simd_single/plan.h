/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a plan of simd_single.h, and the functions that make them. */
#ifndef FFT_CPU_SIMD_SINGLE_PLAN_H
#define FFT_CPU_SIMD_SINGLE_PLAN_H

#include "fft/cpu/simd_single/simd_single.h"
#include "fft/cpu/simd_single/factors.h"
#include "fft/cpu/simd_single/kernels.h"
#include "fft/cpu/simd_single/paired.h"

/* The stages of a transform of cells. */
typedef struct simd_single_chain {
    int64_t length;
    simd_single_factors factors;
    int32_t *places;                          /* in digit-reversed order: of cell p */
    int32_t *groups;                          /* of the first stage's butterfly j, in butterflies */
    void *twiddles[SIMD_SINGLE_MOST_FACTORS]; /* [stage], from 1: radix - 1 roots for each
                                         of the points done */
    void *conjugate;                          /* the last stage's, for inverse transforms */
} simd_single_chain;

argand_status simd_single_chain_make(simd_single_chain *c, int64_t length, int64_t least_cells,
                                     bool is_double);
void simd_single_chain_release(simd_single_chain *c);

struct simd_single {
    const simd_single_kernels *kernels;
    simd_single_codelet *codelet;         /* of short lines, which have nothing else */
    simd_single_codelet *codelet_of_many; /* of so many of them together */
    int64_t together;
    const simd_single_small *small; /* of less short ones, which have twiddles alone */
    simd_single_packed *packed;     /* of so many of those at a time, unless paired; NULL: none */
    int64_t packed_lines;
    simd_single_paired *paired; /* of lines in memory as they are; NULL: none */
    int64_t lanes;
    size_t real; /* bytes */
    int64_t n, rows, columns;
    int64_t row_blocks, column_blocks;
    int64_t row_width, column_height; /* rows and columns, but at least a vector */
    int64_t group;                    /* vectors at a time */
    bool padded;                      /* lines or results are less than a vector, and the kernels
                                         cannot count */
    simd_single_chain column_chain, row_chain;
    void *twiddles;        /* of the matrix: for each block of rows, or for all of them, a
                           cell for each column */
    void *coarse_twiddles; /* for each block, a twiddle for each column, where twiddles are for
                   all */
};

static inline int64_t simd_single_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Returns the bytes of `count` cells */
static inline size_t simd_single_cells(const simd_single *w, int64_t count)
{
    return (size_t)count * 2 * (size_t)w->lanes * w->real;
}

/* Returns the first point of vector i of `count` points. The last vector overlaps the one before. */
static inline int64_t simd_single_begin(const simd_single *w, int64_t i, int64_t count)
{
    const int64_t first = i * w->lanes, latest = simd_single_larger(count - w->lanes, 0);
    return first < latest ? first : latest;
}

#endif
