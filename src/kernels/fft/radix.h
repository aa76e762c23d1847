/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms of R points in registers, forward: x[k] = sum_r x[r] exp(-2 pi i r k / R), for R = 2 to 16
 * and 25. For an inverse transform exchange real and imaginary parts before and after. GPU kernels and
 * host code share this file: LANE is one REAL in kernels, and on hosts a vector with one transform for
 * each element. Define LANE, and the macros REAL, DEVICE and UNROLL of portable.h, before including this
 * file. All loops have constant counts: everything is unrolled, and tables become constants.
 *
 * Odd primes: sums and differences of opposite points (Singleton 1969). Composite: columns, constant
 * twiddles, rows (Cooley and Tukey 1965), or no twiddles if the factors are coprime (Good 1958, Thomas
 * 1963). */
#ifndef KERNELS_FFT_RADIX_H
#define KERNELS_FFT_RADIX_H

struct fft_point {
    LANE re, im;
};

#define R(x) ((REAL)(x))

/* With constexpr tables NVRTC need not follow values through memory, which saves 2 % of its time. */
#ifdef __CUDACC__
#define FFT_CONSTANT static constexpr REAL
#else
#define FFT_CONSTANT const REAL
#endif

DEVICE struct fft_point fft_make(LANE re, LANE im)
{
    struct fft_point p;
    p.re = re;
    p.im = im;
    return p;
}

DEVICE struct fft_point fft_add(struct fft_point a, struct fft_point b)
{
    return fft_make(a.re + b.re, a.im + b.im);
}

DEVICE struct fft_point fft_subtract(struct fft_point a, struct fft_point b)
{
    return fft_make(a.re - b.re, a.im - b.im);
}

