/* SPDX-License-Identifier: BSD-3-Clause */
/* Water and fat of a simulated body, whose field reaches beyond the shift of fat, with an arm that nothing
 * joins to it: no swaps, where the lowest minimum of each pixel swaps; exact without noise; errors that are
 * what the spread is. */
#include "harness.h"

enum { ECHOES = 6, N = 64, PEAKS = 6 };
static const double times[ECHOES] = {0.0012, 0.0022, 0.0032, 0.0042, 0.0052, 0.0062};
static const double frequency = 127.74e6; /* 3 T */

typedef struct pixel {
    double water, fat, r2star, field; /* field: rad/s */
} pixel;

/* Water within a rim of fat, a liver, a hole, an arm of its own on each side; Hz beyond +-400. */
static pixel body(int i, int j)
{
    const double x = 2.0 * i / N - 1, y = 2.0 * j / N - 1, r = hypot(x / 0.8, y / 0.75);
    pixel p = {0};
    p.field = 2 * PI * 450 * (x + 0.9 * exp(-((x - 0.3) * (x - 0.3) + y * y) / 0.1) - 0.5 * y * y);
    p.r2star = 30 + 60 * x * x;
    if (r < 0.85) p.water = 0.9, p.fat = 0.05;
    if (r >= 0.85 && r < 1) p.water = 0.06, p.fat = 0.9;
    if (hypot(x + 0.3, y) < 0.25) p.water = 0.7, p.fat = 0.3;
    if (hypot(x - 0.35, y + 0.1) < 0.2) p.water = p.fat = 0;
    if (x > 0.88 && fabs(y) < 0.4) p.water = 0.05, p.fat = 0.8;
    return p;
}

/* The sum over the peaks, written out. */
static double complex signal_of(const pixel *p, double t)
{
    static const double shift[PEAKS] = {-3.8, -3.4, -2.6, -1.95, -0.5, 0.6},
                        part[PEAKS] = {0.088, 0.7, 0.12, 0.006, 0.039, 0.047};
    double complex sum = p->water;
    for (int k = 0; k < PEAKS; k++)
        sum += p->fat * part[k] * cexp(CMPLX(0, -2 * PI * 1e-6 * shift[k] * frequency * t));
    return sum * cexp(CMPLX(-p->r2star * t, -p->field * t + 0.7));
}

static argand_array *body_echoes(double noise, bool conjugate, argand_array **mask)
{
    const int64_t dims[3] = {N, N, ECHOES};
    random_state state = {3};
    double complex *y = malloc(N * N * ECHOES * sizeof *y);
    double *inside = malloc(N * N * sizeof *inside);
    argand_array *echoes;
    for (int i = 0; i < N * N; i++) {
        const pixel p = body(i % N, i / N);
        inside[i] = p.water + p.fat > 0;
        for (int e = 0; e < ECHOES; e++) {
            const double complex z =
                signal_of(&p, times[e]) + noise * CMPLX(random_normal(&state), random_normal(&state));
            y[e * N * N + i] = conjugate ? conj(z) : z;
        }
    }
    OK(argand_array_create(&echoes, device, ARGAND_C64, 3, dims));
    OK(argand_array_create(mask, device, ARGAND_R64, 2, dims));
    OK(argand_array_upload(echoes, y));
    OK(argand_array_upload(*mask, inside));
    free(inside);
    free(y);
    return echoes;
}

typedef struct result {
    int swaps;
    double fraction, r2star, field;      /* rms errors of pixels that are not swapped */
    double bias;                         /* mean error of the fraction */
    double fraction_error, r2star_error; /* rms of the error maps */
    argand_water_fat_report report;
} result;

static void compare(result *r, double *const v[5])
{
    double count = 0;
    for (int i = 0; i < N * N; i++) {
        const pixel p = body(i % N, i / N);
        const double error = v[0][i] - p.fat / (p.water + p.fat);
        if (!(p.water + p.fat > 0)) continue;
        if (fabs(error) > 0.4) {
            r->swaps++;
            continue;
        }
        count++;
        r->fraction += error * error;
        r->bias += error;
        r->r2star += pow(v[1][i] - p.r2star, 2);
        r->field += pow(remainder(v[2][i] - p.field, 2 * PI * 1000), 2);
        r->fraction_error += v[3][i] * v[3][i];
        r->r2star_error += v[4][i] * v[4][i];
    }
    double *const sums[] = {&r->fraction, &r->r2star, &r->field, &r->fraction_error, &r->r2star_error};
    for (int k = 0; k < 5; k++) *sums[k] = sqrt(*sums[k] / count);
    r->bias /= count;
}

