/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops along one line of interleaved complex numbers: factors of convolutions, Rader's orders, half spectra.
 */
#include "fft/cpu/any_length/single.h"
#include "base/simd.h"

enum { POINTS = IN_HALF };

#if VECTOR_REALS == 16
#define EACH_EVEN 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14
#define EACH_ODD 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15
#define BACKWARDS 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1
#elif VECTOR_REALS == 8
#define EACH_EVEN 0, 0, 2, 2, 4, 4, 6, 6
#define EACH_ODD 1, 1, 3, 3, 5, 5, 7, 7
#define BACKWARDS 6, 7, 4, 5, 2, 3, 0, 1
#elif VECTOR_REALS == 4
#define EACH_EVEN 0, 0, 2, 2
#define EACH_ODD 1, 1, 3, 3
#define BACKWARDS 2, 3, 0, 1
#else
#define EACH_EVEN 0, 0
#define EACH_ODD 1, 1
#define BACKWARDS 0, 1
#endif

typedef struct point_pair {
    REAL re, im;
} point_pair;

INLINE point_pair pair_times(point_pair a, point_pair b)
{
    return (point_pair){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

INLINE point_pair pair_exchanged(point_pair a)
{
    return (point_pair){a.im, a.re};
}

INLINE vector vector_times(vector a, vector b)
{
    const vector re = __builtin_shufflevector(b, b, EACH_EVEN), im = __builtin_shufflevector(b, b, EACH_ODD);
    return a * re + swapped(a) * im * repeated((pair){-1, 1});
}

void VARIANT(single_gather)(void *to, const void *from, const int32_t *order, int64_t count, int exchange)
{
    point_pair *restrict y = to;
    const point_pair *restrict x = from;
    if (exchange)
        for (int64_t i = 0; i < count; i++) y[i] = pair_exchanged(x[order[i]]);
    else
        for (int64_t i = 0; i < count; i++) y[i] = x[order[i]];
}

void VARIANT(single_scatter)(void *to, const void *from, const int32_t *order, int64_t count, int exchange,
                             double factor)
{
    point_pair *restrict y = to;
    const point_pair *restrict x = from;
    const REAL f = (REAL)factor;
    for (int64_t i = 0; i < count; i++) {
        const point_pair v = exchange ? pair_exchanged(x[i]) : x[i];
        y[order[i]] = (point_pair){v.re * f, v.im * f};
    }
}

void VARIANT(single_times)(void *to, const void *from, const void *weights, int64_t count, int exchange)
{
    REAL *y = to;
    const REAL *x = from, *w = weights;
    int64_t i = 0;
    for (; i + POINTS <= count; i += POINTS) {
        const vector v = load(x + 2 * i);
        store(y + 2 * i, vector_times(exchange ? swapped(v) : v, load(w + 2 * i)));
    }
    for (; i < count; i++) {
        const point_pair v = ((const point_pair *)from)[i];
        ((point_pair *)to)[i] =
            pair_times(exchange ? pair_exchanged(v) : v, ((const point_pair *)weights)[i]);
    }
}

void VARIANT(single_join)(void *to, const void *even, const void *odd, const void *even_weights,
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
        const point_pair first = ((const point_pair *)even)[i],
                         left = wa ? pair_times(first, ((const point_pair *)even_weights)[i]) : first,
                         right =
                             pair_times(((const point_pair *)odd)[i], ((const point_pair *)odd_weights)[i]),
                         sum = {f * (left.re + right.re), f * (left.im + right.im)};
        ((point_pair *)to)[i] = exchange ? pair_exchanged(sum) : sum;
    }
}

/* Computes one pair of points of the half spectrum by the formula of real_kernels.c: forward 2 X[k], 2
 * X[h-k] from Z; backward Z from X. */
INLINE void real_pair(point_pair *low, point_pair *high, point_pair w, const int backward, REAL f)
{
    const point_pair a = *low, b = {high->re, -high->im};
    const point_pair even = {a.re + b.re, a.im + b.im}, d = {a.re - b.re, a.im - b.im},
                     twiddle = {w.re, backward ? w.im : -w.im}, t = pair_times(d, twiddle),
                     odd = backward ? (point_pair){-t.im, t.re} : (point_pair){t.im, -t.re};
    *high = (point_pair){f * (even.re - odd.re), f * (odd.im - even.im)};
    *low = (point_pair){f * (even.re + odd.re), f * (even.im + odd.im)};
}

/* z: n / 2 points and space for one more (forward); twiddles: cos, sin of 2 pi k / n to n / 4. */
void VARIANT(single_half)(void *to, const void *from, int64_t n, const void *twiddles, int backward,
                          double factor)
{
    const int64_t h = n / 2;
    const REAL f = (REAL)factor;
    const point_pair *x = from, *w = twiddles;
    point_pair *y = to;
    const point_pair first = x[0], last = backward ? x[h] : x[0];
    int64_t k = 1;
    if (backward) {
        y[0] = (point_pair){f * (first.re + last.re), f * (first.re - last.re)};
    } else {
        y[0] = (point_pair){2 * f * (first.re + first.im), 0};
        y[h] = (point_pair){2 * f * (first.re - first.im), 0};
    }
    const vector sense = repeated((pair){1, -1}), imaginary = backward ? -sense : sense;
    for (; k + 2 * POINTS <= h - k; k += POINTS) { /* both ends are separate */
        const int64_t m = h - k - POINTS + 1;
        const vector a = load((const REAL *)(x + k)), r = load((const REAL *)(x + m)),
                     b = __builtin_shufflevector(r, r, BACKWARDS) * sense, even = a + b, t = a - b,
                     twiddle = load((const REAL *)(w + k)),
                     product = vector_times(t, backward ? twiddle : twiddle * sense),
                     odd = swapped(product) * imaginary, high = (even - odd) * sense * f;
        store((REAL *)(y + k), (even + odd) * f);
        store((REAL *)(y + m), __builtin_shufflevector(high, high, BACKWARDS));
    }
    for (; k <= h - k; k++) {
        point_pair low = x[k], high = x[h - k];
        real_pair(&low, &high, w[k], backward, f);
        y[h - k] = high;
        y[k] = low;
    }
}

/* A real line as one of complex numbers, and back; half a spectrum, and the whole of a half one. */
void VARIANT(single_widen)(void *to, const void *from, int64_t n)
{
    const REAL *x = from;
    point_pair *restrict z = to;
    for (int64_t i = 0; i < n; i++) z[i] = (point_pair){x[i], 0};
}

void VARIANT(single_narrow)(void *to, const void *from, int64_t n, double factor)
{
    REAL *x = to;
    const point_pair *restrict z = from;
    const REAL f = (REAL)factor;
    for (int64_t i = 0; i < n; i++) x[i] = f * z[i].re;
}

void VARIANT(single_cut)(void *to, const void *from, int64_t n, double factor)
{
    point_pair *restrict x = to;
    const point_pair *restrict z = from;
    const REAL f = (REAL)factor;
    for (int64_t k = 0; k <= n / 2; k++) x[k] = (point_pair){f * z[k].re, f * z[k].im};
}

void VARIANT(single_spread)(void *to, const void *from, int64_t n)
{
    point_pair *restrict z = to;
    const point_pair *restrict x = from;
    z[0] = (point_pair){x[0].re, 0};
    for (int64_t k = 1; k <= n / 2; k++) {
        z[k] = x[k];
        z[n - k] = (point_pair){x[k].re, -x[k].im};
    }
}
