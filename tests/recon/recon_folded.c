/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects larger than the field of view: said where a second set of maps would help, and where curves are
 * sampled, the maps that leave less of the data over are taken. Scans by the plain sum over a body on twice
 * the field of view. */
#include "few.h"

enum { N = 32, WIDE = 2 * N, COILS = 8, LINES = N, SAMPLES = 180, MOST = 3 * N * N };
#define PI 3.14159265358979323846

typedef struct place {
    double x, y, value; /* in fields of view from the middle */
    double complex coils[COILS];
} place;

typedef struct made_scan {
    argand_scan scan;
    argand_encoding encoding;
    argand_acquisition lines[LINES];
    float data[LINES][2 * SAMPLES * COILS], k[3][LINES][SAMPLES], t[SAMPLES];
    place body[MOST];
    int places, samples;
} made_scan;

static double complex coil_at(int c, double x, double y)
{
    const double angle = 2 * PI * c / COILS, u = x - 0.75 * cos(angle), v = y - 0.75 * sin(angle);
    return exp(-2.5 * (u * u + v * v)) * cexp(I * (angle + 1.1 * x * cos(2 * angle) + 0.9 * y));
}

/* An ellipse with a hole and two spots; half its height in fields of view. */
static double body_at(double x, double y, double height)
{
    const double u = x / 0.36, v = y / height;
    if (u * u + v * v > 1) return 0;
    return 1 + 0.7 * (hypot(u - 0.3, v - 0.4) < 0.3) - 0.6 * (hypot(u + 0.3, v) < 0.35) +
           0.5 * (hypot(u, v + 0.7) < 0.2);
}

static void make_body(made_scan *m, double height)
{
    for (int i = 0; i < WIDE * WIDE; i++) {
        place p = {.x = (double)(i % WIDE - N) / N, .y = (double)(i / WIDE - N) / N};
        p.value = body_at(p.x, p.y, height);
        if (p.value == 0) continue;
        for (int c = 0; c < COILS; c++) p.coils[c] = p.value * coil_at(c, p.x, p.y);
        assert_true(m->places < MOST);
        m->body[m->places++] = p;
    }
}

static void sample(made_scan *m, int line, int i, double kx, double ky)
{
    double complex sum[COILS] = {0};
    for (int n = 0; n < m->places; n++) {
        const place *p = &m->body[n];
        const double complex wave = cexp(-2 * PI * I * (kx * p->x + ky * p->y));
        for (int c = 0; c < COILS; c++) sum[c] += wave * p->coils[c];
    }
    m->k[0][line][i] = (float)kx;
    m->k[1][line][i] = (float)ky;
    for (int c = 0; c < COILS; c++) {
        m->data[line][2 * (i + m->samples * c)] = (float)creal(sum[c]);
        m->data[line][2 * (i + m->samples * c) + 1] = (float)cimag(sum[c]);
    }
}

static void make_line(made_scan *m, int line, bool spiral)
{
    for (int i = 0; i < m->samples; i++) {
        const double t = (double)i / (m->samples - 1);
        const double complex k = N / 2 * t * cexp(2 * PI * I * (N / 2 / 8.0 * t + line / 8.0));
        if (spiral)
            sample(m, line, i, creal(k), cimag(k));
        else
            sample(m, line, i, i - N / 2, line - N / 2);
    }
    m->lines[line] = (argand_acquisition){.counters = {.shot = (uint16_t)line},
                                          .samples = m->samples,
                                          .channels = COILS,
                                          .sample_time = 1e-5,
                                          .data = m->data[line],
                                          .k = {m->k[0][line], m->k[1][line], m->k[2][line]},
                                          .t = m->t};
}

/* Eight arms of a spiral, or all lines of a grid. */
static made_scan *new_scan(double height, bool spiral)
{
    made_scan *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->samples = spiral ? SAMPLES : N;
    make_body(m, height);
    const int lines = spiral ? 8 : LINES;
    for (int line = 0; line < lines; line++) make_line(m, line, spiral);
    m->encoding = (argand_encoding){.matrix = {N, N, 1},
                                    .field_of_view = {240, 240, 5},
                                    .recon_matrix = {N, N, 1},
                                    .recon_field_of_view = {240, 240, 5}};
    snprintf(m->encoding.trajectory, sizeof m->encoding.trajectory, "%s", spiral ? "spiral" : "cartesian");
    m->scan = (argand_scan){.path = "made.h5",
                            .encoding_count = 1,
                            .encodings = &m->encoding,
                            .acquisition_count = lines,
                            .acquisitions = m->lines,
                            .channels = COILS,
                            .header = "",
                            .notes = ""};
    return m;
}

/* Of magnitudes inside the field of view, up to a factor. */
static double error_of(double complex *image, double height)
{
    double product = 0, square = 0, all = 0;
    for (int i = 0; i < N * N; i++) {
        const double truth = body_at((double)(i % N - N / 2) / N, (double)(i / N - N / 2) / N, height);
        product += truth * cabs(image[i]);
        square += pow(cabs(image[i]), 2);
        all += truth * truth;
    }
    return sqrt(fmax(0, 1 - product * product / (square * all)));
}

/* The notes go to `notes`. */
static double run(double height, bool spiral, argand_coils coils, char notes[4096])
{
    made_scan *m = new_scan(height, spiral);
    argand_sense *session;
    argand_array *image;
    OK(argand_sense_create(&session, device, &m->scan,
                           &(argand_sense_options){.coils = coils, .iterations = 10}));
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){N, N, 1}));
    OK(argand_sense_run(session, 0, image, NULL, NULL));
    snprintf(notes, 4096, "%s", argand_sense_notes(session));
    double complex *got = (double complex *)as_doubles(image);
    const double error = error_of(got, height);
    printf("half height %.2f: error %.4f\n%s", height, error, notes);
    free(got);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    free(m);
    return error;
}

static void sets_are_proposed(void **state)
{
    (void)state;
    char notes[4096];
    run(0.42, false, ARGAND_COILS_AUTO, notes);
    assert_non_null(strstr(notes, "Coil maps by ESPIRiT"));
    assert_null(strstr(notes, "second eigenvalue"));
    run(0.68, false, ARGAND_COILS_AUTO, notes);
    assert_non_null(strstr(notes, "Coil maps by ESPIRiT"));
    assert_non_null(strstr(notes, "Try --sets 2"));
    assert_non_null(strstr(notes, "a second eigenvalue is near 1 in"));
}

static void data_decide_off_a_grid(void **state)
{
    (void)state;
    char notes[4096];
    run(0.42, true, ARGAND_COILS_AUTO, notes);
    assert_null(strstr(notes, "several algorithms were tried"));
    const double chosen = run(0.68, true, ARGAND_COILS_AUTO, notes);
    assert_non_null(strstr(notes, "Coil maps by nonlinear inversion: a second eigenvalue"));
    assert_non_null(strstr(notes, "several algorithms were tried"));
    CHECK_BELOW(chosen, 1.15 * run(0.68, true, ARGAND_COILS_ADAPTIVE, notes));
    const double espirit = run(0.68, true, ARGAND_COILS_ESPIRIT, notes);
    assert_non_null(strstr(notes, "Try --sets 2"));
    CHECK_BELOW(chosen, 0.8 * espirit);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sets_are_proposed),
    cmocka_unit_test(data_decide_off_a_grid),
};
RUN_TESTS(tests)
