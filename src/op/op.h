/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of an operator, for the files of this folder. */
#ifndef OP_OP_H
#define OP_OP_H

#include <argand/op.h>
#include <stdatomic.h>
#include "array/array.h"
#include "base/status.h"
#include "base/text.h"

/* Work arrays of an operator, made on first use and kept. Because of them an operator is for one thread at
 * a time. */
enum { OP_BUFFERS = 3 };
typedef enum op_buffer { OP_RANGE, OP_MIDDLE, OP_MIDDLE_NORMAL } op_buffer;

/* Data that are spread over ranks: spread.h. */
typedef struct op_spread op_spread;

struct argand_op {
    atomic_int references;
    argand_device *device;
    argand_op_definition definition;
    char name[32];
    argand_op *parts[2];    /* parts, NULL if none: kept, printed and released with the operator */
    argand_array **buffers; /* OP_BUFFERS entries */
    /* How domain and range are spread over ranks; NULL: each rank has all of it. They belong to a part. */
    op_spread *domain_spread, *spread;
    bool takes_fewer; /* apply and adjoint also take fewer vectors than domain and range have */
};

/* Creates an operator from others; b may be NULL. On failure the context is not destroyed. */
argand_status op_compose(argand_op **op, const argand_op_definition *definition, argand_op *a, argand_op *b);
/* Creates an operator that applies `whole` to the first vectors of its last axis only. */
argand_status op_of_fewer(argand_op **op, argand_op *whole, int64_t vectors);
/* Creates the operator 0. */
argand_status op_zero(argand_op **op, argand_device *device, const argand_shape *domain,
                      const argand_shape *range);
/* Returns a work array of the given shape, which the operator keeps until it is destroyed. */
argand_status op_scratch(const argand_op *op, op_buffer which, const argand_shape *shape,
                         argand_array **array);

argand_status shape_check(const argand_shape *shape, const char *what);
bool shape_equal(const argand_shape *a, const argand_shape *b); /* trailing dimensions of 1 are ignored */
bool shape_fits(const argand_shape *shape, const argand_array *array);
argand_shape shape_of(const argand_array *array);
argand_status shape_array(argand_array **array, argand_device *device, const argand_shape *shape);
typedef struct shape_text {
    char chars[224];
} shape_text;
shape_text shape_printed(const argand_shape *shape); /* "complex float {64, 64, 4}" */

#endif
