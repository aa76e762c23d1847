/* SPDX-License-Identifier: BSD-3-Clause */
/* Wisdom's texts, and a folder of a test's own for its files. */
#ifndef TESTS_FFT_WISDOM_FOLDER_H
#define TESTS_FFT_WISDOM_FOLDER_H

#include "harness.h"

#include <sys/stat.h>
#include <unistd.h>

#define TEXT                                                 \
    "argand wisdom 1\n"                                      \
    "device\tA chip\n"                                       \
    "c32 256x256 batch 8\tnative\tthreads 64\t2250.500e-9\n" \
    "c64 8\tpasses\t\t10.000e-9\n"                           \
    "device\tAnother chip\n"                                 \
    "c32 256x256 batch 8\tcufft\t\t3000.000e-9\n"

static char folder[64], path[96];

static inline char *exported(void)
{
    size_t needed;
    OK(argand_fft_wisdom_export(NULL, 0, &needed));
    char *chars = malloc(needed);
    OK(argand_fft_wisdom_export(chars, needed, NULL));
    return chars;
}

static inline void expect_known(const char *chars)
{
    char *known = exported();
    assert_string_equal(known, chars);
    free(known);
}

static inline char *read_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    static char chars[1 << 20];
    if (!file) return NULL;
    chars[fread(chars, 1, sizeof chars - 1, file)] = 0;
    fclose(file);
    return chars;
}

static inline void write_file(const char *name, const char *chars, size_t count)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(chars, 1, count, file), count);
    fclose(file);
}

static inline const char *device_name(void)
{
    static argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.name;
}

static inline bool plan_by_wisdom(const argand_fft_options *o)
{
    argand_fft *plan;
    bool found = false;
    OK(argand_fft_create(&plan, device, o));
    for (int i = 0; i < argand_fft_candidate_count(plan); i++) {
        argand_fft_candidate c;
        OK(argand_fft_candidate_describe(plan, i, &c));
        found |= c.taken && strstr(c.reason, "wisdom");
    }
    argand_fft_destroy(plan);
    return found;
}

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
