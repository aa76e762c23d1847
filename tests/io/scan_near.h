/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_IO_SCAN_NEAR_H
#define TESTS_IO_SCAN_NEAR_H

/* Compares in double; cmocka's assert_float_equal rounds to float first. */
#define NEAR(value, expected, tolerance) \
    CHECK_BELOW(fabs((double)(value) - (double)(expected)), (double)(tolerance))

#endif
