/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms of 1 to 16 points, each a pair of real and imaginary part in a vector of COUPLE_BYTES (16 if not
 * set): half the operations of scalar code. Where a vector has space for more pairs, they are those of as
 * many lines, or of as many columns of one (paired.c). As kernels/fft/radix.h otherwise, which keeps the
 * parts separate. `sense`: 1 forward, -1 inverse, a constant. */
#ifndef FFT_CPU_SIMD_SINGLE_PAIR_H
#define FFT_CPU_SIMD_SINGLE_PAIR_H

#include <stdint.h>
#include <string.h>

#ifndef COUPLE_BYTES
#define COUPLE_BYTES 16
#endif
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")
#pragma GCC diagnostic ignored "-Wpsabi" /* nothing here is called across files */

enum { COUPLE_REALS = COUPLE_BYTES / (int)sizeof(REAL), COUPLE_LINES = COUPLE_REALS / 2 };
typedef REAL couple __attribute__((vector_size(COUPLE_BYTES)));

#if COUPLE_BYTES * 8 / REAL_BITS == 2
#define COUPLES(a, b) a, b
#define SHUFFLED_COUPLES(x, y, a, b) __builtin_shufflevector(x, y, a, b)
#elif COUPLE_BYTES * 8 / REAL_BITS == 4
#define COUPLES(a, b) a, b, a, b
#define SHUFFLED_COUPLES(x, y, a, b) __builtin_shufflevector(x, y, a, b, (a) + 2, (b) + 2)
#elif COUPLE_BYTES * 8 / REAL_BITS == 8
#define COUPLES(a, b) a, b, a, b, a, b, a, b
#define SHUFFLED_COUPLES(x, y, a, b) \
    __builtin_shufflevector(x, y, a, b, (a) + 2, (b) + 2, (a) + 4, (b) + 4, (a) + 6, (b) + 6)
#else
#define COUPLES(a, b) a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b
#define SHUFFLED_COUPLES(x, y, a, b)                                                                   \
    __builtin_shufflevector(x, y, a, b, (a) + 2, (b) + 2, (a) + 4, (b) + 4, (a) + 6, (b) + 6, (a) + 8, \
                            (b) + 8, (a) + 10, (b) + 10, (a) + 12, (b) + 12, (a) + 14, (b) + 14)
#endif

INLINE couple couple_of(REAL re, REAL im)
{
    return (couple){COUPLES(re, im)};
}
INLINE couple swapped(couple x)
{
    return SHUFFLED_COUPLES(x, x, 1, 0);
}
INLINE couple conjugate(couple x)
{
    return x * couple_of(1, -1);
}
/* The real parts, and zero */
INLINE couple real_parts(couple x)
{
    const couple zero = {0};
    return SHUFFLED_COUPLES(x, zero, 0, COUPLE_REALS + 1);
}
/* The real parts twice */
INLINE couple real_parts_twice(couple x)
{
    return SHUFFLED_COUPLES(x, x, 0, 0);
}

#if COUPLE_BYTES < 64
/* ---- codelets: one line or, with COUPLE_MANY, COUPLE_LINES lines that are `step` reals apart ---- */

#if COUPLE_MANY
enum { LINES_TOGETHER = COUPLE_LINES };
#else
enum { LINES_TOGETHER = 1 }; /* in single precision the other half is not used */
#endif

#if REAL_BITS == 64
typedef REAL pair __attribute__((vector_size(16)));
typedef REAL pair_anywhere __attribute__((vector_size(16), aligned(sizeof(REAL)), may_alias));
INLINE couple couple_load(const REAL *p, int64_t step)
{
    const pair first = *(const pair_anywhere *)p;
#if COUPLE_BYTES == 16
    (void)step;
    return first;
#else
    const pair second = *(const pair_anywhere *)(p + step);
    return __builtin_shufflevector(first, second, 0, 1, 2, 3);
#endif
}
INLINE void couple_store(REAL *p, int64_t step, couple x)
{
#if COUPLE_BYTES == 16
    (void)step;
    *(pair_anywhere *)p = x;
#else
    *(pair_anywhere *)p = __builtin_shufflevector(x, x, 0, 1);
    *(pair_anywhere *)(p + step) = __builtin_shufflevector(x, x, 2, 3);
#endif
}
#else
typedef double pairs __attribute__((vector_size(COUPLE_BYTES)));
INLINE double pair_at(const REAL *p)
{
    double both;
    memcpy(&both, p, sizeof both);
    return both;
}
INLINE couple couple_load(const REAL *p, int64_t step)
{
    (void)step;
#if !COUPLE_MANY
    return (couple)(pairs){pair_at(p), 0};
#elif COUPLE_BYTES == 16
    return (couple)(pairs){pair_at(p), pair_at(p + step)};
#else
    return (couple)(pairs){pair_at(p), pair_at(p + step), pair_at(p + 2 * step), pair_at(p + 3 * step)};
#endif
}
INLINE void couple_store(REAL *p, int64_t step, couple x)
{
    UNROLL for (int i = 0; i < LINES_TOGETHER; i++)
    {
        const double both = ((pairs)x)[i];
        memcpy(p + i * step, &both, sizeof both);
    }
}
#endif

