/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `argand fft`: options (fft.c), which transform (transform_problem.c), arrays of files
 * (transform_data.c), what a plan will do and why (transform_explain.c). */
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

/* What is transformed: dims of the complex or real array that the plan's direction reads, and which of them.
 */
typedef struct transform_problem {
    int rank, axes[ARGAND_MAX_RANK]; /* the first one is halved in real transforms */
    int dim_count;
    int64_t dims[ARGAND_MAX_RANK], out_dims[ARGAND_MAX_RANK];
    argand_type in_type, out_type;
    argand_fft_options options;
} transform_problem;

/* "64x64x16", as the name of a problem; false where it is none. */
bool transform_is_size(const char *name);
argand_status transform_of_size(transform_problem *p, const transform_settings *s, const char *size);
/* For an array of a file, of these dimensions before --size. */
argand_status transform_of_array(transform_problem *p, const transform_settings *s, const argand_array *array,
                                 const char *name);

argand_status transform_file(const transform_settings *s, argand_device *device, report *out);

/* Prints passes and candidates, and which lengths nearby would be faster. */
argand_status transform_explain(const argand_fft *plan, const transform_problem *p,
                                const transform_settings *s, argand_device *device, report *out);

/* Prints among what the plan was chosen, and what was taken. */
argand_status transform_candidates(argand_fft_candidate *taken, const argand_fft *plan, bool json);

#endif
