/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops along one contiguous line, for lines that come one at a time; single_kernels.c has their comments. */
#ifndef FFT_CPU_ANY_LENGTH_SINGLE_H
#define FFT_CPU_ANY_LENGTH_SINGLE_H

#include <stdint.h>
#include "base/cpu.h"

/* exchange: real and imaginary parts change places on the way in, or on the way out */
CPU_DECLARE(void, single_gather, void *to, const void *from, const int32_t *order, int64_t count,
            int exchange);
CPU_DECLARE(void, single_scatter, void *to, const void *from, const int32_t *order, int64_t count,
            int exchange, double factor);
CPU_DECLARE(void, single_times, void *to, const void *from, const void *weights, int64_t count, int exchange);
CPU_DECLARE(void, single_join, void *to, const void *even, const void *odd, const void *even_weights,
            const void *odd_weights, int64_t count, int exchange, double factor);
CPU_DECLARE(void, single_half, void *to, const void *from, int64_t n, const void *twiddles, int backward,
            double factor);
CPU_DECLARE(void, single_widen, void *to, const void *from, int64_t n);
CPU_DECLARE(void, single_narrow, void *to, const void *from, int64_t n, double factor);
CPU_DECLARE(void, single_cut, void *to, const void *from, int64_t n, double factor);
CPU_DECLARE(void, single_spread, void *to, const void *from, int64_t n);

typedef struct single_kernels {
    void (*gather)(void *to, const void *from, const int32_t *order, int64_t count, int exchange);
    void (*scatter)(void *to, const void *from, const int32_t *order, int64_t count, int exchange,
                    double factor);
    void (*times)(void *to, const void *from, const void *weights, int64_t count, int exchange);
    void (*join)(void *to, const void *even, const void *odd, const void *even_weights,
                 const void *odd_weights, int64_t count, int exchange, double factor);
    void (*half)(void *to, const void *from, int64_t n, const void *twiddles, int backward, double factor);
    void (*widen)(void *to, const void *from, int64_t n);
    void (*narrow)(void *to, const void *from, int64_t n, double factor);
    void (*cut)(void *to, const void *from, int64_t n, double factor);
    void (*spread)(void *to, const void *from, int64_t n);
} single_kernels;

/* Returns the kernels for the processor at hand. */
const single_kernels *single_kernels_for(int is_double);

#endif
