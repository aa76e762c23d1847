/* SPDX-License-Identifier: BSD-3-Clause */
/* Doubles that no whole number holds end at the limits, and so does what is no number. */
#include "harness.h"
#include <float.h>
#include "base/whole.h"

static void doubles_end_at_the_limits(void **state)
{
    (void)state;
    const double beyond[] = {1e19, 3e38, DBL_MAX, INFINITY};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        assert_int_equal(whole(beyond[i], -5, 7), 7);
        assert_int_equal(whole(-beyond[i], -5, 7), -5);
        assert_int_equal(whole(beyond[i], 0, INT64_C(1) << 62), INT64_C(1) << 62);
    }
    assert_int_equal(whole(NAN, -5, 7), -5);
    assert_int_equal(whole(6.99, -5, 7), 6);
    assert_int_equal(whole(-4.2, -5, 7), -4);
    assert_int_equal(whole(0x1p53, 0, INT64_C(1) << 62), INT64_C(1) << 53);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(doubles_end_at_the_limits),
};
RUN_TESTS(tests)
