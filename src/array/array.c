/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates, wraps and views arrays. */
#include "array/copy.h"

#include <string.h>
#include "base/memory.h"

static argand_status count_elements(int rank, const int64_t *dims, argand_type type, int64_t *count)
{
    CHECK(argand_type_size(type), ARGAND_ARGUMENT, "array type %d is not known", (int)type);
    CHECK(rank >= 0 && rank <= ARGAND_MAX_RANK && (dims || !rank), ARGAND_ARGUMENT,
          "array rank %d: give 0 to %d", rank, ARGAND_MAX_RANK);
    *count = 1;
    for (int axis = 0; axis < rank; axis++) {
        CHECK(dims[axis] >= 1, ARGAND_ARGUMENT, "array dimension %d is %lld: give at least 1", axis,
              (long long)dims[axis]);
        CHECK(!__builtin_mul_overflow(*count, dims[axis], count) && *count <= INT64_MAX / 32, ARGAND_ARGUMENT,
              "array is too large: its dimensions multiply to more than 2^58");
    }
    return ARGAND_OK;
}

/* Makes an array without storage; strides NULL means contiguous. */
static argand_status make(argand_array **out, argand_type type, int rank, const int64_t *dims,
                          const int64_t *strides)
{
    int64_t count;
    CHECK(out, ARGAND_ARGUMENT, "no place for the array");
    *out = NULL;
    TRY(count_elements(rank, dims, type, &count));
    argand_array *array;
    TRY(NEW(array, 1));
    array->type = type;
    array->rank = rank;
    array->count = count;
    int64_t stride = 1;
    for (int axis = 0; axis < rank; axis++) {
        array->dims[axis] = dims[axis];
        array->strides[axis] = strides ? strides[axis] : stride;
        stride *= dims[axis];
    }
    *out = array;
    return ARGAND_OK;
}

/* Refuses double precision on a device without it: such a device could store doubles but not compute with
 * them. */
static argand_status check_precision(const char *who, const argand_device *device, argand_type type)
{
    CHECK(!type_is_double(type) || device_has_double(device), ARGAND_UNSUPPORTED,
          "%s: the device has no double precision; use a %s array, or the cpu device", who,
          argand_type_name(type_is_complex(type) ? ARGAND_C32 : ARGAND_R32));
    return ARGAND_OK;
}

/* Finds the lowest and highest element that the strides reach, relative to the first; returns false on
 * overflow. */
static bool reach(const argand_array *array, int64_t *lowest, int64_t *highest)
{
    *lowest = *highest = 0;
    for (int axis = 0; axis < array->rank; axis++) {
        int64_t far;
        if (__builtin_mul_overflow(array->strides[axis], array->dims[axis] - 1, &far)) return false;
        if (__builtin_add_overflow(far < 0 ? *lowest : *highest, far, far < 0 ? lowest : highest))
            return false;
    }
    return *highest <= INT64_MAX / 32 && *lowest >= -(INT64_MAX / 32);
}

static argand_status create(argand_array **array, argand_device *device, argand_type type, int rank,
                            const int64_t *dims,
                            argand_status (*allocate)(storage **, argand_device *, size_t))
{
    TRY(check_precision("argand_array_create", device, type));
    TRY(make(array, type, rank, dims, NULL));
    const size_t bytes = (size_t)(*array)->count * argand_type_size(type);
    const argand_status status = allocate(&(*array)->storage, device, bytes);
    if (status != ARGAND_OK) {
        memory_free(*array);
        *array = NULL;
    }
    return status;
}

argand_status argand_array_create(argand_array **array, argand_device *device, argand_type type, int rank,
                                  const int64_t *dims)
{
    if (array) *array = NULL;
    CHECK(device, ARGAND_ARGUMENT, "argand_array_create: no device");
    return create(array, device, type, rank, dims, storage_new);
}

argand_status array_scratch(argand_array **array, argand_device *device, argand_type type, int rank,
                            const int64_t *dims)
{
    return create(array, device, type, rank, dims, storage_scratch);
}

argand_status argand_array_wrap(argand_array **array, argand_device *device, argand_type type, int rank,
                                const int64_t *dims, const int64_t *strides, void *pointer)
{
    if (array) *array = NULL;
    CHECK(device && pointer, ARGAND_ARGUMENT, "argand_array_wrap: no %s", device ? "pointer" : "device");
    TRY(check_precision(__func__, device, type));
    TRY(make(array, type, rank, dims, strides));
    int64_t lowest, highest;
    argand_status status = ARGAND_OK;
    if (!reach(*array, &lowest, &highest))
        status = status_set(ARGAND_ARGUMENT, "argand_array_wrap: the strides reach further than memory does");
    else {
        const int64_t size = (int64_t)argand_type_size(type);
        status = storage_wrap(&(*array)->storage, device, pointer, (size_t)(-lowest * size),
                              (size_t)((highest - lowest + 1) * size));
        (*array)->offset = -lowest;
    }
    if (status != ARGAND_OK) {
        memory_free(*array);
        *array = NULL;
    }
    return status;
}

argand_status argand_array_view(argand_array **view, const argand_array *array, int rank, const int64_t *dims,
                                const int64_t *strides, int64_t offset)
{
    if (view) *view = NULL;
    CHECK_ARRAY(array);
    TRY(make(view, array->type, rank, dims, strides));
    argand_array *v = *view;
    int64_t lowest, highest;
    const int64_t held = (int64_t)(storage_bytes(array->storage) / argand_type_size(array->type));
    const bool inside = reach(v, &lowest, &highest) && offset >= -array->offset &&
                        offset < held - array->offset && array->offset + offset + lowest >= 0 &&
                        array->offset + offset + highest < held;
    if (!inside) {
        memory_free(v);
        *view = NULL;
        return status_set(ARGAND_ARGUMENT, "argand_array_view: the view reaches outside the array's memory");
    }
    v->offset = array->offset + offset;
    v->storage = storage_keep(array->storage);
    return ARGAND_OK;
}

