/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays in host memory alone, in place of the layers "device" and "array": the fuzzers of files are then
 * built in seconds, with sanitizers, from src/base and src/io. */
#include <argand/argand.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/size.h"

struct argand_array {
    argand_type type;
    int rank;
    int64_t dims[ARGAND_MAX_RANK], strides[ARGAND_MAX_RANK], count;
    char *bytes;
    bool is_view;
};

size_t argand_type_size(argand_type type)
{
    static const size_t sizes[] = {[ARGAND_R32] = 4, [ARGAND_R64] = 8, [ARGAND_C32] = 8, [ARGAND_C64] = 16};
    return sizes[type];
}

const char *argand_type_name(argand_type type)
{
    (void)type;
    return "type";
}

static argand_status make(argand_array **array, argand_type type, int rank, const int64_t *dims)
{
    int64_t count;
    CHECK(rank >= 0 && rank <= ARGAND_MAX_RANK && size_of_shape(&count, dims, rank), ARGAND_ARGUMENT,
          "an array of such dimensions cannot be");
    TRY(NEW(*array, 1));
    (*array)->type = type;
    (*array)->rank = rank;
    (*array)->count = count;
    if (rank) memcpy((*array)->dims, dims, (size_t)rank * sizeof *dims);
    for (int64_t d = 0, stride = 1; d < rank; stride *= dims[d++]) (*array)->strides[d] = stride;
    return ARGAND_OK;
}

argand_status argand_array_create(argand_array **array, argand_device *device, argand_type type, int rank,
                                  const int64_t *dims)
{
    (void)device;
    TRY(make(array, type, rank, dims));
    const argand_status status =
        memory_new(&(*array)->bytes, (size_t)(*array)->count, argand_type_size(type));
    if (status == ARGAND_OK) return ARGAND_OK;
    argand_array_destroy(*array);
    *array = NULL;
    return status;
}

argand_status argand_array_view(argand_array **view, const argand_array *array, int rank, const int64_t *dims,
                                const int64_t *strides, int64_t offset)
{
    TRY(make(view, array->type, rank, dims));
    memcpy((*view)->strides, strides, (size_t)rank * sizeof *strides);
    (*view)->bytes = array->bytes + (size_t)offset * argand_type_size(array->type);
    (*view)->is_view = true;
    return ARGAND_OK;
}

void argand_array_destroy(argand_array *array)
{
    if (array && !array->is_view) memory_free(array->bytes);
    memory_free(array);
}

/* y is contiguous. */
argand_status argand_array_copy(argand_array *y, const argand_array *x)
{
    const size_t size = argand_type_size(x->type);
    for (int64_t i = 0; i < y->count; i++) {
        int64_t rest = i, at = 0;
        for (int d = 0; d < x->rank; rest /= x->dims[d++]) at += rest % x->dims[d] * x->strides[d];
        memcpy(y->bytes + (size_t)i * size, x->bytes + (size_t)at * size, size);
    }
    return ARGAND_OK;
}

argand_status argand_array_upload(argand_array *array, const void *host)
{
    memcpy(array->bytes, host, (size_t)array->count * argand_type_size(array->type));
    return ARGAND_OK;
}

argand_status argand_array_download(const argand_array *array, void *host)
{
    memcpy(host, array->bytes, (size_t)array->count * argand_type_size(array->type));
    return ARGAND_OK;
}

argand_device *argand_array_device(const argand_array *array)
{
    (void)array;
    return NULL;
}

argand_type argand_array_type(const argand_array *array)
{
    return array->type;
}

int argand_array_rank(const argand_array *array)
{
    return array->rank;
}

int64_t argand_array_dim(const argand_array *array, int axis)
{
    return axis < array->rank ? array->dims[axis] : 1;
}

int64_t argand_array_stride(const argand_array *array, int axis)
{
    return array->strides[axis];
}

int64_t argand_array_count(const argand_array *array)
{
    return array->count;
}

void *argand_array_data(const argand_array *array)
{
    return array->bytes;
}

argand_status argand_array_norm(double *result, const argand_array *x)
{
    const int parts = x->type == ARGAND_C32 || x->type == ARGAND_C64 ? 2 : 1;
    const bool is_double = x->type == ARGAND_R64 || x->type == ARGAND_C64;
    *result = 0;
    for (int64_t i = 0; i < parts * x->count; i++) {
        const double value = is_double ? ((const double *)x->bytes)[i] : (double)((const float *)x->bytes)[i];
        *result += value * value;
    }
    return ARGAND_OK;
}

argand_status argand_device_open(argand_device **device, const char *name)
{
    (void)name;
    *device = (argand_device *)&argand_device_open; /* never looked at */
    return ARGAND_OK;
}
