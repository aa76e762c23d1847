/* SPDX-License-Identifier: BSD-3-Clause */
/* A dense matrix as an operator, for tests: computed on the host in double, whatever the device and the
 * precision. */
#ifndef TESTS_OP_DENSE_H
#define TESTS_OP_DENSE_H

#include "harness.h"

typedef struct dense {
    int rows, columns;
    double complex *a; /* row after row */
} dense;

static inline dense *dense_new(int rows, int columns, uint64_t seed)
{
    dense *d = malloc(sizeof *d);
    random_state state = {seed};
    *d = (dense){rows, columns, malloc(sizeof(double complex) * (size_t)(rows * columns))};
    for (int i = 0; i < rows * columns; i++) {
        const double re = random_normal(&state);
        d->a[i] = re + I * random_normal(&state);
    }
    return d;
}

static inline void dense_free(void *context)
{
    dense *d = context;
    free(d->a);
    free(d);
}

/* Uploads n complex doubles, rounded to the array's precision. */
static inline argand_status upload_doubles(argand_array *array, const double complex *values, int n)
{
    if (argand_array_type(array) == ARGAND_C64) return argand_array_upload(array, values);
    float complex floats[256];
    assert_true(n <= 256);
    for (int i = 0; i < n; i++) floats[i] = (float complex)values[i];
    return argand_array_upload(array, floats);
}

static inline argand_status dense_apply(void *context, argand_array *y, const argand_array *x)
{
    const dense *d = context;
    double complex result[256] = {0};
    double *numbers = as_doubles(x);
    for (int i = 0; i < d->rows; i++)
        for (int j = 0; j < d->columns; j++)
            result[i] += d->a[i * d->columns + j] * (numbers[2 * j] + I * numbers[2 * j + 1]);
    free(numbers);
    return upload_doubles(y, result, d->rows);
}

static inline argand_status dense_adjoint(void *context, argand_array *x, const argand_array *y)
{
    const dense *d = context;
    double complex result[256] = {0};
    double *numbers = as_doubles(y);
    for (int i = 0; i < d->rows; i++)
        for (int j = 0; j < d->columns; j++)
            result[j] += conj(d->a[i * d->columns + j]) * (numbers[2 * i] + I * numbers[2 * i + 1]);
    free(numbers);
    return upload_doubles(x, result, d->columns);
}

static inline argand_op *dense_op(dense *d, argand_type type)
{
    argand_op *op;
    OK(argand_op_create(&op, device,
                        &(argand_op_definition){.name = "dense",
                                                .domain = {type, 1, {d->columns}},
                                                .range = {type, 1, {d->rows}},
                                                .apply = dense_apply,
                                                .adjoint = dense_adjoint,
                                                .destroy = dense_free,
                                                .context = d}));
    return op;
}

static inline argand_array *new_array(argand_type type, int rank, const int64_t *dims)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    return array;
}

#define ARRAY(type, ...) \
    new_array(type, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})

#endif