DEVICE struct fft_point fft_multiply(struct fft_point a, struct fft_point b)
{
    return fft_make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/* Returns a exp(-i angle). */
DEVICE struct fft_point fft_twiddle(struct fft_point a, REAL cosine, REAL sine)
{
    return fft_make(a.re * cosine + a.im * sine, a.im * cosine - a.re * sine);
}

/* Returns a (-i). */
DEVICE struct fft_point fft_quarter(struct fft_point a)
{
    return fft_make(a.im, -a.re);
}

DEVICE void fft_2(PRIVATE struct fft_point *x)
{
    const struct fft_point a = x[0];
    x[0] = fft_add(a, x[1]);
    x[1] = fft_subtract(a, x[1]);
}

DEVICE void fft_4(PRIVATE struct fft_point *x)
{
    const struct fft_point a = fft_add(x[0], x[2]), b = fft_subtract(x[0], x[2]), c = fft_add(x[1], x[3]),
                           d = fft_quarter(fft_subtract(x[1], x[3]));
    x[0] = fft_add(a, c);
    x[1] = fft_add(b, d);
    x[2] = fft_subtract(a, c);
    x[3] = fft_subtract(b, d);
}

#if defined(GPU) && !defined(REAL_IS_DOUBLE)
#define FFT_FUSES
/* Powers of two for processors with fused multiply-add (Linzer and Feig 1993): x exp(-i angle) is m u. u =
 * x (1 - i t) with t = tan angle, or x (-i) (1 - i t) if the sine is larger; the additions that follow
 * multiply by m. 52, 144 and 376 operations for 8, 16 and 32 points.
 *
 * fft_lean returns u. */
DEVICE struct fft_point fft_lean(struct fft_point x, REAL t)
{
    return t == 0 ? x : fft_make(x.re + t * x.im, x.im - t * x.re);
}

/* Returns a + m b. */
DEVICE struct fft_point fft_add_times(struct fft_point a, REAL m, struct fft_point b)
{
    return fft_make(a.re + m * b.re, a.im + m * b.im);
}

/* Transforms four points after multiplying point j by exp(-2 pi i j step / 32). */
DEVICE void fft_4_twiddled(PRIVATE struct fft_point *x, const int step)
{
    /* clang-format off */
    FFT_CONSTANT lean[] = {0, R(0.198912367379658007), R(0.414213562373095049), R(0.66817863791929892), 1,
        R(-0.66817863791929892), R(-0.414213562373095049), R(-0.198912367379658007), 0,
        R(0.198912367379658007), R(0.414213562373095049), R(0.66817863791929892), -1, R(-0.66817863791929892),
        R(-0.414213562373095049), R(-0.198912367379658007), 0, R(0.198912367379658007),
        R(0.414213562373095049), R(0.66817863791929892), 1, R(-0.66817863791929892)};
    /* clang-format on */
    /* factors m of twiddles of 0 to 14 32nds; then the factor for three steps divided by the factor for
     * one */
    /* clang-format off */
    FFT_CONSTANT times[] = {1, R(0.980785280403230449), R(0.923879532511286756), R(0.831469612302545237),
        R(0.707106781186547524), R(0.831469612302545237), R(0.923879532511286756), R(0.980785280403230449), 1,
        R(0.980785280403230449), R(0.923879532511286756), R(0.831469612302545237), R(-0.707106781186547524),
        R(-0.831469612302545237), R(-0.923879532511286756)};
    FFT_CONSTANT third[] = {1, R(0.847759065022573512), 1, R(1.17958042710327459), -1,
        R(-1.17958042710327459), -1, R(-0.847759065022573512)};
    /* clang-format on */
    struct fft_point u[4];
    UNROLL for (int j = 1; j < 4; j++)
    {
        const int k = j * step;
        u[j] = fft_lean((k > 4 && k < 12) || k > 20 ? fft_quarter(x[j]) : x[j], lean[k]);
    }
    const REAL m = times[step];
    const struct fft_point a = fft_add_times(x[0], times[2 * step], u[2]),
                           b = fft_add_times(x[0], -times[2 * step], u[2]),
                           c = fft_add_times(u[1], third[step], u[3]),
                           d = fft_quarter(fft_add_times(u[1], -third[step], u[3]));
    x[0] = fft_add_times(a, m, c);
    x[1] = fft_add_times(b, m, d);
    x[2] = fft_add_times(a, -m, c);
    x[3] = fft_add_times(b, -m, d);
}
#endif

DEVICE void fft_8(PRIVATE struct fft_point *x)
{
    const REAL root = R(0.707106781186547524401); /* square root of a half */
    struct fft_point even[4], odd[4];
    UNROLL for (int i = 0; i < 4; i++)
    {
        even[i] = x[2 * i];
        odd[i] = x[2 * i + 1];
    }
    fft_4(even);
    fft_4(odd);
    odd[2] = fft_quarter(odd[2]);
#ifdef FFT_FUSES
    odd[1] = fft_lean(odd[1], 1);
    odd[3] = fft_lean(odd[3], -1);
    UNROLL for (int i = 0; i < 4; i++)
    {
        const REAL m = i == 1 ? root : i == 3 ? -root : 1;
        x[i] = fft_add_times(even[i], m, odd[i]);
        x[i + 4] = fft_add_times(even[i], -m, odd[i]);
    }
#else
    odd[1] = fft_make(root * (odd[1].re + odd[1].im), root * (odd[1].im - odd[1].re));
    odd[3] = fft_make(root * (odd[3].im - odd[3].re), -root * (odd[3].re + odd[3].im));
    UNROLL for (int i = 0; i < 4; i++)
    {
        x[i] = fft_add(even[i], odd[i]);
        x[i + 4] = fft_subtract(even[i], odd[i]);
    }
#endif
}

#ifdef FFT_FUSES
/* Transforms columns of a points, then rows of four points with twiddles. */
#define FFT_FOURS(a, column_of, x)                                                     \
    do {                                                                               \
        struct fft_point y[4 * (a)];                                                   \
        UNROLL for (int column = 0; column < 4; column++)                              \
        {                                                                              \
            struct fft_point part[a];                                                  \
            UNROLL for (int i = 0; i < (a); i++) part[i] = (x)[column + 4 * i];        \
            column_of(part);                                                           \
            UNROLL for (int i = 0; i < (a); i++) y[4 * i + column] = part[i];          \
        }                                                                              \
        fft_4(y);                                                                      \
        UNROLL for (int i = 1; i < (a); i++) fft_4_twiddled(y + 4 * i, i * (8 / (a))); \
        UNROLL for (int k = 0; k < 4 * (a); k++)(x)[k] = y[k % (a)*4 + k / (a)];       \
    } while (0)

DEVICE void fft_16(PRIVATE struct fft_point *x)
{
    FFT_FOURS(4, fft_4, x);
}
#endif

/* Transforms an odd prime number of points. cosine, sine: of 2 pi k / radix. */
DEVICE void fft_odd(PRIVATE struct fft_point *x, const int radix, PRIVATE const REAL *cosine,
                    PRIVATE const REAL *sine)
{
    struct fft_point sum[7], difference[7], total = x[0];
    const struct fft_point first = x[0];
    UNROLL for (int k = 1; k <= radix / 2; k++)
    {
        sum[k] = fft_add(x[k], x[radix - k]);
        difference[k] = fft_subtract(x[k], x[radix - k]);
        total = fft_add(total, sum[k]);
    }
    UNROLL for (int m = 1; m <= radix / 2; m++)
    {
        struct fft_point even = first,
                         odd = fft_make(difference[1].im * sine[m], difference[1].re * -sine[m]);
        UNROLL for (int k = 1; k <= radix / 2; k++)
        {
            even.re += sum[k].re * cosine[k * m % radix];
            even.im += sum[k].im * cosine[k * m % radix];
        }
        UNROLL for (int k = 2; k <= radix / 2; k++)
        {
            odd.re += difference[k].im * sine[k * m % radix];
            odd.im -= difference[k].re * sine[k * m % radix];
        }
        x[m] = fft_add(even, odd);
        x[radix - m] = fft_subtract(even, odd);
    }
    x[0] = total;
}

DEVICE void fft_3(PRIVATE struct fft_point *x)
{
    FFT_CONSTANT cosine[3] = {1, R(-0.5), R(-0.5)};
    FFT_CONSTANT sine[3] = {0, R(0.866025403784438646764), R(-0.866025403784438646764)};
    fft_odd(x, 3, cosine, sine);
}

DEVICE void fft_5(PRIVATE struct fft_point *x)
{
    /* clang-format off */
    FFT_CONSTANT cosine[5] = {1, R(0.309016994374947424102), R(-0.809016994374947424102),
        R(-0.809016994374947424102), R(0.309016994374947424102)};
    FFT_CONSTANT sine[5] = {0, R(0.951056516295153572116), R(0.587785252292473129169),
        R(-0.587785252292473129169), R(-0.951056516295153572116)};
    /* clang-format on */
    fft_odd(x, 5, cosine, sine);
}

DEVICE void fft_7(PRIVATE struct fft_point *x)
{
    /* clang-format off */
    FFT_CONSTANT cosine[7] = {1, R(0.623489801858733530525), R(-0.222520933956314404289),
        R(-0.900968867902419126236), R(-0.900968867902419126236), R(-0.222520933956314404289),
        R(0.623489801858733530525)};
    FFT_CONSTANT sine[7] = {0, R(0.781831482468029808708), R(0.974927912181823607018),
        R(0.433883739117558120476), R(-0.433883739117558120476), R(-0.974927912181823607018),
        R(-0.781831482468029808708)};
    /* clang-format on */
    fft_odd(x, 7, cosine, sine);
}

DEVICE void fft_11(PRIVATE struct fft_point *x)
{
    /* clang-format off */
    FFT_CONSTANT cosine[11] = {1, R(0.841253532831181168862), R(0.415415013001886425529),
        R(-0.142314838273285140444), R(-0.654860733945285064057), R(-0.959492973614497389890),
        R(-0.959492973614497389890), R(-0.654860733945285064057), R(-0.142314838273285140444),
        R(0.415415013001886425529), R(0.841253532831181168862)};
    FFT_CONSTANT sine[11] = {0, R(0.540640817455597582108), R(0.909631995354518371412),
        R(0.989821441880932732376), R(0.755749574354258283774), R(0.281732556841429697711),
        R(-0.281732556841429697711), R(-0.755749574354258283774), R(-0.989821441880932732376),
        R(-0.909631995354518371412), R(-0.540640817455597582108)};
    /* clang-format on */
    fft_odd(x, 11, cosine, sine);
}

DEVICE void fft_13(PRIVATE struct fft_point *x)
{
    /* clang-format off */
    FFT_CONSTANT cosine[13] = {1, R(0.885456025653209895900), R(0.568064746731155802512),
        R(0.120536680255323053349), R(-0.354604887042535625970), R(-0.748510748171101098635),
        R(-0.970941817426052027157), R(-0.970941817426052027157), R(-0.748510748171101098635),
        R(-0.354604887042535625970), R(0.120536680255323053349), R(0.568064746731155802512),
        R(0.885456025653209895900)};
    FFT_CONSTANT sine[13] = {0, R(0.464723172043768545656), R(0.822983865893656394580),
        R(0.992708874098053992801), R(0.935016242685414823440), R(0.663122658240795202377),
        R(0.239315664287557767149), R(-0.239315664287557767149), R(-0.663122658240795202377),
        R(-0.935016242685414823440), R(-0.992708874098053992801), R(-0.822983865893656394580),
        R(-0.464723172043768545656)};
    /* clang-format on */
    fft_odd(x, 13, cosine, sine);
}

/* Transforms n points; n is a constant: 2 to 5 or 7. */
#define FFT_PART(n, x)     \
    do {                   \
        if ((n) == 2)      \
            fft_2(x);      \
        else if ((n) == 3) \
            fft_3(x);      \
        else if ((n) == 4) \
            fft_4(x);      \
        else if ((n) == 5) \
            fft_5(x);      \
        else               \
            fft_7(x);      \
    } while (0)

/* Transforms columns of a points, multiplies by the table's twiddles of a b, and transforms rows of b
 * points. */
DEVICE void fft_composite(PRIVATE struct fft_point *x, const int a, const int b, PRIVATE const REAL *cosine,
                          PRIVATE const REAL *sine)
{
    struct fft_point y[25];
    UNROLL for (int column = 0; column < b; column++)
    {
        struct fft_point part[5];
        UNROLL for (int i = 0; i < a; i++) part[i] = x[column + b * i];
        FFT_PART(a, part);
        UNROLL for (int i = 0; i < a; i++) y[i * b + column] =
            i > 0 && column > 0 ? fft_twiddle(part[i], cosine[i * column], sine[i * column]) : part[i];
    }
    UNROLL for (int row = 0; row < a; row++)
    {
        struct fft_point part[5];
        UNROLL for (int i = 0; i < b; i++) part[i] = y[row * b + i];
        FFT_PART(b, part);
        UNROLL for (int i = 0; i < b; i++) x[row + a * i] = part[i];
    }
}

/* Transforms a b points with coprime factors: point (b i + a j) mod (a b) is (i, j), and result k is (k
 * mod a, k mod b). */
DEVICE void fft_coprime(PRIVATE struct fft_point *x, const int a, const int b)
{
    struct fft_point y[15];
    UNROLL for (int j = 0; j < b; j++)
    {
        struct fft_point part[4];
        UNROLL for (int i = 0; i < a; i++) part[i] = x[(b * i + a * j) % (a * b)];
        FFT_PART(a, part);
        UNROLL for (int i = 0; i < a; i++) y[i * b + j] = part[i];
    }
    UNROLL for (int i = 0; i < a; i++) FFT_PART(b, y + i * b);
    UNROLL for (int k = 0; k < a * b; k++) x[k] = y[k % a * b + k % b];
}

/* Transforms three points with a sine that is rounded up. In double precision the sine of fft_3 is half a
 * unit in the last place too small, in every stage, which doubles the error of 3^11 points. Every other
 * stage uses this function. */
DEVICE void fft_3_above(PRIVATE struct fft_point *x)
{
    FFT_CONSTANT cosine[3] = {1, R(-0.5), R(-0.5)};
    FFT_CONSTANT sine[3] = {0, R(0.8660254037844387077), R(-0.8660254037844387077)};
    fft_odd(x, 3, cosine, sine);
}

DEVICE void fft_9(PRIVATE struct fft_point *x)
{
    /* clang-format off */
    FFT_CONSTANT cosine[5] = {1, R(0.766044443118978035202), R(0.173648177666930348852), R(-0.5),
        R(-0.939692620785908384054)};
    FFT_CONSTANT sine[5] = {0, R(0.642787609686539326323), R(0.984807753012208059367),
        R(0.866025403784438646764), R(0.342020143325668733044)};
    /* clang-format on */
    struct fft_point y[9];
    UNROLL for (int column = 0; column < 3; column++)
    {
        UNROLL for (int i = 0; i < 3; i++) y[3 * column + i] = x[column + 3 * i];
        fft_3(y + 3 * column);
        UNROLL for (int i = 1; i < 3; i++) if (column > 0) y[3 * column + i] =
            fft_twiddle(y[3 * column + i], cosine[i * column], sine[i * column]);
    }
    UNROLL for (int row = 0; row < 3; row++)
    {
        struct fft_point part[3];
        UNROLL for (int i = 0; i < 3; i++) part[i] = y[3 * i + row];
        fft_3_above(part);
        UNROLL for (int i = 0; i < 3; i++) x[row + 3 * i] = part[i];
    }
}

#ifndef FFT_FUSES
DEVICE void fft_16(PRIVATE struct fft_point *x)
{
    /* clang-format off */
    FFT_CONSTANT cosine[10] = {1, R(0.923879532511286756128), R(0.707106781186547524401),
        R(0.382683432365089771728), 0, R(-0.382683432365089771728), R(-0.707106781186547524401),
        R(-0.923879532511286756128), -1, R(-0.923879532511286756128)};
    FFT_CONSTANT sine[10] = {0, R(0.382683432365089771728), R(0.707106781186547524401),
        R(0.923879532511286756128), 1, R(0.923879532511286756128), R(0.707106781186547524401),
        R(0.382683432365089771728), 0, R(-0.382683432365089771728)};
    /* clang-format on */
    fft_composite(x, 4, 4, cosine, sine);
}
#endif

DEVICE void fft_25(PRIVATE struct fft_point *x)
{
    /* clang-format off */
    FFT_CONSTANT cosine[17] = {1, R(0.968583161128631119490), R(0.876306680043863587308),
        R(0.728968627421411523147), R(0.535826794978996618271), R(0.309016994374947424102),
        R(0.062790519529313376076), R(-0.187381314585724630543), R(-0.425779291565072648863),
        R(-0.637423989748689710177), R(-0.809016994374947424102), R(-0.929776485888251403661),
        R(-0.992114701314477831050), R(-0.992114701314477831050), R(-0.929776485888251403661),
        R(-0.809016994374947424102), R(-0.637423989748689710177)};
    FFT_CONSTANT sine[17] = {0, R(0.248689887164854788242), R(0.481753674101715274987),
        R(0.684547105928688673732), R(0.844327925502015078549), R(0.951056516295153572116),
        R(0.998026728428271561952), R(0.982287250728688681086), R(0.904827052466019527714),
        R(0.770513242775789230803), R(0.587785252292473129169), R(0.368124552684677959157),
        R(0.125333233564304245373), R(-0.125333233564304245373), R(-0.368124552684677959157),
        R(-0.587785252292473129169), R(-0.770513242775789230803)};
    /* clang-format on */
    fft_composite(x, 5, 5, cosine, sine);
}

/* Transforms `radix` points; radix is a constant. */
DEVICE void fft_radix(PRIVATE struct fft_point *x, const int radix)
{
    switch (radix) {
    case 2:
        fft_2(x);
        break;
    case 3:
        fft_3(x);
        break;
    case 4:
        fft_4(x);
        break;
    case 5:
        fft_5(x);
        break;
    case 6:
        fft_coprime(x, 2, 3);
        break;
    case 7:
        fft_7(x);
        break;
    case 8:
        fft_8(x);
        break;
    case 9:
        fft_9(x);
        break;
    case 10:
        fft_coprime(x, 2, 5);
        break;
    case 11:
        fft_11(x);
        break;
    case 12:
        fft_coprime(x, 4, 3);
        break;
    case 13:
        fft_13(x);
        break;
    case 14:
        fft_coprime(x, 2, 7);
        break;
    case 15:
        fft_coprime(x, 3, 5);
        break;
    case 16:
        fft_16(x);
        break;
    case 25:
        fft_25(x);
        break;
    default:
        break;
    }
}

#undef R
#endif
