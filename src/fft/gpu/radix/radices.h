/* SPDX-License-Identifier: BSD-3-Clause */
/* The radices that the stages of a transform have. */
#ifndef FFT_GPU_RADIX_RADICES_H
#define FFT_GPU_RADIX_RADICES_H

#include "fft/gpu/radix/lengths.h"
#include "fft/gpu/tuning/limits.h"

enum { BOX_STAGES = 10 };

/* The stages of n points and how many items share them; 0 where n has a factor that no radix has.
 */
typedef struct box_radices {
    int count, radix[BOX_STAGES];
    int items;   /* of one transform */
    double cost; /* a point, in operations */
    bool paired; /* items have pairs of butterflies at one end */
} box_radices;
bool radices_choose(box_radices *best, int n, const box_limits *l, int least_stages);
bool radices_choose_below(box_radices *best, int n, const box_limits *l, double cost); /* cheaper than that */
/* The same where each item has pairs of butterflies of the stage at one end, the last or the first. */
typedef enum paired_end { PAIRED_LAST = 1, PAIRED_FIRST } paired_end;
bool radices_choose_paired(box_radices *best, int n, const box_limits *l, paired_end end);

double radix_operations(int radix); /* real ones, a point */

#endif
