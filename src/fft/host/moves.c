/* SPDX-License-Identifier: BSD-3-Clause */
#include "fft/host/move.h"

#define MOVES_AT(bits, level)                                                                    \
    {                                                                                            \
        line_gather_##bits##_##level, line_scatter_##bits##_##level, line_scale_##bits##_##level \
    }
#if defined(__x86_64__)
#define MOVES(bits)                                                            \
    {                                                                          \
        MOVES_AT(bits, baseline), MOVES_AT(bits, avx2), MOVES_AT(bits, avx512) \
    }
#else
#define MOVES(bits)                                                                  \
    {                                                                                \
        MOVES_AT(bits, baseline), MOVES_AT(bits, baseline), MOVES_AT(bits, baseline) \
    }
#endif

const line_moves *moves_for(bool is_double)
{
    static const line_moves all[2][CPU_LEVELS] = {MOVES(f32), MOVES(f64)};
    return &all[is_double][cpu_best()];
}
