/* SPDX-License-Identifier: BSD-3-Clause */
/* R2* of simulated echoes: exact without noise; with noise unbiased, with errors that are what the spread is;
 * magnitudes with their noise floor. */
#include "harness.h"

enum { ECHOES = 8 };
static const double times[ECHOES] = {0.002, 0.005, 0.009, 0.014, 0.02, 0.027, 0.035, 0.045};

/* Echoes of nx x ny pixels with one r2star; the frequency varies by pixel up to +-500 rad/s. */
static argand_array *echoes(int64_t nx, int64_t ny, double r2star, double noise, bool magnitude,
                            argand_type type)
{
    const int64_t dims[3] = {nx, ny, ECHOES}, pixels = nx * ny;
    random_state state = {7};
    argand_array *wide, *out;
    double *y = malloc((size_t)(2 * pixels * ECHOES) * sizeof *y);
    for (int64_t i = 0; i < pixels; i++) {
        const double omega = 1000 * (random_uniform(&state) - 0.5);
        for (int e = 0; e < ECHOES; e++) {
            const double complex z = cexp(CMPLX(-r2star * times[e], -omega * times[e] + 1)) +
                                     noise * CMPLX(random_normal(&state), random_normal(&state));
            const int64_t at = e * pixels + i;
            if (magnitude)
                y[at] = cabs(z);
            else
                memcpy(y + 2 * at, &z, sizeof z);
        }
    }
    OK(argand_array_create(&wide, device, magnitude ? ARGAND_R64 : ARGAND_C64, 3, dims));
    OK(argand_array_create(&out, device, type, 3, dims));
    OK(argand_array_upload(wide, y));
    OK(argand_array_copy(out, wide));
    argand_array_destroy(wide);
    free(y);
    return out;
}

typedef struct result {
    double mean, spread, error, amplitude;
    argand_t2star_report report;
} result;

static result fit(const argand_array *y, const argand_array *mask, double noise)
{
    const int64_t dims[2] = {argand_array_dim(y, 0), argand_array_dim(y, 1)}, pixels = dims[0] * dims[1];
    argand_array *map[4];
    result r = {0};
    for (int k = 0; k < 4; k++) OK(argand_array_create(&map[k], device, ARGAND_R64, 2, dims));
    const argand_t2star_maps maps = {map[0], map[1], map[2], map[3]};
    const argand_echo_options o = {.echo_count = ECHOES, .echo_times = times, .mask = mask, .noise = noise};
    OK(argand_t2star_fit(&maps, y, &o, &r.report));
    double *v[4];
    for (int k = 0; k < 4; k++) v[k] = as_doubles(map[k]);
    for (int64_t i = 0; i < pixels; i++) {
        r.mean += v[0][i] / (double)pixels;
        r.spread += v[0][i] * v[0][i] / (double)pixels;
        r.error += v[3][i] * v[3][i] / (double)pixels;
        r.amplitude += v[2][i] / (double)pixels;
        if (v[0][i] > 0) CHECK_BELOW(fabs(v[1][i] * v[0][i] - 1), 1e-12);
    }
    r.spread = sqrt(fmax(r.spread - r.mean * r.mean, 0));
    r.error = sqrt(r.error);
    printf("R2* %.3f +- %.3f, error %.3f, amplitude %.4f, noise %.4f\n", r.mean, r.spread, r.error,
           r.amplitude, r.report.noise);
    for (int k = 0; k < 4; k++) {
        free(v[k]);
        argand_array_destroy(map[k]);
    }
    return r;
}

static void without_noise(void **state)
{
    (void)state;
    const double rates[] = {2, 50, 400};
    for (int k = 0; k < 6; k++) {
        const bool magnitude = k % 2;
        argand_array *y = echoes(7, 5, rates[k / 2], 0, magnitude, magnitude ? ARGAND_R64 : ARGAND_C64);
        const result r = fit(y, NULL, magnitude ? -1 : 0);
        CHECK_BELOW(fabs(r.mean - rates[k / 2]), 1e-5 * rates[k / 2]);
        CHECK_BELOW(r.spread, 1e-5 * rates[k / 2]);
        CHECK_BELOW(fabs(r.amplitude - 1), 1e-6);
        assert_int_equal(r.report.inside, 35);
        assert_int_equal(r.report.limited, 0);
        argand_array_destroy(y);
    }
}

/* The mean of 6400 pixels is known to 1/80 of their spread. */
static void with_noise(void **state)
{
    (void)state;
    const double rates[] = {10, 50, 150};
    for (int k = 0; k < 3; k++) {
        argand_array *y = echoes(80, 80, rates[k], 0.02, false, ARGAND_C32);
        result r = fit(y, NULL, 0);
        CHECK_BELOW(fabs(r.mean - rates[k]), 0.06 * r.spread);
        CHECK_BELOW(fabs(r.error / r.spread - 1), 0.05);
        r = fit(y, NULL, 0.02);
        CHECK_BELOW(fabs(r.error / r.spread - 1), 0.05);
        argand_array_destroy(y);
    }
}

/* The later half of the echoes is noise: without the floor R2* comes out too small by 0.4 of the spread. */
static void noise_floor(void **state)
{
    (void)state;
    argand_array *y = echoes(80, 80, 150, 0.04, true, ARGAND_R32);
    result r = fit(y, NULL, 0);
    CHECK_BELOW(fabs(r.report.noise / 0.04 - 1), 0.1);
    CHECK_BELOW(fabs(r.mean - 150), 0.15 * r.spread);
    CHECK_BELOW(fabs(r.error / r.spread - 1), 0.15);
    r = fit(y, NULL, 0.04);
    CHECK_BELOW(fabs(r.mean - 150), 0.15 * r.spread);
    r = fit(y, NULL, -1);
    assert_true(r.mean < 150 - 0.3 * r.spread);
    argand_array_destroy(y);
}

