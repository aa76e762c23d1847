/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid motion taken out of a scan: samples of a moved object, known as a function, become those of the
 * object before at the positions that the scan then has. */
#include "harness.h"

enum { SAMPLES = 50, CHANNELS = 2, ROWS = 3 };
static const double fov[3] = {240, 200, 150};

/* Blobs: centre in mm, width in mm, amplitude. */
static const double blobs[][5] = {{0, 0, 0, 30, 1}, {60, -40, 30, 12, 2}, {-50, 55, -20, 15, -1.5}};

/* Where a point of the object is, by sines and cosines written out: first about x, then y, then z. */
static void move(double to[3], const double from[3], const argand_rigid *m)
{
    double p[3] = {from[0], from[1], from[2]};
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const double angle = m->rotation[axis] * 3.14159265358979323846 / 180, a = p[u], b = p[v];
        p[u] = cos(angle) * a - sin(angle) * b;
        p[v] = sin(angle) * a + cos(angle) * b;
    }
    for (int i = 0; i < 3; i++) to[i] = p[i] + m->shift[i];
}

/* Sample at k, in cycles per field of view. */
static double complex signal(const float *const k[3], int64_t i, const argand_rigid *m)
{
    double complex sum = 0;
    for (int b = 0; b < 3; b++) {
        double at[3], phase = 0, square = 0;
        move(at, blobs[b], m);
        for (int d = 0; d < 3; d++) {
            const double per_mm = (double)k[d][i] / fov[d];
            phase += per_mm * at[d];
            square += per_mm * per_mm;
        }
        const double pi = 3.14159265358979323846;
        sum += blobs[b][4] * exp(-2 * pi * pi * square * blobs[b][3] * blobs[b][3]) *
               cexp(CMPLX(0, -2 * pi * phase));
    }
    return sum;
}

typedef struct case_scan {
    argand_scan scan;
    argand_encoding encoding;
    argand_acquisition lines[ROWS + 1];
    float k[ROWS + 1][3][SAMPLES], data[ROWS + 1][2 * SAMPLES * CHANNELS];
} case_scan;

/* A line for each row, and one for the first again. */
static void make(case_scan *s, const argand_rigid *motion, bool flat, bool repetitions)
{
    random_state state = {3};
    memset(s, 0, sizeof *s);
    for (int r = 0; r <= ROWS; r++) {
        argand_acquisition *a = &s->lines[r];
        const float *k[3];
        for (int d = 0; d < 3; d++) {
            a->k[d] = k[d] = s->k[r][d];
            for (int i = 0; i < SAMPLES; i++)
                s->k[r][d][i] = flat && d == 2 ? 0 : (float)(8 * (random_uniform(&state) - 0.5));
        }
        for (int i = 0; i < SAMPLES; i++)
            for (int c = 0; c < CHANNELS; c++) {
                const double complex y = (1 + c) * signal(k, i, &motion[r % ROWS]);
                s->data[r][2 * (i + SAMPLES * c)] = (float)creal(y);
                s->data[r][2 * (i + SAMPLES * c) + 1] = (float)cimag(y);
            }
        a->samples = SAMPLES;
        a->channels = CHANNELS;
        a->data = s->data[r];
        *(repetitions ? &a->counters.repetition : &a->counters.shot) = (uint16_t)(r % ROWS);
    }
    s->encoding = (argand_encoding){.matrix = {64, 64, flat ? 1 : 32},
                                    .field_of_view = {fov[0], fov[1], fov[2]},
                                    .trajectory = "cartesian"};
    s->scan.encodings = &s->encoding;
    s->scan.encoding_count = 1;
    s->scan.acquisitions = s->lines;
    s->scan.acquisition_count = ROWS + 1;
    s->scan.channels = CHANNELS;
    s->scan.notes = "";
}

static void check(const argand_rigid *motion, bool flat, bool repetitions, const char *trajectory)
{
    static case_scan s;
    argand_scan *still;
    double difference = 0, norm = 0, change = 0;
    make(&s, motion, flat, repetitions);
    OK(argand_scan_still(&still, &s.scan, 0, repetitions ? ARGAND_MOTION_REPETITIONS : ARGAND_MOTION_SHOTS,
                         ROWS, motion));
    assert_string_equal(still->encodings[0].trajectory, trajectory);
    for (int r = 0; r <= ROWS; r++)
        for (int i = 0; i < SAMPLES; i++)
            for (int c = 0; c < CHANNELS; c++) {
                const argand_acquisition *a = &still->acquisitions[r];
                const int64_t at = 2 * (i + SAMPLES * c);
                const double complex truth = (1 + c) * signal(a->k, i, &(argand_rigid){0}),
                                     got = CMPLX(a->data[at], a->data[at + 1]);
                difference += cabs(got - truth) * cabs(got - truth);
                change += cabs(CMPLX(s.data[r][at], s.data[r][at + 1]) - got);
                norm += cabs(truth) * cabs(truth);
            }
    CHECK_BELOW(sqrt(difference / norm), 1e-5);
    assert_true(change > 1);
    argand_scan_destroy(still);
}

