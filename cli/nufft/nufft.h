/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `argand nufft`: options (nufft.c), files of positions (points.c), shapes and transforms
 * (run.c). */
#ifndef CLI_NUFFT_H
#define CLI_NUFFT_H

#include "common/report.h"

typedef struct nufft_settings {
    const char *input, *output, *points, *targets;
    option_sizes size;
    int type; /* 0: chosen by the other options */
    int sign, units, order, k_order, precision;
    double tolerance, oversampling;
    bool real; /* type 1: keep the image's real part */
    bool every_pixel;
    common_options common;
} nufft_settings;

/* Positions from a file. */
typedef struct point_file {
    const char *named, *path; /* "--points" */
    int components;
    int rank; /* of the points, fastest first: the file's dimensions without the components */
    int64_t dims[ARGAND_MAX_RANK], count;
    argand_array *at[3]; /* doubles, x first */
} point_file;

/* order: of the components; ARGAND_K_ORDER_AUTO takes that of the file's format. */
argand_status points_read(point_file *p, const char *named, const char *path, argand_k_order order);
void points_free(point_file *p);

argand_status nufft_files(const nufft_settings *s, int type, argand_device *device, report *out);

#endif
