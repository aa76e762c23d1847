/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops along one line of interleaved complex numbers: weights of convolutions, Rader's orders, half spectra.
 */
#include "fft/cpu/any_length/single.h"
#include "base/simd.h"

enum { POINTS = IN_HALF };

#if VECTOR_BYTES / REAL_BITS == 2
#define EACH_EVEN 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14
#define EACH_ODD 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15
#define BACKWARDS 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1
#elif VECTOR_BYTES / REAL_BITS == 1
#define EACH_EVEN 0, 0, 2, 2, 4, 4, 6, 6
#define EACH_ODD 1, 1, 3, 3, 5, 5, 7, 7
#define BACKWARDS 6, 7, 4, 5, 2, 3, 0, 1
#else
#define EACH_EVEN 0, 0, 2, 2
#define EACH_ODD 1, 1, 3, 3
#define BACKWARDS 2, 3, 0, 1
#endif

typedef struct number {
    REAL re, im;
} number;

INLINE number number_times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

INLINE number number_exchanged(number a)
{
    return (number){a.im, a.re};
}

INLINE vector vector_times(vector a, vector b)
{
    const vector re = __builtin_shufflevector(b, b, EACH_EVEN), im = __builtin_shufflevector(b, b, EACH_ODD);
    return a * re + swapped(a) * im * repeated((pair){-1, 1});
}

void VARIANT(along_gather)(void *to, const void *from, const int32_t *order, int64_t count, int exchange)
{
    number *restrict y = to;
    const number *restrict x = from;
    if (exchange)
        for (int64_t i = 0; i < count; i++) y[i] = number_exchanged(x[order[i]]);
    else
        for (int64_t i = 0; i < count; i++) y[i] = x[order[i]];
}

void VARIANT(along_scatter)(void *to, const void *from, const int32_t *order, int64_t count, int exchange,
                            double factor)
{
    number *restrict y = to;
    const number *restrict x = from;
    const REAL f = (REAL)factor;
    for (int64_t i = 0; i < count; i++) {
        const number v = exchange ? number_exchanged(x[i]) : x[i];
        y[order[i]] = (number){v.re * f, v.im * f};
    }
}

void VARIANT(along_times)(void *to, const void *from, const void *weights, int64_t count, int exchange)
{
    REAL *y = to;
    const REAL *x = from, *w = weights;
    int64_t i = 0;
    for (; i + POINTS <= count; i += POINTS) {
        const vector v = load(x + 2 * i);
        store(y + 2 * i, vector_times(exchange ? swapped(v) : v, load(w + 2 * i)));
    }
    for (; i < count; i++) {
        const number v = ((const number *)from)[i];
        ((number *)to)[i] = number_times(exchange ? number_exchanged(v) : v, ((const number *)weights)[i]);
    }
}

void VARIANT(along_join)(void *to, const void *even, const void *odd, const void *even_weights,
                         const void *odd_weights, int64_t count, int exchange, double factor)
{
    REAL *y = to;
    const REAL *a = even, *b = odd, *wa = even_weights, *wb = odd_weights;
    const REAL f = (REAL)factor;
    int64_t i = 0;
    for (; i + POINTS <= count; i += POINTS) {
        const vector first = load(a + 2 * i), left = wa ? vector_times(first, load(wa + 2 * i)) : first,
                     sum = left + vector_times(load(b + 2 * i), load(wb + 2 * i));
        store(y + 2 * i, (exchange ? swapped(sum) : sum) * f);
    }
    for (; i < count; i++) {
        const number first = ((const number *)even)[i],
                     left = wa ? number_times(first, ((const number *)even_weights)[i]) : first,
                     right = number_times(((const number *)odd)[i], ((const number *)odd_weights)[i]),
                     sum = {f * (left.re + right.re), f * (left.im + right.im)};
        ((number *)to)[i] = exchange ? number_exchanged(sum) : sum;
    }
}

/* One pair of points of the half spectrum, as real_kernels.c has it: forward 2 X[k], 2 X[h-k] from Z;
 * backward Z from X. */
INLINE void real_pair(number *low, number *high, number w, const int backward, REAL f)
{
    const number a = *low, b = {high->re, -high->im};
    const number even = {a.re + b.re, a.im + b.im}, d = {a.re - b.re, a.im - b.im},
                 turn = {w.re, backward ? w.im : -w.im}, t = number_times(d, turn),
                 odd = backward ? (number){-t.im, t.re} : (number){t.im, -t.re};
    *high = (number){f * (even.re - odd.re), f * (odd.im - even.im)};
    *low = (number){f * (even.re + odd.re), f * (even.im + odd.im)};
}

/* z: n / 2 numbers and room for one more (forward); turns: cos, sin of 2 pi k / n to n / 4. */
void VARIANT(along_half)(void *to, const void *from, int64_t n, const void *turns, int backward,
                         double factor)
{
    const int64_t h = n / 2;
    const REAL f = (REAL)factor;
    const number *x = from, *w = turns;
    number *y = to;
    const number first = x[0], last = backward ? x[h] : x[0];
    int64_t k = 1;
    if (backward) {
        y[0] = (number){f * (first.re + last.re), f * (first.re - last.re)};
    } else {
        y[0] = (number){2 * f * (first.re + first.im), 0};
        y[h] = (number){2 * f * (first.re - first.im), 0};
    }
    const vector sense = repeated((pair){1, -1}), imaginary = backward ? -sense : sense;
    for (; k + 2 * POINTS <= h - k; k += POINTS) { /* both ends stay apart */
        const int64_t m = h - k - POINTS + 1;
        const vector a = load((const REAL *)(x + k)), r = load((const REAL *)(x + m)),
                     b = __builtin_shufflevector(r, r, BACKWARDS) * sense, even = a + b, t = a - b,
                     turn = load((const REAL *)(w + k)),
                     turned = vector_times(t, backward ? turn : turn * sense),
                     odd = swapped(turned) * imaginary, high = (even - odd) * sense * f;
        store((REAL *)(y + k), (even + odd) * f);
        store((REAL *)(y + m), __builtin_shufflevector(high, high, BACKWARDS));
    }
    for (; k <= h - k; k++) {
        number low = x[k], high = x[h - k];
        real_pair(&low, &high, w[k], backward, f);
        y[h - k] = high;
        y[k] = low;
    }
}

/* A real line as one of complex numbers, and back; half a spectrum, and the whole of a half one. */
void VARIANT(along_widen)(void *to, const void *from, int64_t n)
{
    const REAL *x = from;
    number *restrict z = to;
    for (int64_t i = 0; i < n; i++) z[i] = (number){x[i], 0};
}

void VARIANT(along_narrow)(void *to, const void *from, int64_t n, double factor)
{
    REAL *x = to;
    const number *restrict z = from;
    const REAL f = (REAL)factor;
    for (int64_t i = 0; i < n; i++) x[i] = f * z[i].re;
}

void VARIANT(along_cut)(void *to, const void *from, int64_t n, double factor)
{
    number *restrict x = to;
    const number *restrict z = from;
    const REAL f = (REAL)factor;
    for (int64_t k = 0; k <= n / 2; k++) x[k] = (number){f * z[k].re, f * z[k].im};
}

void VARIANT(along_spread)(void *to, const void *from, int64_t n)
{
    number *restrict z = to;
    const number *restrict x = from;
    z[0] = (number){x[0].re, 0};
    for (int64_t k = 1; k <= n / 2; k++) {
        z[k] = x[k];
        z[n - k] = (number){x[k].re, -x[k].im};
    }
}
