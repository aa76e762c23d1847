/* SPDX-License-Identifier: BSD-3-Clause */
/* Field maps come back from simulated echoes with wraps, within a stated error; real maps; unwrapping. */
#include "harness.h"

typedef struct scene {
    int64_t n[3], pixels, coils;
    int rank; /* of the image */
    argand_array *truth, *object, *maps;
} scene;

static scene make(const int64_t n[3], int64_t coils, double range)
{
    scene s = {
        .n = {n[0], n[1], n[2]}, .pixels = n[0] * n[1] * n[2], .coils = coils, .rank = n[2] > 1 ? 3 : 2};
    int64_t dims[4] = {n[0], n[1], n[2], coils};
    OK(argand_array_create(&s.truth, device, ARGAND_R64, s.rank, dims));
    OK(argand_array_create(&s.object, device, ARGAND_R64, s.rank, dims));
    OK(argand_array_create(&s.maps, device, ARGAND_C64, 4, dims));
    OK(argand_fieldmap_head(s.truth, range));
    OK(argand_phantom_image(s.object, s.rank == 3 ? ARGAND_SHEPP_LOGAN_3D : ARGAND_SHEPP_LOGAN_2D));
    OK(argand_coils_birdcage(s.maps));
    return s;
}

static void release(scene *s)
{
    argand_array_destroy(s->maps);
    argand_array_destroy(s->object);
    argand_array_destroy(s->truth);
}

/* object S exp(-i w t) with noise */
static argand_array *echoes(const scene *s, argand_type type, int count, const double *times, double noise)
{
    const int64_t dims[5] = {s->n[0], s->n[1], s->rank == 3 ? s->n[2] : s->coils,
                             s->rank == 3 ? s->coils : count, count};
    argand_array *wide, *out;
    OK(argand_array_create(&wide, device, ARGAND_C64, s->rank + 2, dims));
    OK(argand_array_create(&out, device, type, s->rank + 2, dims));
    double *w = as_doubles(s->truth), *m = as_doubles(s->object);
    double complex *map = (double complex *)as_doubles(s->maps);
    double complex *y = malloc((size_t)(s->pixels * s->coils * count) * sizeof *y);
    for (int64_t i = 0; i < s->pixels * s->coils * count; i++) {
        const int64_t pixel = i % s->pixels, e = i / (s->pixels * s->coils);
        y[i] =
            m[pixel] * map[i % (s->pixels * s->coils)] * cexp(-I * w[pixel] * times[e]) * exp(-20 * times[e]);
    }
    OK(argand_array_upload(wide, y));
    if (noise > 0) OK(argand_noise_add(wide, noise, 12));
    OK(argand_array_copy(out, wide));
    free(y);
    free(map);
    free(m);
    free(w);
    argand_array_destroy(wide);
    return out;
}

/* rms and largest error in rad/s where the object is there. */
static void errors(const scene *s, const argand_array *map, double *rms, double *worst)
{
    double *w = as_doubles(map), *t = as_doubles(s->truth), *m = as_doubles(s->object), count = 0;
    *rms = *worst = 0;
    for (int64_t i = 0; i < s->pixels; i++) {
        if (m[i] < 0.05) continue;
        *rms += pow(w[i] - t[i], 2);
        *worst = fmax(*worst, fabs(w[i] - t[i]));
        count++;
    }
    *rms = sqrt(*rms / count);
    printf("error: rms %.2f rad/s, worst %.1f rad/s\n", *rms, *worst);
    free(m);
    free(t);
    free(w);
}

/* Two echoes 5 ms apart: a turn is 1257 rad/s, the field reaches +-250 Hz = 1571 rad/s, so phases wrap.
 * Without noise what is left is the smoothing: the head's field bends by at most (2 pi 250 Hz) / (n/10)^2 or
 * so a pixel squared. */
static void wraps_in_2d(void **state)
{
    (void)state;
    const int64_t n[3] = {72, 81, 1};
    const double times[2] = {0.004, 0.009};
    scene s = make(n, 5, 2 * acos(-1.0) * 250);
    for (int p = 0; p < 2; p++) {
        argand_array *y = echoes(&s, p ? ARGAND_C64 : ARGAND_C32, 2, times, 0), *map;
        argand_fieldmap_report report;
        double rms, worst;
        OK(argand_array_create(&map, device, p ? ARGAND_R64 : ARGAND_R32, 2, n));
        OK(argand_fieldmap_estimate(map, y, &(argand_fieldmap_options){.echo_count = 2, .echo_times = times},
                                    &report));
        errors(&s, map, &rms, &worst);
        CHECK_BELOW(rms, 5);
        CHECK_BELOW(worst, 60);
        CHECK_BELOW(report.misfit, 0.05);
        argand_array_destroy(map);
        argand_array_destroy(y);
    }
    release(&s);
}

