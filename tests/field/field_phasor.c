/* SPDX-License-Identifier: BSD-3-Clause */
/* The polynomials alone, in both precisions, against long double. Limits are a few roundings: 2^-24 = 6e-8
 * and 2^-53 = 1.1e-16. */
#include "harness.h"

#define REAL float
#define REAL_BITS 32
#define phasor phasor_f32
#define nearest nearest_f32
#define quarter_sine quarter_sine_f32
#define quarter_cosine quarter_cosine_f32
#define flip flip_f32
#define sinc_near sinc_near_f32
#define sinc_any sinc_any_f32
#define decay decay_f32
#define real_bits real_bits_f32
#define MANTISSA MANTISSA_f32
#include "field/phasor.h"
#undef FIELD_PHASOR_H
#undef REAL
#undef REAL_BITS
#undef phasor
#undef nearest
#undef quarter_sine
#undef quarter_cosine
#undef flip
#undef sinc_near
#undef sinc_any
#undef decay
#undef real_bits
#undef MANTISSA
#undef INLINE
#undef ROUND
#undef EXPONENT_LIMIT
#define REAL double
#define REAL_BITS 64
#include "field/phasor.h"

enum { STEPS = 200000 };
static const long double pi = 3.14159265358979323846264338328L;

static long double distance(long double a, long double b)
{
    return fabsl(a - b);
}

/* A whole turn is one period: also phases of many turns, which are exact in binary here. */
static void sine_and_cosine(void **state)
{
    (void)state;
    long double worst_f32 = 0, worst_f64 = 0;
    for (int i = -STEPS; i <= STEPS; i++) {
        const float x = (float)i / STEPS * 3.3f;
        const double y = (double)i / STEPS * 3.3 + 77;
        float c, s;
        double cd, sd;
        phasor_f32(x, &c, &s);
        phasor(y, &cd, &sd);
        const long double a = 2 * pi * ((long double)x - rintl(x)), b = 2 * pi * ((long double)y - rintl(y));
        worst_f32 = fmaxl(worst_f32, fmaxl(distance(c, cosl(a)), distance(s, sinl(a))));
        worst_f64 = fmaxl(worst_f64, fmaxl(distance(cd, cosl(b)), distance(sd, sinl(b))));
    }
    printf("phasor: %.2Lg, %.2Lg\n", worst_f32, worst_f64);
    CHECK_BELOW((double)worst_f32, 2.5e-7);
    CHECK_BELOW((double)worst_f64, 4.5e-16);
}

static long double true_sinc(long double x)
{
    return x == 0 ? 1 : sinl(pi * x) / (pi * x);
}

static void sinc(void **state)
{
    (void)state;
    long double worst_f32 = 0, worst_f64 = 0;
    for (int i = -STEPS; i <= STEPS; i++) {
        const double y = (double)i / STEPS;
        const float x = (float)y, far = (float)(7 * y);
        worst_f32 = fmaxl(worst_f32, distance(sinc_near_f32(x), true_sinc(x)));
        worst_f32 = fmaxl(worst_f32, distance(sinc_any_f32(far), true_sinc(far)));
        worst_f64 = fmaxl(worst_f64, distance(sinc_near(y), true_sinc(y)));
        worst_f64 = fmaxl(worst_f64, distance(sinc_any(7 * y), true_sinc(7 * y)));
    }
    printf("sinc: %.2Lg, %.2Lg\n", worst_f32, worst_f64);
    CHECK_BELOW((double)worst_f32, 2e-7);
    CHECK_BELOW((double)worst_f64, 4e-16);
    assert_true(sinc_near(0) == 1 && sinc_any(0) == 1);
    assert_true(fabs(sinc_any(3.0)) < 1e-16 && fabs(sinc_any(1e-300) - 1) < 1e-15);
}

static void exponential(void **state)
{
    (void)state;
    long double worst_f32 = 0, worst_f64 = 0; /* relative to 1, or to the value where that is greater */
    for (int i = -STEPS; i <= STEPS; i++) {
        const double y = 40.0 * i / STEPS;
        const float x = (float)y;
        worst_f32 = fmaxl(worst_f32, distance(decay_f32(x), expl(-(long double)x)) /
                                         fmaxl(1, expl(-(long double)x)) / fmaxl(1, fabsl(x)));
        worst_f64 = fmaxl(worst_f64, distance(decay(y), expl(-(long double)y)) /
                                         fmaxl(1, expl(-(long double)y)) / fmaxl(1, fabsl(y)));
    }
    printf("decay: %.2Lg, %.2Lg\n", worst_f32, worst_f64);
    CHECK_BELOW((double)worst_f32, 1.5e-7);
    CHECK_BELOW((double)worst_f64, 3e-16);
    assert_true(decay_f32(1e9f) < 1e-37f && decay(1e9) < 1e-300);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(sine_and_cosine), cmocka_unit_test(sinc),
                                          cmocka_unit_test(exponential)};

RUN_TESTS(tests)
