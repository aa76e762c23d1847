/* SPDX-License-Identifier: BSD-3-Clause */
/* Coefficients of a temporal basis from all samples of a slice: with and without convolutions, whatever
 * counter tells the time, with a mask; scans with several such counters. Scans are made by the plain double
 * sum. */
#include "owned_scan.h"

enum { NX = 12, NY = 7, COILS = 2, PIXELS = NX * NY, TIMES = 6, IMAGES = 3, SLICES = 2 };

static double complex basis_at(int time, int k)
{
    return cexp(I * (k * 2 * PI * time / TIMES + 0.3 * k)) / sqrt(TIMES);
}

static double complex coefficient_at(int slice, int k, int n)
{
    const int x = n % NX, y = n / NX;
    if (x < 2) return 0; /* outside the mask */
    return (k ? (x > 3 && x < 9 && y > 1) * (k + 0.5 * I * y) : (1 + x) * cexp(I * 0.2 * y)) * (1 + slice);
}

static double complex coil_at(int coil, int n)
{
    const double x = (n % NX - 5.5) / NX, y = ((double)n / NX - 3.5) / NY;
    return coil ? 0.5 + 0.6 * x - 0.3 * I * y : 1 - 0.4 * y + 0.2 * I * x;
}

/* exp(-2 pi i k . r) of sample i and pixel n */
static double complex wave_at(const readout *r, int i, int n)
{
    return cexp(-2 * PI * I *
                ((double)r->k[0][i] * (n % NX - NX / 2) / NX + (double)r->k[1][i] * (n / NX - NY / 2) / NY));
}

static double complex pixel_at(int slice, int time, int n)
{
    double complex pixel = 0;
    for (int q = 0; q < IMAGES; q++) pixel += basis_at(time, q) * coefficient_at(slice, q, n);
    return pixel;
}

static void add_line(made_scan *m, argand_counters counters, int time, int line)
{
    counters.shot = (uint16_t)line;
    const readout r = add_readout(m, counters, NX, COILS);
    r.acquisition->position[2] = 5.f * counters.slice;
    for (int i = 0; i < NX; i++) {
        r.k[0][i] = (float)(i - NX / 2);
        r.k[1][i] = (float)(line - NY / 2);
        for (int c = 0; c < COILS; c++) {
            double complex sum = 0;
            for (int n = 0; n < PIXELS; n++)
                sum += pixel_at(counters.slice, time, n) * coil_at(c, n) * wave_at(&r, i, n);
            put_complex(r.data, i + NX * c, sum);
        }
    }
}

static void add_arrays(made_scan *m)
{
    double complex maps[PIXELS * COILS * SLICES];
    float *mask = own(m, sizeof(float) * PIXELS * SLICES);
    double *v = own(m, sizeof *v * 2 * TIMES * IMAGES);
    for (int i = 0; i < PIXELS * COILS * SLICES; i++) maps[i] = coil_at(i / PIXELS % COILS, i % PIXELS);
    for (int n = 0; n < PIXELS * SLICES; n++) mask[n] = n % NX >= 2;
    for (int i = 0; i < TIMES * IMAGES; i++) {
        v[2 * i] = creal(basis_at(i % TIMES, i / TIMES));
        v[2 * i + 1] = cimag(basis_at(i % TIMES, i / TIMES));
    }
    add_complex_array(
        m, (argand_scan_array){.name = "SENSEMap", .rank = 5, .dims = {NX, NY, 1, COILS, SLICES}}, maps);
    m->arrays[m->scan.array_count++] =
        (argand_scan_array){.name = "v", .type = ARGAND_C64, .rank = 2, .dims = {TIMES, IMAGES}, .data = v};
    m->arrays[m->scan.array_count++] = (argand_scan_array){
        .name = "Inside", .type = ARGAND_R32, .rank = 4, .dims = {NX, NY, 1, SLICES}, .data = mask};
}

typedef enum counter { CONTRAST, REPETITION, SEGMENT } counter;