/* Noise: three echoes, the last far away, so that the field is known much better than from the first two. A
 * turn of the shortest spacing is 1 kHz. The rms is compared with what the first two echoes give. */
static void echoes_in_3d(void **state)
{
    (void)state;
    const int64_t n[3] = {40, 37, 18};
    const double times[3] = {0.003, 0.004, 0.011}, two[2] = {0.003, 0.004};
    scene s = make(n, 3, 2 * acos(-1.0) * 150);
    argand_array *y3 = echoes(&s, ARGAND_C32, 3, times, 0.01), *y2 = echoes(&s, ARGAND_C32, 2, two, 0.01),
                 *map;
    double rms[2], worst;
    OK(argand_array_create(&map, device, ARGAND_R32, 3, n));
    OK(argand_fieldmap_estimate(map, y3, &(argand_fieldmap_options){.echo_count = 3, .echo_times = times},
                                NULL));
    errors(&s, map, &rms[0], &worst);
    OK(argand_fieldmap_estimate(map, y2, &(argand_fieldmap_options){.echo_count = 2, .echo_times = two},
                                NULL));
    errors(&s, map, &rms[1], &worst);
    CHECK_BELOW(rms[0], 15);
    CHECK_BELOW(3 * rms[0], rms[1]);
    /* the order of the echoes does not matter, nor the number of threads, nor the scale */
    argand_array *again;
    const double backward[3] = {0.011, 0.003, 0.004};
    OK(argand_array_create(&again, device, ARGAND_C32, 5, (const int64_t[5]){40, 37, 18, 3, 3}));
    for (int e = 0; e < 3; e++) {
        argand_array *to, *from;
        OK(argand_array_part(&to, again, 4, (e + 1) % 3, 1));
        OK(argand_array_part(&from, y3, 4, e, 1));
        OK(argand_array_copy(to, from));
        argand_array_destroy(from);
        argand_array_destroy(to);
    }
    OK(argand_fieldmap_estimate(map, y3, &(argand_fieldmap_options){.echo_count = 3, .echo_times = times},
                                NULL));
    double *first = as_doubles(map);
    OK(argand_array_scale(again, (argand_scalar){0, 0x1p-30}));
    const int threads = argand_device_threads(device);
    OK(argand_device_set_threads(device, 3));
    OK(argand_fieldmap_estimate(map, again,
                                &(argand_fieldmap_options){.echo_count = 3, .echo_times = backward}, NULL));
    OK(argand_device_set_threads(device, threads));
    double *second = as_doubles(map);
    CHECK_BELOW(relative_error(second, first, (size_t)s.pixels), 1e-5);
    free(second);
    free(first);
    argand_array_destroy(again);
    argand_array_destroy(map);
    argand_array_destroy(y2);
    argand_array_destroy(y3);
    release(&s);
}

/* Outside: continued without a step and within the range of the inside; or 0. */
static void beyond_the_mask(void **state)
{
    (void)state;
    const int64_t n[3] = {50, 45, 1};
    const double times[2] = {0.002, 0.004};
    scene s = make(n, 1, 900);
    argand_array *y = echoes(&s, ARGAND_C64, 2, times, 0), *map, *mask;
    OK(argand_array_create(&map, device, ARGAND_R64, 2, n));
    OK(argand_array_create(&mask, device, ARGAND_R32, 2, n));
    float inside[50 * 45];
    for (int i = 0; i < 50 * 45; i++) inside[i] = hypot(i % 50 - 25, i / 50 - 22) < 14; /* within the head */
    OK(argand_array_upload(mask, inside));
    argand_fieldmap_options o = {.echo_count = 2, .echo_times = times, .mask = mask};
    OK(argand_fieldmap_estimate(map, y, &o, NULL));
    double *w = as_doubles(map), low = 1e9, high = -1e9;
    for (int i = 0; i < 50 * 45; i++)
        if (inside[i] != 0) low = fmin(low, w[i]), high = fmax(high, w[i]);
    for (int i = 0; i < 50 * 45; i++) {
        assert_true(w[i] > low - 1 && w[i] < high + 1);
        if (i % 50) CHECK_BELOW(fabs(w[i] - w[i - 1]), 200);
    }
    o.zero_outside = true;
    OK(argand_fieldmap_estimate(map, y, &o, NULL));
    double *z = as_doubles(map);
    for (int i = 0; i < 50 * 45; i++) assert_true(inside[i] != 0 ? z[i] == w[i] : z[i] == 0);
    free(z);
    free(w);
    argand_array_destroy(mask);
    argand_array_destroy(map);
    argand_array_destroy(y);
    release(&s);
}

