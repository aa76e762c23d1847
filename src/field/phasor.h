/* SPDX-License-Identifier: BSD-3-Clause */
/* Sine, cosine, sinc and decay by short polynomials, in REAL; for variant files. Written for whole loops: no
 * branches, no calls, and no fused multiply-add is needed for the accuracy. Near-minimax coefficients from
 * Chebyshev expansions to 40 digits; the polynomials' own errors are below half a unit in the last place of 1
 * (sine 7e-9 and 3e-19, cosine 9e-10 and 4e-18, exponential 2e-9 and 3e-18, sinc 1e-9 and 6e-21). */
#ifndef FIELD_PHASOR_H
#define FIELD_PHASOR_H

#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

#if REAL_BITS == 32
typedef uint32_t real_bits;
#define ROUND 0x1.8p23f
enum { MANTISSA = 23 };
#define EXPONENT_LIMIT 126
#else
typedef uint64_t real_bits;
#define ROUND 0x1.8p52
enum { MANTISSA = 52 };
#define EXPONENT_LIMIT 1022
#endif

/* a + x rest: Horner's rule from the inside out */
#define P(a, rest) ((REAL)(a) + z * (rest))

/* The nearest whole number of |x| < 2^22, by pushing the fraction out of the mantissa. */
INLINE REAL nearest(REAL x)
{
    return (x + ROUND) - ROUND;
}

/* sin(2 pi r) and cos(2 pi r) for |r| <= 1/4 */
INLINE REAL quarter_sine(REAL r)
{
    const REAL z = r * r;
#if REAL_BITS == 32
    return r * P(6.28318528, P(-41.34168061, P(81.60247637, P(-76.58117264, (REAL)39.75982709))));
#else
    return r * P(6.2831853071795864756,
                 P(-41.341702240399756862,
                   P(81.605249276073615183,
                     P(-76.705859752824919209,
                       P(42.05869392542868225,
                         P(-15.094641676117900093,
                           P(3.8199280942271642021, P(-0.71773379214134533133, 0.10089695501646811163))))))));
#endif
}

INLINE REAL quarter_cosine(REAL r)
{
    const REAL z = r * r;
#if REAL_BITS == 32
    return P(1, P(-19.73920879, P(64.93938263, P(-85.45535748, P(60.17903829, (REAL)-25.21816227)))));
#else
    return P(1, P(-19.739208802178716986,
                  P(64.939394022667775603,
                    P(-85.456817206520344242,
                      P(60.244641349672369849,
                        P(-26.426255386496399498,
                          P(7.903488624557531597, P(-1.7134856385866276532, 0.27304915518927329087))))))));
#endif
}

INLINE REAL flip(REAL value, real_bits sign)
{
    real_bits bits;
    memcpy(&bits, &value, sizeof bits);
    bits ^= sign;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

/* cos and sin of a phase in turns: less the nearest half turn, which changes both signs where it is odd. */
INLINE void phasor(REAL turns, REAL *cosine, REAL *sine)
{
    const REAL shifted = 2 * turns + ROUND; /* its last bits are the number of half turns */
    const REAL r = turns - (REAL)0.5 * (shifted - ROUND);
    real_bits sign;
    memcpy(&sign, &shifted, sizeof sign);
    sign <<= REAL_BITS - 1;
    *cosine = flip(quarter_cosine(r), sign);
    *sine = flip(quarter_sine(r), sign);
}

/* sin(pi x)/(pi x) for |x| <= 1 */
INLINE REAL sinc_near(REAL x)
{
    const REAL z = x * x;
#if REAL_BITS == 32
    return P(0.9999999993,
             P(-1.644933993,
               P(0.8117412469, P(-0.1907447263, P(0.0261274297, P(-0.00231576324, (REAL)0.0001258077894))))));
#else
    return P(1.0, P(-1.644934066848226435,
                    P(0.8117424252833535608,
                      P(-0.1907518241220826663,
                        P(0.02614784781763986899,
                          P(-0.002346081035370792752,
                            P(0.000148428792724001212,
                              P(-6.975872931292151747e-6,
                                P(2.531205805359924118e-7,
                                  P(-7.30349325648854759e-9,
                                    P(1.708393739584888745e-10, -3.032898456344814471e-12)))))))))));
#endif
}

/* The same for any |x| < 2^22: sin(pi x) = (-1)^n sin(pi r), x = n + r. */
INLINE REAL sinc_any(REAL x)
{
    const REAL half = nearest((REAL)0.5 * x);
    const REAL whole = nearest(x), r = x - whole;
    const REAL odd = whole - 2 * half; /* 0 or +-1 */
    const REAL sign = 1 - 2 * odd * odd;
    const REAL z = r * r;
#if REAL_BITS == 32
    const REAL ratio =
        P(0.9999999957, P(-1.644933206, P(0.8117148427, P(-0.1904417527, (REAL)0.0247186446))));
#else
    const REAL ratio =
        P(0.9999999999999999998,
          P(-1.644934066848226302,
            P(0.8117424252833393294,
              P(-0.1907518241214961694,
                P(0.02614784780555096084,
                  P(-0.002346080895463960953,
                    P(0.0001484278414189102838, P(-6.972099660851199461e-6, 2.450294362455979298e-7))))))));
#endif
    const REAL numerator = whole == 0 ? 1 : sign * r, denominator = whole == 0 ? 1 : x;
    return ratio * numerator / denominator;
}

/* exp(-x); below the smallest normal number it stays there, which is nothing next to 1. */
INLINE REAL decay(REAL x)
{
    REAL y = x * (REAL)-1.442695040888963407;
    y = y < -EXPONENT_LIMIT ? -EXPONENT_LIMIT : y;
    y = y > EXPONENT_LIMIT ? EXPONENT_LIMIT : y;
    const REAL shifted = y + ROUND;
    const REAL z = y - (shifted - ROUND);
#if REAL_BITS == 32
    const REAL power =
        P(1.0,
          P(0.6931472067,
            P(0.2402265092, P(0.05550327227, P(0.009618056679, P(0.001340042818, (REAL)0.000154614447))))));
#else
    const REAL power = P(0.9999999999999999969,
                         P(0.6931471805599453093,
                           P(0.2402265069591015957,
                             P(0.05550410866482162704,
                               P(0.009618129107587256668,
                                 P(0.00133335581464064707,
                                   P(0.0001540353046372435421,
                                     P(0.00001525273384155677259,
                                       P(1.321543253591237617e-6,
                                         P(1.01780570877339411e-7,
                                           P(7.074194297288521006e-9, 4.455817908336064493e-10)))))))))));
#endif
    real_bits whole, bits; /* the low bits of `shifted` are the whole number: add it to the exponent */
    memcpy(&whole, &shifted, sizeof whole);
    memcpy(&bits, &power, sizeof bits);
    bits += whole << MANTISSA;
    REAL result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

#undef P
#endif
