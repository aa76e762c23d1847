/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid motion estimated from samples: of moved ellipses in a plane and moved blobs in a volume, whose
 * samples are formulas; none in scans without motion; refusals. calib_motion_cases.c has more kinds and
 * shots. */
#include "moved.h"

static void few_spirals(void **state)
{
    (void)state;
    run(SPIRAL, 40, 5, 0.3);
}

/* In noise, the statistic is near 1, and the positions differ by their errors alone. */
static void no_motion(void **state)
{
    (void)state;
    problem p;
    double mm, degrees;
    make(&p, SPIRAL, 32, 4, 0, 0.05);
    OK(estimate(&p, usual, 4));
    errors_of(&p, &mm, &degrees);
    CHECK_BELOW(mm, 0.3);
    CHECK_BELOW(degrees, 0.3);
    CHECK_BELOW(p.report.evidence, 3);
    assert_int_equal(p.report.undetermined, 0);
    drop(&p);
}

/* Lines that are far from the centre: the row has no samples there, and lies between its neighbours. */
static void row_without_samples(void **state)
{
    (void)state;
    problem p;
    make(&p, SPIRAL, 24, 4, 3, 0.02);
    for (int64_t j = 0; j < p.points; j++)
        if (p.row[j] == 2) p.k[0][j] += 1000;
    OK(estimate(&p, usual, 4));
    assert_int_equal(p.report.undetermined, 1);
    CHECK_BELOW(fabs(p.found[2].shift[0] - (p.found[1].shift[0] + p.found[3].shift[0]) / 2), 1e-6);
    drop(&p);
}

/* ---- a volume: Gaussian blobs, coils of two plane waves, spokes in all directions */

enum { VOLUME = 24, BLOBS = 9, SPOKES = 360, CUBE = VOLUME * VOLUME * VOLUME, VOLUME_COILS = 3 };

static double complex coil_factor(int coil, int wave)
{
    return wave == 0 ? 1 : 0.4 * cexp(2 * PI * I * coil / VOLUME_COILS);
}

/* The sensitivity of a coil changes along the axis of its number. */
static void volume_sample(double complex y[VOLUME_COILS], const double k[3], const argand_rigid *m)
{
    const double a = PI / 180 * m->rotation[0], b = PI / 180 * m->rotation[1], c = PI / 180 * m->rotation[2];
    const double r[3][3] = {{cos(b) * cos(c), sin(a) * sin(b) * cos(c) - cos(a) * sin(c),
                             cos(a) * sin(b) * cos(c) + sin(a) * sin(c)},
                            {cos(b) * sin(c), sin(a) * sin(b) * sin(c) + cos(a) * cos(c),
                             cos(a) * sin(b) * sin(c) - sin(a) * cos(c)},
                            {-sin(b), sin(a) * cos(b), cos(a) * cos(b)}};
    for (int coil = 0; coil < VOLUME_COILS; coil++) {
        double complex sum = 0;
        for (int wave = 0; wave < 2; wave++)
            for (int blob = 0; blob < BLOBS; blob++) {
                double square = 0, turns = 0;
                for (int d = 0; d < 3; d++) {
                    const double at =
                        r[0][d] * k[0] + r[1][d] * k[1] + r[2][d] * k[2] - (d == coil ? 0.6 * wave : 0);
                    square += at * at;
                    turns +=
                        at * 0.27 * sin(1 + 2.3 * blob + 1.7 * d * (blob + 1)) + k[d] * m->shift[d] / FOV;
                }
                const double width = 0.02 + 0.012 * blob;
                sum += coil_factor(coil, wave) * pow(width, 3) * (1 + blob % 3) *
                       cexp(-2 * PI * PI * width * width * square - 2 * PI * I * turns);
            }
        y[coil] = 1e3 * sum;
    }
}

