/* SPDX-License-Identifier: BSD-3-Clause */
/* ESPIRiT finds the maps that made the data, up to a phase at each pixel, wherever there is signal. */
#include "harness.h"

typedef struct scene {
    argand_array *maps, *kspace, *object;
    int64_t n[3], coils, pixels;
    int rank;
} scene;

/* A disc (or ball) with texture, seen by birdcage coils, its k-space on the same grid, noise of `sigma` times
 * the largest sample's thousandth. */
static scene make(argand_type type, int rank, const int64_t *dims, double noise)
{
    scene s = {.rank = rank, .n = {dims[0], dims[1], rank == 4 ? dims[2] : 1}, .coils = dims[rank - 1]};
    s.pixels = s.n[0] * s.n[1] * s.n[2];
    OK(argand_array_create(&s.maps, device, ARGAND_C64, rank, dims));
    OK(argand_array_create(&s.kspace, device, type, rank, dims));
    OK(argand_array_create(&s.object, device, ARGAND_R64, rank - 1, dims));
    OK(argand_coils_birdcage(s.maps));
    OK(argand_phantom_image(s.object, rank == 4 ? ARGAND_SHEPP_LOGAN_3D : ARGAND_SHEPP_LOGAN_2D));
    double *m = as_doubles(s.object);
    double complex *v = (double complex *)as_doubles(s.maps);
    for (int64_t i = 0; i < s.pixels * s.coils; i++)
        v[i] *= m[i % s.pixels] * cexp(I * 3.0 * (double)(i % s.n[0]) / (double)s.n[0]);
    argand_array *wide;
    argand_fft *plan;
    OK(argand_array_create(&wide, device, ARGAND_C64, rank, dims));
    OK(argand_array_upload(wide, v));
    OK(argand_fft_create(&plan, device,
                         &(argand_fft_options){.type = ARGAND_C64,
                                               .rank = rank - 1,
                                               .n = {s.n[0], s.n[1], s.n[2]},
                                               .batch = s.coils,
                                               .centred = true,
                                               .scale = ARGAND_SCALE_UNITARY}));
    OK(argand_fft_apply(plan, wide, wide, ARGAND_FORWARD));
    if (noise > 0) {
        double largest;
        OK(argand_array_max_abs(&largest, wide));
        OK(argand_noise_add(wide, noise * largest, 3));
    }
    OK(argand_array_copy(s.kspace, wide));
    argand_fft_destroy(plan);
    argand_array_destroy(wide);
    free(v);
    free(m);
    return s;
}

static void release(scene *s)
{
    argand_array_destroy(s->object);
    argand_array_destroy(s->kspace);
    argand_array_destroy(s->maps);
}

typedef struct figures {
    double rms, worst, norm,
        kept; /* sine of the angle to the truth where there is signal; | |S| - 1 |; part kept */
} figures;

/* Against the true maps where the object is brighter than 0.1; set 0 of `found`. */
static figures compare(const scene *s, const argand_array *found)
{
    double complex *a = (double complex *)as_doubles(found), *t = (double complex *)as_doubles(s->maps);
    double *m = as_doubles(s->object), signal = 0;
    figures f = {0};
    for (int64_t i = 0; i < s->pixels; i++) {
        double complex product = 0;
        double square = 0;
        for (int64_t c = 0; c < s->coils; c++) {
            product += conj(a[c * s->pixels + i]) * t[c * s->pixels + i];
            square += pow(cabs(a[c * s->pixels + i]), 2);
        }
        if (square > 0) f.norm = fmax(f.norm, fabs(square - 1));
        if (m[i] < 0.1) continue;
        signal++;
        if (square == 0) continue;
        const double angle2 = fmax(0, 1 - pow(cabs(product), 2));
        f.kept++;
        f.rms += angle2;
        f.worst = fmax(f.worst, sqrt(angle2));
    }
    f.rms = sqrt(f.rms / f.kept);
    f.kept /= signal;
    printf("angle to the truth: rms %.2e, worst %.2e; kept %.4f of the signal\n", f.rms, f.worst, f.kept);
    free(m);
    free(t);
    free(a);
    return f;
}

