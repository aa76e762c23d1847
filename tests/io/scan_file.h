/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of each test, which is gone again after it; HDF5 prints nothing about what is refused. */
#ifndef TESTS_IO_SCAN_FILE_H
#define TESTS_IO_SCAN_FILE_H

#include <stdio.h>
#include <unistd.h>
#include <hdf5.h>
#include "harness.h"

static char path[64];

static inline int set_up(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/argand-scan-%ld.h5", (long)getpid());
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
