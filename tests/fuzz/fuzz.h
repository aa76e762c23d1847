/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fuzzers of file readers share: bytes as a file in memory, and a look at every number that was
 * read. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <argand/argand.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static argand_device *device;

/* A name of this process's own; /dev/shm is memory. */
static inline const char *fuzz_file(char *path, size_t size, const char *name, const uint8_t *bytes,
                                    size_t count)
{
    snprintf(path, size, "/dev/shm/argand-fuzz-%ld-%s", (long)getpid(), name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file)) abort();
    return path;
}

static inline void fuzz_open(void)
{
    if (!device && argand_device_open(&device, "cpu")) abort();
}

/* A failure must have a message, and leave no array. */
static inline void fuzz_check(argand_status status, argand_array *array)
{
    if (status != ARGAND_OK && (array || !argand_message()[0])) abort();
    if (status != ARGAND_OK) return;
    double norm;
    if (argand_array_count(array) < 1 || argand_array_norm(&norm, array)) abort();
    argand_array_destroy(array);
}

#endif
