/* SPDX-License-Identifier: BSD-3-Clause */
/* Half spectra of real lines, in cells (Cooley, Lewis and Welch, J. Sound Vib. 12:315, 1970).
 * Even n, h = n / 2: z[j] = x[2j] + i x[2j+1], Z its transform, w = exp(-2 pi i / n):
 *   X[k] = (Z[k] + Z*[h-k]) / 2 - i w^k (Z[k] - Z*[h-k]) / 2.
 * Odd n: the transform of x + 0 i. (Two lines as x + i y would halve the work, and give each a share of the
 * other's rounding errors, which are large where the other is.)
 * All in place, without the halves (the store has a factor anyway). The inverses leave real and imaginary
 * parts exchanged, as inverse transforms want them. place[k] is the cell of point k. */
#include "fft/cpu/any_length/move.h"
#include "base/simd.h"

#define DEVICE INLINE
#define PRIVATE
#define LANE vector
#include "kernels/fft/radix.h"

typedef struct fft_point point;

INLINE REAL *cell_of(void *cells, int32_t place)
{
    return (REAL *)cells + (int64_t)place * 2 * IN_VECTOR;
}

INLINE point get(const REAL *cell)
{
    return fft_make(load(cell), load(cell + IN_VECTOR));
}

INLINE void put(REAL *cell, vector re, vector im)
{
    store(cell, re);
    store(cell + IN_VECTOR, im);
}

INLINE point conjugate(point p)
{
    return fft_make(p.re, -p.im);
}

/* Z[0..h-1] become 2 X[0..h]; cell place[h] is beyond Z. twiddles: cos, sin of 2 pi k / n for k from 0 to h
 * / 2.
 */
void VARIANT(real_unpack_even)(void *cells, const int32_t *place, int64_t n, const void *twiddles)
{
    const int64_t h = n / 2;
    const REAL *w = twiddles;
    const point zero = get(cell_of(cells, place[0]));
    put(cell_of(cells, place[0]), (zero.re + zero.im) * 2, (vector){0});
    put(cell_of(cells, place[h]), (zero.re - zero.im) * 2, (vector){0});
    for (int64_t k = 1; k <= h - k; k++) {
        REAL *low = cell_of(cells, place[k]), *high = cell_of(cells, place[h - k]);
        const point a = get(low), b = conjugate(get(high)), even = fft_add(a, b),
                    odd = fft_quarter(fft_twiddle(fft_subtract(a, b), w[2 * k], w[2 * k + 1]));
        put(high, even.re - odd.re, odd.im - even.im);
        put(low, even.re + odd.re, even.im + odd.im);
    }
}

/* X[0..h] become Z[0..h-1] of the unscaled inverse; imaginary parts of X[0] and X[h] are not looked at. */
void VARIANT(real_pack_even)(void *cells, const int32_t *place, int64_t n, const void *twiddles)
{
    const int64_t h = n / 2;
    const REAL *w = twiddles;
    const vector first = get(cell_of(cells, place[0])).re, last = get(cell_of(cells, place[h])).re;
    put(cell_of(cells, place[0]), first - last, first + last);
    for (int64_t k = 1; k <= h - k; k++) {
        REAL *low = cell_of(cells, place[k]), *high = cell_of(cells, place[h - k]);
        const point a = get(low), b = conjugate(get(high)), even = fft_add(a, b),
                    odd = fft_twiddle(fft_subtract(a, b), w[2 * k], -w[2 * k + 1]);
        /* even + i odd, and the conjugate of even - i odd */
        put(high, odd.re - even.im, even.re + odd.im);
        put(low, even.im + odd.re, even.re - odd.im);
    }
}

/* Odd n: X[0..n/2] become Z[0..n-1], the spectrum whole. */
void VARIANT(real_spread_odd)(void *cells, const int32_t *place, int64_t n)
{
    put(cell_of(cells, place[0]), (vector){0}, get(cell_of(cells, place[0])).re);
    for (int64_t k = 1; k < n - k; k++) {
        const point a = get(cell_of(cells, place[k]));
        put(cell_of(cells, place[k]), a.im, a.re);
        put(cell_of(cells, place[n - k]), -a.im, a.re);
    }
}
