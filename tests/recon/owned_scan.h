/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan in memory of its own, without acquisitions or arrays at first. */
#ifndef TESTS_RECON_OWNED_SCAN_H
#define TESTS_RECON_OWNED_SCAN_H

#include "few.h"

enum { MOST_ACQUISITIONS = 96 };
#define PI 3.14159265358979323846

/* A scan and the memory it points to. */
typedef struct made_scan {
    argand_scan scan;
    argand_encoding encoding;
    argand_acquisition acquisitions[MOST_ACQUISITIONS];
    argand_scan_array arrays[4];
    void *owned[8 * MOST_ACQUISITIONS];
    int owned_count;
} made_scan;

static inline void *own(made_scan *m, size_t bytes)
{
    void *memory = calloc(1, bytes);
    assert_non_null(memory);
    assert_true(m->owned_count < 8 * MOST_ACQUISITIONS);
    return m->owned[m->owned_count++] = memory;
}

static inline void free_scan(made_scan *m)
{
    for (int i = 0; i < m->owned_count; i++) free(m->owned[i]);
    free(m);
}

/* Cartesian, pixels of 20 mm and slices of 5. */
static inline made_scan *empty_scan(int nx, int ny, int coils, int oversampling)
{
    made_scan *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->encoding = (argand_encoding){.matrix = {nx * oversampling, ny, 1},
                                    .field_of_view = {20. * nx * oversampling, 20. * ny, 5},
                                    .recon_matrix = {nx, ny, 1},
                                    .recon_field_of_view = {20. * nx, 20. * ny, 5},
                                    .trajectory = "cartesian"};
    m->scan = (argand_scan){.path = "made.h5",
                            .encoding_count = 1,
                            .encodings = &m->encoding,
                            .acquisitions = m->acquisitions,
                            .arrays = m->arrays,
                            .channels = coils,
                            .header = "",
                            .notes = ""};
    return m;
}

#endif
