/* SPDX-License-Identifier: BSD-3-Clause */
/* ISMRMRD files made with HDF5 alone, right or wrong in any detail, for the tests and fuzzers of the reader.
 */
#ifndef TESTS_IO_SCAN_BUILD_H
#define TESTS_IO_SCAN_BUILD_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "io/ismrmrd/types.h"

/* One encoding of 8 x 6 x 1; every test may replace pieces of it. */
#define XML_SPACE(x, y, z)                                                                       \
    "<matrixSize><x>" #x "</x><y>" #y "</y><z>" #z "</z></matrixSize><fieldOfView_mm><x>240</x>" \
    "<y>180</y><z>5</z></fieldOfView_mm>"
#define XML_ENCODING(space, rest) \
    "<encoding><encodedSpace>" space "</encodedSpace><reconSpace>" space "</reconSpace>" rest "</encoding>"
#define XML_HEADER(inside)                                                                      \
    "<?xml version=\"1.0\"?><ismrmrdHeader xmlns=\"http://www.ismrm.org/ISMRMRD\">" inside "</" \
    "ismrmrdHeader>"
#define XML_CARTESIAN "<trajectory>cartesian</trajectory>"
#define XML_SMALL XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1), XML_CARTESIAN))

enum { BUILD_ROWS = 6, BUILD_SAMPLES = 8, BUILD_CHANNELS = 2 };

typedef struct build {
    const char *group, *xml; /* xml NULL: no header */
    bool fixed_xml;          /* a string of fixed length */
    bool no_data;
    hsize_t count;
    ismrmrd_row *rows;
    void (*more)(hid_t group); /* adds arrays */
} build;

static inline void build_shape(ismrmrd_row *row, int samples, int channels, int dimensions)
{
    row->head.number_of_samples = (uint16_t)samples;
    row->head.active_channels = (uint16_t)channels;
    row->head.trajectory_dimensions = (uint16_t)dimensions;
    row->data.len = (size_t)(2 * samples * channels);
    row->data.p = realloc(row->data.p, (row->data.len + 1) * sizeof(float));
    row->traj.len = (size_t)(samples * dimensions);
    row->traj.p = realloc(row->traj.p, (row->traj.len + 1) * sizeof(float));
    memset(row->traj.p, 0, row->traj.len * sizeof(float));
}

/* A right Cartesian file of 6 lines; datum i of line l is 100 l + i. */
static inline build build_small(void)
{
    build b = {.group = "dataset", .xml = XML_SMALL, .count = BUILD_ROWS};
    b.rows = calloc(BUILD_ROWS, sizeof *b.rows);
    for (int line = 0; line < BUILD_ROWS; line++) {
        ismrmrd_row *row = &b.rows[line];
        build_shape(row, BUILD_SAMPLES, BUILD_CHANNELS, 0);
        row->head.idx.kspace_encode_step_1 = (uint16_t)line;
        row->head.sample_time_us = 4;
        row->head.center_sample = 4;
        for (size_t i = 0; i < row->data.len; i++) ((float *)row->data.p)[i] = (float)(100 * line + (int)i);
    }
    return b;
}

static inline void build_free(build *b)
{
    for (hsize_t i = 0; i < b->count; i++) {
        free(b->rows[i].data.p);
        free(b->rows[i].traj.p);
    }
    free(b->rows);
}

static inline void build_array(hid_t group, const char *name, hid_t type, int rank, const hsize_t *dims,
                               const void *numbers)
{
    const hid_t space = H5Screate_simple(rank, dims, NULL);
    const hid_t dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (numbers) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    H5Dclose(dataset);
    H5Sclose(space);
}

static inline void build_xml(hid_t group, const build *b)
{
    const hsize_t one = 1;
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, b->fixed_xml ? strlen(b->xml) + 1 : H5T_VARIABLE);
    build_array(group, "xml", type, 1, &one, b->fixed_xml ? (const void *)b->xml : (const void *)&b->xml);
    H5Tclose(type);
}

static inline void build_write(const build *b, const char *path)
{
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(file, b->group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = ismrmrd_type_rows();
    if (b->xml) build_xml(group, b);
    if (!b->no_data) build_array(group, "data", type, 1, &b->count, b->rows);
    if (b->more) b->more(group);
    H5Tclose(type);
    H5Gclose(group);
    H5Fclose(file);
}

#endif
