/* SPDX-License-Identifier: BSD-3-Clause */
/* Half spectra packed into the memory of the reals, by fft.h's formulas, and arrays for them. */
#ifndef TESTS_FFT_HALF_H
#define TESTS_FFT_HALF_H

#include "fft/direct.h"

#include "array/array.h"

typedef struct shape {
    int rank;
    int64_t n[4], batch;
} shape;

/* Odd other axes, axes of 1 and 2, rows that are several groups' (long ones) and many rows of one group. */
static const shape shapes[] = {
    {1, {2}, 1},       {1, {2}, 7},        {1, {4}, 1},       {1, {16}, 5},        {1, {30}, 600},
    {1, {1018}, 3},    {1, {70000}, 1},    {1, {40000}, 2},   {2, {12, 9}, 1},     {2, {2, 5}, 3},
    {2, {8, 2}, 4},    {2, {64, 48}, 3},   {2, {22, 31}, 2},  {2, {6, 1}, 9},      {2, {4, 3000}, 1},
    {3, {8, 6, 5}, 2}, {3, {10, 7, 4}, 1}, {3, {2, 2, 2}, 2}, {3, {32, 16, 9}, 3}, {4, {6, 5, 4, 3}, 2},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static inline argand_type complex_of(argand_type type)
{
    return type == ARGAND_R64 ? ARGAND_C64 : ARGAND_C32;
}

static inline int64_t rows_of(const shape *s)
{
    int64_t rows = s->batch;
    for (int axis = 1; axis < s->rank; axis++) rows *= s->n[axis];
    return rows;
}

/* Contiguous, `first` numbers along axis 0. */
static inline argand_array *array_of(const shape *s, argand_type type, int64_t first)
{
    int64_t dims[ARGAND_MAX_RANK] = {first};
    for (int axis = 1; axis < s->rank; axis++) dims[axis] = s->n[axis];
    dims[s->rank] = s->batch;
    return new_array(type, s->rank + 1, dims);
}

static inline argand_fft *plan_of(const shape *s, argand_type type, argand_fft_scale scale, bool packed)
{
    argand_fft_options o = {
        .type = type, .rank = s->rank, .batch = s->batch, .scale = scale, .half_packed = packed};
    for (int axis = 0; axis < s->rank; axis++) o.n[axis] = s->n[axis];
    return new_plan(&o);
}

/* As the array's precision rounds it (gcc 12 at -O3 loses a conversion to float and back in unpack_here). */
static inline double rounded(double x, argand_type type)
{
    volatile float single = (float)x;
    return type == ARGAND_R64 || type == ARGAND_C64 ? x : (double)single;
}

/* The row of the mirrored frequencies. */
static inline int64_t mirror_of(const shape *s, int64_t row)
{
    int64_t mirror = 0, size = 1;
    for (int axis = 1; axis < s->rank; size *= s->n[axis++]) {
        const int64_t k = row % s->n[axis];
        row /= s->n[axis];
        mirror += (s->n[axis] - k) % s->n[axis] * size;
    }
    return mirror + row * size;
}

/* fft.h's formula, of numbers in pairs. */
static inline double *pack_here(const double *half, const shape *s, argand_type type)
{
    const int64_t m = s->n[0] / 2, rows = rows_of(s);
    double *packed = malloc((size_t)(2 * m * rows) * sizeof *packed);
    for (int64_t row = 0; row < rows; row++) {
        const double *x = half + 2 * (m + 1) * row;
        double *y = packed + 2 * m * row;
        memcpy(y, x, (size_t)(2 * m) * sizeof *y);
        const bool real = mirror_of(s, row) == row;
        y[0] = real ? x[0] : rounded(x[0] - x[2 * m + 1], type);
        y[1] = real ? x[2 * m] : rounded(x[1] + x[2 * m], type);
    }
    return packed;
}

static inline double *unpack_here(const double *packed, const shape *s, argand_type type)
{
    const int64_t m = s->n[0] / 2, rows = rows_of(s);
    double *half = malloc((size_t)(2 * (m + 1) * rows) * sizeof *half);
    for (int64_t row = 0; row < rows; row++) {
        const double *z = packed + 2 * m * row, *w = packed + 2 * m * mirror_of(s, row);
        double *y = half + 2 * (m + 1) * row;
        memcpy(y, z, (size_t)(2 * m) * sizeof *y);
        y[0] = rounded(0.5 * z[0] + 0.5 * w[0], type);
        y[1] = rounded(0.5 * z[1] - 0.5 * w[1], type);
        y[2 * m] = rounded(0.5 * z[1] + 0.5 * w[1], type);
        y[2 * m + 1] = rounded(0.5 * w[0] - 0.5 * z[0], type);
    }
    return half;
}

/* Number by number; 0 and -0 are one. */
static inline void check_same(const argand_array *array, const double *wanted, const char *what,
                              const shape *s)
{
    double *numbers = as_doubles(array);
    const int64_t count =
        argand_array_count(array) * (array->type == ARGAND_C32 || array->type == ARGAND_C64 ? 2 : 1);
    for (int64_t i = 0; i < count; i++)
        if (!(numbers[i] == wanted[i]))
            fail_msg("%s, %s, %d axes, %lld x %lld x %lld, batch %lld: number %lld is %.17g, not %.17g", what,
                     argand_type_name(array->type), s->rank, (long long)s->n[0], (long long)s->n[1],
                     (long long)s->n[2], (long long)s->batch, (long long)i, numbers[i], wanted[i]);
    free(numbers);
}

/* Reals or packed spectra that lie anyhow: 0 contiguous, 1 axes in reverse order, 2 with gaps and backwards
 * along axis 0. */
static inline argand_array *laid(const shape *s, argand_type type, int64_t first, int kind)
{
    int64_t dims[ARGAND_MAX_RANK] = {first}, strides[ARGAND_MAX_RANK], all = 1;
    const int rank = s->rank + 1;
    if (kind == 0) return array_of(s, type, first);
    for (int axis = 1; axis < rank; axis++) dims[axis] = axis < s->rank ? s->n[axis] : s->batch;
    for (int i = 0; i < rank; i++) {
        const int axis = kind == 1 ? rank - 1 - i : i;
        strides[axis] = kind == 1 ? all : 2 * all;
        all *= dims[axis];
    }
    all *= 2;
    argand_array *memory = new_array(type, 1, &all), *view;
    if (kind == 2) strides[0] = -strides[0];
    OK(argand_array_view(&view, memory, rank, dims, strides, kind == 2 ? 2 * (first - 1) : 0));
    argand_array_destroy(memory);
    return view;
}

#endif
