/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns the kernels of batches for a precision and this processor; and sizes and times that complex and
 * real batches share. */
#include "fft/cpu/any_length/kernel_table.h"

#define KERNELS_AT(bits, level)                                                 \
    {                                                                           \
        any_length_load_##bits##_##level, any_length_store_##bits##_##level,    \
            any_length_run_##bits##_##level, real_unpack_even_##bits##_##level, \
            real_pack_even_##bits##_##level, real_spread_odd_##bits##_##level   \
    }

const any_length_kernels *any_length_kernels_for(bool is_double)
{
    static const any_length_kernels all[2][CPU_LEVELS] = {CPU_EACH(KERNELS_AT, f32),
                                                          CPU_EACH(KERNELS_AT, f64)};
    return &all[is_double][cpu_best()];
}

/* Returns the bytes of a cell: two vectors (base/simd.h). */
size_t any_length_cell_bytes(bool is_double)
{
    (void)is_double;
    return 2 * (size_t)cpu_vector_bytes();
}

int64_t any_length_lanes(bool is_double)
{
    return (int64_t)any_length_cell_bytes(is_double) / (is_double ? 16 : 8);
}

any_length_layout any_length_complex_layout(const line_job *job, bool is_output, bool is_double,
                                            int64_t first, int64_t lines)
{
    const line_memory *m = is_output ? &job->out : &job->in;
    return (any_length_layout){.at = m->at + first * m->line_stride * (is_double ? 16 : 8),
                               .point = 2 * m->stride,
                               .line = 2 * m->line_stride,
                               .imaginary = 1,
                               .lines = lines,
                               .imaginary_lines = lines,
                               .prefetch = job->prefetch};
}

int64_t any_length_groups(int64_t n)
{
    return n >= 512 ? 1 : n >= 128 ? 2 : n >= 32 ? 4 : 8;
}

double any_length_time(double cost, int64_t cells, double moved, int64_t lines, bool is_double)
{
    const bool near = cells <= 4096; /* half a megabyte of 16 lines, in the
                                        second-level cache with its sources */
    const double each = near ? 0.56 : 0.9, moving = near ? 9.5 : 14, begin = 120;
    const int64_t lanes = is_double ? 8 : 16; /* of a processor with AVX-512 */
    const double done = (double)(lines < lanes ? lines : lanes), filled = done / (double)lanes;
    /* the arithmetic is that of a full cell; lanes without a line are not moved */
    return (begin + each * cost + moving * moved * (0.3 + 0.7 * filled)) / done;
}
