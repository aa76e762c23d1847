/* SPDX-License-Identifier: BSD-3-Clause */
/* `argand array OPERATION`: small steps between programs. A file becomes complex doubles on the host
 * (numbers.c), an operation computes the result (operations.inc lists them), and the result is written in
 * the precision of the input. Axes are counted as the file's own program counts them: .npy as in NumPy,
 * .cfl and .nii from the fastest. */
#ifndef CLI_ARRAY_NUMBERS_H
#define CLI_ARRAY_NUMBERS_H

#include <complex.h>

#include "common/report.h"

enum { ARRAY_INPUTS = 16 };

typedef struct numbers {
    const char *path;
    int rank;
    int64_t dims[ARGAND_MAX_RANK], count; /* fastest first, 1 beyond the rank */
    bool is_complex, is_double, numpy;    /* numpy: axes count from the slowest */
    double complex *v;
    argand_geometry geometry; /* of .nii */
} numbers;

typedef struct array_settings {
    const char *axes, *size, *by, *plus, *range, *like;
    const char *inputs[ARRAY_INPUTS + 1], *output;
    int input_count;
    common_options common;
} array_settings;

/* Computes y, which is empty, from `count` inputs x. The inputs may be changed, and y may take over their
 * memory (x[i].v = NULL). */
typedef argand_status (*array_function)(numbers *y, numbers *x, int count, const array_settings *s);

typedef struct array_operation {
    const char *name, *summary;
    array_function run;
    int least, most; /* number of inputs */
} array_operation;

argand_status numbers_read(numbers *x, const char *path, argand_device *device);
/* Writes in the format of the name's ending; real numbers unless is_complex. */
argand_status numbers_write(const char *path, const numbers *x, argand_device *device);
/* Copy numbers from an array of any device, and into a new array of the host in the original precision. */
argand_status numbers_take(numbers *x, const argand_array *from, argand_device *host);
argand_status numbers_give(argand_array **array, const numbers *x, argand_device *host);
void numbers_free(numbers *x);
/* Makes zeros with the given rank and dims, in the type and with the geometry of x. */
argand_status numbers_like(numbers *y, const numbers *x, int rank, const int64_t *dims);
/* Moves x to y, with its memory. */
void numbers_move(numbers *y, numbers *x);
/* Writes a shape as the file's own program prints it: "(4, 20, 24)" or "{24, 20, 4}". */
const char *numbers_shape(char *text, size_t size, const numbers *x);

/* Reads --axes as bits, bit 0 for the fastest axis; all axes if not given. order (may be NULL): in the
 * order given. x gets axes of length 1 if they are named and its file has them (.cfl). */
argand_status array_axes(int *bits, int *order, int *count, const array_settings *s, numbers *x);
/* Reads whole numbers "a,b,c". */
argand_status array_list(int64_t *list, int *count, const char *named, const char *text);

#define OPERATION(name, ...) \
    argand_status array_##name(numbers *y, numbers *x, int count, const array_settings *s);
#include "array/operations.inc"
#undef OPERATION

#endif
