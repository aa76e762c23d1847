/* SPDX-License-Identifier: BSD-3-Clause */
/* A small right file with some bytes changed: each 4 bytes of the input are a place (3) and a value (1). */
#ifndef TESTS_FUZZ_SCAN_BYTES_H
#define TESTS_FUZZ_SCAN_BYTES_H

#include <sys/stat.h>
#include <argand/io.h>
#include "io/scan_build.h"

static uint8_t *bytes_template;
static size_t bytes_size;

static inline void bytes_arrays(hid_t group)
{
    static const float map[48] = {1, 2, 3};
    build_array(group, "FieldMap", H5T_NATIVE_FLOAT, 3, (hsize_t[]){1, 6, 8}, map);
}

/* The right file, made once. */
static inline void bytes_prepare(const char *path)
{
    struct stat found;
    if (bytes_template) return;
    build b = build_small();
    b.more = bytes_arrays;
    for (int i = 0; i < 2; i++) {
        build_shape(&b.rows[i], BUILD_SAMPLES, BUILD_CHANNELS, 4);
        memset(b.rows[i].data.p, 0, b.rows[i].data.len * sizeof(float));
    }
    b.rows[2].head.flags = ARGAND_FLAG_NOISE;
    b.rows[3].head.flags = ARGAND_FLAG_NAVIGATION;
    b.xml = XML_HEADER(
        XML_ENCODING(XML_SPACE(8, 6, 1), XML_CARTESIAN
                     "<multiband><spacing>20</spacing></multiband>") "<userParameters><userParameterLong><"
                                                                     "name>a</name><value>3</value>"
                                                                     "</userParameterLong></userParameters>");
    build_write(&b, path);
    build_free(&b);
    FILE *file = fopen(path, "rb");
    fstat(fileno(file), &found);
    bytes_size = (size_t)found.st_size;
    bytes_template = malloc(bytes_size);
    if (fread(bytes_template, 1, bytes_size, file) != bytes_size) abort();
    fclose(file);
}

static inline void bytes_file(const uint8_t *changes, size_t count, const char *path)
{
    uint8_t *changed = malloc(bytes_size);
    memcpy(changed, bytes_template, bytes_size);
    for (size_t i = 0; i + 4 <= count; i += 4) {
        const size_t place = (size_t)changes[i] | (size_t)changes[i + 1] << 8 | (size_t)changes[i + 2] << 16;
        changed[place % bytes_size] = changes[i + 3];
    }
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(changed, 1, bytes_size, file) != bytes_size) abort();
    fclose(file);
    free(changed);
}

#endif
