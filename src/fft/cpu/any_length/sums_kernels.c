/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of n points, n odd or twice an odd number. Odd n with sums a[j] = x[j] + x[n-j] and differences
 * b[j] = x[j] - x[n-j]:
 *
 *     X[k], X[n-k] = x[0] + sum_j a[j] cos(2 pi j k / n) -+ i sum_j b[j] sin(2 pi j k / n),  j to (n - 1) / 2
 *
 * A vector has the outputs of neighbouring k, so that nothing is shuffled in the sums. The last vector goes
 * beyond (n - 1) / 2, and computes outputs that the mirror images compute too. */
#include "fft/cpu/any_length/sums.h"
#include "base/simd.h"

#if VECTOR_REALS == 16
#define BACKWARDS 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1
#define JOIN_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define JOIN_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define EVEN_POINTS 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29
#define ODD_POINTS 2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31
#define ALTERNATE 0, 1, 18, 19, 4, 5, 22, 23, 8, 9, 26, 27, 12, 13, 30, 31
#elif VECTOR_REALS == 8
#define BACKWARDS 6, 7, 4, 5, 2, 3, 0, 1
#define JOIN_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define JOIN_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define EVEN_POINTS 0, 1, 4, 5, 8, 9, 12, 13
#define ODD_POINTS 2, 3, 6, 7, 10, 11, 14, 15
#define ALTERNATE 0, 1, 10, 11, 4, 5, 14, 15
#elif VECTOR_REALS == 4
#define BACKWARDS 2, 3, 0, 1
#define JOIN_LOW 0, 4, 1, 5
#define JOIN_HIGH 2, 6, 3, 7
#define EVEN_POINTS 0, 1, 4, 5
#define ODD_POINTS 2, 3, 6, 7
#define ALTERNATE 0, 1, 6, 7
#else
#define BACKWARDS 0, 1
#define JOIN_LOW 0, 2
#define JOIN_HIGH 1, 3
#define EVEN_POINTS 0, 1
#define ODD_POINTS 2, 3
#define ALTERNATE 0, 1
#endif

enum { PAIRS = SUMS_MOST / 2 };

/* Sums and differences of a line's points and their mirror images, then zeros. */
typedef struct folded {
    REAL sum[2 * PAIRS + VECTOR_REALS], difference[2 * PAIRS];
} folded;

/* Folds the line; returns the sum of all its points. The last vector does some again. */
INLINE pair fold(folded *f, const REAL *x, int64_t n, REAL sense)
{
    const int64_t h = n / 2;
    for (int64_t i = 0; i < h; i += IN_HALF) {
        if (i > h - IN_HALF) i = h - IN_HALF;
        const vector near = load(x + 2 * (1 + i)), mirrored = load(x + 2 * (n - i - IN_HALF)),
                     far = __builtin_shufflevector(mirrored, mirrored, BACKWARDS);
        store(f->sum + 2 * i, near + far);
        store(f->difference + 2 * i, (near - far) * sense);
    }
    store(f->sum + 2 * h, (vector){0});
    vector all = {0};
    for (int64_t i = 0; i < h; i += IN_HALF) all += load(f->sum + 2 * i);
    return sum_complex(all) + load_pair(x);
}

/* One vector of outputs: cosines' sums and sines' sums, real and imaginary parts */
typedef struct outputs {
    vector cos_re, cos_im, sin_re, sin_im;
} outputs;

INLINE void add(outputs *o, const folded *f, const REAL *table, int64_t j)
{
    const vector c = load(table + j * 2 * IN_VECTOR), s = load(table + (j * 2 + 1) * IN_VECTOR);
    o->cos_re += c * f->sum[2 * j];
    o->cos_im += c * f->sum[2 * j + 1];
    o->sin_re += s * f->difference[2 * j + 1];
    o->sin_im -= s * f->difference[2 * j];
}

/* Two chains of sums, which the processor computes at the same time */
INLINE outputs sum_all(const folded *f, const REAL *table, int64_t h, pair first)
{
    outputs even = {first[0] + (vector){0}, first[1] + (vector){0}, {0}, {0}}, odd = {{0}, {0}, {0}, {0}};
    int64_t j = 0;
    for (; j + 2 <= h; j += 2) {
        add(&even, f, table, j);
        add(&odd, f, table, j + 1);
    }
    if (j < h) add(&even, f, table, j);
    return (outputs){even.cos_re + odd.cos_re, even.cos_im + odd.cos_im, even.sin_re + odd.sin_re,
                     even.sin_im + odd.sin_im};
}