/* Four of the seven lines at each time; every line at three times or four. The last time comes first. */
static made_scan *new_scan(counter counts)
{
    made_scan *m = empty_scan(NX, NY, COILS, 1);
    for (int slice = 0; slice < SLICES; slice++)
        for (int time = TIMES - 1; time >= 0; time--)
            for (int i = 0; i < 4; i++) {
                argand_counters c = {.slice = (uint16_t)slice};
                *(counts == CONTRAST     ? &c.contrast
                  : counts == REPETITION ? &c.repetition
                                         : &c.segment) = (uint16_t)time;
                add_line(m, c, time, (2 * i + time) % NY);
            }
    add_arrays(m);
    return m;
}

static const argand_sense_options exact = {.type = ARGAND_C64,
                                           .iterations = 120,
                                           .nufft_tolerance = 1e-11,
                                           .coefficients = true,
                                           .basis_name = "v",
                                           .toeplitz = ARGAND_TOEPLITZ_OFF};

static double worst_error(const made_scan *m, const argand_sense_options *o)
{
    argand_sense *session;
    argand_array *image;
    double worst = 0;
    OK(create_session(&session, &m->scan, o));
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    assert_int_equal(argand_sense_volumes(session), SLICES * IMAGES);
    for (int i = 0; i < SLICES * IMAGES; i++) {
        const int volume = (i + 2) % (SLICES * IMAGES); /* any order */
        const argand_counters *c = argand_sense_counters(session, volume);
        double complex expected[PIXELS];
        OK(argand_sense_run(session, volume, image, NULL, NULL));
        for (int n = 0; n < PIXELS; n++) expected[n] = coefficient_at(c->slice, c->repetition, n);
        double *got = as_doubles(image);
        worst = fmax(worst, relative_error(got, (double *)expected, 2 * PIXELS));
        free(got);
    }
    argand_array_destroy(image);
    argand_sense_destroy(session);
    return worst;
}

static void any_counter(void **state)
{
    (void)state;
    for (int counts = CONTRAST; counts <= SEGMENT; counts++) {
        made_scan *m = new_scan((counter)counts);
        CHECK_BELOW(worst_error(m, &exact), 1e-5);
        free_scan(m);
        if (few()) break;
    }
}

static void by_convolutions(void **state)
{
    (void)state;
    made_scan *m = new_scan(CONTRAST);
    argand_sense_options o = exact;
    o.toeplitz = ARGAND_TOEPLITZ_ON;
    CHECK_BELOW(worst_error(m, &o), 1e-5);
    o.mask_name = "Inside";
    CHECK_BELOW(worst_error(m, &o), 1e-5);
    o.toeplitz = ARGAND_TOEPLITZ_OFF;
    CHECK_BELOW(worst_error(m, &o), 1e-5);
    o.density = ARGAND_DENSITY_PIPE;
    o.toeplitz = ARGAND_TOEPLITZ_ON;
    CHECK_BELOW(worst_error(m, &o), 1e-5);
    free_scan(m);
}

/* A weak penalty changes exact data little; total variation uses the approximate spectra. */
static void with_penalties(void **state)
{
    (void)state;
    static const char *const lists[] = {"llr:0.00001", "tv:0.00001"};
    made_scan *m = new_scan(CONTRAST);
    for (int i = 0; i < 2; i++) {
        argand_regularizer list[ARGAND_MAX_REGULARIZERS];
        argand_sense_options o = exact;
        OK(argand_regularizers_parse(lists[i], list, &o.regularizer_count));
        o.regularizers = list;
        o.toeplitz = ARGAND_TOEPLITZ_ON;
        o.iterations = 200;
        CHECK_BELOW(worst_error(m, &o), 5e-3);
    }
    free_scan(m);
}

static void refusals(void **state)
{
    (void)state;
    made_scan *m = new_scan(CONTRAST);
    argand_sense *s;
    argand_sense_options o = exact;
    o.basis_name = NULL;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "need a temporal basis");
    o = exact;
    o.phases = ARGAND_PHASES_SHOTS;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_UNSUPPORTED, "phase maps");
    o = exact;
    m->acquisitions[0].counters.set = TIMES - 1;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT, "both contrasts and sets");
    m->acquisitions[0].counters.set = 0;
    m->arrays[1].dims[0] = TIMES - 1;
    FAILS(argand_sense_create(&s, device, &m->scan, &o), ARGAND_ARGUMENT,
          "6 contrasts, 1 phase, 1 repetition, 1 set, 1 segment, 7 shots");
    free_scan(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(any_counter),
    cmocka_unit_test(by_convolutions),
    cmocka_unit_test(with_penalties),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