/* The maps' spectrum is not finite: the part that a kernel of 6 leaves out sets the error. */
static void truth_2d(void **state)
{
    (void)state;
    const int64_t shapes[][3] = {{96, 96, 8}, {65, 84, 5}, {120, 75, 12}};
    for (int s = 0; s < 3; s++)
        for (int p = 0; p < 2; p++) {
            scene x = make(p ? ARGAND_C64 : ARGAND_C32, 3, shapes[s], 0);
            argand_array *maps, *values;
            argand_espirit_report report;
            OK(argand_array_create(&maps, device, p ? ARGAND_C64 : ARGAND_C32, 3, shapes[s]));
            OK(argand_array_create(&values, device, ARGAND_R32, 2, shapes[s]));
            OK(argand_coils_espirit(maps, values, x.kspace, NULL, &report));
            const figures f = compare(&x, maps);
            CHECK_BELOW(f.rms, 0.01);
            CHECK_BELOW(f.worst, 0.05);
            CHECK_BELOW(f.norm, p ? 1e-7 : 1e-5);
            CHECK_BELOW(0.995, f.kept);
            assert_int_equal(report.calibration[0], 24);
            assert_int_equal(report.kernel[1], 6);
            assert_int_equal(report.patches, 19 * 19);
            double *v = as_doubles(values), most = 0;
            for (int64_t i = 0; i < x.pixels; i++) most = fmax(most, v[i]);
            CHECK_BELOW(most, 1 + 1e-4); /* a projection averaged cannot amplify */
            free(v);
            argand_array_destroy(values);
            argand_array_destroy(maps);
            release(&x);
        }
}

static void truth_3d(void **state)
{
    (void)state;
    const int64_t dims[4] = {40, 33, 28, 4};
    scene x = make(ARGAND_C32, 4, dims, 0);
    argand_array *maps;
    argand_espirit_report report;
    OK(argand_array_create(&maps, device, ARGAND_C32, 4, dims));
    OK(argand_coils_espirit(maps, NULL, x.kspace,
                            &(argand_espirit_options){.calibration = {16, 15, 14}, .kernel = {5, 4, 4}},
                            &report));
    const figures f = compare(&x, maps);
    CHECK_BELOW(f.rms, 0.02);
    CHECK_BELOW(0.99, f.kept);
    assert_int_equal(report.patches, 12 * 12 * 11);
    argand_array_destroy(maps);
    release(&x);
}

/* Only the region is read: data of its size alone, undersampled data, images: one answer. */
static void same_from_less(void **state)
{
    (void)state;
    const int64_t dims[3] = {72, 61, 6}, small[3] = {24, 23, 6};
    scene x = make(ARGAND_C64, 3, dims, 1e-4);
    argand_array *maps[4], *part, *cut, *cut2, *images;
    argand_fft *plan;
    const argand_espirit_options o = {.calibration = {24, 23}};
    for (int i = 0; i < 4; i++) OK(argand_array_create(&maps[i], device, ARGAND_C64, 3, dims));
    OK(argand_coils_espirit(maps[0], NULL, x.kspace, &o, NULL));
    OK(argand_array_create(&part, device, ARGAND_C64, 3, small));
    OK(argand_array_part(&cut, x.kspace, 0, 36 - 12, 24));
    OK(argand_array_part(&cut2, cut, 1, 30 - 11, 23));
    OK(argand_array_copy(part, cut2));
    OK(argand_coils_espirit(maps[1], NULL, part, NULL, NULL));
    /* images of all of k-space */
    OK(argand_array_create(&images, device, ARGAND_C64, 3, dims));
    OK(argand_fft_create(
        &plan, device,
        &(argand_fft_options){.type = ARGAND_C64, .rank = 2, .n = {72, 61}, .batch = 6, .centred = true}));
    OK(argand_fft_apply(plan, images, x.kspace, ARGAND_INVERSE));
    OK(argand_coils_espirit(maps[2], NULL, images,
                            &(argand_espirit_options){.calibration = {24, 23}, .images = true}, NULL));
    /* every second line outside the region away */
    for (int64_t y = 0; y < 61; y += 2) {
        argand_array *line;
        if (y >= 19 && y < 42) continue;
        OK(argand_array_part(&line, x.kspace, 1, y, 1));
        OK(argand_array_fill(line, (argand_scalar){0, 0}));
        argand_array_destroy(line);
    }
    OK(argand_coils_espirit(maps[3], NULL, x.kspace, &o, NULL));
    double *first = as_doubles(maps[0]);
    for (int i = 1; i < 4; i++) {
        double *other = as_doubles(maps[i]);
        if (i == 2)
            CHECK_BELOW(relative_error(other, first, 2 * 72 * 61 * 6), 1e-5);
        else
            assert_memory_equal(other, first, sizeof(double) * 2 * 72 * 61 * 6);
        free(other);
    }
    free(first);
    argand_fft_destroy(plan);
    argand_array_destroy(images);
    argand_array_destroy(cut2);
    argand_array_destroy(cut);
    argand_array_destroy(part);
    for (int i = 0; i < 4; i++) argand_array_destroy(maps[i]);
    release(&x);
}