/* Returns the real type of a complex type, or the complex type of a real one; 0: there is none. */
static argand_type counterpart(argand_type type)
{
    static const argand_type other[] = {
        [ARGAND_R32] = ARGAND_C32,   [ARGAND_C32] = ARGAND_R32,  [ARGAND_R64] = ARGAND_C64,
        [ARGAND_C64] = ARGAND_R64,   [ARGAND_R16] = ARGAND_C16,  [ARGAND_C16] = ARGAND_R16,
        [ARGAND_RB16] = ARGAND_CB16, [ARGAND_CB16] = ARGAND_RB16};
    return (size_t)type < sizeof other / sizeof *other ? other[type] : 0;
}

/* Checks that an array of reals can be viewed as complex numbers. */
static argand_status check_pairs(const argand_array *a)
{
    CHECK(a->dims[0] % 2 == 0, ARGAND_ARGUMENT,
          "argand_array_view_as: %lld reals along dimension 0 are no whole number of complex ones",
          (long long)a->dims[0]);
    CHECK(a->offset % 2 == 0, ARGAND_ARGUMENT,
          "argand_array_view_as: the first real is number %lld of its memory; complex numbers begin at even "
          "ones",
          (long long)a->offset);
    for (int axis = 1; axis < a->rank; axis++)
        CHECK(
            a->strides[axis] % 2 == 0 || a->dims[axis] == 1, ARGAND_ARGUMENT,
            "argand_array_view_as: the stride of dimension %d is %lld reals, no whole number of complex ones",
            axis, (long long)a->strides[axis]);
    return ARGAND_OK;
}

/* Converts a number of elements to elements of the other type. */
static int64_t recounted(int64_t count, bool to_pairs)
{
    return to_pairs ? count / 2 : 2 * count;
}

argand_status argand_array_view_as(argand_array **view, const argand_array *array, argand_type type)
{
    if (view) *view = NULL;
    CHECK_ARRAY(array);
    CHECK(view, ARGAND_ARGUMENT, "argand_array_view_as: no place for the view");
    CHECK(type == counterpart(array->type), ARGAND_ARGUMENT,
          "argand_array_view_as: %s cannot be seen as %s, only as %s", argand_type_name(array->type),
          argand_type_name(type), argand_type_name(counterpart(array->type)));
    CHECK(array->rank > 0 && (array->strides[0] == 1 || array->dims[0] == 1), ARGAND_ARGUMENT,
          "argand_array_view_as: the elements of dimension 0 do not lie together (stride %lld); copy the "
          "array first",
          (long long)array->strides[0]);
    const bool to_pairs = argand_type_size(type) > argand_type_size(array->type);
    if (to_pairs) TRY(check_pairs(array));
    argand_array *v;
    TRY(NEW(v, 1));
    *v = *array;
    v->type = type;
    v->storage = storage_keep(array->storage);
    v->offset = recounted(array->offset, to_pairs);
    v->count = recounted(array->count, to_pairs);
    v->dims[0] = recounted(array->dims[0], to_pairs);
    v->strides[0] = 1;
    for (int axis = 1; axis < array->rank;
         axis++) /* the stride of an axis with one element may be any number */
        if (array->dims[axis] > 1) v->strides[axis] = recounted(array->strides[axis], to_pairs);
    *view = v;
    return ARGAND_OK;
}

argand_status argand_array_part(argand_array **view, const argand_array *array, int axis, int64_t start,
                                int64_t count)
{
    if (view) *view = NULL;
    CHECK_ARRAY(array);
    CHECK(axis >= 0 && axis < array->rank, ARGAND_ARGUMENT,
          "argand_array_part: axis %d of an array of rank %d", axis, array->rank);
    CHECK(start >= 0 && count >= 1 && start <= array->dims[axis] - count, ARGAND_ARGUMENT,
          "argand_array_part: %lld elements from %lld of %lld along axis %d", (long long)count,
          (long long)start, (long long)array->dims[axis], axis);
    int64_t dims[ARGAND_MAX_RANK];
    memcpy(dims, array->dims, sizeof dims);
    dims[axis] = count;
    return argand_array_view(view, array, array->rank, dims, array->strides, start * array->strides[axis]);
}

argand_status argand_array_reshape(argand_array **view, const argand_array *array, int rank,
                                   const int64_t *dims)
{
    int64_t count;
    if (view) *view = NULL;
    CHECK_ARRAY(array);
    TRY(count_elements(rank, dims, array->type, &count));
    CHECK(argand_array_is_contiguous(array), ARGAND_ARGUMENT,
          "argand_array_reshape: the array is not contiguous");
    char from[128], to[128];
    CHECK(count == array->count, ARGAND_ARGUMENT, "argand_array_reshape: %s has %lld elements, %s has %lld",
          dims_print(from, sizeof from, array->rank, array->dims), (long long)array->count,
          dims_print(to, sizeof to, rank, dims), (long long)count);
    return argand_array_view(view, array, rank, dims, NULL, 0);
}

void argand_array_destroy(argand_array *array)
{
    if (!array) return;
    storage_release(array->storage);
    memory_free(array);
}

argand_status array_same_view(argand_array **out, const argand_array *x)
{
    return argand_array_view(out, x, x->rank, x->dims, x->strides, 0);
}

argand_status array_or_nothing(argand_status status, argand_array **array)
{
    if (status == ARGAND_OK) return ARGAND_OK;
    argand_array_destroy(*array);
    *array = NULL;
    return status;
}
