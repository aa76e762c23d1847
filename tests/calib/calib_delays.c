/* SPDX-License-Identifier: BSD-3-Clause */
/* Delays that were put into simulated data are found again, and taken out. */
#include "harness.h"

/* -------- EPI: reference lines of an object known in closed form, k-space at any position. */

enum { SAMPLES = 63, LINES = 3, COILS = 2 };

/* Two Gaussians along the readout, in fields of view; its transform at k. Coils see them differently. */
static double complex object(double k, int coil)
{
    const double pi = acos(-1.0);
    const double place[2] = {-0.13, 0.21}, width[2] = {0.06, 0.04}, size[2] = {1, coil ? 0.3 : 0.8};
    double complex sum = 0;
    for (int g = 0; g < 2; g++)
        sum +=
            size[g] * exp(-2 * pow(pi * width[g] * k, 2)) * cexp(-2 * pi * I * (k * place[g] + 0.1 * coil));
    return sum;
}

/* Forward, reversed, forward: the reversed line's echo `shift` samples late, with a phase; the phase of all
 * drifts by `drift` a line. */
static argand_array *train(argand_type type, double shift, double constant, double drift, double noise)
{
    argand_array *wide, *lines;
    const int64_t dims[3] = {SAMPLES, LINES, COILS};
    double complex v[SAMPLES * LINES * COILS];
    for (int i = 0; i < SAMPLES * LINES * COILS; i++) {
        const int j = i % SAMPLES, l = i / SAMPLES % LINES;
        const double k = j - SAMPLES / 2;
        v[i] = object(l == 1 ? k - shift : k, i / (SAMPLES * LINES)) *
               cexp(I * (drift * l + (l == 1 ? constant : 0)));
    }
    OK(argand_array_create(&wide, device, ARGAND_C64, 3, dims));
    OK(argand_array_upload(wide, v));
    if (noise > 0) OK(argand_noise_add(wide, noise, 5));
    OK(argand_array_create(&lines, device, type, 3, dims));
    OK(argand_array_copy(lines, wide));
    argand_array_destroy(wide);
    return lines;
}

static const bool reversed[LINES] = {false, true, false};

/* The objects' spectra are below 1e-8 at the rim, and images vanish at the ends of the field of view, so that
 * a shift is exact to rounding. */
static void epi_is_found(void **state)
{
    (void)state;
    const double shifts[] = {0, 0.37, -2.6, 8}, constants[] = {0.4, -3, 2.2, 0};
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < 4; i++) {
            argand_array *lines = train(p ? ARGAND_C64 : ARGAND_C32, shifts[i], constants[i], 0.1, 0);
            argand_epi_phase phase;
            OK(argand_epi_phase_estimate(&phase, lines, reversed));
            CHECK_BELOW(fabs(phase.shift - shifts[i]), p ? 1e-5 : 1e-4);
            CHECK_BELOW(fabs(phase.constant - constants[i]), p ? 1e-5 : 1e-4);
            OK(argand_epi_phase_correct(lines, reversed, &phase));
            OK(argand_epi_phase_estimate(&phase, lines, reversed));
            CHECK_BELOW(fabs(phase.shift), p ? 1e-5 : 1e-4);
            double complex *v = (double complex *)as_doubles(lines);
            double worst = 0;
            for (int j = 10; j < SAMPLES - 10;
                 j++) /* the reversed line is the mean of its neighbours in phase */
                worst = fmax(worst, cabs(v[SAMPLES + j] * cexp(-0.1 * I) - v[j]));
            CHECK_BELOW(worst, 1e-3);
            free(v);
            argand_array_destroy(lines);
        }
}

/* Noise of 1 % of the peak: the shift is found to some hundredths of a sample, the phase to some hundredths
 * of a radian. */
static void epi_with_noise(void **state)
{
    (void)state;
    argand_array *lines = train(ARGAND_C32, 1.3, 0.7, 0, 0.01);
    argand_epi_phase phase;
    OK(argand_epi_phase_estimate(&phase, lines, reversed));
    CHECK_BELOW(fabs(phase.shift - 1.3), 0.03);
    CHECK_BELOW(fabs(phase.constant - 0.7), 0.03);
    argand_array_destroy(lines);
}

/* -------- radial */

typedef struct radial {
    argand_array *k[3], *t, *samples;
} radial;

