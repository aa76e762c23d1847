/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms so short that they are done at once, without vectors. */
#include "fft/host/within_kernels.h"

#define DEVICE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")
#define LANE REAL
#include "kernels/fft_radix.h"

DEVICE void whole(REAL *out, const REAL *in, int exchange, REAL factor, const int n)
{
    const int re = exchange ? 1 : 0, im = 1 - re;
    struct fft_point x[WITHIN_MOST_RADIX];
    UNROLL for (int i = 0; i < n; i++) x[i] = fft_make(in[2 * i + re], in[2 * i + im]);
    fft_radix(x, n);
    if (factor != 1) UNROLL for (int i = 0; i < n; i++) x[i] = fft_make(x[i].re * factor, x[i].im * factor);
    UNROLL for (int i = 0; i < n; i++)
    {
        out[2 * i + re] = x[i].re;
        out[2 * i + im] = x[i].im;
    }
}

#define LENGTHS(f) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15) f(16)
#define WHOLE(n)                                                                  \
    static void whole_##n(void *out, const void *in, int exchange, double factor) \
    {                                                                             \
        whole(out, in, exchange, (REAL)factor, n);                                \
    }
LENGTHS(WHOLE)

#define ENTRY(n) [n] = whole_##n,
within_whole *VARIANT(fft_within_whole)(int64_t n)
{
    static within_whole *const table[WITHIN_MOST_RADIX + 1] = {LENGTHS(ENTRY)};
    return table[n];
}
