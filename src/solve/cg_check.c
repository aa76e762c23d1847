/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the arguments of argand_solve_cg and argand_solve. */
#include "solve/cg.h"

#include <math.h>

static const argand_scalar one = {1, 0};

static bool same_shape(const argand_array *array, const argand_shape *shape)
{
    for (int axis = 0; axis < ARGAND_MAX_RANK; axis++)
        if (argand_array_dim(array, axis) != (axis < shape->rank ? shape->dims[axis] : 1)) return false;
    return true;
}

static argand_status check_array(const argand_array *array, const argand_op *op, const argand_shape *shape,
                                 const char *what)
{
    CHECK(array, ARGAND_ARGUMENT, "argand_solve: %s is NULL", what);
    CHECK(argand_array_device(array) == argand_op_device(op), ARGAND_ARGUMENT,
          "argand_solve: %s and the operator live on different devices", what);
    CHECK(same_shape(array, shape), ARGAND_ARGUMENT,
          "argand_solve: %s does not have the shape of the operator's side", what);
    return ARGAND_OK;
}

static argand_status check_finite(const argand_array *array, const char *what)
{
    bool finite;
    TRY(argand_array_is_finite(&finite, array));
    CHECK(finite, ARGAND_NUMERIC, "argand_solve: %s holds NaN or infinity", what);
    return ARGAND_OK;
}

/* Refuses negative weights: |w| - w is exactly 0 where w is not negative. */
static argand_status check_not_negative(const argand_array *w)
{
    int64_t dims[ARGAND_MAX_RANK];
    argand_array *excess;
    double most;
    argand_status status;
    for (int axis = 0; axis < argand_array_rank(w); axis++) dims[axis] = argand_array_dim(w, axis);
    TRY(argand_array_create(&excess, argand_array_device(w), argand_array_type(w), argand_array_rank(w),
                            dims));
    TRY_OR_DONE(argand_array_abs(excess, w));
    TRY_OR_DONE(argand_array_axpby(excess, (argand_scalar){-1, 0}, w, one));
    TRY_OR_DONE(argand_array_max_abs(&most, excess));
    CHECK_OR_DONE(most == 0, ARGAND_ARGUMENT, "argand_solve: a weight is negative");
done:
    argand_array_destroy(excess);
    return status;
}

static argand_status check_weights(const argand_array *weights, const argand_op *op)
{
    if (!weights) return ARGAND_OK;
    TRY(check_array(weights, op, argand_op_range(op), "weights"));
    const argand_type type = argand_array_type(weights);
    CHECK(type == ARGAND_R32 || type == ARGAND_R64, ARGAND_ARGUMENT,
          "argand_solve: weights are %s, but must be real", argand_type_name(type));
    TRY(check_finite(weights, "weights"));
    return check_not_negative(weights);
}

static argand_status check_domain(const argand_op *part, const argand_op *op, const char *what)
{
    CHECK(part, ARGAND_ARGUMENT, "argand_solve: a %s has no operator", what);
    const argand_shape *a = argand_op_domain(part), *b = argand_op_domain(op);
    bool equal = a->type == b->type && argand_op_device(part) == argand_op_device(op);
    for (int axis = 0; axis < ARGAND_MAX_RANK; axis++)
        equal = equal && (axis < a->rank ? a->dims[axis] : 1) == (axis < b->rank ? b->dims[axis] : 1);
    CHECK(equal, ARGAND_ARGUMENT, "argand_solve: a %s has another domain, type or device than the operator",
          what);
    return ARGAND_OK;
}

static argand_status check_options(const argand_cg_options *o, const argand_op *op)
{
    CHECK(o->iterations >= 0, ARGAND_ARGUMENT, "argand_solve: %d iterations; give 0 or more (0 means 10)",
          o->iterations);
    CHECK(o->tolerance >= 0 && isfinite(o->tolerance), ARGAND_ARGUMENT,
          "argand_solve: tolerance %g; give 0 or more", o->tolerance);
    CHECK(o->penalty_count >= 0 && (o->penalties || !o->penalty_count), ARGAND_ARGUMENT,
          "argand_solve: %d penalties, but no list of them", o->penalty_count);
    CHECK(o->kept_gradients >= -1, ARGAND_ARGUMENT,
          "argand_solve: %d kept gradients; give 1 or more, 0 for automatic, or -1 for none",
          o->kept_gradients);
    for (int i = 0; i < o->penalty_count; i++) {
        TRY(check_domain(o->penalties[i].op, op, "penalty"));
        CHECK(o->penalties[i].beta >= 0 && isfinite(o->penalties[i].beta), ARGAND_ARGUMENT,
              "argand_solve: penalty %d has beta %g; it must be 0 or more", i, o->penalties[i].beta);
    }
    CHECK(!o->noise || (!o->penalty_count && !o->preconditioner && !o->use_start), ARGAND_ARGUMENT,
          "argand_solve: a noise spectrum goes with neither penalties, preconditioner nor start");
    CHECK(!o->noise || (o->noise->count > 0 && o->noise->count <= ARGAND_NOISE_NODES), ARGAND_ARGUMENT,
          "argand_solve: a noise spectrum of %d nodes; make it by argand_solve_noise", o->noise->count);
    if (o->normal) {
        TRY(check_domain(o->normal, op, "normal operator"));
        const argand_shape *range = argand_op_range(o->normal), *domain = argand_op_domain(op);
        bool equal = range->type == domain->type;
        for (int axis = 0; axis < ARGAND_MAX_RANK; axis++)
            equal = equal && (axis < range->rank ? range->dims[axis] : 1) ==
                                 (axis < domain->rank ? domain->dims[axis] : 1);
        CHECK(equal, ARGAND_ARGUMENT,
              "argand_solve: the normal operator's range is not the domain of the operator");
    }
    return o->preconditioner ? check_domain(o->preconditioner, op, "preconditioner") : ARGAND_OK;
}

argand_status cg_check(const argand_array *x, const argand_op *op, const argand_array *y,
                       const argand_cg_options *o)
{
    CHECK(op, ARGAND_ARGUMENT, "argand_solve: no operator");
    TRY(check_array(x, op, argand_op_domain(op), "x"));
    TRY(check_array(y, op, argand_op_range(op), "y"));
    CHECK(argand_array_type(x) == argand_op_domain(op)->type, ARGAND_ARGUMENT,
          "argand_solve: x is %s, but the operator's domain %s", argand_type_name(argand_array_type(x)),
          argand_type_name(argand_op_domain(op)->type));
    TRY(check_options(o, op));
    TRY(check_weights(o->weights, op));
    TRY(check_finite(y, "the data"));
    return o->use_start ? check_finite(x, "the start") : ARGAND_OK;
}
