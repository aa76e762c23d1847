/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of an operator, for the files of this folder. */
#ifndef OP_OP_H
#define OP_OP_H

#include <argand/op.h>
#include <stdatomic.h>
#include "array/array.h"
#include "base/status.h"
#include "base/text.h"

/* Arrays that an operator needs while it works, made on first use and kept: this is why one operator may not
 * be applied from two threads at once. */
enum { OP_BUFFERS = 3 };
typedef enum op_buffer { OP_RANGE, OP_MIDDLE, OP_MIDDLE_NORMAL } op_buffer;

struct argand_op {
    atomic_int references;
    argand_device *device;
    argand_op_definition definition;
    char name[32];
    argand_op *parts[2];    /* what it is made of: kept, printed, and released with it */
    argand_array **buffers; /* OP_BUFFERS places */
};

/* argand_op_create for an operator made of others; b may be NULL. The context is not destroyed on failure. */
argand_status op_compose(argand_op **op, const argand_op_definition *definition, argand_op *a, argand_op *b);
/* The operator's own array of that shape, kept until the operator is destroyed. */
argand_status op_scratch(const argand_op *op, op_buffer which, const argand_shape *shape,
                         argand_array **array);

argand_status shape_check(const argand_shape *shape, const char *what);
bool shape_equal(const argand_shape *a, const argand_shape *b); /* trailing dimensions of 1 do not count */
bool shape_fits(const argand_shape *shape, const argand_array *array);
argand_shape shape_of(const argand_array *array);
argand_status shape_array(argand_array **array, argand_device *device, const argand_shape *shape);
typedef struct shape_text {
    char chars[224];
} shape_text;
shape_text shape_printed(const argand_shape *shape); /* "complex float {64, 64, 4}" */

#endif
