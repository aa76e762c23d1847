/* SPDX-License-Identifier: BSD-3-Clause */
/* Radices for the stages of a transform. */
#ifndef FFT_GPU_RADIX_RADICES_H
#define FFT_GPU_RADIX_RADICES_H

#include "fft/gpu/radix/lengths.h"
#include "fft/gpu/tuning/limits.h"

enum { TILE_STAGES = 10 };

/* The stages of n points and the threads that share them. count is 0 if n has a factor without a radix. */
typedef struct radix_list {
    int count, radix[TILE_STAGES];
    int threads; /* threads of one transform */
    double cost; /* operations a point */
    bool paired; /* threads have pairs of butterflies in the first or last stage */
} radix_list;
bool radices_choose(radix_list *best, int n, const block_limits *l, int least_stages);
bool radices_choose_below(radix_list *best, int n, const block_limits *l,
                          double cost); /* upper limit of the cost */
/* Does the same with pairs of butterflies for each thread in the last or first stage. */
typedef enum paired_end { PAIRED_LAST = 1, PAIRED_FIRST } paired_end;
bool radices_choose_paired(radix_list *best, int n, const block_limits *l, paired_end end);

double radix_operations(int radix);    /* real operations a point */
double few_blocks_lose(double blocks); /* time relative to four or more blocks on a multiprocessor */

#endif
