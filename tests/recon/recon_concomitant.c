/* SPDX-License-Identifier: BSD-3-Clause */
/* Concomitant fields of lines, as direct sums over the pixels with Bernstein's field integrated in small
 * steps of time: lines that are excited one by one, and those of an echo-planar train, whose phase goes
 * on. */
#include "made_scan.h"

enum { OVER = 4, SAMPLES = OVER * NX, STEPS = 64 };
static const double DWELL = 1e-5, GAP = 8e-5, B0 = 0.02, GAMMA = 2 * PI * 42.577478518e6;
static const float READ[3] = {0, 0.6f, 0.8f}, PHASE[3] = {1, 0, 0}, SLICE[3] = {0, 0.8f, -0.6f},
                   PLACE[3] = {30, -20, 120};

static void place_of(double p[3], int x, int y)
{
    for (int d = 0; d < 3; d++)
        p[d] = 1e-3 * ((double)PLACE[d] + 20. * (x - NX / 2) * (double)READ[d] +
                       20. * (y - NY / 2) * (double)PHASE[d]);
}

/* Bc in T under a gradient of g T/m along the readout. */
static double field_at(const double p[3], double g)
{
    const double gx = g * (double)READ[0], gy = g * (double)READ[1], gz = g * (double)READ[2];
    const double a = gx * p[2] - gz * p[0] / 2, b = gy * p[2] - gz * p[1] / 2;
    return (a * a + b * b) / (2 * B0);
}

/* The phase from the start of the train until the start of a line, and during a line until a time. */
static double phase_at(const double p[3], bool train, int line, double t)
{
    const double flat = 1 / (0.02 * NX * OVER) / DWELL / 42.577478518e6;
    double sum = 0;
    for (int l = 0; l < line && train; l++) {
        sum += field_at(p, flat) * DWELL * (SAMPLES - 1);
        for (int i = 0; i < STEPS; i++) sum += field_at(p, flat * (1 - 2 * (i + 0.5) / STEPS)) * GAP / STEPS;
    }
    return GAMMA * (sum + field_at(p, flat) * t);
}

static double complex sample_of(int coil, int line, int i, bool train, bool reversed)
{
    double complex sum = 0;
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) {
            double p[3];
            place_of(p, x, y);
            const double k = 2 * PI *
                             ((double)(i - SAMPLES / 2) / OVER * (x - NX / 2) / NX +
                              (double)(line - NY / 2) * (y - NY / 2) / NY);
            const double t = DWELL * (reversed ? SAMPLES - 1 - i : i);
            sum += truth_at(0, 0, x, y) * coil_at(coil, x, y) * cexp(-I * (k + phase_at(p, train, line, t)));
        }
    return sum;
}

static void fill_line(made_scan *m, int line, bool train)
{
    argand_acquisition *a = &m->acquisitions[line];
    const bool reversed = train && line % 2;
    float *data = own(m, sizeof(float) * 2 * SAMPLES * COILS), *t = own(m, sizeof(float) * SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        const double start = 0.004 + (train ? line * (DWELL * (SAMPLES - 1) + GAP) : 0);
        t[i] = (float)(start + DWELL * (reversed ? SAMPLES - 1 - i : i));
        for (int coil = 0; coil < COILS; coil++) {
            const double complex s = sample_of(coil, line, i, train, reversed);
            data[2 * (i + SAMPLES * coil)] = (float)creal(s);
            data[2 * (i + SAMPLES * coil) + 1] = (float)cimag(s);
        }
    }
    a->data = data;
    a->t = t;
    a->flags = reversed ? ARGAND_FLAG_REVERSE : 0;
    for (int d = 0; d < 3; d++)
        a->position[d] = PLACE[d], a->read_dir[d] = READ[d], a->phase_dir[d] = PHASE[d],
        a->slice_dir[d] = SLICE[d];
}

static made_scan *make_scan(bool train)
{
    made_scan *m = new_scan(OVER);
    add_image(m, (argand_counters){0}, OVER, DWELL, 0);
    add_coil_maps(m);
    for (int line = 0; line < NY; line++) fill_line(m, line, train);
    return m;
}

static double error_of(const made_scan *m, argand_sense_options o)
{
    double complex expected[PIXELS];
    argand_sense *session;
    o.segment_tolerance = 1e-6;
    truth(expected, 0, 0);
    OK(argand_sense_create(&session, device, &m->scan, &o));
    const double error = run_error(session, 0, expected);
    argand_sense_destroy(session);
    return error;
}

/* Times are stored as floats: 1e-9 s of dwell times of 1e-5 s, 1e-6 of some rad at the end of a line. */
static void lines(bool train)
{
    made_scan *m = make_scan(train);
    argand_sense_options o = exact;
    CHECK_BELOW(train ? 0.1 : 0.02, error_of(m, o));
    o.concomitant = B0;
    CHECK_BELOW(error_of(m, o), 2e-5);
    o.concomitant = -1;
    m->scan.field_strength = B0;
    CHECK_BELOW(error_of(m, o), 2e-5);
    free_scan(m);
}

static void lines_of_their_own(void **state)
{
    (void)state;
    lines(false);
}

static void lines_of_a_train(void **state)
{
    (void)state;
    lines(true);
}

/* Given phase is added: minus a fifth of a turn, which the data do not have, turns the image. */
static void added_to_given_phase(void **state)
{
    (void)state;
    made_scan *m = make_scan(true);
    argand_sense_options o = exact;
    argand_array *terms;
    double complex expected[PIXELS];
    OK(argand_array_create(&terms, device, ARGAND_R64, 2, (int64_t[]){SAMPLES * NY, 1}));
    OK(argand_array_fill(terms, (argand_scalar){-2 * PI / 5, 0}));
    o.concomitant = B0;
    o.phase_terms = terms;
    o.segment_tolerance = 1e-6;
    truth(expected, 0, 0);
    for (int i = 0; i < PIXELS; i++) expected[i] *= cexp(-2 * PI / 5 * I);
    argand_sense *session;
    OK(argand_sense_create(&session, device, &m->scan, &o));
    CHECK_BELOW(run_error(session, 0, expected), 2e-5);
    argand_sense_destroy(session);
    argand_array_destroy(terms);
    free_scan(m);
}

static void fails(const made_scan *m, double field, argand_status expected, const char *message)
{
    argand_sense *session;
    argand_sense_options o = exact;
    o.concomitant = field;
    FAILS(argand_sense_create(&session, device, &m->scan, &o), expected, message);
}

static void refusals(void **state)
{
    (void)state;
    made_scan *m = make_scan(false);
    fails(m, -1, ARGAND_ARGUMENT, "systemFieldStrength_T is 0");
    fails(m, 500, ARGAND_ARGUMENT, "500");
    ((float *)(uintptr_t)m->acquisitions[2].t)[4] = m->acquisitions[2].t[3];
    fails(m, B0, ARGAND_ARGUMENT, "at the same time");
    m->acquisitions[0].slice_dir[1] = 0;
    fails(m, B0, ARGAND_ARGUMENT, "position, read_dir");
    free_scan(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lines_of_their_own),
    cmocka_unit_test(lines_of_a_train),
    cmocka_unit_test(added_to_given_phase),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