static result separate(const argand_array *echoes, const argand_array *mask,
                       const argand_water_fat_options *fat)
{
    argand_array *map[5];
    double *v[5];
    result r = {0};
    for (int k = 0; k < 5; k++)
        OK(argand_array_create(&map[k], device, ARGAND_R64, 2, (const int64_t[2]){N, N}));
    const argand_water_fat_maps maps = {.fraction = map[0],
                                        .r2star = map[1],
                                        .field = map[2],
                                        .fraction_error = map[3],
                                        .r2star_error = map[4]};
    const argand_echo_options o = {.echo_count = ECHOES, .echo_times = times, .mask = mask};
    OK(argand_water_fat(&maps, echoes, &o, fat, &r.report));
    for (int k = 0; k < 5; k++) v[k] = as_doubles(map[k]);
    compare(&r, v);
    for (int k = 0; k < 5; k++) {
        free(v[k]);
        argand_array_destroy(map[k]);
    }
    printf("%d swaps, fraction %.2g (%.2g), bias %.2g, R2* %.3g (%.3g), field %.3g, misfit %.2g, sign %.3g\n",
           r.swaps, r.fraction, r.fraction_error, r.bias, r.r2star, r.r2star_error, r.field, r.report.misfit,
           r.report.sign_ratio);
    return r;
}

static void without_noise(void **state)
{
    (void)state;
    argand_array *mask, *y = body_echoes(0, false, &mask);
    const result r = separate(y, mask, &(argand_water_fat_options){.frequency = frequency});
    assert_int_equal(r.swaps, 0);
    CHECK_BELOW(r.fraction, 1e-6);
    CHECK_BELOW(r.r2star, 1e-3);
    CHECK_BELOW(r.field, 1e-3);
    CHECK_BELOW(r.report.misfit, 1e-6);
    argand_array_destroy(mask);
    argand_array_destroy(y);
}

/* With hardly any smoothness each pixel takes its lowest minimum. */
static void with_noise(void **state)
{
    (void)state;
    argand_array *mask, *y = body_echoes(1.0 / 15, false, &mask);
    const result r = separate(y, mask, &(argand_water_fat_options){.frequency = frequency});
    assert_true(r.swaps <= 3);
    CHECK_BELOW(fabs(r.bias), 0.1 * r.fraction);
    CHECK_BELOW(fabs(r.fraction_error / r.fraction - 1), 0.1);
    CHECK_BELOW(fabs(r.r2star_error / r.r2star - 1), 0.15);
    const result naive =
        separate(y, mask, &(argand_water_fat_options){.frequency = frequency, .smoothness = 1e-12});
    assert_true(naive.swaps > 30);
    argand_array_destroy(mask);
    argand_array_destroy(y);
}

/* A fraction of 2 % in noise of 3 %: the mean is right, where |fat| / (|water| + |fat|) is not. */
static void low_fraction(void **state)
{
    (void)state;
    random_state draws = {5};
    double complex *y = malloc(N * N * ECHOES * sizeof *y);
    const pixel p = {0.98, 0.02, 40, 300};
    argand_array *echoes, *map[3];
    double mean = 0, rectified = 0, *v[3];
    for (int i = 0; i < N * N * ECHOES; i++)
        y[i] = signal_of(&p, times[i / (N * N)]) + 0.03 * CMPLX(random_normal(&draws), random_normal(&draws));
    OK(argand_array_create(&echoes, device, ARGAND_C64, 3, (const int64_t[3]){N, N, ECHOES}));
    OK(argand_array_upload(echoes, y));
    for (int k = 0; k < 3; k++)
        OK(argand_array_create(&map[k], device, ARGAND_R64, 2, (const int64_t[2]){N, N}));
    const argand_water_fat_maps maps = {.water = map[0], .fat = map[1], .fraction = map[2]};
    const argand_echo_options o = {.echo_count = ECHOES, .echo_times = times};
    OK(argand_water_fat(&maps, echoes, &o, &(argand_water_fat_options){.frequency = frequency}, NULL));
    for (int k = 0; k < 3; k++) v[k] = as_doubles(map[k]);
    for (int i = 0; i < N * N; i++) {
        mean += v[2][i] / (N * N);
        rectified += v[1][i] / (v[0][i] + v[1][i]) / (N * N);
    }
    printf("mean fraction %.4f, of magnitudes %.4f\n", mean, rectified);
    CHECK_BELOW(fabs(mean - 0.02), 0.0015);
    assert_true(rectified > 0.025);
    for (int k = 0; k < 3; k++) {
        free(v[k]);
        argand_array_destroy(map[k]);
    }
    argand_array_destroy(echoes);
    free(y);
}

