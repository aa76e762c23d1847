/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies arrays, wherever they are, and moves them to the device that computes with them. */
#include "array/copy.h"

argand_status argand_array_copy(argand_array *y, const argand_array *x)
{
    CHECK_ARRAY(y);
    CHECK_ARRAY(x);
    CHECK(type_has_pairs(y->type) || !type_has_pairs(x->type), ARGAND_ARGUMENT,
          "argand_array_copy: a complex array cannot become a real one; take argand_array_real, imag, abs or "
          "phase");
    const bool is_one_device = argand_array_device(y) == argand_array_device(x);
    return is_one_device ? array_copy_within(y, x) : array_copy_between_devices(y, x);
}

argand_status array_on_device(argand_array **out, const argand_array *x, argand_device *device)
{
    if (argand_array_device(x) == device) return array_same_view(out, x);
    TRY(argand_array_create(out, device, x->type, x->rank, x->dims));
    return array_or_nothing(argand_array_copy(*out, x), out);
}

argand_status array_like_on_device(argand_array **out, const argand_array *x, argand_device *device)
{
    if (argand_array_device(x) == device) return array_same_view(out, x);
    return array_scratch(out, device, x->type, x->rank, x->dims);
}
