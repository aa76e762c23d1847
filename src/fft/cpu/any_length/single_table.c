/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of single_kernels.c for the precision, and for the instruction set at hand. */
#include "fft/cpu/any_length/single.h"

#define KERNELS_AT(bits, level)                                                                         \
    {                                                                                                   \
        single_gather_##bits##_##level, single_scatter_##bits##_##level, single_times_##bits##_##level, \
            single_join_##bits##_##level, single_half_##bits##_##level, single_widen_##bits##_##level,  \
            single_narrow_##bits##_##level, single_cut_##bits##_##level, single_spread_##bits##_##level \
    }

const single_kernels *single_kernels_for(int is_double)
{
    static const single_kernels all[2][CPU_LEVELS] = {CPU_EACH(KERNELS_AT, f32), CPU_EACH(KERNELS_AT, f64)};
    return &all[is_double != 0][cpu_best()];
}
