/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks, compares and prints shapes of domains and ranges, and makes arrays of them. */
#include "op/op.h"

#include <stdio.h>
#include <string.h>

argand_status shape_check(const argand_shape *shape, const char *what)
{
    CHECK(shape, ARGAND_ARGUMENT, "operator: no %s given", what);
    CHECK(shape->type >= ARGAND_R32 && shape->type <= ARGAND_C64, ARGAND_ARGUMENT,
          "operator: the %s has no type (%d); set .type to ARGAND_C32 or another argand_type", what,
          (int)shape->type);
    CHECK(shape->rank >= 0 && shape->rank <= ARGAND_MAX_RANK, ARGAND_ARGUMENT,
          "operator: the rank of the %s is %d; give 0 to %d", what, shape->rank, ARGAND_MAX_RANK);
    for (int axis = 0; axis < shape->rank; axis++)
        CHECK(shape->dims[axis] >= 1, ARGAND_ARGUMENT,
              "operator: dimension %d of the %s is %lld; it must be 1 or more", axis, what,
              (long long)shape->dims[axis]);
    return ARGAND_OK;
}

static int64_t dim(const argand_shape *shape, int axis)
{
    return axis < shape->rank ? shape->dims[axis] : 1;
}

bool shape_equal(const argand_shape *a, const argand_shape *b)
{
    if (a->type != b->type) return false;
    for (int axis = 0; axis < ARGAND_MAX_RANK; axis++)
        if (dim(a, axis) != dim(b, axis)) return false;
    return true;
}

argand_shape shape_of(const argand_array *array)
{
    argand_shape shape = {.type = argand_array_type(array), .rank = argand_array_rank(array)};
    for (int axis = 0; axis < shape.rank; axis++) shape.dims[axis] = argand_array_dim(array, axis);
    return shape;
}

bool shape_fits(const argand_shape *shape, const argand_array *array)
{
    const argand_shape other = shape_of(array);
    return shape_equal(shape, &other);
}

argand_status shape_array(argand_array **array, argand_device *device, const argand_shape *shape)
{
    return argand_array_create(array, device, shape->type, shape->rank, shape->dims);
}

shape_text shape_printed(const argand_shape *shape)
{
    shape_text result;
    const size_t size = sizeof result.chars;
    size_t used = (size_t)snprintf(result.chars, size, "%s {", argand_type_name(shape->type));
    for (int axis = 0; axis < shape->rank; axis++)
        used += (size_t)snprintf(result.chars + used, size - used, "%s%lld", axis ? ", " : "",
                                 (long long)shape->dims[axis]);
    snprintf(result.chars + used, size - used, "}");
    return result;
}