/* Reals, and imaginary parts of zero */
INLINE couple couple_of_reals(const REAL *p, int64_t step)
{
    couple x = {0};
    UNROLL for (int i = 0; i < LINES_TOGETHER; i++) x[2 * i] = p[i * step];
    return x;
}
INLINE void couple_store_reals(REAL *p, int64_t step, couple x)
{
    UNROLL for (int i = 0; i < LINES_TOGETHER; i++) p[i * step] = x[2 * i];
}
#endif

/* x exp(-+i angle) */
INLINE couple matrix(couple x, const REAL *cos_sin, int sense)
{
    const REAL s = sense > 0 ? cos_sin[1] : -cos_sin[1];
    return x * couple_of(cos_sin[0], cos_sin[0]) + swapped(x) * couple_of(s, -s);
}

INLINE couple quarter(couple x, int sense)
{
    return swapped(x) * (sense > 0 ? couple_of(1, -1) : couple_of(-1, 1));
}

/* cos and sin of 2 pi k / radix */
static const REAL odd_roots[14][7][2] = {
    [3] = {{1, 0}, {(REAL)-0.500000000000000000000, (REAL)0.866025403784438646764}},
    [5] = {{1, 0},
           {(REAL)0.309016994374947424102, (REAL)0.951056516295153572116},
           {(REAL)-0.809016994374947424102, (REAL)0.587785252292473129169}},
    [7] = {{1, 0},
           {(REAL)0.623489801858733530525, (REAL)0.781831482468029808708},
           {(REAL)-0.222520933956314404289, (REAL)0.974927912181823607018},
           {(REAL)-0.900968867902419126236, (REAL)0.433883739117558120476}},
    [11] = {{1, 0},
            {(REAL)0.841253532831181168862, (REAL)0.540640817455597582108},
            {(REAL)0.415415013001886425529, (REAL)0.909631995354518371412},
            {(REAL)-0.142314838273285140444, (REAL)0.989821441880932732376},
            {(REAL)-0.654860733945285064057, (REAL)0.755749574354258283774},
            {(REAL)-0.959492973614497389890, (REAL)0.281732556841429697711}},
    [13] = {{1, 0},
            {(REAL)0.885456025653209895900, (REAL)0.464723172043768545656},
            {(REAL)0.568064746731155802512, (REAL)0.822983865893656394580},
            {(REAL)0.120536680255323053349, (REAL)0.992708874098053992801},
            {(REAL)-0.354604887042535625970, (REAL)0.935016242685414823440},
            {(REAL)-0.748510748171101098635, (REAL)0.663122658240795202377},
            {(REAL)-0.970941817426052027157, (REAL)0.239315664287557767149}}};
static const REAL ninth[5][2] = {{(REAL)1.000000000000000000000, (REAL)0.000000000000000000000},
                                 {(REAL)0.766044443118978035202, (REAL)0.642787609686539326323},
                                 {(REAL)0.173648177666930348852, (REAL)0.984807753012208059367},
                                 {(REAL)-0.500000000000000000000, (REAL)0.866025403784438646764},
                                 {(REAL)-0.939692620785908384054, (REAL)0.342020143325668733044}};
