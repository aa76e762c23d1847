/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments for pairs of pixels, which Toeplitz embedding needs: sum_l a_l(t) conj(b_l(n)) b_l(m) against
 * exp(-(conj(z_n) + z_m) t) of every pair and sample. */
#include "segments.h"
#include "segments/doubled.h"

enum { PIXELS = 150, SAMPLES = 120 };

static double pair_error(const segments_doubled *s, const field_case *c)
{
    double *a = as_doubles(s->time), *b = as_doubles(s->space), difference = 0, all = 0;
    for (int n = 0; n < PIXELS; n++)
        for (int m = 0; m < PIXELS; m++)
            for (int j = 0; (!c->mask || c->mask[n] * c->mask[m] != 0) && j < SAMPLES; j++) {
                const double size = exp(-(c->decay ? c->decay[n] + c->decay[m] : 0) * c->t[j]);
                double complex rest = size * cexp(-I * (c->w[m] - c->w[n]) * c->t[j]);
                for (int l = 0; l < s->terms; l++) {
                    const double *bn = b + 2 * (l * PIXELS + n), *bm = b + 2 * (l * PIXELS + m);
                    rest -= a[l * SAMPLES + j] * CMPLX(bn[0], -bn[1]) * CMPLX(bm[0], bm[1]);
                }
                difference += creal(rest * conj(rest));
                all += size * size;
            }
    free(a);
    free(b);
    return sqrt(difference / all);
}

/* With decay the histogram puts pixels together, so what it says of the error is right to some percent. */
static void check(argand_type type, bool decay, bool mask, double hertz, double tolerance)
{
    field_case c = new_case(PIXELS, SAMPLES, decay, mask);
    random_state state = {5};
    segments_doubled s;
    for (int n = 0; n < PIXELS; n++) {
        c.w[n] = 6.283185307179586 * (200 + hertz * (2 * random_uniform(&state) - 1));
        if (decay) c.decay[n] = 10 + 60 * random_uniform(&state);
        if (mask) c.mask[n] = random_uniform(&state) < 0.5;
    }
    for (int j = 0; j < SAMPLES; j++) c.t[j] = 0.03 + 0.02 * random_uniform(&state);
    const argand_type real = type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    argand_array *t = reals(real, SAMPLES, c.t), *w = reals(real, PIXELS, c.w),
                 *r = decay ? reals(real, PIXELS, c.decay) : NULL,
                 *in = mask ? reals(real, PIXELS, c.mask) : NULL;
    OK(segments_doubled_make(
        &s, device,
        &(argand_segments_options){
            .type = type, .t = t, .field_map = w, .r2star = r, .mask = in, .tolerance = tolerance}));
    const double error = pair_error(&s, &c);
    CHECK_BELOW(error, tolerance * (decay ? 1.05 : 1) + (type == ARGAND_C32 ? 2e-7 : 0));
    CHECK_BELOW(s.error, tolerance);
    CHECK_BELOW(s.terms, 4 * hertz * 0.02 + 12); /* the turns of a pair, and some for the tolerance */
    segments_doubled_release(&s);
    argand_array *const arrays[] = {t, w, r, in};
    for (int i = 0; i < 4; i++) argand_array_destroy(arrays[i]);
    free_case(&c);
}

static void pairs(void **state)
{
    (void)state;
    check(ARGAND_C64, false, false, 100, 1e-3);
    check(ARGAND_C32, false, true, 150, 1e-4);
    check(ARGAND_C64, true, false, 60, 1e-3);
    check(ARGAND_C64, true, true, 150, 1e-5);
}

/* A constant field turns no pair; one term, a = 1 everywhere up to the decay. */
static void constant(void **state)
{
    (void)state;
    check(ARGAND_C64, false, false, 0, 1e-6);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(pairs), cmocka_unit_test(constant)};
RUN_TESTS(tests)
