/* SPDX-License-Identifier: BSD-3-Clause */
/* The number of segments from a tolerance, over 200 random fields and readouts: the tolerance is never missed
 * by the arrays themselves over all pixels and samples, and the terms are at most two more than the singular
 * values of the whole matrix of pixels and samples allow. */
#include "segments.h"

enum { FIELDS = 200, SAMPLES = 72 };

static const double two_pi = 6.283185307179586;

static double between(random_state *state, double low, double high)
{
    return low + (high - low) * random_uniform(state);
}

static int one_of(random_state *state, int count)
{
    return (int)(random_uniform(state) * count);
}

/* Uniform, normal, two lobes, five values, smooth with a few far pixels. */
static double frequency_of(random_state *state, int kind, double range, int n)
{
    switch (kind) {
    case 0:
        return between(state, -range, range);
    case 1:
        return fmin(range, fmax(-range, range / 3 * random_normal(state)));
    case 2:
        return (n % 2 ? 0.8 : -0.7) * range + 0.1 * range * random_normal(state);
    case 3:
        return range * (one_of(state, 5) - 2) / 2;
    default:
        return n % 60 == 7 ? range * (n % 120 == 7 ? 1 : -1) : 0.2 * range * sin(0.05 * n);
    }
}

/* With few pixels segments are designed with each of them, with many and decay with cells of a histogram. */
static field_case random_case(random_state *state, int pixels, double *tolerance)
{
    field_case c = new_case(pixels, SAMPLES, pixels > 1000 || one_of(state, 2), one_of(state, 3) == 0);
    const int kind = one_of(state, 5), shots = 1 + one_of(state, 3), order = one_of(state, 2);
    const double range = two_pi * between(state, 0, 250), middle = two_pi * between(state, -300, 300);
    const double readout = between(state, 1e-3, 0.04), echo = between(state, 0, 0.08);
    const double decay = between(state, 0, 80);
    for (int n = 0; n < pixels; n++) {
        c.w[n] = middle + frequency_of(state, kind, range, n);
        if (c.decay) c.decay[n] = decay * random_uniform(state);
        if (c.mask) c.mask[n] = n == 0 || random_uniform(state) < 0.7;
    }
    for (int j = 0; j < SAMPLES; j++) {
        const int place = order ? j * 29 % SAMPLES : j;
        c.t[j] = echo + readout * (place % (SAMPLES / shots)) / (SAMPLES / shots);
    }
    *tolerance = pow(10, between(state, -5, -1.5));
    return c;
}

/* ---- the truth: eigenvalues of E^H E, samples by samples ---- */

static double complex gram[SAMPLES][SAMPLES];

static void fill_gram(const field_case *c)
{
    memset(gram, 0, sizeof gram);
    for (int64_t n = 0; n < c->pixels; n++) {
        double complex e[SAMPLES];
        if (c->mask && c->mask[n] == 0) continue;
        for (int j = 0; j < SAMPLES; j++)
            e[j] = exp(-(c->decay ? c->decay[n] : 0) * c->t[j]) * cexp(-I * c->w[n] * c->t[j]);
        for (int i = 0; i < SAMPLES; i++)
            for (int j = 0; j < SAMPLES; j++) gram[i][j] += conj(e[i]) * e[j];
    }
}

/* One rotation of Jacobi's method for a Hermitian matrix. */
static void rotate(int p, int q)
{
    const double size = cabs(gram[p][q]);
    if (size < 1e-15 * creal(gram[0][0])) return; /* far below the square of any tolerance */
    const double complex phase = gram[p][q] / size;
    const double zeta = creal(gram[q][q] - gram[p][p]) / (2 * size);
    const double t = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta)), c = 1 / hypot(1, t), s = c * t;
    for (int k = 0; k < SAMPLES; k++) {
        const double complex a = gram[k][p], b = gram[k][q];
        gram[k][p] = c * a - s * conj(phase) * b;
        gram[k][q] = s * phase * a + c * b;
    }
    for (int k = 0; k < SAMPLES; k++) {
        const double complex a = gram[p][k], b = gram[q][k];
        gram[p][k] = c * a - s * phase * b;
        gram[q][k] = s * conj(phase) * a + c * b;
    }
}

static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Terms that the SVD needs: what the others hold is below the tolerance. Eigenvalues are right to 1e-15 of
 * the largest, far below the square of the smallest tolerance. */
static int optimum(const field_case *c, double tolerance)
{
    double value[SAMPLES], all = 0, rest = 0;
    int terms = SAMPLES;
    fill_gram(c);
    for (int sweep = 0; sweep < 12; sweep++)
        for (int p = 0; p < SAMPLES; p++)
            for (int q = p + 1; q < SAMPLES; q++) rotate(p, q);
    for (int i = 0; i < SAMPLES; i++) all += value[i] = creal(gram[i][i]);
    qsort(value, SAMPLES, sizeof *value, falling);
    while (terms > 1 && (rest += value[terms - 1]) <= tolerance * tolerance * all) terms--;
    return terms;
}

typedef struct tally {
    int more[4], svd, terms;
} tally;

static void check(random_state *state, argand_type type, bool frequency, int pixels, tally *sum)
{
    double tolerance;
    field_case c = random_case(state, pixels, &tolerance);
    argand_segments *s;
    argand_segments_info info;
    OK(create(&s, &c,
              (argand_segments_options){.type = type, .frequency = frequency, .tolerance = tolerance}));
    argand_segments_describe(s, &info);
    const misfit is = true_error(s, &c);
    const int least = optimum(&c, tolerance), more = info.terms - least;
    if (is.rms > tolerance || more > 2)
        fail_msg("error %.6g of %.6g with %d terms by %s; the SVD takes %d", is.rms, tolerance, info.terms,
                 argand_interpolator_name(info.interpolator), least);
    CHECK_BELOW(fabs(info.error - is.rms), 1e-6 * is.rms + (type == ARGAND_C32 ? 2e-7 : 1e-12));
    CHECK_BELOW(fabs(info.largest - is.largest), /* a rounding for each term */
                1e-6 * is.largest + info.terms * (type == ARGAND_C32 ? 2e-7 : 1e-12));
    assert_true(more >= 0 && abs(info.optimum - least) <= 1); /* with decay the histogram is coarse */
    sum->more[more]++;
    sum->terms += info.terms;
    sum->svd += info.interpolator == ARGAND_INTERPOLATE_SVD;
    argand_segments_destroy(s);
    free_case(&c);
}

static void many(argand_type type, bool frequency, int fields, int pixels)
{
    tally sum = {0};
    random_state state = {7};
    for (int i = 0; i < fields; i++) check(&state, type, frequency, pixels, &sum);
    printf("%d fields: %d with as many terms as the SVD, %d with one more, %d with two; %d by the SVD; %.1f "
           "terms\n",
           fields, sum.more[0], sum.more[1], sum.more[2], sum.svd, sum.terms / (double)fields);
}

static void time_double(void **state)
{
    (void)state;
    many(ARGAND_C64, false, FIELDS, 240);
}

static void time_single(void **state)
{
    (void)state;
    many(ARGAND_C32, false, FIELDS, 240);
}

static void frequency_double(void **state)
{
    (void)state;
    many(ARGAND_C64, true, FIELDS, 240);
}

static void many_pixels(void **state)
{
    (void)state;
    many(ARGAND_C64, false, 30, 4003);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(time_double), cmocka_unit_test(time_single),
                                          cmocka_unit_test(frequency_double), cmocka_unit_test(many_pixels)};
RUN_TESTS(tests)