/* Squares of such echoes are 0 or infinite in floats. */
static void any_scale(void **state)
{
    (void)state;
    const double scales[] = {1e-30, 1e30};
    for (int k = 0; k < 2; k++) {
        argand_array *mask, *y = body_echoes(0, false, &mask);
        OK(argand_array_scale(y, (argand_scalar){scales[k], 0}));
        const result r = separate(y, mask, &(argand_water_fat_options){.frequency = frequency});
        assert_int_equal(r.swaps, 0);
        CHECK_BELOW(r.fraction, 1e-6);
        argand_array_destroy(mask);
        argand_array_destroy(y);
    }
}

static void sign_of_the_phase(void **state)
{
    (void)state;
    argand_array *mask, *y = body_echoes(0.01, true, &mask);
    result r = separate(y, mask, &(argand_water_fat_options){.frequency = frequency});
    assert_true(r.report.sign_ratio > 1.5);
    r = separate(y, mask, &(argand_water_fat_options){.frequency = frequency, .conjugate = true});
    assert_true(r.report.sign_ratio < 0.7);
    assert_int_equal(r.swaps, 0);
    argand_array_destroy(mask);
    argand_array_destroy(y);
}

static void refused(void **state)
{
    (void)state;
    argand_array *mask, *y = body_echoes(0, false, &mask), *magnitudes;
    const argand_water_fat_maps maps = {NULL};
    argand_echo_options o = {.echo_count = ECHOES, .echo_times = times};
    argand_water_fat_options fat = {.peak_count = 1, .peaks = &(argand_fat_peak){-3.4, 1}};
    FAILS(argand_water_fat(&maps, y, &o, &fat, NULL), ARGAND_ARGUMENT, "the frequency of water is 0 Hz");
    fat.frequency = frequency;
    fat.smoothness = -1;
    FAILS(argand_water_fat(&maps, y, &o, &fat, NULL), ARGAND_ARGUMENT, "a smoothness of -1");
    fat.smoothness = 0;
    fat.peaks = NULL;
    FAILS(argand_water_fat(&maps, y, &o, &fat, NULL), ARGAND_ARGUMENT, "1 peaks of fat");
    fat.peaks = &(argand_fat_peak){-3.4, 0};
    FAILS(argand_water_fat(&maps, y, &o, &fat, NULL), ARGAND_ARGUMENT, "the amplitudes of fat add up to 0");
    fat.peaks = &(argand_fat_peak){-1e6 / (frequency * 0.001), 1}; /* a cycle from echo to echo */
    FAILS(argand_water_fat(&maps, y, &o, &fat, NULL), ARGAND_ARGUMENT, "at all 6 echo times");
    OK(argand_array_create(&magnitudes, device, ARGAND_R64, 3, (const int64_t[3]){N, N, ECHOES}));
    OK(argand_array_abs(magnitudes, y));
    FAILS(argand_water_fat(&maps, magnitudes, &o, &fat, NULL), ARGAND_ARGUMENT, "must be complex");
    argand_array_destroy(magnitudes);
    argand_array_destroy(mask);
    argand_array_destroy(y);
}

/* An array of doubles, two for each complex element. */
static argand_array *array_of(argand_type type, int rank, const int64_t *dims, const void *values)
{
    const bool is_complex = type == ARGAND_C32;
    argand_array *wide, *out;
    OK(argand_array_create(&wide, device, is_complex ? ARGAND_C64 : ARGAND_R64, rank, dims));
    OK(argand_array_create(&out, device, type, rank, dims));
    OK(argand_array_upload(wide, values));
    OK(argand_array_copy(out, wide));
    argand_array_destroy(wide);
    return out;
}

