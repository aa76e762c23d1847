/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between arrays of two devices through host memory, where strides and types are converted. (A
 * device without doubles can neither read nor write them, so its kernels cannot convert.) */
#include "array/across.h"

static argand_status same_view(argand_array **out, const argand_array *x)
{
    return argand_array_view(out, x, x->rank, x->dims, x->strides, 0);
}

static argand_status or_nothing(argand_status status, argand_array **array)
{
    if (status == ARGAND_OK) return ARGAND_OK;
    argand_array_destroy(*array);
    *array = NULL;
    return status;
}

static argand_status fetch(argand_array **out, const argand_array *x, argand_device *host)
{
    if (device_is_host(argand_array_device(x))) return same_view(out, x);
    TRY(array_scratch(out, host, x->type, x->rank, x->dims));
    return or_nothing(argand_array_download(x, argand_array_data(*out)), out);
}

/* Makes a contiguous host array of the given type with x's elements; a view of x if x already is one. */
static argand_status take_to_host(argand_array **out, const argand_array *x, argand_type type,
                                  argand_device *host)
{
    argand_array *local;
    TRY(fetch(&local, x, host));
    if (local->type == type && argand_array_is_contiguous(local)) {
        *out = local;
        return ARGAND_OK;
    }
    argand_status status = array_scratch(out, argand_array_device(local), type, x->rank, x->dims);
    if (status == ARGAND_OK) status = or_nothing(argand_array_copy(*out, local), out);
    argand_array_destroy(local);
    return status;
}

static argand_status check_shapes(const argand_array *y, const argand_array *x)
{
    bool equal = y->rank == x->rank;
    char to[128], from[128];
    for (int axis = 0; equal && axis < x->rank; axis++) equal = x->dims[axis] == y->dims[axis];
    CHECK(equal, ARGAND_ARGUMENT, "argand_array_copy: shapes differ: %s and %s",
          dims_print(to, sizeof to, y->rank, y->dims), dims_print(from, sizeof from, x->rank, x->dims));
    return ARGAND_OK;
}

argand_status array_copy_across(argand_array *y, const argand_array *x)
{
    argand_device *device = argand_array_device(y), *host;
    argand_array *there;
    TRY(check_shapes(y, x));
    if (device_is_host(device) && y->type == x->type && argand_array_is_contiguous(y))
        return argand_array_download(x, argand_array_data(y));
    TRY(device_host(&host, device));
    TRY(take_to_host(&there, x, y->type, host));
    argand_status status = argand_device_wait(argand_array_device(there));
    if (status == ARGAND_OK) status = argand_array_upload(y, argand_array_data(there));
    argand_array_destroy(there);
    return status;
}

argand_status array_on_device(argand_array **out, const argand_array *x, argand_device *device)
{
    if (argand_array_device(x) == device) return same_view(out, x);
    TRY(argand_array_create(out, device, x->type, x->rank, x->dims));
    return or_nothing(argand_array_copy(*out, x), out);
}

argand_status array_like_on_device(argand_array **out, const argand_array *x, argand_device *device)
{
    if (argand_array_device(x) == device) return same_view(out, x);
    return array_scratch(out, device, x->type, x->rank, x->dims);
}
