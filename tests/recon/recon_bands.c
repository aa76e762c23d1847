/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions over slices that were excited together. */
#include "line_scan.h"

static void bands(void **state)
{
    (void)state;
    made *m = simultaneous(true, false);
    argand_sense *session = open_session(m, &(argand_sense_options){.iterations = 100});
    int64_t n[3];
    assert_int_equal(argand_sense_volumes(session), 6);
    argand_sense_grid(session, n);
    assert_int_equal(n[2], 1);
    assert_non_null(strstr(argand_sense_notes(session), "3 slices were excited together"));
    for (int v = 0; v < 6; v++) {
        const argand_geometry g = argand_sense_geometry(session, v);
        const int slice = argand_sense_counters(session, v)->slice;
        CHECK_BELOW(error_of(session, v), 2e-3);
        CHECK_BELOW(fabs(g.centre[2] - (4 * (slice % 2) + 8 * (slice / 2 - 1))), 1e-12);
        CHECK_BELOW(fabs(g.voxel[2] - 4), 1e-12);
    }
    argand_array *maps;
    OK(argand_sense_coil_maps(session, 5, &maps));
    double *values = as_doubles(maps);
    const int slice = argand_sense_counters(session, 5)->slice;
    const double complex want = coil_at(2, slice, 3, 4) / coil_norm(slice, 3, 4);
    CHECK_BELOW(
        cabs(CMPLX(values[2 * (3 + NX * 4 + PIXELS * 2)], values[2 * (3 + NX * 4 + PIXELS * 2) + 1]) - want),
        1e-6);
    free(values);
    argand_array_destroy(maps);
    argand_sense_destroy(session);
    made_free(m);
}

/* With a field map every slice has a transform of its own; of 0 it changes nothing. */
static void bands_with_fields(void **state)
{
    (void)state;
    made *m = simultaneous(true, false);
    argand_sense *session =
        open_session(m, &(argand_sense_options){.iterations = 100, .transform = ARGAND_TRANSFORM_DFT});
    CHECK_BELOW(error_of(session, 3), 2e-3);
    argand_sense_destroy(session);
    FAILS(argand_sense_create(&session, device, &m->scan,
                              &(argand_sense_options){.transform = ARGAND_TRANSFORM_DFT_GRADIENTS}),
          ARGAND_UNSUPPORTED, "simultaneous slices");
    made_free(m);
}

/* The calibration lines get the blips that their slice has among the others. */
static void add_blips(made *m)
{
    for (int64_t i = 0; i < m->scan.calibration_count; i++) {
        argand_acquisition *a = &m->calibrations[i];
        const double kz = (int)(i % 3) - 1, band = a->counters.slice / 2;
        const double complex phase_factor = cexp(-2 * PI * I * kz * (band - 1) / 3);
        float *data = (float *)(uintptr_t)a->data, *k = (float *)(uintptr_t)a->k[2];
        for (int64_t j = 0; j < a->samples; j++) k[j] = (float)kz;
        for (int64_t j = 0; j < a->samples * COILS; j++) {
            const double complex value = CMPLX(data[2 * j], data[2 * j + 1]) * phase_factor;
            data[2 * j] = (float)creal(value);
            data[2 * j + 1] = (float)cimag(value);
        }
    }
}

/* Maps of each slice from calibration lines of single slices, without blips and with. */
static void bands_calibrated(void **state)
{
    (void)state;
    made *m = simultaneous(false, true);
    argand_sense *session = open_session(m, &centre);
    assert_non_null(strstr(argand_sense_notes(session), "estimated from 72 calibration acquisitions"));
    for (int v = 0; v < 6; v += 5) CHECK_BELOW(maps_error(session, v), 0.03);
    argand_sense_destroy(session);
    add_blips(m);
    session = open_session(m, &centre);
    for (int v = 0; v < 6; v += 5) CHECK_BELOW(maps_error(session, v), 0.03);
    argand_sense_destroy(session);
    made_free(m);

    argand_array *image;
    m = simultaneous(false, false);
    session = open_session(m, NULL);
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    FAILS(argand_sense_run(session, 0, image, NULL, NULL), ARGAND_FORMAT,
          "slice 0 was excited together with others and nothing calibrates it");
    argand_array_destroy(image);
    argand_sense_destroy(session);
    made_free(m);
}

static bool stop_at_two(void *context, const argand_progress *p)
{
    ++*(int *)context;
    return p->iteration < 2;
}

