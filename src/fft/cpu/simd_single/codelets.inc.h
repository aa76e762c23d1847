/* SPDX-License-Identifier: BSD-3-Clause */
/* Codelets: transforms so short that they are one function each, of one line or, with COUPLE_MANY, of as many
 * as a vector has pairs; complex ones, and real ones of twice as many points. Included with CODELET(name). */
#include "fft/cpu/simd_single/kernels.h"
#include "fft/cpu/simd_single/pair.h"

typedef struct codelet_ends {
    REAL *out;
    const REAL *in;
    int64_t out_step, in_step; /* reals from line to line */
} codelet_ends;

INLINE couple from(const codelet_ends *e, int point)
{
    return couple_load(e->in + 2 * point, e->in_step);
}

INLINE void to(const codelet_ends *e, int point, couple x)
{
    couple_store(e->out + 2 * point, e->out_step, x);
}

INLINE void whole(const codelet_ends *e, int sense, REAL factor, const int n)
{
    couple x[SIMD_SINGLE_MOST_RADIX];
    UNROLL for (int i = 0; i < n; i++) x[i] = from(e, i);
    couples(x, n, sense);
    if (factor != 1) UNROLL for (int i = 0; i < n; i++) x[i] *= factor;
    UNROLL for (int i = 0; i < n; i++) to(e, i, x[i]);
}

/* ---- real lines ---- */

/* An even number of reals: pairs of neighbours are `half` complex points. roots: cos and sin of 2 pi k / n +
 * pi / 2, k from 1 on. */
INLINE void reals_even(const codelet_ends *e, const REAL *roots, REAL factor, const int half)
{
    couple x[SIMD_SINGLE_MOST_RADIX];
    UNROLL for (int i = 0; i < half; i++) x[i] = from(e, i);
    couples(x, half, 1);
    x[0] *= factor;
    to(e, 0, real_parts(x[0] + swapped(x[0])));
    to(e, half, real_parts(x[0] - swapped(x[0])));
    if (half % 2 == 0) to(e, half / 2, conjugate(x[half / 2]) * factor);
    UNROLL for (int k = 1; k < (half + 1) / 2; k++)
    {
        const couple a = x[k] * (factor / 2), b = conjugate(x[half - k]) * (factor / 2), sum = a + b,
                     product = matrix(a - b, roots + 2 * k - 2, 1);
        to(e, k, sum + product);
        to(e, half - k, conjugate(sum - product));
    }
}

INLINE void to_reals_even(const codelet_ends *e, const REAL *roots, REAL factor, const int half)
{
    couple x[SIMD_SINGLE_MOST_RADIX];
    const couple last = real_parts_twice(from(e, half));
    x[0] = (real_parts_twice(from(e, 0)) + conjugate(last)) * factor;
    if (half % 2 == 0) x[half / 2] = conjugate(from(e, half / 2)) * (2 * factor);
    UNROLL for (int k = 1; k < (half + 1) / 2; k++)
    {
        const couple a = from(e, k) * factor, b = conjugate(from(e, half - k)) * factor, sum = a + b,
                     product = matrix(a - b, roots + 2 * k - 2, -1);
        x[k] = sum + product;
        x[half - k] = conjugate(sum - product);
    }
    couples(x, half, -1);
    UNROLL for (int i = 0; i < half; i++) to(e, i, x[i]);
}

INLINE void reals_odd(const codelet_ends *e, REAL factor, const int n)
{
    couple x[SIMD_SINGLE_MOST_RADIX];
    UNROLL for (int i = 0; i < n; i++) x[i] = couple_of_reals(e->in + i, e->in_step);
    couples(x, n, 1);
    x[0] = real_parts(x[0]);
    UNROLL for (int k = 0; k <= n / 2; k++) to(e, k, x[k] * factor);
}

INLINE void to_reals_odd(const codelet_ends *e, REAL factor, const int n)
{
    couple x[SIMD_SINGLE_MOST_RADIX];
    x[0] = real_parts(from(e, 0)) * factor;
    UNROLL for (int k = 1; k <= n / 2; k++)
    {
        x[k] = from(e, k) * factor;
        x[n - k] = conjugate(x[k]);
    }
    couples(x, n, -1);
    UNROLL for (int i = 0; i < n; i++) couple_store_reals(e->out + i, e->out_step, x[i]);
}

INLINE void real_line(const codelet_ends *e, const REAL *roots, int inverse, REAL factor, const int n)
{
    if (n % 2 == 0 && inverse)
        to_reals_even(e, roots, factor, n / 2);
    else if (n % 2 == 0)
        reals_even(e, roots, factor, n / 2);
    else if (inverse)
        to_reals_odd(e, factor, n);
    else
        reals_odd(e, factor, n);
}

/* ---- lines ---- */

INLINE codelet_ends ends_of(void *out, const void *in, const simd_single_lines *lines)
{
    return (codelet_ends){out, in, lines->out_step / (int64_t)sizeof(REAL),
                          lines->in_step / (int64_t)sizeof(REAL)};
}

INLINE void go_on(codelet_ends *e)
{
    e->out += LINES_TOGETHER * e->out_step;
    e->in += LINES_TOGETHER * e->in_step;
}

INLINE void whole_lines(void *out, const void *in, int sense, double factor, const simd_single_lines *lines,
                        const int n)
{
    codelet_ends e = ends_of(out, in, lines);
    for (int64_t left = lines->count; left >= LINES_TOGETHER; left -= LINES_TOGETHER, go_on(&e))
        whole(&e, sense, (REAL)factor, n);
}

INLINE void real_lines(void *out, const void *in, const void *roots, int inverse, double factor,
                       const simd_single_lines *lines, const int n)
{
    codelet_ends e = ends_of(out, in, lines);
    for (int64_t left = lines->count; left >= LINES_TOGETHER; left -= LINES_TOGETHER, go_on(&e))
        real_line(&e, roots, inverse, (REAL)factor, n);
}

#define WHOLE(n)                                                                 \
    static void whole_##n(void *out, const void *in, int inverse, double factor, \
                          const simd_single_lines *lines)                        \
    {                                                                            \
        if (inverse)                                                             \
            whole_lines(out, in, -1, factor, lines, n);                          \
        else                                                                     \
            whole_lines(out, in, 1, factor, lines, n);                           \
    }
#define REALS(n)                                                                                    \
    static void reals_##n(void *out, const void *in, const void *roots, int inverse, double factor, \
                          const simd_single_lines *lines)                                           \
    {                                                                                               \
        if (inverse)                                                                                \
            real_lines(out, in, roots, 1, factor, lines, n);                                        \
        else                                                                                        \
            real_lines(out, in, roots, 0, factor, lines, n);                                        \
    }
#define LENGTHS(f) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15) f(16)
#define REAL_LENGTHS(f)                                                                                 \
    f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15) f(16) f(18) f(20) f(22) \
        f(24) f(26) f(28) f(30) f(32)
LENGTHS(WHOLE)
REAL_LENGTHS(REALS)

#define WHOLE_ENTRY(n) [n] = whole_##n,
#define REALS_ENTRY(n) [n] = reals_##n,
const simd_single_codelets *CODELET(simd_single_codelets)(void)
{
    static const simd_single_codelets table = {
        .together = LINES_TOGETHER, .whole = {LENGTHS(WHOLE_ENTRY)}, .reals = {REAL_LENGTHS(REALS_ENTRY)}};
    return &table;
}