/* A linear phase of the object moves its energy away from the middle of k-space: the region follows. */
static void follows_the_energy(void **state)
{
    (void)state;
    const int64_t dims[3] = {90, 77, 6};
    scene x = make(ARGAND_C64, 3, dims, 1e-5);
    argand_array *maps, *shifted, *from, *to;
    argand_espirit_report report;
    OK(argand_array_create(&maps, device, ARGAND_C64, 3, dims));
    OK(argand_array_create(&shifted, device, ARGAND_C64, 3, dims));
    OK(argand_array_part(&from, x.kspace, 0, 0, 90 - 25));
    OK(argand_array_part(&to, shifted, 0, 25, 90 - 25));
    OK(argand_array_copy(to, from));
    OK(argand_coils_espirit(maps, NULL, shifted, &(argand_espirit_options){.calibration = {24, 23}},
                            &report));
    const figures f = compare(&x, maps);
    CHECK_BELOW(f.rms, 0.01);
    CHECK_BELOW(0.995, f.kept);
    CHECK_BELOW(fabs((double)report.origin[0] - (45 - 12 + 25)), 3);
    CHECK_BELOW(fabs((double)report.origin[1] - (38 - 11)), 3);
    argand_array_destroy(to);
    argand_array_destroy(from);
    argand_array_destroy(shifted);
    argand_array_destroy(maps);
    release(&x);
}

/* The phase: the strongest virtual coil sees a real positive signal; a constant phase of the data changes
 * nothing, nor does their scale; the soft crop has values in between. */
static void phase_scale_crop(void **state)
{
    (void)state;
    const int64_t dims[3] = {50, 47, 4};
    scene x = make(ARGAND_C64, 3, dims, 1e-4);
    argand_array *a, *b;
    OK(argand_array_create(&a, device, ARGAND_C64, 3, dims));
    OK(argand_array_create(&b, device, ARGAND_C64, 3, dims));
    OK(argand_coils_espirit(a, NULL, x.kspace, NULL, NULL));
    OK(argand_array_scale(x.kspace, (argand_scalar){3e-9, 4e-9}));
    const int threads = argand_device_threads(device);
    OK(argand_device_set_threads(device, 3));
    OK(argand_coils_espirit(b, NULL, x.kspace, NULL, NULL));
    double *first = as_doubles(a), *second = as_doubles(b);
    CHECK_BELOW(relative_error(second, first, 2 * 50 * 47 * 4), 1e-7);
    free(second);
    OK(argand_device_set_threads(device, 1));
    argand_array *c;
    OK(argand_array_create(&c, device, ARGAND_C64, 3, dims));
    OK(argand_coils_espirit(c, NULL, x.kspace, NULL, NULL));
    double *one = as_doubles(c), *three = as_doubles(b);
    assert_memory_equal(one, three, sizeof(double) * 2 * 50 * 47 * 4);
    OK(argand_device_set_threads(device, threads));
    free(three);
    free(one);
    argand_array_destroy(c);
    OK(argand_coils_espirit(b, NULL, x.kspace, &(argand_espirit_options){.crop = -1}, NULL));
    double *whole = as_doubles(b), least = 1;
    for (int64_t i = 0; i < x.pixels; i++) {
        double square = 0;
        for (int64_t k = 0; k < 4; k++)
            square += pow(whole[2 * (k * x.pixels + i)], 2) + pow(whole[2 * (k * x.pixels + i) + 1], 2);
        least = fmin(least, square);
    }
    CHECK_BELOW(1 - 1e-6, least);
    OK(argand_coils_espirit(b, NULL, x.kspace, &(argand_espirit_options){.soft = true}, NULL));
    double *soft = as_doubles(b);
    int between = 0;
    for (int64_t i = 0; i < x.pixels; i++) {
        double square = 0;
        for (int64_t k = 0; k < 4; k++)
            square += pow(soft[2 * (k * x.pixels + i)], 2) + pow(soft[2 * (k * x.pixels + i) + 1], 2);
        between += square > 0.01 && square < 0.9;
    }
    assert_true(between > 50);
    free(soft);
    free(whole);
    free(first);
    argand_array_destroy(b);
    argand_array_destroy(a);
    release(&x);
}

