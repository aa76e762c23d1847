/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions over scans with calibration acquisitions, navigators, a second encoding, partial Fourier. */
#include "line_scan.h"
#include "recon/samples/samples.h"

/* Lines above -4 and an echo two samples early. */
static made *partial_scan(void)
{
    made *m = new_scan();
    const int slice = 0;
    for (int ky = -4; ky < NY / 2; ky++)
        m->images[m->scan.acquisition_count++] = make_line(m, ky, 0, &slice, 1, 2);
    add_coil_maps(m, 1);
    return m;
}

static void partial_fourier(void **state)
{
    (void)state;
    made *m = partial_scan();
    argand_sense *session = open_session(m, &(argand_sense_options){.iterations = 25});
    assert_non_null(
        strstr(argand_sense_notes(session), "Partial Fourier: along y k goes from -4 to 7, 75 %"));
    assert_non_null(strstr(argand_sense_notes(session), "--partial-fourier"));
    const double without = error_of(session, 0);
    argand_sense_destroy(session);
    session = open_session(m, &(argand_sense_options){.iterations = 25, .partial_fourier = 0.3});
    const double with = error_of(session, 0);
    print_message("partial Fourier: %.4f, with the constraint %.4f\n", without, with);
    CHECK_BELOW(with, 0.6 * without);
    CHECK_BELOW(fabs(error_of(session, 0) - with), 1e-9); /* again, with the model kept */
    argand_sense_destroy(session);
    FAILS(argand_sense_create(&session, device, &m->scan, &(argand_sense_options){.partial_fourier = -1}),
          ARGAND_ARGUMENT, "partial Fourier weight -1");
    made_free(m);
}

/* Nothing on one side of the centre: a message instead of noise. */
static void half_missing(void **state)
{
    (void)state;
    made *m = new_scan();
    const int slice = 0;
    argand_array *image;
    for (int ky = 0; ky < NY / 2; ky++)
        m->images[m->scan.acquisition_count++] = make_line(m, ky, 0, &slice, 1, 0);
    add_coil_maps(m, 1);
    argand_sense *session = open_session(m, &(argand_sense_options){.partial_fourier = 0.3});
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    FAILS(argand_sense_run(session, 0, image, NULL, NULL), ARGAND_ARGUMENT,
          "too little for the phase that --partial-fourier needs");
    argand_array_destroy(image);
    argand_sense_destroy(session);
    made_free(m);
}

/* Every second line; the calibration lines fill the centre. */
static void calibration(void **state)
{
    (void)state;
    made *m = new_scan();
    const int slice = 0;
    for (int ky = -NY / 2; ky < NY / 2; ky += 2)
        m->images[m->scan.acquisition_count++] = make_line(m, ky, 0, &slice, 1, 0);
    argand_sense *session = open_session(m, &centre);
    const double folded = maps_error(session, 0);
    argand_sense_destroy(session);
    for (int ky = -6; ky < 6; ky++) {
        argand_acquisition *a = &m->calibrations[m->scan.calibration_count];
        if (ky % 2) {
            *a = make_line(m, ky, 0, &slice, 1, 0);
            m->scan.calibration_count++;
        } else
            m->images[(ky + NY / 2) / 2].flags = ARGAND_FLAG_CALIBRATION_AND_IMAGING;
    }
    session = open_session(m, &centre);
    const double calibrated = maps_error(session, 0);
    print_message("maps: without calibration lines %.4f, with %.4f\n", folded, calibrated);
    CHECK_BELOW(calibrated, 0.03);
    CHECK_BELOW(4 * calibrated, folded);
    recon_row *list;
    int64_t count;
    assert_int_equal(session->volumes[0].count, NY / 2 + 6); /* the image has them, too */
    OK(calibrations_of(session, &session->volumes[0], 0, &list, &count));
    assert_int_equal(count, 0);
    argand_sense_destroy(session);
    m->calibrations[0] = make_line(m, -6, 0, &slice, 1, 0); /* which the image has: a scan of its own */
    session = open_session(m, &centre);
    assert_int_equal(session->volumes[0].count, NY / 2);
    OK(calibrations_of(session, &session->volumes[0], 0, &list, &count));
    assert_int_equal(count, 12);
    memory_free(list);
    argand_sense_destroy(session);
    made_free(m);
}

/* Lines of the first repetition calibrate the others as well; of another contrast, they are a scan of its
 * own.
 */
static void calibration_elsewhere(void **state)
{
    (void)state;
    made *m = new_scan();
    const int slice = 0;
    recon_row *list;
    int64_t count;
    for (int ky = -NY / 2; ky < NY / 2; ky++) {
        const bool aside = ky % 2;
        if (aside && (ky < -6 || ky >= 6)) continue;
        argand_acquisition line = make_line(m, ky, 0, &slice, 1, 0);
        if (aside)
            m->calibrations[m->scan.calibration_count++] = line;
        else
            m->images[m->scan.acquisition_count++] = line;
    }
    for (int i = 0; i < NY / 2; i++) {
        m->images[m->scan.acquisition_count] = m->images[i];
        m->images[m->scan.acquisition_count++].counters.repetition = 1;
    }
    argand_sense *session = open_session(m, NULL);
    assert_int_equal(argand_sense_volumes(session), 2);
    assert_int_equal(session->volumes[0].count, NY / 2 + 6);
    assert_int_equal(session->volumes[1].count, NY / 2);
    OK(calibrations_of(session, &session->volumes[1], 0, &list, &count));
    assert_int_equal(count, NY / 2 + 6);
    memory_free(list);
    argand_sense_destroy(session);
    for (int i = 0; i < m->scan.calibration_count; i++) m->calibrations[i].counters.contrast = 1;
    session = open_session(m, NULL);
    assert_int_equal(argand_sense_volumes(session), 2);
    assert_int_equal(session->volumes[0].count, NY / 2);
    assert_true(calibrations_are_apart(session));
    argand_sense_destroy(session);
    made_free(m);
}

