/* SPDX-License-Identifier: BSD-3-Clause */
/* Between lines in memory and cells, whatever the strides. */
#ifndef FFT_CPU_ANY_LENGTH_MOVE_H
#define FFT_CPU_ANY_LENGTH_MOVE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/cpu.h"

/* The places of a block of lines. Steps count reals: point j of line l has its real part at j point + l
 * line, its imaginary part `imaginary` further. lines: at most as many as a cell has; imaginary_lines of
 * them have an imaginary part. */
typedef struct any_length_layout {
    void *at;
    int64_t point, line, imaginary;
    int64_t lines, imaginary_lines;
    bool prefetch; /* the next lines are to be fetched (line/prefetch.h) */
} any_length_layout;

/* Points first to first + count - 1 of memory from or to cells place[0] to place[count - 1]. exchange: real
 * and imaginary parts change places. Lanes without a line get anything finite on their way in. */
CPU_DECLARE(void, any_length_load, void *cells, const int32_t *place, const any_length_layout *layout,
            int64_t first, int64_t count, bool exchange);
CPU_DECLARE(void, any_length_store, const any_length_layout *layout, const void *cells, const int32_t *place,
            int64_t first, int64_t count, bool exchange, double factor);
/* A real transform's half spectrum from that of half the length, and back, in cells.
 * Their comments are in real_kernels.c. */
CPU_DECLARE(void, real_unpack_even, void *cells, const int32_t *place, int64_t n, const void *twiddles);
CPU_DECLARE(void, real_pack_even, void *cells, const int32_t *place, int64_t n, const void *twiddles);
CPU_DECLARE(void, real_spread_odd, void *cells, const int32_t *place, int64_t n);

#endif