/* A ramp of many turns, with a hole and an island; each part's mean is within half a turn of 0. */
static void unwrapping(void **state)
{
    (void)state;
    enum { NX = 60, NY = 41 };
    const double two_pi = 2 * acos(-1.0);
    double phase[NX * NY], truth[NX * NY];
    float inside[NX * NY];
    argand_array *p, *u, *mask;
    OK(argand_array_create(&p, device, ARGAND_R64, 2, (const int64_t[2]){NX, NY}));
    OK(argand_array_create(&u, device, ARGAND_R64, 2, (const int64_t[2]){NX, NY}));
    OK(argand_array_create(&mask, device, ARGAND_R32, 2, (const int64_t[2]){NX, NY}));
    for (int i = 0; i < NX * NY; i++) {
        const int x = i % NX, y = i / NX;
        truth[i] = 1.1 * x + 0.02 * y * y;
        phase[i] = truth[i] - two_pi * rint(truth[i] / two_pi);
        inside[i] = !(x > 20 && x < 30 && y > 10 && y < 20) && !(x > 49 && x < 52);
    }
    OK(argand_array_upload(p, phase));
    OK(argand_array_upload(mask, inside));
    OK(argand_phase_unwrap(u, p, NULL, mask));
    double *out = as_doubles(u);
    for (int part = 0; part < 2; part++) {
        const int start = part ? 52 : 0;
        double mean = 0;
        int count = 0;
        for (int i = 0; i < NX * NY; i++) {
            if (inside[i] == 0 || (i % NX >= 50) != part) continue;
            const double shift = (out[i] - truth[i]) - (out[start] - truth[start]);
            CHECK_BELOW(fabs(shift), 1e-9);
            mean += out[i];
            count++;
        }
        CHECK_BELOW(fabs(mean / count), two_pi / 2 + 1e-9);
        const double turns = (out[start] - truth[start]) / two_pi;
        CHECK_BELOW(fabs(turns - rint(turns)), 1e-9);
    }
    for (int i = 0; i < NX * NY; i++)
        if (inside[i] == 0) assert_true(out[i] == 0);
    free(out);
    argand_array_destroy(mask);
    argand_array_destroy(u);
    argand_array_destroy(p);
}

/* An AVS field of big-endian floats: two form feeds, then the numbers. */
static double *read_fld(const char *name, int count)
{
    const char *path = test_data(name);
    if (!path) return NULL;
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = malloc((size_t)count * 4 + 4096);
    const size_t size = fread(bytes, 1, (size_t)count * 4 + 4096, file);
    fclose(file);
    size_t at = 0;
    while (at + 1 < size && !(bytes[at] == 12 && bytes[at + 1] == 12)) at++;
    assert_int_equal(size - at - 2, (size_t)count * 4);
    double *values = malloc((size_t)count * sizeof *values);
    for (int i = 0; i < count; i++) {
        const unsigned char *b = bytes + at + 2 + 4 * i;
        const uint32_t word = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
        float value;
        memcpy(&value, &word, 4);
        values[i] = (double)value;
    }
    free(bytes);
    return values;
}

/* A measured map of a brain (Hz) and its magnitude as two echoes 10 ms apart with noise, where the phase
 * wraps (100 Hz a turn, the map reaches 128 Hz): found again where there is signal. */
static void real_map(void **state)
{
    (void)state;
    enum { N = 128 };
    double *hz = read_fld("field_maps/fieldmap128.fld", N * N), *m = read_fld("field_maps/mag128.fld", N * N);
    if (!hz || !m) {
        free(hz);
        free(m);
        skip();
    }
    double largest = 0, square = 0, count = 0, two_pi = 2 * acos(-1.0);
    const double times[2] = {0.005, 0.015};
    for (int i = 0; i < N * N; i++) largest = fmax(largest, m[i]);
    double complex *y = malloc(2 * N * N * sizeof *y);
    for (int i = 0; i < 2 * N * N; i++)
        y[i] = m[i % (N * N)] * cexp(-I * two_pi * hz[i % (N * N)] * times[i / (N * N)]);
    argand_array *echo, *map;
    argand_fieldmap_report report;
    OK(argand_array_create(&echo, device, ARGAND_C64, 4, (const int64_t[4]){N, N, 1, 2}));
    OK(argand_array_create(&map, device, ARGAND_R64, 2, (const int64_t[2]){N, N}));
    OK(argand_array_upload(echo, y));
    OK(argand_noise_add(echo, 0.01 * largest, 4));
    OK(argand_fieldmap_estimate(
        map, echo, &(argand_fieldmap_options){.echo_count = 2, .echo_times = times, .threshold = 0.15},
        &report));
    double *w = as_doubles(map);
    for (int i = 0; i < N * N; i++)
        if (m[i] > 0.2 * largest) {
            square += pow(w[i] / two_pi - hz[i], 2);
            count++;
        }
    printf("brain: rms error %.3f Hz over %.0f pixels, misfit %.4f rad\n", sqrt(square / count), count,
           report.misfit);
    CHECK_BELOW(sqrt(square / count), 1.0);
    free(w);
    free(y);
    free(m);
    free(hz);
    argand_array_destroy(map);
    argand_array_destroy(echo);
}