/* Accelerated, and nothing calibrates: refused, where coil maps would fold. */
static void nothing_calibrates(void **state)
{
    (void)state;
    made *m = new_scan();
    const int slice = 0;
    argand_array *image;
    for (int ky = -NY / 2; ky < NY / 2; ky += 2)
        m->images[m->scan.acquisition_count++] = make_line(m, ky, 0, &slice, 1, 0);
    argand_sense *session = open_session(m, NULL);
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    FAILS(argand_sense_run(session, 0, image, NULL, NULL), ARGAND_FORMAT,
          "nothing to estimate coil maps from: k-space is complete over 18 x 1 cells");
    argand_array_destroy(image);
    argand_sense_destroy(session);
    made_free(m);
}

/* Navigators in an encoding of their own: found by shot, and in the grid's cycles. */
static void navigators(void **state)
{
    (void)state;
    made *m = new_scan();
    const int slice = 0;
    recon_row *list;
    int64_t count;
    recon_samples samples;
    m->scan.encoding_count = 2;
    m->encodings[1].field_of_view[0] = 360; /* k counts twice */
    for (int ky = -NY / 2; ky < NY / 2; ky++) {
        m->images[m->scan.acquisition_count++] = make_line(m, ky, 0, &slice, 1, 0);
        argand_acquisition *n = &m->navigators[m->scan.navigator_count++];
        *n = make_line(m, 0, 0, &slice, 1, 6);
        n->counters.shot = (uint16_t)(NY / 2 - 1 - ky); /* not in the file's order */
        n->counters.contrast = 1;
        n->encoding = 1;
    }
    argand_sense *session = open_session(m, &(argand_sense_options){.phases = ARGAND_PHASES_SHOTS});
    OK(navigators_of(session, &session->volumes[0], &list, &count));
    assert_int_equal(count, NY);
    for (int64_t i = 0; i < NY; i++) assert_ptr_equal(list[i].acquisition, &m->navigators[NY - 1 - i]);
    OK(samples_of_rows(session, list, count, &samples));
    assert_int_equal(samples.shot_count, NY);
    assert_int_equal(samples.shots[1].first, NX - 6);
    double *k = as_doubles(samples.at.k[0]), *y = as_doubles(samples.y);
    CHECK_BELOW(fabs(k[0] + 0.5 * (NX / 2 - 6)), 1e-6);
    CHECK_BELOW(fabs(ldexp(y[1], session->exponent) - (double)m->navigators[NY - 1].data[1]), 1e-6);
    free(y);
    free(k);
    samples_free(&samples);
    memory_free(list);
    argand_sense_destroy(session);
    made_free(m);
}

/* Two encodings with lines and readouts of their own; each is reconstructed by itself. */
static void two_encodings(void **state)
{
    (void)state;
    made *m = new_scan();
    const int first = 0, second = 1;
    m->scan.encoding_count = 2;
    for (int ky = -NY / 2; ky < NY / 2; ky++) {
        m->images[m->scan.acquisition_count++] = make_line(m, ky, 0, &first, 1, 0);
        argand_acquisition *a = &m->images[m->scan.acquisition_count++];
        *a = make_line(m, ky, 0, &second, 1, 1); /* a sample less */
        a->encoding = 1;
    }
    add_coil_maps(m, 2);
    for (int e = 0; e < 2; e++) {
        argand_sense *session = open_session(m, &(argand_sense_options){.encoding = e, .iterations = 30});
        assert_int_equal(argand_sense_volumes(session), 1);
        assert_int_equal(argand_sense_counters(session, 0)->slice, e);
        assert_non_null(strstr(argand_sense_notes(session), "16 acquisitions of other encoding spaces"));
        CHECK_BELOW(error_of(session, 0), e ? 0.02 : 2e-3);
        argand_sense_destroy(session);
    }
    made_free(m);
}

/* Each allocation of a session with bands and the constraint fails once. */
static void no_memory(void **state)
{
    (void)state;
    made *m = simultaneous(true, false);
    argand_array *image;
    argand_status status = ARGAND_MEMORY;
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    for (long n = 1; status && n < 3000; n = next_allocation(n, 40)) {
        argand_sense *session = NULL;
        argand_test_fail_allocation(n);
        status = argand_sense_create(&session, device, &m->scan,
                                     &(argand_sense_options){.iterations = 2, .partial_fourier = 0.3});
        if (!status) status = argand_sense_run(session, 1, image, NULL, NULL);
        argand_test_fail_allocation(0);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
        argand_sense_destroy(session);
    }
    assert_int_equal(status, ARGAND_OK);
    argand_array_destroy(image);
    made_free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(partial_fourier),    cmocka_unit_test(half_missing),
    cmocka_unit_test(calibration),        cmocka_unit_test(calibration_elsewhere),
    cmocka_unit_test(nothing_calibrates), cmocka_unit_test(navigators),
    cmocka_unit_test(two_encodings),      cmocka_unit_test(no_memory)};

RUN_TESTS(tests)
