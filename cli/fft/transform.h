/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `argand fft`: options (fft.c), the transform (problem.c), arrays from files (data.c),
 * explanation of a plan (explain.c). */
#ifndef CLI_TRANSFORM_H
#define CLI_TRANSFORM_H

#include "common/report.h"

enum { TRANSFORM_NAMES = 16 };

typedef struct transform_settings {
    const char *names[TRANSFORM_NAMES]; /* files, or sizes */
    int name_count;
    const char *axes, *wisdom;
    option_sizes size;
    int batch, scale, precision;
    bool inverse, centred, real, half_packed, odd, explain, measure;
    double measure_seconds;
    common_options common;
} transform_settings;

/* A transform: dims of the complex or real array that the plan's direction reads, and the transformed
 * axes. */
typedef struct transform_problem {
    int rank, axes[ARGAND_MAX_RANK]; /* real transforms halve the first one */
    int dim_count;
    int64_t dims[ARGAND_MAX_RANK], out_dims[ARGAND_MAX_RANK];
    argand_type in_type, out_type;
    argand_fft_options options;
} transform_problem;

/* Returns true if the name of a problem is a size, "64x64x16". */
bool transform_is_size(const char *name);
argand_status transform_of_size(transform_problem *p, const transform_settings *s, const char *size);
/* Sets the problem for an array from a file, whose dimensions are those before --size. */
argand_status transform_of_array(transform_problem *p, const transform_settings *s, const argand_array *array,
                                 const char *name);

argand_status transform_file(const transform_settings *s, argand_device *device, report *out);

/* Prints passes and candidates, and nearby lengths that would be faster. */
argand_status transform_explain(const argand_fft *plan, const transform_problem *p,
                                const transform_settings *s, argand_device *device, report *out);

/* Prints the candidates of a plan and which one is used. */
argand_status transform_candidates(argand_fft_candidate *taken, const argand_fft *plan, bool json);

#endif