/* Spokes of the phantom, measured at k + S n but thought to be at k. */
static radial make_radial(argand_type type, int shots, bool golden, const argand_radial_delay *d,
                          double noise)
{
    enum { N = 64, NY = 52, FINE = 2, PARTS = 3 }; /* the field of view is smaller in y */
    radial r = {.k = {NULL}};
    argand_array *true_k[2], *fine, *maps, *wide;
    OK(argand_trajectory_make(
        r.k, &r.t, device, ARGAND_R64,
        &(argand_trajectory_options){.kind = ARGAND_RADIAL, .n = {N, NY}, .shots = shots, .golden = golden}));
    const int64_t samples = argand_array_dim(r.t, 0), dims[3] = {samples, shots, PARTS};
    for (int axis = 0; axis < 2; axis++) {
        OK(argand_array_create(&true_k[axis], device, ARGAND_R64, 2, dims));
        OK(argand_array_copy(true_k[axis], r.k[axis]));
    }
    OK(argand_radial_delay_correct(true_k, d));
    OK(argand_array_create(&fine, device, ARGAND_R64, 2, (const int64_t[2]){FINE * N, FINE * NY}));
    OK(argand_array_create(&maps, device, ARGAND_C64, 3, (const int64_t[3]){FINE * N, FINE * NY, PARTS}));
    OK(argand_phantom_image(fine, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_coils_birdcage(maps));
    OK(argand_array_create(&wide, device, ARGAND_C64, 3, dims));
    OK(argand_simulate(
        wide,
        &(argand_simulation){.image = fine, .coil_maps = maps, .k = {true_k[0], true_k[1]}, .n = {N, NY}}));
    double largest;
    OK(argand_array_max_abs(&largest, wide));
    if (noise > 0) OK(argand_noise_add(wide, noise * largest, 6));
    OK(argand_array_create(&r.samples, device, type, 3, dims));
    OK(argand_array_copy(r.samples, wide));
    argand_array_destroy(wide);
    argand_array_destroy(maps);
    argand_array_destroy(fine);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(true_k[axis]);
    return r;
}

static void release(radial *r)
{
    argand_array_destroy(r->samples);
    argand_array_destroy(r->t);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(r->k[axis]);
}

/* In samples; spokes have two samples a cycle. Spokes over 180 degrees, evenly and by the
 * golden angle. */
static void radial_is_found(void **state)
{
    (void)state;
    const argand_radial_delay delays[] = {{0, 0, 0}, {0.3, -0.2, 0.05}, {-0.8, 0.6, -0.1}, {2.2, 1.8, 0.3}};
    for (int i = 0; i < 4; i++)
        for (int golden = 0; golden < 2; golden++) {
            radial r = make_radial(golden ? ARGAND_C32 : ARGAND_C64, golden ? 33 : 60, golden, &delays[i], 0);
            argand_radial_delay d;
            OK(argand_radial_delay_estimate(&d, r.samples, r.k));
            printf("delay %6.3f %6.3f %6.3f found as %6.3f %6.3f %6.3f\n", delays[i].xx, delays[i].yy,
                   delays[i].xy, d.xx, d.yy, d.xy);
            CHECK_BELOW(fabs(d.xx - delays[i].xx), 0.01);
            CHECK_BELOW(fabs(d.yy - delays[i].yy), 0.01);
            CHECK_BELOW(fabs(d.xy - delays[i].xy), 0.01);
            release(&r);
        }
}

static void radial_with_noise(void **state)
{
    (void)state;
    const argand_radial_delay truth = {0.45, -0.35, 0.1};
    radial r = make_radial(ARGAND_C32, 48, false, &truth, 0.003);
    argand_radial_delay d;
    OK(argand_radial_delay_estimate(&d, r.samples, r.k));
    CHECK_BELOW(fabs(d.xx - truth.xx), 0.03);
    CHECK_BELOW(fabs(d.yy - truth.yy), 0.03);
    CHECK_BELOW(fabs(d.xy - truth.xy), 0.03);
    release(&r);
}

static void refusals(void **state)
{
    (void)state;
    const bool none[LINES] = {false, false, false};
    argand_epi_phase phase = {0, 0};
    argand_array *lines = train(ARGAND_C64, 0, 0, 0, 0);
    FAILS(argand_epi_phase_estimate(&phase, lines, none), ARGAND_ARGUMENT,
          "no forward line next to a reversed one");
    FAILS(argand_epi_phase_estimate(&phase, lines, NULL), ARGAND_ARGUMENT, "which lines are reversed");
    phase.shift = NAN;
    FAILS(argand_epi_phase_correct(lines, reversed, &phase), ARGAND_ARGUMENT, "not finite");
    OK(argand_array_fill(lines, (argand_scalar){0, 0}));
    FAILS(argand_epi_phase_estimate(&phase, lines, reversed), ARGAND_NUMERIC, "no signal");
    argand_radial_delay d = {0, 0, 0};
    radial r = make_radial(ARGAND_C64, 8, false, &d, 0);
    argand_array *const *k = r.k;
    FAILS(argand_radial_delay_estimate(&d, lines, k), ARGAND_ARGUMENT, "positions of axis 0");
    FAILS(argand_radial_delay_estimate(&d, r.samples, NULL), ARGAND_ARGUMENT, "two arrays");
    argand_array *const swapped[2] = {r.k[0], r.t};
    FAILS(argand_radial_delay_estimate(&d, r.samples, swapped), ARGAND_ARGUMENT, "is not a straight line");
    OK(argand_array_fill(r.samples, (argand_scalar){0, 0}));
    FAILS(argand_radial_delay_estimate(&d, r.samples, k), ARGAND_NUMERIC, "no signal");
    release(&r);
    argand_array_destroy(lines);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(epi_is_found),      cmocka_unit_test(epi_with_noise), cmocka_unit_test(radial_is_found),
    cmocka_unit_test(radial_with_noise), cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
