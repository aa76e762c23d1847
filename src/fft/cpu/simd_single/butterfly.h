/* SPDX-License-Identifier: BSD-3-Clause */
/* Butterflies that fetch their points from memory and put them there, a part at
 * a time where the radix is composite: radix 16 has no register to spare. */
#ifndef FFT_CPU_SIMD_SINGLE_BUTTERFLY_H
#define FFT_CPU_SIMD_SINGLE_BUTTERFLY_H

#include "fft/cpu/simd_single/vector.h"

/* Point r of a source or sink is at + r step reals; of a sink, where parts are
 * to be exchanged, the other way round from r = 1 on: exchanging parts before a
 * transform or after it is the same as reading its results backwards. */
typedef struct source {
    const REAL *at;
    int64_t step;
    int64_t half;            /* of points: added for the first half of them, subtracted for the other */
    const REAL *twiddles;    /* NULL: none; for r >= 1 */
    int64_t real, imaginary; /* where a cell has them */
    const int64_t *offset;   /* in place of r step + half, where they are rotated; else NULL */
    bool points;             /* interleaved points, not cells */
    some count;
    multiplier weights; /* of points, */
    int64_t first;      /* which are so many reals from where they begin */
} source;

typedef struct sink {
    REAL *first, *others;
    int64_t step;
    /* Results of an even radix are moved by half a line: 0 this way, the middle one back, those between them
     * by `half_between`, those behind it back. */
    int64_t half, half_between;
    const int64_t *offset; /* from `first`, in place of all of that, where results are rotated; else NULL */
    int64_t real, imaginary;
    bool points;
    some count;
    multiplier weights;
    int64_t from_first, from_others;
} sink;

/* Keeps the compiler from holding all the multiples of a step in registers that
 * it does not have. */
#define OPAQUE(x) __asm__ volatile("" : "+r"(x))

/* Informs the compiler that memory at p is read, and written, by a pointer made from another object's. */
#define SHARED(p) __asm__ volatile("" : : "r"(p) : "memory")

DEVICE struct fft_point fetch(const source *s, const int r, const int radix)
{
    const int64_t matrix = !s->points ? 0 : 2 * r < radix ? s->half : -s->half;
    const REAL *p = s->at + (s->offset ? s->offset[r] : r * s->step + matrix);
    if (s->points && s->weights.kind)
        return point_multiplied(point_load(p, s->count), &s->weights, s->first + r * s->step + matrix,
                                s->count);
    if (s->points) return point_load(p, s->count);
    const struct fft_point x = fft_make(lanes_load(p + s->real), lanes_load(p + s->imaginary));
    return s->twiddles && r ? fft_twiddle(x, s->twiddles[2 * r - 2], s->twiddles[2 * r - 1]) : x;
}

DEVICE int64_t moved_by(const sink *s, const int r, const int radix)
{
    return !s->points       ? 0
           : r == 0         ? s->half
           : 2 * r == radix ? -s->half
           : 2 * r < radix  ? s->half_between
                            : -s->half_between;
}

DEVICE void put(const sink *s, const int r, struct fft_point x, const int radix)
{
    const int64_t moved = moved_by(s, r, radix);
    REAL *p = s->offset ? s->first + s->offset[r] : (r ? s->others + r * s->step : s->first) + moved;
    if (s->points && s->weights.kind) {
        const int64_t reals = (r ? s->from_others + r * s->step : s->from_first) + moved;
        point_store(p, point_multiplied(x, &s->weights, reals, s->count), s->count);
    } else if (s->points) {
        point_store(p, x, s->count);
    } else {
        lanes_store(p + s->real, x.re);
        lanes_store(p + s->imaginary, x.im);
    }
}

/* cos and sin of 2 pi i / 16 */
static const REAL sixteenth[10][2] = {{1, 0},
                                      {(REAL)0.923879532511286756128, (REAL)0.382683432365089771728},
                                      {(REAL)0.707106781186547524401, (REAL)0.707106781186547524401},
                                      {(REAL)0.382683432365089771728, (REAL)0.923879532511286756128},
                                      {0, 1},
                                      {(REAL)-0.382683432365089771728, (REAL)0.923879532511286756128},
                                      {(REAL)-0.707106781186547524401, (REAL)0.707106781186547524401},
                                      {(REAL)-0.923879532511286756128, (REAL)0.382683432365089771728},
                                      {-1, 0},
                                      {(REAL)-0.923879532511286756128, (REAL)-0.382683432365089771728}};

DEVICE void butterfly_16(const sink *to, const source *from)
{
    struct fft_point y[4][4];
    UNROLL for (int column = 0; column < 4; column++)
    {
        struct fft_point part[4];
        UNROLL for (int i = 0; i < 4; i++) part[i] = fetch(from, column + 4 * i, 16);
        fft_4(part);
        UNROLL for (int i = 0; i < 4; i++)
        {
            const int m = i * column;
            y[i][column] = m == 0   ? part[i]
                           : m == 4 ? fft_quarter(part[i])
                                    : fft_twiddle(part[i], sixteenth[m][0], sixteenth[m][1]);
        }
    }
    UNROLL for (int row = 0; row < 4; row++)
    {
        fft_4(y[row]);
        UNROLL for (int i = 0; i < 4; i++) put(to, row + 4 * i, y[row][i], 16);
    }
}

DEVICE void fft_coprime_part(struct fft_point *x, const int n)
{
    if (n == 2)
        fft_2(x);
    else if (n == 3)
        fft_3(x);
    else if (n == 4)
        fft_4(x);
    else if (n == 5)
        fft_5(x);
    else
        fft_7(x);
}

/* The same algorithm as fft_coprime of kernels/fft/radix.h */
DEVICE void butterfly_coprime(const sink *to, const source *from, const int a, const int b)
{
    struct fft_point y[4][7];
    UNROLL for (int j = 0; j < b; j++)
    {
        struct fft_point part[4];
        UNROLL for (int i = 0; i < a; i++) part[i] = fetch(from, (b * i + a * j) % (a * b), a * b);
        fft_coprime_part(part, a);
        UNROLL for (int i = 0; i < a; i++) y[i][j] = part[i];
    }
    UNROLL for (int i = 0; i < a; i++)
    {
        fft_coprime_part(y[i], b);
        UNROLL for (int k = 0; k < a * b; k++) if (k % a == i) put(to, k, y[i][k % b], a * b);
    }
}

DEVICE void butterfly(const sink *to, const source *from, const int radix)
{
    if (radix == 16) {
        butterfly_16(to, from);
    } else if (radix == 12 || radix == 15) {
        butterfly_coprime(to, from, radix == 12 ? 4 : 3, radix == 12 ? 3 : 5);
    } else if (radix == 6 || radix == 10 || radix == 14) {
        butterfly_coprime(to, from, 2, radix / 2);
    } else {
        struct fft_point x[13];
        UNROLL for (int r = 0; r < radix; r++) x[r] = fetch(from, r, radix);
        fft_radix(x, radix);
        UNROLL for (int r = 0; r < radix; r++) put(to, r, x[r], radix);
    }
}

#endif
