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

/* An acquisition of the scan and its memory, zeroed, for the test to fill: k in cycles per field of view, t
 * in seconds. */
typedef struct readout {
    argand_acquisition *acquisition;
    float *data, *k[3], *t;
} readout;

static inline readout add_readout(made_scan *m, argand_counters counters, int samples, int channels)
{
    const size_t bytes = sizeof(float) * (size_t)samples;
    readout r = {.data = own(m, 2 * bytes * (size_t)channels), .t = own(m, bytes)};
    for (int axis = 0; axis < 3; axis++) r.k[axis] = own(m, bytes);
    assert_true(m->scan.acquisition_count < MOST_ACQUISITIONS);
    r.acquisition = &m->acquisitions[m->scan.acquisition_count++];
    *r.acquisition = (argand_acquisition){.counters = counters,
                                          .samples = samples,
                                          .channels = channels,
                                          .data = r.data,
                                          .k = {r.k[0], r.k[1], r.k[2]},
                                          .t = r.t,
                                          .read_dir = {1, 0, 0},
                                          .phase_dir = {0, 1, 0},
                                          .slice_dir = {0, 0, 1}};
    return r;
}

static inline void put_complex(float *data, int i, double complex value)
{
    data[2 * i] = (float)creal(value);
    data[2 * i + 1] = (float)cimag(value);
}

/* Adds an array with the name, rank and dims of `a`, as complex floats. */
static inline void add_complex_array(made_scan *m, argand_scan_array a, const double complex *values)
{
    int64_t count = 1;
    for (int axis = 0; axis < a.rank; axis++) count *= a.dims[axis];
    float *data = own(m, 2 * sizeof *data * (size_t)count);
    for (int i = 0; i < count; i++) put_complex(data, i, values[i]);
    a.type = ARGAND_C32;
    a.data = data;
    m->arrays[m->scan.array_count++] = a;
}

#endif