static const REAL sixteenth[10][2] = {{(REAL)1.000000000000000000000, (REAL)0.000000000000000000000},
                                      {(REAL)0.923879532511286756128, (REAL)0.382683432365089771728},
                                      {(REAL)0.707106781186547524401, (REAL)0.707106781186547524401},
                                      {(REAL)0.382683432365089771728, (REAL)0.923879532511286756128},
                                      {(REAL)-0.000000000000000000000, (REAL)1.000000000000000000000},
                                      {(REAL)-0.382683432365089771728, (REAL)0.923879532511286756128},
                                      {(REAL)-0.707106781186547524401, (REAL)0.707106781186547524401},
                                      {(REAL)-0.923879532511286756128, (REAL)0.382683432365089771728},
                                      {(REAL)-1.000000000000000000000, (REAL)0.000000000000000000000},
                                      {(REAL)-0.923879532511286756128, (REAL)-0.382683432365089771728}};

INLINE void couples_odd(couple *x, const int radix, int sense)
{
    couple sum[7], difference[7], total = x[0];
    const couple first = x[0];
    UNROLL for (int k = 1; k <= radix / 2; k++)
    {
        sum[k] = x[k] + x[radix - k];
        difference[k] = x[k] - x[radix - k];
        total += sum[k];
    }
    UNROLL for (int m = 1; m <= radix / 2; m++)
    {
        couple even = first, odd = difference[1] * odd_roots[radix][m][1];
        UNROLL for (int k = 1; k <= radix / 2; k++)
        {
            const int step = k * m % radix, folded = step > radix / 2 ? radix - step : step;
            even += sum[k] * odd_roots[radix][folded][0];
            if (k > 1)
                odd += difference[k] *
                       (step > folded ? -odd_roots[radix][folded][1] : odd_roots[radix][folded][1]);
        }
        x[m] = even + quarter(odd, sense);
        x[radix - m] = even - quarter(odd, sense);
    }
    x[0] = total;
}

INLINE void couples_4(couple *x, int sense)
{
    const couple a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = x[1] - x[3];
    x[0] = a + c;
    x[1] = b + quarter(d, sense);
    x[2] = a - c;
    x[3] = b - quarter(d, sense);
}

/* A prime, or 4, or 1 */
INLINE void couples_part(couple *x, const int n, int sense)
{
    if (n == 2) {
        const couple a = x[0];
        x[0] = a + x[1];
        x[1] = a - x[1];
    } else if (n == 4) {
        couples_4(x, sense);
    } else if (n > 1) {
        couples_odd(x, n, sense);
    }
}

/* Columns of a points, twiddles unless a and b are coprime, rows of b: 8 = 4 x 2,
 * 9 = 3 x 3, 16 = 4 x 4. */
INLINE void couples_twiddled(couple *x, const int a, const int b, int sense)
{
    couple y[4][4];
    UNROLL for (int column = 0; column < b; column++)
    {
        couple part[4];
        UNROLL for (int i = 0; i < a; i++) part[i] = x[column + b * i];
        couples_part(part, a, sense);
        UNROLL for (int i = 0; i < a; i++)
        {
            const int m = a == 3 ? i * column : i * column * 16 / (a * b);
            y[i][column] = m == 0   ? part[i]
                           : a == 3 ? matrix(part[i], ninth[m], sense)
                           : m == 4 ? quarter(part[i], sense)
                                    : matrix(part[i], sixteenth[m], sense);
        }
    }
    UNROLL for (int row = 0; row < a; row++)
    {
        couples_part(y[row], b, sense);
        UNROLL for (int i = 0; i < b; i++) x[row + a * i] = y[row][i];
    }
}

INLINE void couples_coprime(couple *x, const int a, const int b, int sense)
{
    couple y[4][7];
    UNROLL for (int j = 0; j < b; j++)
    {
        couple part[4];
        UNROLL for (int i = 0; i < a; i++) part[i] = x[(b * i + a * j) % (a * b)];
        couples_part(part, a, sense);
        UNROLL for (int i = 0; i < a; i++) y[i][j] = part[i];
    }
    UNROLL for (int i = 0; i < a; i++) couples_part(y[i], b, sense);
    UNROLL for (int k = 0; k < a * b; k++) x[k] = y[k % a][k % b];
}

INLINE void couples(couple *x, const int n, int sense)
{
    if (n == 8 || n == 16)
        couples_twiddled(x, 4, n / 4, sense);
    else if (n == 9)
        couples_twiddled(x, 3, 3, sense);
    else if (n == 12)
        couples_coprime(x, 4, 3, sense);
    else if (n == 15)
        couples_coprime(x, 3, 5, sense);
    else if (n == 6 || n == 10 || n == 14)
        couples_coprime(x, 2, n / 2, sense);
    else
        couples_part(x, n, sense);
}

#endif
