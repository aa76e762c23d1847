/* SPDX-License-Identifier: BSD-3-Clause */
#include "fft/cpu/any_length/single.h"

#define CODE_AT(bits, level)                                                                         \
    {                                                                                                \
        along_gather_##bits##_##level, along_scatter_##bits##_##level, along_times_##bits##_##level, \
            along_join_##bits##_##level, along_half_##bits##_##level, along_widen_##bits##_##level,  \
            along_narrow_##bits##_##level, along_cut_##bits##_##level, along_spread_##bits##_##level \
    }

const along_code *along_code_for(int is_double)
{
    static const along_code all[2][CPU_LEVELS] = {CPU_EACH(CODE_AT, f32), CPU_EACH(CODE_AT, f64)};
    return &all[is_double != 0][cpu_best()];
}