static argand_array *volume_maps(void)
{
    double complex *maps = malloc(sizeof *maps * CUBE * VOLUME_COILS);
    for (int coil = 0; coil < VOLUME_COILS; coil++)
        for (int i = 0; i < CUBE; i++) {
            const int at[3] = {i % VOLUME, i / VOLUME % VOLUME, i / VOLUME / VOLUME};
            maps[i + CUBE * coil] =
                coil_factor(coil, 0) +
                coil_factor(coil, 1) * cexp(2 * PI * I * 0.6 * (at[coil] - VOLUME / 2) / VOLUME);
        }
    argand_array *array = upload(ARGAND_C64, 4, (int64_t[]){VOLUME, VOLUME, VOLUME, VOLUME_COILS}, maps);
    free(maps);
    return array;
}

static void volume(void **state)
{
    (void)state;
    enum { ROWS = 3, POINTS = SPOKES * VOLUME };
    static double k[3][POINTS];
    static int32_t row[POINTS];
    static double complex y[POINTS * VOLUME_COILS];
    const argand_rigid truth[ROWS] = {{{0}, {0}}, {{3, -4, 2}, {3, -2, 4}}, {{-5, 1, 4}, {-4, 3, 1}}};
    argand_rigid found[ROWS];
    for (int j = 0; j < POINTS; j++) {
        const int spoke = j / VOLUME;
        const double z = 1 - 2 * (spoke + 0.5) / SPOKES, at = 2.39996 * spoke, r = j % VOLUME - VOLUME / 2;
        double complex one[VOLUME_COILS];
        k[0][j] = r * sqrt(1 - z * z) * cos(at), k[1][j] = r * sqrt(1 - z * z) * sin(at), k[2][j] = r * z;
        row[j] = spoke % ROWS;
        volume_sample(one, (double[]){k[0][j], k[1][j], k[2][j]}, &truth[row[j]]);
        for (int c = 0; c < VOLUME_COILS; c++) y[j + POINTS * c] = one[c];
    }
    argand_array *maps = volume_maps(), *at[3],
                 *samples = upload(ARGAND_C64, 2, (int64_t[]){POINTS, VOLUME_COILS}, y);
    const argand_motion_options o = {.field_of_view = {FOV, FOV, FOV}, .cycles = 6};
    argand_motion_report report;
    for (int d = 0; d < 3; d++) at[d] = upload(ARGAND_R64, 1, (int64_t[]){POINTS}, k[d]);
    OK(argand_motion_estimate(found, ROWS, samples, row, at, maps, &o, &report));
    for (int i = 1; i < ROWS; i++)
        for (int d = 0; d < 3; d++) {
            CHECK_BELOW(fabs(found[i].shift[d] - truth[i].shift[d]), 0.3);
            CHECK_BELOW(fabs(found[i].rotation[d] - truth[i].rotation[d]), 0.3);
        }
    argand_array_destroy(maps);
    argand_array_destroy(samples);
    for (int d = 0; d < 3; d++) argand_array_destroy(at[d]);
}

static void refusals(void **state)
{
    (void)state;
    problem p;
    argand_motion_options o = usual;
    make(&p, SPIRAL, 16, 2, 0, 0);
    FAILS(estimate(&p, o, 1), ARGAND_ARGUMENT, "at least 2");
    o.field_of_view[1] = 0;
    FAILS(estimate(&p, o, 2), ARGAND_ARGUMENT, "field of view of 0 mm along y");
    o = usual;
    o.cycles = -1;
    FAILS(estimate(&p, o, 2), ARGAND_ARGUMENT, "-1 cycles");
    p.row[3] = 2;
    FAILS(estimate(&p, usual, 2), ARGAND_ARGUMENT, "sample 3 has row 2");
    p.row[3] = 0;
    p.y[5] = NAN;
    FAILS(estimate(&p, usual, 2), ARGAND_NUMERIC, "samples");
    drop(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(few_spirals),         cmocka_unit_test(no_motion), cmocka_unit_test(volume),
    cmocka_unit_test(row_without_samples), cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