/* Outputs k to k + IN_VECTOR - 1, and their mirror images */
INLINE void put(REAL *out, const outputs *o, int64_t k, int64_t n, REAL factor)
{
    const vector re = (o->cos_re + o->sin_re) * factor, im = (o->cos_im + o->sin_im) * factor,
                 other_re = (o->cos_re - o->sin_re) * factor, other_im = (o->cos_im - o->sin_im) * factor,
                 low = __builtin_shufflevector(other_re, other_im, JOIN_LOW),
                 high = __builtin_shufflevector(other_re, other_im, JOIN_HIGH);
    REAL *mirror = out + 2 * (n - k - IN_HALF + 1);
    store(mirror, __builtin_shufflevector(low, low, BACKWARDS));
    store(mirror - IN_VECTOR, __builtin_shufflevector(high, high, BACKWARDS));
    store(out + 2 * k, __builtin_shufflevector(re, im, JOIN_LOW));
    store(out + 2 * k + IN_VECTOR, __builtin_shufflevector(re, im, JOIN_HIGH));
}

INLINE void odd_line(void *out, const void *in, const REAL *table, int64_t n, REAL sense, REAL factor)
{
    const int64_t h = n / 2;
    const pair first = load_pair(in);
    folded f;
    const pair sum = fold(&f, in, n, sense) * factor;
    store_pair(out, sum);
    for (int64_t k = 1; k <= h; k += IN_VECTOR, table += h * 2 * IN_VECTOR) {
        const outputs o = sum_all(&f, table, h, first);
        put(out, &o, k, n, factor);
    }
}

/* ---- twice an odd number: two lines of m = n / 2 points, by Good and Thomas without twiddles ----
 *
 *     X[k] = sum_i (x[2i] + (-1)^k x[2i + m]) exp(-2 pi i k i / m)   (indices modulo n)
 */

/* Point i of each part: x[2i]; x[2i+1], and once more behind them. */
typedef struct parts {
    REAL even[2 * SUMS_MOST], odd[4 * SUMS_MOST];
} parts;

INLINE void take_apart(parts *p, const REAL *x, int64_t m)
{
    for (int64_t i = 0; i < m; i += IN_HALF) {
        if (i > m - IN_HALF) i = m - IN_HALF;
        const vector a = load(x + 4 * i), b = load(x + 4 * i + IN_VECTOR),
                     odd = __builtin_shufflevector(a, b, ODD_POINTS);
        store(p->even + 2 * i, __builtin_shufflevector(a, b, EVEN_POINTS));
        store(p->odd + 2 * i, odd);
        store(p->odd + 2 * (i + m), odd);
    }
}

INLINE void even_line(REAL *out, const REAL *in, const REAL *table, int64_t m, REAL sense, REAL factor)
{
    REAL sums[2 * SUMS_MOST], differences[2 * SUMS_MOST];
    parts p;
    if (m < SUMS_LEAST) __builtin_unreachable(); /* else the compiler expects loops without a round */
    take_apart(&p, in, m);
    for (int64_t i = 0; i < m; i += IN_HALF) {
        if (i > m - IN_HALF) i = m - IN_HALF;
        const vector a = load(p.even + 2 * i), b = load(p.odd + 2 * (i + m / 2));
        store(sums + 2 * i, a + b);
        store(differences + 2 * i, a - b);
    }
    odd_line(sums, sums, table, m, sense, factor);
    odd_line(differences, differences, table, m, sense, factor);
    for (int64_t k = 0; k < m; k += IN_HALF) {
        if (k > m - IN_HALF) k = m - IN_HALF;
        const vector a = load(sums + 2 * k), b = load(differences + 2 * k),
                     even_first = __builtin_shufflevector(a, b, ALTERNATE),
                     odd_first = __builtin_shufflevector(b, a, ALTERNATE);
        store(out + 2 * k, k % 2 ? odd_first : even_first);
        store(out + 2 * (k + m), k % 2 ? even_first : odd_first);
    }
}

void VARIANT(sums_line)(void *out, const void *in, const void *table, int64_t n, int inverse, double factor)
{
    const REAL sense = inverse ? -1 : 1;
    if (n % 2)
        odd_line(out, in, table, n, sense, (REAL)factor);
    else
        even_line(out, in, table, n / 2, sense, (REAL)factor);
}