/* The operator of samples against sums written out, and its adjoint. */
static void samples_of_maps(void **state)
{
    (void)state;
    enum { NX = 9, NY = 8, POINTS = 70, COILS = 2 };
    const int64_t n[4] = {NX, NY, 1, COILS}, two[4] = {NX, NY, 1, 2}, out[2] = {POINTS, COILS},
                  points = POINTS;
    random_state draws = {11};
    double complex x[2 * NX * NY], s[COILS * NX * NY];
    double rate[NX * NY], field[NX * NY], k[2][POINTS], t[POINTS], error = 0, size = 0;
    for (int i = 0; i < 2 * NX * NY; i++) x[i] = CMPLX(random_normal(&draws), random_normal(&draws));
    for (int i = 0; i < COILS * NX * NY; i++) s[i] = CMPLX(random_normal(&draws), random_normal(&draws));
    for (int i = 0; i < NX * NY; i++) rate[i] = 20 + 5 * (i % NX), field[i] = 40.0 * (i / NX) - 100;
    for (int j = 0; j < POINTS; j++) {
        k[0][j] = NX * (random_uniform(&draws) - 0.5);
        k[1][j] = NY * (random_uniform(&draws) - 0.5);
        t[j] = 0.001 + 0.006 * random_uniform(&draws);
    }
    argand_array *image = array_of(ARGAND_C32, 4, two, x), *coils = array_of(ARGAND_C32, 4, n, s),
                 *r2star = array_of(ARGAND_R32, 2, n, rate), *map = array_of(ARGAND_R32, 2, n, field),
                 *times_of = array_of(ARGAND_R32, 1, &points, t), *y;
    argand_array *axes[2] = {array_of(ARGAND_R32, 1, &points, k[0]), array_of(ARGAND_R32, 1, &points, k[1])};
    argand_op *op;
    OK(argand_array_create(&y, device, ARGAND_C32, 2, out));
    const argand_water_fat_maps maps = {.r2star = r2star, .field = map};
    const argand_water_fat_options fat = {.frequency = frequency};
    OK(argand_op_water_fat(&op, &maps, coils, axes, 2, times_of, &fat));
    OK(argand_op_apply(op, y, image));
    double *made = as_doubles(y);
    for (int c = 0; c < COILS; c++)
        for (int j = 0; j < POINTS; j++) {
            double complex sum = 0;
            for (int i = 0; i < NX * NY; i++) {
                const pixel water = {1, 0, rate[i], field[i]}, only_fat = {0, 1, rate[i], field[i]};
                const double complex place = cexp(CMPLX(
                    0,
                    -(2 * PI * (k[0][j] * (i % NX - NX / 2) / NX + k[1][j] * (i / NX - NY / 2) / NY) + 0.7)));
                sum += s[c * NX * NY + i] * place *
                       (x[i] * signal_of(&water, t[j]) + x[NX * NY + i] * signal_of(&only_fat, t[j]));
            }
            const int at = c * POINTS + j;
            error += pow(cabs(CMPLX(made[2 * at], made[2 * at + 1]) - sum), 2);
            size += pow(cabs(sum), 2);
        }
    CHECK_BELOW(sqrt(error / size), 2e-4);
    double gap;
    OK(argand_op_check(op, 2, 5, &gap));
    CHECK_BELOW(gap, 1e-5);
    free(made);
    argand_op_destroy(op);
    FAILS(argand_op_water_fat(&op, &maps, coils, axes, 4, times_of, &fat), ARGAND_ARGUMENT, "4 axes");
    FAILS(argand_op_water_fat(&op, &maps, y, axes, 2, times_of, &fat), ARGAND_ARGUMENT,
          "coil maps must be C32");
    argand_array *const all[] = {image, coils, r2star, map, times_of, axes[0], axes[1], y};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) argand_array_destroy(all[i]);
}

/* Each allocation fails once: refused, without a crash, and nothing is lost. */
static void no_memory(void **state)
{
    (void)state;
    const argand_water_fat_maps maps = {NULL};
    const argand_echo_options o = {.echo_count = 4, .echo_times = times};
    const argand_water_fat_options fat = {.frequency = frequency};
    argand_water_fat_report report;
    argand_array *y;
    OK(argand_array_create(&y, device, ARGAND_C64, 3, (const int64_t[3]){5, 3, 4}));
    randomise(y, 1, 0, 0);
    const int threads = argand_device_threads(device);
    OK(argand_device_set_threads(device, 1));
    argand_status status = ARGAND_MEMORY;
    const long live = argand_test_live_allocations();
    for (long n = 1; status && n < 100; n++) {
        argand_test_fail_allocation(n);
        status = argand_water_fat(&maps, y, &o, &fat, &report);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
        assert_int_equal(argand_test_live_allocations(), live);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    OK(argand_device_set_threads(device, threads));
    argand_array_destroy(y);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(without_noise), cmocka_unit_test(with_noise),        cmocka_unit_test(low_fraction),
    cmocka_unit_test(any_scale),     cmocka_unit_test(sign_of_the_phase), cmocka_unit_test(samples_of_maps),
    cmocka_unit_test(refused),       cmocka_unit_test(no_memory),
};
RUN_TESTS(tests)
