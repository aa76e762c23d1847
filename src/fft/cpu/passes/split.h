/* SPDX-License-Identifier: BSD-3-Clause */
/* One long line as two passes. */
#ifndef FFT_CPU_PASSES_SPLIT_H
#define FFT_CPU_PASSES_SPLIT_H

#include "fft/cpu/simd_batch/simd_batch.h"
#include "fft/engine/facts.h"

typedef struct fft_split {
    int64_t n1, n2; /* n = n1 n2; 0: the line is not split */
    fft_line first, second;
    simd_batch_twiddles twiddles; /* exp(-2 pi i j2 k1 / n) */
    /* Frequency k1 + n1 k2 is left at k1 n2 + k2, in which order lines of `second` lie as rows. */
    bool scrambled;
    simd_batch_twiddles row_twiddles; /* the same, of such rows */
} fft_split;

/* Leaves n1 = 0 where n is short, there are lines enough for all threads, has no two factors of similar size
 * or a prime one above 13, or is centred and one of them is odd. */
argand_status split_make(fft_split *split, int64_t n, int64_t lines, bool is_double, bool centred,
                         bool scrambled, argand_effort effort);
/* Work memory of a thread. */
size_t split_buffer_bytes(const fft_split *split);
/* Returns the n1 that split_make takes for `lines` lines of n points; 0: they are not split. */
int64_t split_factor(int64_t n, int64_t lines, bool centred);
void split_release(fft_split *split);

/* The line in memory: addresses, bytes of an element, steps in elements. */
typedef struct split_call {
    char *out;
    const char *in;
    size_t size;
    int64_t out_stride, in_stride;
    int inverse;
    bool centred;
    bool to_scrambled; /* which layout the order is of, where the split has one */
    double factor;
} split_call;
/* middle, where the order is the natural one: n points of work memory; buffers: split_buffer_bytes for each
 * thread. */
void split_run(const fft_split *split, const split_call *call, int threads, void *middle, void *buffers);

/* Lists both passes before a plan is made (pass_list.h). n1: split_factor */
enum { SPLIT_NEIGHBOURS = 8 }; /* lines of a block at least, which fill a cache line */
void split_list(fft_passes *list, const fft_problem *problem, argand_direction direction, int64_t n1);
/* Prints "(split n1 n2)". */
void split_print(const fft_split *split, text *t);

#endif
