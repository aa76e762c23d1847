/* SPDX-License-Identifier: BSD-3-Clause */
/* Siemens raw files (twix): the fuzzer's small files are read as what their writer put there, and each
 * allocation of reading them fails once. */
#include <argand/io.h>
#include <stdio.h>
#include <string.h>
#include "harness.h"

#include "base/memory.h"
#include "io/twix/twix.h"

static const char *const seeds[] = {CORPUS "/vb", CORPUS "/ve", CORPUS "/xa"};

/* Six lines of 8 samples and 2 channels, all 1; every other one backwards. */
static void check_lines(const argand_scan *scan)
{
    assert_int_equal(scan->acquisition_count, 6);
    assert_int_equal(scan->channels, 2);
    for (int i = 0; i < 6; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        assert_int_equal(a->counters.shot, i);
        assert_int_equal(a->samples, 8);
        assert_true(!!(a->flags & ARGAND_FLAG_REVERSE) == i % 2);
        assert_true(a->position[0] == 1 && a->position[1] == 2 && a->position[2] == 3);
        for (int s = 0; s < 32; s++) assert_true(a->data[s] == 1);
    }
    assert_true(scan->encodings[0].step1_centre == 3 && scan->encodings[0].matrix[0] == 8);
}

static void lines(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        argand_scan *scan = NULL;
        OK(argand_scan_read(&scan, seeds[i], NULL));
        check_lines(scan);
        assert_int_equal(scan->noise_count, i == 1 ? 0 : 2);
        assert_int_equal(scan->navigator_count, i == 1);
        assert_int_equal(scan->correction_count, i == 1);
        assert_int_equal(scan->calibration_count, i == 1);
        assert_true(i != 1 || scan->encodings[0].readout.samples == 8);
        argand_scan_destroy(scan);
    }
}

static void measurements(void **state)
{
    (void)state;
    argand_scan *scan = NULL;
    const argand_scan_options noise = {.group = "1", .no_images = true}, third = {.group = "3"},
                              word = {.group = "1x"};
    OK(argand_scan_read(&scan, seeds[2], &noise));
    assert_int_equal(scan->acquisition_count, 0);
    assert_int_equal(scan->noise_count, 2);
    assert_string_equal(scan->protocol, "AdjCoilSens");
    argand_scan_destroy(scan);
    FAILS(argand_scan_read(&scan, seeds[2], &third), ARGAND_ARGUMENT, "no measurement \"3\"");
    FAILS(argand_scan_read(&scan, seeds[2], &word), ARGAND_ARGUMENT, "a number from 1 to 2");
}

static void no_memory(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const long live = argand_test_live_allocations();
        argand_scan *scan = NULL;
        argand_status status = ARGAND_MEMORY;
        for (long n = 1; status != ARGAND_OK; n++) {
            argand_test_fail_allocation(n);
            status = argand_scan_read(&scan, seeds[i], NULL);
            argand_test_fail_allocation(0);
            if (status == ARGAND_OK) break;
            assert_int_equal(status, ARGAND_MEMORY);
            assert_null(scan);
            assert_int_equal(argand_test_live_allocations(), live);
            assert_true(n < 500);
        }
        check_lines(scan);
        argand_scan_destroy(scan);
        assert_int_equal(argand_test_live_allocations(), live);
    }
}

/* Only values close to their names are taken: braces that end far away would cost quadratic time. */
static void far_values(void **state)
{
    (void)state;
    enum { MOST = 8192 };
    static char chars[MOST];
    char value[TWIX_VALUE];
    for (int far = 0; far < 2; far++) {
        const int length = snprintf(chars, sizeof chars, "<ParamLong.\"n\"> {%*s7}", far ? 5000 : 3000, "");
        const twix_protocol p = {.meas = chars, .meas_length = (size_t)length};
        assert_int_equal(twix_meas(value, &p, "n"), !far);
        if (!far) assert_string_equal(value, "7");
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(measurements),
                                          cmocka_unit_test(far_values), cmocka_unit_test(no_memory)};
RUN_TESTS(tests)
