/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointwise operations (y = a x + b y, products, parts, conversions): one kernel launch each. */
#include "array/array.h"

#include <stdio.h>
#include "array/copy.h"
#include "array/layout.h"

static struct kernel_scalar scalar_of(argand_scalar value)
{
    return layout_scalar(value.re, value.im);
}

static argand_status check_written(const char *who, const argand_array *y)
{
    for (int axis = 0; axis < y->rank; axis++)
        CHECK(y->strides[axis] != 0 || y->dims[axis] == 1, ARGAND_ARGUMENT,
              "%s: the output repeats its elements (stride 0 on axis %d)", who, axis);
    return ARGAND_OK;
}

static argand_status check_precision(const char *who, int operands, const argand_array *const *x)
{
    for (int i = 1; i < operands; i++)
        CHECK(type_is_double(x[i]->type) == type_is_double(x[0]->type), ARGAND_ARGUMENT,
              "%s: %s and %s arrays; copy one to the other's precision first", who,
              argand_type_name(x[0]->type), argand_type_name(x[i]->type));
    return ARGAND_OK;
}

/* Launches the kernel "kernel REAL=..." with x[0] as output and the other operands as input. */
static argand_status start(const char *who, const char *kernel, int operands, const argand_array *const *x,
                           struct pointwise_params *params)
{
    int64_t groups;
    storage *memory[3];
    char key[64];
    TRY(layout_make(&params->at, &groups, who, 0, operands, x));
    TRY(check_written(who, x[0]));
    for (int i = 0; i < operands; i++) memory[i] = x[i]->storage;
    snprintf(key, sizeof key, "%s REAL=%s", kernel, type_is_double(x[0]->type) ? "double" : "float");
    const kernel_run run = {.key = key,
                            .groups = groups,
                            .memory = memory,
                            .memory_count = operands,
                            .params = params,
                            .params_bytes = sizeof *params};
    return kernel_start(argand_array_device(x[0]), &run);
}

argand_status argand_array_axpby(argand_array *y, argand_scalar a, const argand_array *x, argand_scalar b)
{
    CHECK_ARRAY(y);
    CHECK_ARRAY(x);
    const argand_array *const operands[2] = {y, x};
    TRY(check_precision(__func__, 2, operands));
    CHECK(type_is_complex(y->type) || (!type_is_complex(x->type) && a.im == 0 && b.im == 0), ARGAND_ARGUMENT,
          "argand_array_axpby: a real output cannot hold a complex result");
    struct pointwise_params params = {.a = scalar_of(a), .b = scalar_of(b), .mode = a.im == 0 && b.im == 0};
    return start(__func__, "axpby", 2, operands, &params);
}

argand_status argand_array_scale(argand_array *y, argand_scalar a)
{
    return argand_array_axpby(y, a, y, (argand_scalar){0, 0});
}

argand_status argand_array_fill(argand_array *y, argand_scalar value)
{
    CHECK_ARRAY(y);
    CHECK(type_is_complex(y->type) || value.im == 0, ARGAND_ARGUMENT,
          "argand_array_fill: a real array cannot hold a complex value");
    struct pointwise_params params = {.a = scalar_of(value)};
    return start(__func__, "fill", 1, (const argand_array *const[]){y}, &params);
}

/* Returns true for contiguous arrays of one type on a GPU: the driver's copy is faster than a kernel. */
static bool is_plain_copy(const argand_array *y, const argand_array *x)
{
    bool equal = y->type == x->type && y->rank == x->rank && y->storage != x->storage;
    for (int axis = 0; equal && axis < x->rank; axis++) equal = x->dims[axis] == y->dims[axis];
    return equal && !device_is_host(argand_array_device(y)) && argand_array_is_contiguous(y) &&
           argand_array_is_contiguous(x);
}

/* Converts between precisions, or from and to storage types. */
static argand_status convert(argand_array *y, const argand_array *x, const char *key, int mode)
{
    int64_t groups;
    struct pointwise_params params = {.mode = mode};
    storage *memory[2] = {y->storage, x->storage};
    TRY(layout_make_any(&params.at, &groups, "argand_array_copy", 0, 2, (const argand_array *const[]){y, x}));
    TRY(check_written("argand_array_copy", y));
    const kernel_run run = {.key = key,
                            .groups = groups,
                            .memory = memory,
                            .memory_count = 2,
                            .params = &params,
                            .params_bytes = sizeof params};
    return kernel_start(argand_array_device(y), &run);
}

argand_status array_copy_within(argand_array *y, const argand_array *x)
{
    const size_t each = argand_type_size(y->type);
    const bool is_double = type_is_double(y->type), from_double = type_is_double(x->type);
    if (is_plain_copy(y, x))
        return storage_copy(y->storage, (size_t)y->offset * each, x->storage, (size_t)x->offset * each,
                            (size_t)argand_array_count(y) * each);
    if (type_is_storage(y->type) || type_is_storage(x->type))
        return convert(
            y, x, is_double || from_double ? "convert_storage REAL=double" : "convert_storage REAL=float",
            (int)y->type + 16 * (int)x->type);
    if (is_double == from_double)
        return argand_array_axpby(y, (argand_scalar){1, 0}, x, (argand_scalar){0, 0});
    return convert(y, x, is_double ? "convert REAL=double OTHER=float" : "convert REAL=float OTHER=double",
                   0);
}

argand_status argand_array_multiply(argand_array *y, const argand_array *a, const argand_array *b, int flags)
{
    CHECK_ARRAY(y);
    CHECK_ARRAY(a);
    CHECK_ARRAY(b);
    const argand_array *const operands[3] = {y, a, b};
    TRY(check_precision(__func__, 3, operands));
    CHECK(type_is_complex(y->type) || (!type_is_complex(a->type) && !type_is_complex(b->type)),
          ARGAND_ARGUMENT, "argand_array_multiply: a real output cannot hold a complex product");
    CHECK(!(flags & ~(ARGAND_PRODUCT_CONJ | ARGAND_PRODUCT_ADD)), ARGAND_ARGUMENT,
          "argand_array_multiply: flags %d", flags);
    struct pointwise_params params = {.mode = flags};
    return start(__func__, "multiply", 3, operands, &params);
}

static argand_status take_part(argand_array *y, const argand_array *x, int mode, const char *who)
{
    CHECK(y && x, ARGAND_ARGUMENT, "%s: an array is NULL", who);
    const argand_array *const operands[2] = {y, x};
    TRY(check_precision(who, 2, operands));
    CHECK(!type_is_complex(y->type), ARGAND_ARGUMENT, "%s: the output must be real", who);
    struct pointwise_params params = {.mode = mode};
    return start(who, "part", 2, operands, &params);
}

argand_status argand_array_abs(argand_array *y, const argand_array *x)
{
    return take_part(y, x, 0, __func__);
}

argand_status argand_array_phase(argand_array *y, const argand_array *x)
{
    return take_part(y, x, 1, __func__);
}

argand_status argand_array_real(argand_array *y, const argand_array *x)
{
    return take_part(y, x, 2, __func__);
}

argand_status argand_array_imag(argand_array *y, const argand_array *x)
{
    return take_part(y, x, 3, __func__);
}
