/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of types and arrays: sizes, names, dimensions, strides. */
#include "array/array.h"

#include <stdio.h>
#include <string.h>

size_t argand_type_size(argand_type type)
{
    static const unsigned char sizes[] = {
        [ARGAND_R32] = 4, [ARGAND_R64] = 8,  [ARGAND_C32] = 8,  [ARGAND_C64] = 16, [ARGAND_R16] = 2,
        [ARGAND_C16] = 4, [ARGAND_RB16] = 2, [ARGAND_CB16] = 4, [ARGAND_U8] = 1};
    return (size_t)type < sizeof sizes ? sizes[type] : 0;
}

const char *argand_type_name(argand_type type)
{
    switch (type) {
    case ARGAND_R32:
        return "float";
    case ARGAND_R64:
        return "double";
    case ARGAND_C32:
        return "complex float";
    case ARGAND_C64:
        return "complex double";
    case ARGAND_R16:
        return "half";
    case ARGAND_C16:
        return "complex half";
    case ARGAND_RB16:
        return "bfloat16";
    case ARGAND_CB16:
        return "complex bfloat16";
    case ARGAND_U8:
        return "byte";
    }
    return "unknown type";
}

const char *dims_print(char *text, size_t size, int rank, const int64_t *dims)
{
    size_t used = 0;
    snprintf(text, size, "scalar");
    for (int axis = 0; axis < rank && used < size; axis++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", axis ? "x" : "", (long long)dims[axis]);
    return text;
}

argand_device *argand_array_device(const argand_array *array)
{
    return array ? storage_device(array->storage) : NULL;
}

argand_type argand_array_type(const argand_array *array)
{
    return array ? array->type : (argand_type)0;
}

int argand_array_rank(const argand_array *array)
{
    return array ? array->rank : 0;
}

int64_t argand_array_dim(const argand_array *array, int axis)
{
    return array && axis >= 0 && axis < array->rank ? array->dims[axis] : 1;
}

int64_t argand_array_stride(const argand_array *array, int axis)
{
    return array && axis >= 0 && axis < array->rank ? array->strides[axis] : 0;
}

int64_t argand_array_count(const argand_array *array)
{
    return array ? array->count : 0;
}

bool argand_array_is_contiguous(const argand_array *array)
{
    int64_t expected = 1;
    if (!array) return false;
    for (int axis = 0; axis < array->rank; axis++) {
        if (array->dims[axis] != 1 && array->strides[axis] != expected) return false;
        expected *= array->dims[axis];
    }
    return true;
}

bool array_distance(int64_t *bytes, const argand_array *a, const argand_array *b)
{
    const int64_t inside_a = a->offset * (int64_t)argand_type_size(a->type),
                  inside_b = b->offset * (int64_t)argand_type_size(b->type);
    const bool known = storage_distance(bytes, a->storage, b->storage);
    *bytes += inside_a - inside_b;
    return known;
}

void *argand_array_data(const argand_array *array)
{
    if (!array) return NULL;
    char *start = storage_address(array->storage);
    return start ? start + array->offset * (int64_t)argand_type_size(array->type) : NULL;
}
