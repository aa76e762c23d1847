/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather, scatter and scale (move.c) for the precision, and for the instruction set at hand. */
#include "fft/cpu/line/move.h"

#define MOVES_AT(bits, level)                                                                    \
    {                                                                                            \
        line_gather_##bits##_##level, line_scatter_##bits##_##level, line_scale_##bits##_##level \
    }

const line_moves *moves_for(bool is_double)
{
    static const line_moves all[2][CPU_LEVELS] = {CPU_EACH(MOVES_AT, f32), CPU_EACH(MOVES_AT, f64)};
    return &all[is_double][cpu_best()];
}