static void refusals(void **state)
{
    (void)state;
    const double times[2] = {0.002, 0.003}, same[2] = {0.002, 0.002};
    argand_array *y, *map, *small, *flat;
    OK(argand_array_create(&y, device, ARGAND_C64, 4, (const int64_t[4]){6, 5, 1, 2}));
    OK(argand_array_create(&map, device, ARGAND_R64, 2, (const int64_t[2]){6, 5}));
    OK(argand_array_create(&small, device, ARGAND_R64, 2, (const int64_t[2]){5, 5}));
    OK(argand_array_create(&flat, device, ARGAND_C64, 3, (const int64_t[3]){6, 5, 2}));
    argand_fieldmap_options o = {.echo_count = 2, .echo_times = times};
    FAILS(argand_fieldmap_estimate(map, y, &o, NULL), ARGAND_ARGUMENT, "mask is empty");
    randomise(y, 1, 0, 0);
    FAILS(argand_fieldmap_estimate(map, flat, &o, NULL), ARGAND_ARGUMENT, "rank 3");
    FAILS(argand_fieldmap_estimate(small, y, &o, NULL), ARGAND_ARGUMENT, "30 pixels");
    FAILS(argand_fieldmap_estimate(map, y, NULL, NULL), ARGAND_ARGUMENT, "echo times");
    o.echo_times = same;
    FAILS(argand_fieldmap_estimate(map, y, &o, NULL), ARGAND_ARGUMENT, "must differ");
    o = (argand_fieldmap_options){.echo_count = 3, .echo_times = times};
    FAILS(argand_fieldmap_estimate(map, y, &o, NULL), ARGAND_ARGUMENT, "3 echo times for 2 echoes");
    o = (argand_fieldmap_options){.echo_count = 2, .echo_times = times, .mask = small};
    FAILS(argand_fieldmap_estimate(map, y, &o, NULL), ARGAND_ARGUMENT, "mask");
    OK(argand_array_fill(y, (argand_scalar){NAN, 0}));
    o.mask = NULL;
    FAILS(argand_fieldmap_estimate(map, y, &o, NULL), ARGAND_NUMERIC, "not finite");
    OK(argand_array_fill(map, (argand_scalar){NAN, 0}));
    FAILS(argand_phase_unwrap(map, map, NULL, NULL), ARGAND_NUMERIC, "not finite");
    FAILS(argand_phase_unwrap(map, small, NULL, NULL), ARGAND_ARGUMENT, "25 pixels");
    argand_array_destroy(flat);
    argand_array_destroy(small);
    argand_array_destroy(map);
    argand_array_destroy(y);
}

static void no_memory(void **state)
{
    (void)state;
    const double times[2] = {0.002, 0.003};
    argand_array *y, *map;
    OK(argand_array_create(&y, device, ARGAND_C64, 4, (const int64_t[4]){6, 5, 1, 2}));
    OK(argand_array_create(&map, device, ARGAND_R64, 2, (const int64_t[2]){6, 5}));
    randomise(y, 1, 0, 0);
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status && n < 100; n++) {
        argand_test_fail_allocation(n);
        status = argand_fieldmap_estimate(
            map, y, &(argand_fieldmap_options){.echo_count = 2, .echo_times = times}, NULL);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_array_destroy(map);
    argand_array_destroy(y);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(wraps_in_2d), cmocka_unit_test(echoes_in_3d), cmocka_unit_test(beyond_the_mask),
    cmocka_unit_test(unwrapping),  cmocka_unit_test(real_map),     cmocka_unit_test(refusals),
    cmocka_unit_test(no_memory),
};
RUN_TESTS(tests)
