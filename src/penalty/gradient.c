/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes first differences along all spatial axes in one pass. Differences do not cross the image's
 * edges. */
#include "penalty/penalty.h"

#include "base/memory.h"
#include "kernels/penalty/params.h"

typedef struct gradient {
    struct gradient_params params; /* all but offsets and blocks */
} gradient;

int gradient_directions(const argand_shape *shape, int space)
{
    int count = 0;
    for (int axis = 0; axis < space && axis < shape->rank; axis++) count += shape->dims[axis] > 1;
    return count ? count : 1;
}

static struct gradient_params params_of(const argand_shape *shape, int space)
{
    const int64_t width = penalty_width(shape->type);
    struct gradient_params p = {.n = {width, 1, 1}, .rows = 1};
    int64_t count = width, next = 0;
    for (int axis = 0; axis < shape->rank; axis++) count *= shape->dims[axis];
    p.n[0] = width * (shape->rank > 0 ? shape->dims[0] : 1);
    for (int axis = 1; axis < space && axis < shape->rank; axis++) p.n[axis] = shape->dims[axis];
    for (int axis = 0; axis < 3; axis++) {
        const bool used = axis < space && axis < shape->rank && shape->dims[axis] > 1;
        p.step[axis] = axis == 0 ? width : p.n[0] * (axis == 2 ? p.n[1] : 1);
        p.slot[axis] = used ? count * next++ : -1;
    }
    if (next == 0) p.slot[0] = 0; /* an image of one pixel has the difference 0 */
    p.rows = count / p.n[0];
    p.lanes = penalty_lanes(p.n[0]);
    return p;
}

static argand_status run(const gradient *g, const char *kernel, argand_array *out, const argand_array *in)
{
    struct gradient_params p = g->params;
    const int64_t share = penalty_share(in), width = penalty_width(in->type);
    storage *const memory[2] = {out->storage, in->storage};
    p.row_block = share > p.n[0] ? share / p.n[0] : 1;
    p.out = out->offset * width;
    p.in = in->offset * width;
    const penalty_launch launch = {kernel, in->type, penalty_groups(p.rows, p.row_block), memory, 2,
                                   &p,     sizeof p};
    return penalty_start(argand_array_device(in), &launch);
}

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    return run(context, "gradient_apply", y, x);
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    return run(context, "gradient_adjoint", x, y);
}

argand_status argand_op_gradient(argand_op **op, argand_device *device, const argand_shape *shape, int space)
{
    if (op) *op = NULL;
    CHECK(op && shape, ARGAND_ARGUMENT, "argand_op_gradient: a pointer is NULL");
    CHECK(space >= 1 && space <= 3, ARGAND_ARGUMENT, "argand_op_gradient: %d axes of space; give 1 to 3",
          space);
    CHECK(shape->rank >= 0 && shape->rank < ARGAND_MAX_RANK, ARGAND_ARGUMENT,
          "argand_op_gradient: an image of rank %d; %d at most", shape->rank, ARGAND_MAX_RANK - 1);
    argand_op_definition d = {.name = "gradient",
                              .domain = *shape,
                              .range = *shape,
                              .apply = apply,
                              .adjoint = adjoint,
                              .destroy = memory_free};
    d.range.dims[d.range.rank++] = gradient_directions(shape, space);
    gradient *g;
    TRY(NEW(g, 1));
    g->params = params_of(shape, space);
    d.context = g;
    const argand_status status = argand_op_create(op, device, &d);
    if (status != ARGAND_OK) memory_free(g);
    return status;
}