/* The three slices of a group are solved once; a stopped solve is not kept. */
static void bands_solved_once(void **state)
{
    (void)state;
    made *m = simultaneous(true, false);
    argand_sense *session = open_session(m, &(argand_sense_options){.iterations = 100});
    argand_array *image;
    int calls = 0;
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    FAILS(argand_sense_run(session, 0, image, stop_at_two, &calls), ARGAND_STOPPED, "stopped");
    assert_int_equal(calls, 3);
    CHECK_BELOW(error_of(session, 0), 2e-3);
    calls = 0;
    OK(argand_sense_run(session, 1, image, stop_at_two, &calls));
    assert_int_equal(calls, 0);
    argand_array_destroy(image);
    argand_sense_destroy(session);
    made_free(m);
}

static double *image_of(argand_sense *session, int volume)
{
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    OK(argand_sense_run(session, volume, image, NULL, NULL));
    double *values = as_doubles(image);
    argand_array_destroy(image);
    return values;
}

/* Pixels that alias, in place of transforms, give the same image and the same iteration. A readout that
 * lacks a sample has none. */
static void bands_without_transforms(void **state)
{
    (void)state;
    static const char *const note = "pixels of the 3 slices that alias";
    made *m = simultaneous(true, false);
    argand_sense_info info[2];
    double *image[2];
    for (int off = 0; off < 2; off++) {
        argand_sense *session = open_session(
            m, &(argand_sense_options){.toeplitz = off ? ARGAND_TOEPLITZ_OFF : ARGAND_TOEPLITZ_AUTO});
        image[off] = image_of(session, 4);
        argand_sense_describe(session, &info[off]);
        assert_true((strstr(argand_sense_notes(session), note) == NULL) == off);
        argand_sense_destroy(session);
    }
    assert_int_equal(info[0].iteration, info[1].iteration);
    /* each is within the NUFFT's 1e-5 times the condition number of the problem */
    CHECK_BELOW(relative_error(image[0], image[1], 2 * PIXELS), 1e-4);
    for (int off = 0; off < 2; off++) free(image[off]);
    m->images[3] = make_line(m, 3 - NY / 2, -1, (const int[]){0, 2, 4}, 3, 1);
    argand_sense *session = open_session(m, &(argand_sense_options){.iterations = 100});
    CHECK_BELOW(error_of(session, 2), 2e-2);
    assert_null(strstr(argand_sense_notes(session), note));
    argand_sense_destroy(session);
    made_free(m);
}

/* Later scans of a stream use the model of each group as long as the calibration data stay the same. */
static void bands_continued(void **state)
{
    (void)state;
    made *m = simultaneous(false, true), *next = simultaneous(false, true),
         *bare = simultaneous(false, false);
    argand_sense *session = open_session(m, NULL);
    double *first[6];
    for (int v = 0; v < 6; v++) first[v] = image_of(session, v);
    for (int scan = 0; scan < 4; scan++) {
        OK(argand_sense_continue(session, scan < 2 ? &next->scan : &bare->scan));
        for (int v = 0; v < 6; v++) {
            double *again = image_of(session, v);
            assert_memory_equal(again, first[v], 2 * PIXELS * sizeof *again);
            free(again);
        }
    }
    for (int64_t i = 0; i < next->scan.calibration_count; i++) { /* channels in another order */
        const int64_t line = 2 * next->calibrations[i].samples;
        float *data = (float *)(uintptr_t)next->calibrations[i].data;
        for (int64_t j = 0; j < line; j++) {
            const float kept = data[j];
            data[j] = data[j + line];
            data[j + line] = kept;
        }
    }
    OK(argand_sense_continue(session, &next->scan));
    for (int v = 0; v < 6; v += 5) {
        double *again = image_of(session, v);
        assert_true(relative_error(again, first[v], 2 * PIXELS) > 0.1);
        free(again);
    }
    for (int v = 0; v < 6; v++) free(first[v]);
    argand_sense_destroy(session);
    made_free(bare);
    made_free(next);
    made_free(m);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(bands),
                                          cmocka_unit_test(bands_with_fields),
                                          cmocka_unit_test(bands_calibrated),
                                          cmocka_unit_test(bands_solved_once),
                                          cmocka_unit_test(bands_without_transforms),
                                          cmocka_unit_test(bands_continued)};

RUN_TESTS(tests)
