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

static const struct CMUnitTest tests[] = {cmocka_unit_test(bands), cmocka_unit_test(bands_with_fields),
                                          cmocka_unit_test(bands_calibrated),
                                          cmocka_unit_test(bands_solved_once)};

RUN_TESTS(tests)