static void refusals(void **state)
{
    (void)state;
    const int64_t dims[3] = {20, 19, 3};
    argand_array *k, *maps, *other, *many, *real;
    OK(argand_array_create(&k, device, ARGAND_C32, 3, dims));
    OK(argand_array_create(&maps, device, ARGAND_C32, 3, dims));
    OK(argand_array_create(&other, device, ARGAND_C32, 3, (const int64_t[3]){20, 19, 4}));
    OK(argand_array_create(&many, device, ARGAND_C32, 4, (const int64_t[4]){20, 19, 3, 4}));
    OK(argand_array_create(&real, device, ARGAND_R32, 2, (const int64_t[2]){20, 20}));
    FAILS(argand_coils_espirit(maps, NULL, k, NULL, NULL), ARGAND_ARGUMENT, "has no sample");
    randomise(k, 3, 0, 0);
    FAILS(argand_coils_espirit(other, NULL, k, NULL, NULL), ARGAND_ARGUMENT, "4 coils");
    FAILS(argand_coils_espirit(many, NULL, k, NULL, NULL), ARGAND_ARGUMENT, "4 sets");
    FAILS(argand_coils_espirit(maps, real, k, NULL, NULL), ARGAND_ARGUMENT, "eigenvalues");
    FAILS(argand_coils_espirit(maps, NULL, k, &(argand_espirit_options){.calibration = {21}}, NULL),
          ARGAND_ARGUMENT, "region of 21");
    FAILS(argand_coils_espirit(maps, NULL, k, &(argand_espirit_options){.calibration = {8}, .kernel = {9}},
                               NULL),
          ARGAND_ARGUMENT, "kernel of 9");
    FAILS(argand_coils_espirit(maps, NULL, k, &(argand_espirit_options){.threshold = 1}, NULL),
          ARGAND_ARGUMENT, "threshold of 1");
    FAILS(argand_coils_espirit(maps, NULL, k, &(argand_espirit_options){.crop = 1}, NULL), ARGAND_ARGUMENT,
          "crop of 1");
    OK(argand_array_fill(k, (argand_scalar){NAN, 0}));
    FAILS(argand_coils_espirit(maps, NULL, k, NULL, NULL), ARGAND_NUMERIC, "not finite");
    argand_array_destroy(real);
    argand_array_destroy(many);
    argand_array_destroy(other);
    argand_array_destroy(maps);
    argand_array_destroy(k);
}

static void no_memory(void **state)
{
    (void)state;
    const int64_t dims[3] = {16, 15, 2};
    scene x = make(ARGAND_C32, 3, dims, 1e-3);
    argand_array *maps;
    OK(argand_array_create(&maps, device, ARGAND_C32, 3, dims));
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status && n < 100; n++) {
        argand_test_fail_allocation(n);
        status = argand_coils_espirit(maps, NULL, x.kspace, NULL, NULL);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_array_destroy(maps);
    release(&x);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(truth_2d),         cmocka_unit_test(truth_3d),
    cmocka_unit_test(same_from_less),   cmocka_unit_test(follows_the_energy),
    cmocka_unit_test(phase_scale_crop), cmocka_unit_test(refusals),
    cmocka_unit_test(no_memory),
};
RUN_TESTS(tests)