static void still_objects(void **state)
{
    (void)state;
    static const argand_rigid motion[ROWS] = {
        {{1, -2, 3}, {4, -5, 6}}, {{-8, 5, 2}, {-20, 10, 35}}, {{0}, {0}}};
    static const argand_rigid plane[ROWS] = {{{3, -7, 0}, {0, 0, 12}}, {{0}, {0}}, {{0}, {0, 0, -50}}};
    static const argand_rigid shifts[ROWS] = {{{3, -7, 0}, {0}}, {{0}, {0}}, {{1, 2, 0}, {0}}};
    check(motion, false, false, "other");
    check(motion, false, true, "other");
    check(plane, true, false, "other");
    check(shifts, true, true, "cartesian");
}

/* A calibration line that the image lacks is moved with the image's lines, in the order of the file. */
static void embedded(void **state)
{
    (void)state;
    static const argand_rigid motion[ROWS] = {{{3, -7, 0}, {0}}, {{0}, {0}}, {{1, 2, 0}, {0, 0, 9}}};
    static case_scan s;
    argand_scan *still;
    bool is_embedded;
    double difference = 0;
    make(&s, motion, true, false);
    for (int r = 0; r < ROWS; r++) s.lines[r].row = r;
    const argand_acquisition calibration = s.lines[1];
    s.lines[1] = s.lines[2];
    s.scan.acquisition_count = 2;
    s.scan.calibrations = &calibration;
    s.scan.calibration_count = 1;
    OK(argand_scan_still(&still, &s.scan, 0, ARGAND_MOTION_SHOTS, ROWS, motion));
    assert_int_equal(still->acquisition_count, 3);
    for (int r = 0; r < 3; r++) {
        const argand_acquisition *a = &still->acquisitions[r];
        assert_int_equal(a->row, r);
        for (int i = 0; i < SAMPLES; i++)
            difference +=
                cabs(CMPLX(a->data[2 * i], a->data[2 * i + 1]) - signal(a->k, i, &(argand_rigid){0}));
    }
    CHECK_BELOW(difference, 1e-3);
    OK(argand_scan_embedded(&is_embedded, still, 0));
    assert_false(is_embedded); /* it would be used twice */
    argand_scan_destroy(still);
}

static void refused(void **state)
{
    (void)state;
    static case_scan s;
    static const argand_rigid zero[ROWS] = {{{0}, {0}}}, tilted[ROWS] = {{{0}, {0, 2, 0}}},
                              far[ROWS] = {{{NAN}, {0}}};
    argand_scan *still;
    make(&s, zero, true, false);
    FAILS(argand_scan_still(&still, &s.scan, 0, ARGAND_MOTION_SHOTS, 2, zero), ARGAND_ARGUMENT,
          "2 rows, but the scan has a shot with the number 2");
    FAILS(argand_scan_still(&still, &s.scan, 0, ARGAND_MOTION_SHOTS, ROWS, tilted), ARGAND_ARGUMENT,
          "leaves the plane");
    FAILS(argand_scan_still(&still, &s.scan, 0, ARGAND_MOTION_SHOTS, ROWS, far), ARGAND_ARGUMENT,
          "out of range");
    FAILS(argand_scan_still(&still, &s.scan, 1, ARGAND_MOTION_SHOTS, ROWS, zero), ARGAND_ARGUMENT,
          "encoding 1");
    s.encoding.field_of_view[1] = 0;
    FAILS(argand_scan_still(&still, &s.scan, 0, ARGAND_MOTION_SHOTS, ROWS, zero), ARGAND_ARGUMENT,
          "field of view");
    s.encoding.bands.count = 2;
    FAILS(argand_scan_still(&still, &s.scan, 0, ARGAND_MOTION_SHOTS, ROWS, zero), ARGAND_UNSUPPORTED,
          "excited together");
    assert_null(still);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(still_objects), cmocka_unit_test(embedded),
                                          cmocka_unit_test(refused)};

RUN_TESTS(tests)
