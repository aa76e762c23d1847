/* SPDX-License-Identifier: BSD-3-Clause */
/* Codelets: transforms so short that they are one function each. */
#include "fft/cpu/simd_single/kernels.h"
#include "fft/cpu/simd_single/pair.h"

INLINE void whole(REAL *out, const REAL *in, int sense, REAL factor, const int n)
{
    couple x[SIMD_SINGLE_MOST_RADIX];
    UNROLL for (int i = 0; i < n; i++) x[i] = couple_load(in + 2 * i);
    couples(x, n, sense);
    if (factor != 1) UNROLL for (int i = 0; i < n; i++) x[i] *= factor;
    UNROLL for (int i = 0; i < n; i++) couple_store(out + 2 * i, x[i]);
}

INLINE void codelet_lines(void *out, const void *in, int sense, REAL factor, const simd_single_lines *lines,
                          const int n)
{
    char *to = out;
    const char *from = in;
    const int64_t count = lines->count, out_step = lines->out_step, in_step = lines->in_step;
    for (int64_t i = 0; i < count; i++, to += out_step, from += in_step)
        whole((REAL *)to, (const REAL *)from, sense, factor, n);
}

#define LENGTHS(f) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15) f(16)
#define WHOLE(n)                                                                 \
    static void whole_##n(void *out, const void *in, int inverse, double factor, \
                          const simd_single_lines *lines)                        \
    {                                                                            \
        if (inverse)                                                             \
            codelet_lines(out, in, -1, (REAL)factor, lines, n);                  \
        else                                                                     \
            codelet_lines(out, in, 1, (REAL)factor, lines, n);                   \
    }
LENGTHS(WHOLE)

#define ENTRY(n) [n] = whole_##n,
simd_single_codelet *VARIANT(simd_single_codelet_for)(int64_t n)
{
    static simd_single_codelet *const table[SIMD_SINGLE_MOST_RADIX + 1] = {LENGTHS(ENTRY)};
    return table[n];
}
