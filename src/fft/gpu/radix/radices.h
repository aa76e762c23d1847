/* SPDX-License-Identifier: BSD-3-Clause */
/* The radices that the stages of a transform have. */
#ifndef FFT_GPU_RADIX_RADICES_H
#define FFT_GPU_RADIX_RADICES_H

#include "fft/gpu/radix/lengths.h"
#include "fft/gpu/tuning/limits.h"

enum { TILE_STAGES = 10 };

/* The stages of n points and how many threads share them; 0 where n has a factor that no radix has.
 */
typedef struct radix_list {
    int count, radix[TILE_STAGES];
    int threads; /* of one transform */
    double cost; /* a point, in operations */
    bool paired; /* threads have pairs of butterflies at one end */
} radix_list;
bool radices_choose(radix_list *best, int n, const block_limits *l, int least_stages);
bool radices_choose_below(radix_list *best, int n, const block_limits *l,
                          double cost); /* cheaper than that */
/* The same where each thread has pairs of butterflies of the stage at one end, the last or the first. */
typedef enum paired_end { PAIRED_LAST = 1, PAIRED_FIRST } paired_end;
bool radices_choose_paired(radix_list *best, int n, const block_limits *l, paired_end end);

double radix_operations(int radix);    /* real ones, a point */
double few_blocks_lose(double blocks); /* how many times as long as with four or more on a multiprocessor */

#endif
