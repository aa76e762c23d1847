/* SPDX-License-Identifier: BSD-3-Clause */
/* A transform of several lines side by side, 64 bytes of them to a cell, in stages of small radices. */
#ifndef FFT_CPU_BUNDLE_STAGES_H
#define FFT_CPU_BUNDLE_STAGES_H

#include <stdint.h>
#include "base/cpu.h"

enum { MOST_STAGES = 16 };

typedef struct stages {
    int64_t n;
    int count;
    int radix[MOST_STAGES];
    const void
        *twiddles[MOST_STAGES]; /* cos, sin of 2 pi p k / length for p from 0, k from 1 to radix - 1; reals */
} stages;

/* Transforms data in place; work is as large as data. */
CPU_DECLARE(void, fft_stages_run, const stages *s, void *data, void *work, int inverse);

#endif
