/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions that the gradients played: against what a delay by whole samples and a constant response do. */
#include "made_scan.h"

enum { SAMPLES = 4 * NX, DWELL_US = 10 };

static made_scan *scan_of_an_image(void)
{
    made_scan *m = new_scan(4);
    add_image(m, (argand_counters){0}, 4, 1e-6 * DWELL_US, 0);
    add_coil_maps(m);
    return m;
}

static argand_sense *session_of(const made_scan *m, argand_sense_options o)
{
    argand_sense *session;
    o.type = ARGAND_C64;
    o.nufft_tolerance = 1e-10;
    OK(argand_sense_create(&session, device, &m->scan, &o));
    return session;
}

/* The response that is `value` at all frequencies of {frequencies, axes}. */
static argand_array *constant_response(int64_t axes, double value)
{
    argand_array *response;
    OK(argand_array_create(&response, device, ARGAND_C64, 2, (const int64_t[2]){401, axes}));
    OK(argand_array_fill(response, (argand_scalar){value, 0}));
    return response;
}

/* Two samples late along x: the first position stays for two samples, then all follow. The last line is
 * stored reversed, and so begins at its end. */
static void late_by_two_samples(void **state)
{
    (void)state;
    made_scan *m = scan_of_an_image();
    m->acquisitions[NY - 1].flags = ARGAND_FLAG_REVERSE;
    argand_sense *session = session_of(m, (argand_sense_options){.gradient_delay = {2e-6 * DWELL_US, 0, 0}});
    const argand_scan *played = argand_sense_scan(session);
    assert_ptr_not_equal(played, &m->scan);
    for (int line = 0; line < NY; line++)
        for (int i = 0; i < SAMPLES; i++) {
            const argand_acquisition *a = &m->acquisitions[line], *b = &played->acquisitions[line];
            const int reversed = line == NY - 1;
            const int from = reversed ? (i + 2 < SAMPLES ? i + 2 : SAMPLES - 1) : i > 2 ? i - 2 : 0;
            CHECK_BELOW(fabs((double)b->k[0][i] - (double)a->k[0][from]), 1e-5);
            CHECK_BELOW(fabs((double)b->k[1][i] - (double)a->k[1][i]), 1e-5);
            assert_ptr_equal(b->data, a->data);
        }
    argand_sense_destroy(session);
    free_scan(m);
}

/* 0.9 on x and 1 on the other axes: distances from the first position shrink along x alone. */
static void weak_along_x(void **state)
{
    (void)state;
    made_scan *m = scan_of_an_image();
    argand_array *response = constant_response(2, 1), *x;
    OK(argand_array_part(&x, response, 1, 0, 1));
    OK(argand_array_fill(x, (argand_scalar){0.9, 0}));
    argand_sense *session = session_of(m, (argand_sense_options){.girf = response, .girf_step = 500});
    const argand_acquisition *a = m->acquisitions, *b = argand_sense_scan(session)->acquisitions;
    for (int i = 0; i < SAMPLES; i++) {
        const double expected = (double)a->k[0][0] + 0.9 * ((double)a->k[0][i] - (double)a->k[0][0]);
        CHECK_BELOW(fabs((double)b->k[0][i] - expected), 1e-5);
        CHECK_BELOW(fabs((double)b->k[1][i] - (double)a->k[1][i]), 1e-5);
    }
    argand_array_destroy(x);
    argand_array_destroy(response);
    argand_sense_destroy(session);
    free_scan(m);
}

/* A response of 1 leaves the image as it is, also of the scan that the session goes on with. */
static void response_of_one(void **state)
{
    (void)state;
    made_scan *m = scan_of_an_image(), *next = new_scan(4);
    double complex expected[PIXELS];
    add_image(next, (argand_counters){.repetition = 1}, 4, 1e-6 * DWELL_US, 0);
    argand_array *response = constant_response(1, 1);
    argand_sense *session =
        session_of(m, (argand_sense_options){.girf = response, .girf_step = 500, .iterations = 40});
    argand_array_destroy(response); /* the session has a copy */
    truth(expected, 0, 0);
    CHECK_BELOW(run_error(session, 0, expected), stored_in_single);
    OK(argand_sense_continue(session, &next->scan));
    assert_ptr_not_equal(argand_sense_scan(session), &next->scan);
    truth(expected, 0, 1);
    CHECK_BELOW(run_error(session, 0, expected), stored_in_single);
    argand_sense_destroy(session);
    free_scan(next);
    free_scan(m);
}

static void refusals(void **state)
{
    (void)state;
    made_scan *m = scan_of_an_image();
    argand_sense *session = NULL;
    argand_array *response = constant_response(2, 1), *four = constant_response(4, 1);
    argand_sense_options o = {.girf = response};
    FAILS(argand_sense_create(&session, device, &m->scan, &o), ARGAND_ARGUMENT, "a step of 0 Hz");
    o.girf_step = 500;
    o.girf = four;
    FAILS(argand_sense_create(&session, device, &m->scan, &o), ARGAND_ARGUMENT, "1 to 3 axes");
    o.girf = response;
    o.girf_name = "girf.npy";
    OK(argand_array_fill(response, (argand_scalar){0.5, 0}));
    FAILS(argand_sense_create(&session, device, &m->scan, &o), ARGAND_ARGUMENT,
          "girf.npy: the response at 0 Hz, element 200, is 0.5: it should be near 1");
    o.girf = NULL;
    o.gradient_delay[1] = NAN;
    FAILS(argand_sense_create(&session, device, &m->scan, &o), ARGAND_ARGUMENT, "a delay of nan s");
    o.gradient_delay[1] = 1e-6;
    for (int i = 0; i < SAMPLES; i++) ((float *)(uintptr_t)m->acquisitions[0].t)[i] = 0;
    m->acquisitions[0].sample_time = 0;
    FAILS(argand_sense_create(&session, device, &m->scan, &o), ARGAND_ARGUMENT, "how far samples are apart");
    assert_null(session);
    argand_array_destroy(four);
    argand_array_destroy(response);
    free_scan(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(late_by_two_samples),
    cmocka_unit_test(weak_along_x),
    cmocka_unit_test(response_of_one),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
