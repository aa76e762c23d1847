/* SPDX-License-Identifier: BSD-3-Clause */
/* `argand array OPERATION`: the small steps between programs. A file becomes complex doubles on the host
 * (numbers.c), an operation makes one of it (operations.inc lists them), and it is written in the precision
 * that it had. Axes are counted as the file's own program counts them: .npy as NumPy does, .cfl and .nii from
 * the fastest. */
#ifndef CLI_ARRAY_NUMBERS_H
#define CLI_ARRAY_NUMBERS_H

#include <complex.h>

#include "common/report.h"

enum { ARRAY_INPUTS = 16 };

typedef struct numbers {
    const char *path;
    int rank;
    int64_t dims[ARGAND_MAX_RANK], count; /* the fastest first, 1 beyond the rank */
    bool is_complex, is_double, numpy;    /* numpy: axes are counted from the slowest */
    double complex *v;
    argand_geometry geometry; /* of .nii */
} numbers;

typedef struct array_settings {
    const char *axes, *size, *by, *plus, *range, *like;
    const char *inputs[ARRAY_INPUTS + 1], *output;
    int input_count;
    common_options common;
} array_settings;

/* y is empty; x: `count` inputs, which may be changed, and whose memory y may take over (x[i].v = NULL). */
typedef argand_status (*array_function)(numbers *y, numbers *x, int count, const array_settings *s);

typedef struct array_operation {
    const char *name, *summary;
    array_function run;
    int least, most; /* inputs */
} array_operation;

argand_status numbers_read(numbers *x, const char *path, argand_device *device);
/* As its ending says; real where it is not complex. */
argand_status numbers_write(const char *path, const numbers *x, argand_device *device);
/* From an array of any device by way of a host's, and as a new one on it, in the precision that it had. */
argand_status numbers_take(numbers *x, const argand_array *from, argand_device *host);
argand_status numbers_give(argand_array **array, const numbers *x, argand_device *host);
void numbers_free(numbers *x);
/* Zeros of a shape (of rank and dims that stand there), in the type and place of another. */
argand_status numbers_like(numbers *y, const numbers *x, int rank, const int64_t *dims);
/* Takes over its memory. */
void numbers_move(numbers *y, numbers *x);
/* "(4, 20, 24)" or "{24, 20, 4}", as the file's own program prints it. */
const char *numbers_shape(char *text, size_t size, const numbers *x);

/* The axes that --axes names, as bits, the fastest is bit 0; all where it is not given. order (may be NULL):
 * as they stand there. */
argand_status array_axes(int *bits, int *order, int *count, const array_settings *s, const numbers *x);
/* Whole numbers "a,b,c". */
argand_status array_list(int64_t *list, int *count, const char *named, const char *text);

#define OPERATION(name, ...) \
    argand_status array_##name(numbers *y, numbers *x, int count, const array_settings *s);
#include "array/operations.inc"
#undef OPERATION

#endif
