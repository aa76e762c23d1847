/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between arrays of two devices through host memory, where strides and types are converted. (A
 * device without doubles can neither read nor write them, so its kernels cannot convert.) */
#include "array/copy.h"

static argand_status fetch(argand_array **out, const argand_array *x, argand_device *host)
{
    if (device_is_host(argand_array_device(x))) return array_same_view(out, x);
    TRY(array_scratch(out, host, x->type, x->rank, x->dims));
    return array_or_nothing(argand_array_download(x, argand_array_data(*out)), out);
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
    if (status == ARGAND_OK) status = array_or_nothing(array_copy_within(*out, local), out);
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

argand_status array_copy_between_devices(argand_array *y, const argand_array *x)
{
    argand_device *device = argand_array_device(y), *host;
    argand_array *local;
    TRY(check_shapes(y, x));
    if (device_is_host(device) && y->type == x->type && argand_array_is_contiguous(y))
        return argand_array_download(x, argand_array_data(y));
    TRY(device_host(&host, device));
    TRY(take_to_host(&local, x, y->type, host));
    argand_status status = argand_device_wait(argand_array_device(local));
    if (status == ARGAND_OK) status = argand_array_upload(y, argand_array_data(local));
    argand_array_destroy(local);
    return status;
}
