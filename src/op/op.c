/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates and destroys operators; apply, adjoint and normal with their checks. */
#include "op/op.h"

#include <stdio.h>
#include "base/memory.h"
#include "base/observe.h"
#include "device/device.h"

static argand_status check_definition(const argand_op_definition *definition)
{
    CHECK(definition, ARGAND_ARGUMENT, "argand_op_create: no definition");
    CHECK(definition->apply && definition->adjoint, ARGAND_ARGUMENT,
          "argand_op_create: operator \"%s\" needs both apply and adjoint",
          definition->name ? definition->name : "");
    TRY(shape_check(&definition->domain, "domain"));
    return shape_check(&definition->range, "range");
}

static argand_status op_new(argand_op **out, argand_device *device, const argand_op_definition *definition)
{
    argand_op *op;
    TRY(NEW(op, 1));
    const argand_status status = NEW(op->buffers, OP_BUFFERS);
    if (status != ARGAND_OK) {
        memory_free(op);
        return status;
    }
    atomic_init(&op->references, 1);
    op->device = device_keep(device);
    op->definition = *definition;
    snprintf(op->name, sizeof op->name, "%s", definition->name ? definition->name : "operator");
    op->definition.name = op->name;
    *out = op;
    return ARGAND_OK;
}

argand_status argand_op_create(argand_op **op, argand_device *device, const argand_op_definition *definition)
{
    CHECK(op, ARGAND_ARGUMENT, "argand_op_create: no place for the operator");
    *op = NULL;
    CHECK(device, ARGAND_ARGUMENT, "argand_op_create: no device");
    TRY(check_definition(definition));
    return op_new(op, device, definition);
}

argand_status op_compose(argand_op **op, const argand_op_definition *definition, argand_op *a, argand_op *b)
{
    TRY(argand_op_create(op, a->device, definition));
    (*op)->parts[0] = argand_op_keep(a);
    (*op)->parts[1] = argand_op_keep(b);
    return ARGAND_OK;
}

argand_op *argand_op_keep(argand_op *op)
{
    if (op) atomic_fetch_add(&op->references, 1);
    return op;
}

void argand_op_destroy(argand_op *op)
{
    if (!op || atomic_fetch_sub(&op->references, 1) != 1) return;
    if (op->definition.destroy) op->definition.destroy(op->definition.context);
    for (int i = 0; i < OP_BUFFERS; i++) argand_array_destroy(op->buffers[i]);
    argand_op_destroy(op->parts[0]);
    argand_op_destroy(op->parts[1]);
    memory_free(op->buffers);
    argand_device_close(op->device);
    memory_free(op);
}

argand_device *argand_op_device(const argand_op *op)
{
    return op ? op->device : NULL;
}

const argand_shape *argand_op_domain(const argand_op *op)
{
    return op ? &op->definition.domain : NULL;
}

const argand_shape *argand_op_range(const argand_op *op)
{
    return op ? &op->definition.range : NULL;
}

argand_status op_scratch(const argand_op *op, op_buffer which, const argand_shape *shape,
                         argand_array **array)
{
    if (!op->buffers[which]) TRY(shape_array(&op->buffers[which], op->device, shape));
    *array = op->buffers[which];
    return ARGAND_OK;
}

/* Checks an input or output of a call: device, shape, type, contiguity. */
static argand_status check_array(const argand_op *op, const argand_array *array, const argand_shape *shape,
                                 const char *what)
{
    CHECK(array, ARGAND_ARGUMENT, "operator \"%s\": %s is NULL", op->name, what);
    CHECK(argand_array_device(array) == op->device, ARGAND_ARGUMENT,
          "operator \"%s\": %s lives on another device", op->name, what);
    if (!shape_fits(shape, array)) {
        const argand_shape is = shape_of(array);
        return status_set(ARGAND_ARGUMENT, "operator \"%s\": %s is %s and must be %s", op->name, what,
                          shape_printed(&is).chars, shape_printed(shape).chars);
    }
    CHECK(argand_array_is_contiguous(array), ARGAND_ARGUMENT,
          "operator \"%s\": %s is not contiguous; copy it into a new array first", op->name, what);
    return ARGAND_OK;
}

static bool overlap(const argand_array *a, const argand_array *b)
{
    const char *start_a = argand_array_data(a), *start_b = argand_array_data(b);
    if (a == b) return true;
    if (!start_a || !start_b) return false;
    const size_t bytes_a = (size_t)argand_array_count(a) * argand_type_size(argand_array_type(a));
    const size_t bytes_b = (size_t)argand_array_count(b) * argand_type_size(argand_array_type(b));
    return (uintptr_t)start_a < (uintptr_t)start_b + bytes_b &&
           (uintptr_t)start_b < (uintptr_t)start_a + bytes_a;
}

static argand_status check_call(const argand_op *op, const argand_array *out, const argand_shape *out_shape,
                                const argand_array *in, const argand_shape *in_shape)
{
    CHECK(op, ARGAND_ARGUMENT, "no operator given");
    TRY(check_array(op, out, out_shape, "the output"));
    TRY(check_array(op, in, in_shape, "the input"));
    CHECK(!overlap(out, in), ARGAND_ARGUMENT, "operator \"%s\": output and input share memory", op->name);
    return ARGAND_OK;
}

argand_status argand_op_apply(const argand_op *op, argand_array *y, const argand_array *x)
{
    TRY(check_call(op, y, argand_op_range(op), x, argand_op_domain(op)));
    TRY(observe_again());
    return op->definition.apply(op->definition.context, y, x);
}

argand_status argand_op_adjoint(const argand_op *op, argand_array *x, const argand_array *y)
{
    TRY(check_call(op, x, argand_op_domain(op), y, argand_op_range(op)));
    TRY(observe_again());
    return op->definition.adjoint(op->definition.context, x, y);
}

argand_status argand_op_normal(const argand_op *op, argand_array *z, const argand_array *x)
{
    TRY(check_call(op, z, argand_op_domain(op), x, argand_op_domain(op)));
    TRY(observe_again());
    if (op->definition.normal) return op->definition.normal(op->definition.context, z, x);
    argand_array *y;
    TRY(op_scratch(op, OP_RANGE, argand_op_range(op), &y));
    TRY(op->definition.apply(op->definition.context, y, x));
    return op->definition.adjoint(op->definition.context, z, y);
}
