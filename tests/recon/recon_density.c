/* SPDX-License-Identifier: BSD-3-Clause */
/* Which weights a session takes by itself: none on a grid, the scan's where they are weights, else computed
 * ones. */
#include "harness.h"

enum { N = 16, SPOKES = 24, READ = 2 * N, SAMPLES = SPOKES * READ };
#define PI 3.14159265358979323846

typedef struct made_scan {
    argand_scan scan;
    argand_encoding encoding;
    argand_acquisition acquisitions[SPOKES];
    argand_scan_array array;
    float k[2][SAMPLES], t[SAMPLES], data[2 * SAMPLES], weights[SAMPLES];
} made_scan;

/* Lines of a grid with the offset of its points in grid steps, or spokes; a point in the middle gives the
 * same signal everywhere. */
static made_scan *new_scan(bool spokes, float offset)
{
    made_scan *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->encoding = (argand_encoding){.matrix = {N, N, 1},
                                    .field_of_view = {200, 200, 5},
                                    .recon_matrix = {N, N, 1},
                                    .recon_field_of_view = {200, 200, 5}};
    m->scan = (argand_scan){.path = "made.h5",
                            .encoding_count = 1,
                            .encodings = &m->encoding,
                            .acquisitions = m->acquisitions,
                            .acquisition_count = spokes ? SPOKES : N,
                            .arrays = &m->array,
                            .channels = 1,
                            .header = "",
                            .notes = ""};
    for (int line = 0; line < m->scan.acquisition_count; line++)
        for (int i = 0; i < READ; i++) {
            const int at = line * READ + i;
            const double r = (i - N) / 2., angle = PI * line / SPOKES;
            m->k[0][at] = spokes ? (float)(r * cos(angle)) : (float)(i % N - N / 2) + offset;
            m->k[1][at] = spokes ? (float)(r * sin(angle)) : (float)(line - N / 2) - offset;
            m->data[2 * at] = 1;
            m->weights[at] = (float)(fabs(r) + 0.125);
        }
    for (int line = 0; line < m->scan.acquisition_count; line++)
        m->acquisitions[line] = (argand_acquisition){.counters = {.shot = (uint16_t)line},
                                                     .samples = spokes ? READ : N,
                                                     .channels = 1,
                                                     .sample_time = 1e-5,
                                                     .data = m->data + 2 * line * READ,
                                                     .k = {m->k[0] + line * READ, m->k[1] + line * READ},
                                                     .t = m->t + line * READ,
                                                     .read_dir = {1, 0, 0},
                                                     .phase_dir = {0, 1, 0},
                                                     .slice_dir = {0, 0, 1}};
    return m;
}

static void add_weights(made_scan *m, int64_t count)
{
    m->scan.array_count = 1;
    m->array = (argand_scan_array){
        .name = "DensityCompensation", .type = ARGAND_R32, .rank = 1, .dims = {count}, .data = m->weights};
}

/* Runs the scan and frees it: the weights in use are `way` to `power`, and the notes say `message`. */
static void expect(made_scan *m, argand_sense_options o, const char *way, double power, const char *message)
{
    argand_sense *session;
    argand_sense_info info;
    argand_array *image;
    o.iterations = 2;
    OK(argand_sense_create(&session, device, &m->scan, &o));
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){N, N, 1}));
    OK(argand_sense_run(session, 0, image, NULL, NULL));
    argand_sense_describe(session, &info);
    assert_string_equal(info.density, way);
    assert_true(info.density_power == power || !strcmp(way, "none"));
    if (!strstr(argand_sense_notes(session), message))
        fail_msg("\"%s\" is not in:\n%s", message, argand_sense_notes(session));
    argand_array_destroy(image);
    argand_sense_destroy(session);
    free(m);
}

static const argand_sense_options automatic = {0};

static void grids_have_none(void **state)
{
    (void)state;
    expect(new_scan(false, 0), automatic, "none", 0, "Cartesian grid: all have the same density weight");
    expect(new_scan(false, 0.5f), automatic, "none", 0, "Cartesian grid: all have the same density weight");
    made_scan *m = new_scan(false, 0);
    m->k[0][7] += 0.3f;
    expect(m, automatic, "pipe", 0.5, "root of their inverse density");
}

static void spokes_have_the_scans_or_computed_ones(void **state)
{
    (void)state;
    expect(new_scan(true, 0), automatic, "pipe", 0.5, "root of their inverse density");
    made_scan *m = new_scan(true, 0);
    add_weights(m, SAMPLES);
    expect(m, automatic, "file", 0.5, "root of the scan's DensityCompensation");
}

static void what_is_no_weight_is_not_taken(void **state)
{
    (void)state;
    made_scan *m = new_scan(true, 0);
    add_weights(m, SAMPLES - 1);
    expect(m, automatic, "pipe", 0.5, "does not have a number for each sample");
    m = new_scan(true, 0);
    add_weights(m, SAMPLES);
    m->weights[3] = -1;
    expect(m, automatic, "pipe", 0.5, "negative");
    m = new_scan(true, 0);
    add_weights(m, SAMPLES);
    for (int i = 0; i < SAMPLES; i++) m->weights[i] = 1 / m->weights[i]; /* a density, not its inverse */
    expect(m, automatic, "pipe", 0.5, "more uneven");
    m = new_scan(true, 0);
    add_weights(m, SAMPLES);
    for (int i = 0; i < SAMPLES; i++) m->weights[i] = 1 / m->weights[i];
    expect(m, (argand_sense_options){.density = ARGAND_DENSITY_FILE}, "file", 1, "");
}

static void what_is_asked_for_is_done(void **state)
{
    (void)state;
    expect(new_scan(true, 0), (argand_sense_options){.density = ARGAND_DENSITY_NONE}, "none", 0, "");
    expect(new_scan(false, 0), (argand_sense_options){.density = ARGAND_DENSITY_PIPE}, "pipe", 1, "");
    expect(new_scan(true, 0), (argand_sense_options){.density_power = 0.75}, "pipe", 0.75, "");
    expect(new_scan(true, 0), (argand_sense_options){.method = ARGAND_METHOD_ADJOINT}, "pipe", 1,
           "by their inverse density");
    expect(new_scan(false, 0), (argand_sense_options){.method = ARGAND_METHOD_ADJOINT}, "pipe", 1,
           "by their inverse density");
    argand_sense *session;
    made_scan *m = new_scan(true, 0);
    FAILS(argand_sense_create(&session, device, &m->scan, &(argand_sense_options){.density_power = 3}),
          ARGAND_ARGUMENT, "power 3");
    free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(grids_have_none),
    cmocka_unit_test(spokes_have_the_scans_or_computed_ones),
    cmocka_unit_test(what_is_no_weight_is_not_taken),
    cmocka_unit_test(what_is_asked_for_is_done),
};
RUN_TESTS(tests)