static void masks_and_threads(void **state)
{
    (void)state;
    argand_array *y = echoes(9, 11, 40, 0.02, false, ARGAND_C32), *mask, *map;
    double chosen[99] = {0}, *first, *second;
    chosen[13] = chosen[98] = 1;
    OK(argand_array_create(&mask, device, ARGAND_R64, 2, (const int64_t[2]){9, 11}));
    OK(argand_array_create(&map, device, ARGAND_R32, 2, (const int64_t[2]){9, 11}));
    OK(argand_array_upload(mask, chosen));
    const argand_t2star_maps maps = {.r2star = map};
    argand_echo_options o = {.echo_count = ECHOES, .echo_times = times, .mask = mask};
    argand_t2star_report report;
    OK(argand_t2star_fit(&maps, y, &o, &report));
    assert_int_equal(report.inside, 2);
    first = as_doubles(map);
    for (int i = 0; i < 99; i++) assert_true((first[i] > 0) == (i == 13 || i == 98));
    const int threads = argand_device_threads(device);
    OK(argand_device_set_threads(device, 3));
    OK(argand_t2star_fit(&maps, y, &o, NULL));
    OK(argand_device_set_threads(device, threads));
    second = as_doubles(map);
    assert_memory_equal(first, second, sizeof chosen);
    free(second);
    free(first);
    memset(chosen, 0, sizeof chosen);
    OK(argand_array_upload(mask, chosen));
    FAILS(argand_t2star_fit(&maps, y, &o, NULL), ARGAND_ARGUMENT, "the mask is empty");
    argand_array_destroy(map);
    argand_array_destroy(mask);
    argand_array_destroy(y);
}

/* A pixel without signal in the mask: a zero that is counted as limited, not a NaN. */
static void no_signal(void **state)
{
    (void)state;
    const int64_t dims[3] = {3, 2, ECHOES};
    double y[6 * ECHOES], inside[6] = {1, 1, 1, 1, 1, 1}, *v[3];
    argand_array *echoes, *mask, *map[3];
    argand_t2star_report report;
    for (int i = 0; i < 6 * ECHOES; i++) y[i] = i % 6 == 4 ? 0 : exp(-40 * times[i / 6]);
    OK(argand_array_create(&echoes, device, ARGAND_R64, 3, dims));
    OK(argand_array_create(&mask, device, ARGAND_R64, 2, dims));
    OK(argand_array_upload(echoes, y));
    OK(argand_array_upload(mask, inside));
    for (int k = 0; k < 3; k++) OK(argand_array_create(&map[k], device, ARGAND_R64, 2, dims));
    const argand_t2star_maps maps = {.r2star = map[0], .amplitude = map[1], .error = map[2]};
    const argand_echo_options o = {.echo_count = ECHOES, .echo_times = times, .mask = mask};
    OK(argand_t2star_fit(&maps, echoes, &o, &report));
    for (int k = 0; k < 3; k++) v[k] = as_doubles(map[k]);
    assert_int_equal(report.limited, 1);
    assert_true(v[1][4] == 0);
    CHECK_BELOW(fabs(v[0][4] * times[ECHOES - 1] - 0.01), 1e-12);
    for (int i = 0; i < 6; i++) assert_true(isfinite(v[2][i]) && (i == 4 || fabs(v[0][i] - 40) < 1e-4));
    for (int k = 0; k < 3; k++) {
        free(v[k]);
        argand_array_destroy(map[k]);
    }
    argand_array_destroy(mask);
    argand_array_destroy(echoes);
}

static void refused(void **state)
{
    (void)state;
    argand_array *y = echoes(4, 3, 40, 0.02, false, ARGAND_C32), *small;
    const double falling[ECHOES] = {0.002, 0.001, 0.009, 0.014, 0.02, 0.027, 0.035, 0.045};
    OK(argand_array_create(&small, device, ARGAND_R32, 2, (const int64_t[2]){4, 2}));
    argand_t2star_maps maps = {.r2star = small};
    argand_echo_options o = {.echo_count = ECHOES, .echo_times = times};
    FAILS(argand_t2star_fit(&maps, y, &o, NULL), ARGAND_ARGUMENT, "one value for each of 12 pixels");
    maps.r2star = NULL;
    o.mask = small;
    FAILS(argand_t2star_fit(&maps, y, &o, NULL), ARGAND_ARGUMENT, "the mask must be real");
    o.mask = NULL;
    o.echo_count = 7;
    FAILS(argand_t2star_fit(&maps, y, &o, NULL), ARGAND_ARGUMENT, "7 echo times for 8 echoes");
    o.echo_count = ECHOES;
    o.echo_times = falling;
    FAILS(argand_t2star_fit(&maps, y, &o, NULL), ARGAND_ARGUMENT, "echo time 1 is 0.001 s; they must rise");
    o.echo_times = times;
    OK(argand_array_fill(y, (argand_scalar){NAN, 0}));
    FAILS(argand_t2star_fit(&maps, y, &o, NULL), ARGAND_NUMERIC, "not finite");
    argand_array_destroy(small);
    argand_array_destroy(y);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(without_noise),     cmocka_unit_test(with_noise), cmocka_unit_test(noise_floor),
    cmocka_unit_test(masks_and_threads), cmocka_unit_test(no_signal),  cmocka_unit_test(refused),
};
RUN_TESTS(tests)
