/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder for a test's files, empty again afterwards, and what is in it. */
#ifndef TESTS_IO_FOLDER_H
#define TESTS_IO_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "harness.h"

static char folder[64];

static inline int folder_open(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/argand-io-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

/* The name of a file in the folder; kept for the next three calls. */
static inline const char *in_folder(const char *name)
{
    static char paths[4][512];
    static int slot;
    slot = (slot + 1) % 4;
    snprintf(paths[slot], sizeof paths[slot], "%s/%s", folder, name);
    return paths[slot];
}

/* How many files there are, temporary ones too. */
static inline int folder_files(void)
{
    int count = 0;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(listing);
    return count;
}

static inline void folder_empty(void)
{
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) unlink(in_folder(entry->d_name));
    closedir(listing);
}

static inline int folder_close(void **state)
{
    (void)state;
    folder_empty();
    return rmdir(folder);
}

static inline void put_file(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

/* The file's bytes; free() them. */
static inline unsigned char *get_file(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    unsigned char *bytes = malloc(1 << 22);
    assert_non_null(bytes);
    *count = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

/* An array of random numbers. */
static inline argand_array *noise(argand_type type, int rank, const int64_t *dims, uint64_t seed)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    randomise(array, seed, 0, 0);
    return array;
}

/* Same shape (from `rank` on, b may have further dimensions of 1) and the same numbers to the relative error.
 */
static inline void assert_same(const argand_array *a, const argand_array *b, double tolerance)
{
    assert_int_equal(argand_array_count(a), argand_array_count(b));
    for (int i = 0; i < ARGAND_MAX_RANK; i++)
        assert_int_equal(argand_array_dim(a, i), argand_array_dim(b, i));
    CHECK_BELOW(array_error(b, a), tolerance);
}

#define IO_TESTS(tests)                                                              \
    int main(int argc, char **argv)                                                  \
    {                                                                                \
        if (argand_device_open(&device, argc > 1 ? argv[1] : "cpu")) return 77;      \
        const int failed = cmocka_run_group_tests(tests, folder_open, folder_close); \
        argand_device_close(device);                                                 \
        return failed;                                                               \
    }

#endif
