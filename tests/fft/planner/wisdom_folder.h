/* SPDX-License-Identifier: BSD-3-Clause */
/* Wisdom's texts, and a folder of a test's own for its files. */
#ifndef TESTS_FFT_WISDOM_FOLDER_H
#define TESTS_FFT_WISDOM_FOLDER_H

#include "harness.h"

#include <sys/stat.h>
#include <unistd.h>

#define TEXT                                                \
    "argand wisdom 1\n"                                     \
    "device\tA chip\n"                                      \
    "c32 256x256 batch 8\tnative\t16x16 P16\t2250.500e-9\n" \
    "c64 8\tpasses\t\t10.000e-9\n"                          \
    "device\tAnother chip\n"                                \
    "c32 256x256 batch 8\tcufft\t\t3000.000e-9\n"

static char folder[64], path[96];

static int begin(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/argand-wisdom-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.wisdom", folder);
    setenv("ARGAND_WISDOM", path, 1);
    argand_fft_wisdom_forget();
    return 0;
}

static int end(void **state)
{
    (void)state;
    char command[128];
    argand_fft_wisdom_forget();
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

#endif
