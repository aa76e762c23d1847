/* SPDX-License-Identifier: BSD-3-Clause */
/* A small dense problem and a monitor that keeps what it receives, for the tests of argand_solve. */
#ifndef TESTS_SOLVE_REGULARIZED_H
#define TESTS_SOLVE_REGULARIZED_H

#include "dense.h"

enum { NX = 8, NY = 5, PIXELS = NX * NY, ROWS = 60 };

/* A random matrix on an image of NX x NY. */
static inline argand_op *matrix_op(dense **matrix)
{
    argand_op *op;
    *matrix = dense_new(ROWS, PIXELS, 1);
    OK(argand_op_create(&op, device,
                        &(argand_op_definition){.name = "dense",
                                                .domain = {ARGAND_C64, 2, {NX, NY}},
                                                .range = {ARGAND_C64, 1, {ROWS}},
                                                .apply = dense_apply,
                                                .adjoint = dense_adjoint,
                                                .destroy = dense_free,
                                                .context = *matrix}));
    return op;
}

static inline argand_op *identity_op(argand_type type, int rank, const int64_t *dims)
{
    argand_shape shape = {type, rank, {0}};
    argand_op *op;
    for (int i = 0; i < rank; i++) shape.dims[i] = dims[i];
    OK(argand_op_identity(&op, device, &shape));
    return op;
}

typedef struct record {
    int calls, stop_at;
    double first, last, largest_rise, gradient;
    double unit; /* |y|^2 */
} record;

static inline bool keep(void *context, const argand_progress *p)
{
    record *r = context;
    const double objective = p->residual * p->residual * r->unit / 2 + p->penalty;
    if (r->calls == 0)
        r->first = objective;
    else
        r->largest_rise = fmax(r->largest_rise, objective - r->last);
    r->last = objective;
    r->gradient = p->gradient;
    r->calls++;
    return !(r->stop_at && p->iteration >= r->stop_at);
}

static inline record watch_of(const argand_array *y)
{
    double norm;
    OK(argand_array_norm(&norm, y));
    return (record){.unit = norm * norm};
}

static inline void to_complex(const argand_array *array, double complex *values)
{
    double *numbers = as_doubles(array);
    memcpy(values, numbers, (size_t)argand_array_count(array) * sizeof *values);
    free(numbers);
}

typedef struct matrix_problem {
    dense *matrix;
    argand_op *op;
    argand_array *x, *y;
} matrix_problem;

static inline matrix_problem matrix_problem_make(void)
{
    matrix_problem p;
    p.op = matrix_op(&p.matrix);
    p.x = ARRAY(ARGAND_C64, NX, NY);
    p.y = ARRAY(ARGAND_C64, ROWS);
    randomise(p.y, 6, 0, 0);
    return p;
}

static inline void matrix_problem_release(matrix_problem *p)
{
    argand_op_destroy(p->op);
    argand_array_destroy(p->x);
    argand_array_destroy(p->y);
}

#endif
