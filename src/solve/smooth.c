/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the gradient and the Hessian of a quadratic objective, by A and A^H or by N = A^H W A. */
#include "solve/smooth.h"

#include <math.h>
#include "array/array.h"
#include "base/memory.h"
#include "op/spread.h"

static const argand_scalar one = {1, 0}, minus_one = {-1, 0};

static argand_status new_array(argand_array **array, const argand_op *op, const argand_shape *shape)
{
    return argand_array_create(array, argand_op_device(op), shape->type, shape->rank, shape->dims);
}

argand_status smooth_new_image(const smooth *s, argand_array **array)
{
    return new_array(array, s->op, argand_op_domain(s->op));
}

/* Computes b = A^H W y and <y, W y>; `place` is an array of the data's shape. */
static argand_status right_hand_side(smooth *s, argand_array *place)
{
    TRY(s->weights ? argand_array_multiply(place, s->weights, s->y, ARGAND_PRODUCT)
                   : argand_array_copy(place, s->y));
    TRY(spread_dot_host(s->op->spread, &s->energy, s->y, place));
    return argand_op_adjoint(s->op, s->b, place);
}

argand_status smooth_make(smooth *s, const argand_op *op, const argand_op *normal,
                          const argand_array *weights, const argand_array *y, int capacity)
{
    *s = (smooth){.op = op, .normal = normal, .weights = weights, .y = y, .capacity = capacity};
    const argand_shape *range = argand_op_range(op);
    if (capacity) TRY(NEW(s->terms, capacity));
    TRY(smooth_new_image(s, &s->b));
    TRY(smooth_new_image(s, &s->work));
    if (!normal) {
        TRY(new_array(&s->residual, op, range));
        if (weights) TRY(new_array(&s->weighted, op, range));
        return right_hand_side(s, s->residual);
    }
    argand_array *place;
    TRY(new_array(&place, op, range));
    const argand_status status = right_hand_side(s, place);
    argand_array_destroy(place);
    return status;
}

void smooth_release(smooth *s)
{
    for (int i = 0; i < s->count; i++) {
        argand_array_destroy(s->terms[i].range);
        argand_array_destroy(s->terms[i].weights);
        argand_op_destroy(s->terms[i].op);
    }
    memory_free(s->terms);
    argand_array_destroy(s->weighted);
    argand_array_destroy(s->residual);
    argand_array_destroy(s->work);
    argand_array_destroy(s->b);
    *s = (smooth){0};
}

argand_status smooth_add(smooth *s, argand_op *op, double beta, bool coupling, smooth_term **term)
{
    CHECK(s->count < s->capacity, ARGAND_INTERNAL, "no space for %d terms", s->count + 1);
    smooth_term *t = &s->terms[s->count++];
    *t = (smooth_term){.op = op ? argand_op_keep(op) : NULL, .beta = beta, .coupling = coupling};
    if (term) *term = t;
    return op ? new_array(&t->range, op, argand_op_range(op)) : ARGAND_OK;
}

/* Computes z = A^H W residual. */
static argand_status back(smooth *s, argand_array *z)
{
    if (!s->weights) return argand_op_adjoint(s->op, z, s->residual);
    TRY(argand_array_multiply(s->weighted, s->weights, s->residual, ARGAND_PRODUCT));
    return argand_op_adjoint(s->op, z, s->weighted);
}

argand_status smooth_new_data(const smooth *s, argand_array **array)
{
    return new_array(array, s->op, argand_op_range(s->op));
}

argand_status smooth_data_gradient(smooth *s, argand_array *g, const argand_array *x)
{
    if (s->normal) {
        TRY(argand_op_apply(s->normal, g, x));
        return argand_array_axpby(g, minus_one, s->b, one);
    }
    TRY(argand_op_apply(s->op, s->residual, x));
    TRY(argand_array_axpby(s->residual, minus_one, s->y, one));
    return back(s, g);
}

static argand_status data_gradient(smooth *s, argand_array *g, const argand_array *x, argand_array *numbers,
                                   int data)
{
    if (s->normal) {
        TRY(argand_op_apply(s->normal, g, x));
        TRY(scalars_dot(numbers, data, 1, x, g, false));
        TRY(scalars_dot(numbers, data, -2, x, s->b, true));
        return argand_array_axpby(g, minus_one, s->b, one);
    }
    TRY(argand_op_apply(s->op, s->residual, x));
    TRY(argand_array_axpby(s->residual, minus_one, s->y, one));
    TRY(back(s, g));
    return spread_dot(s->op->spread, numbers, data, 1, s->residual, s->weights ? s->weighted : s->residual);
}

/* Adds beta C^H w C p to z. */
static argand_status add_term(smooth *s, smooth_term *t, argand_array *z, const argand_array *p)
{
    if (!t->op) return argand_array_axpby(z, (argand_scalar){t->beta, 0}, p, one);
    TRY(argand_op_apply(t->op, t->range, p));
    if (t->weights) TRY(argand_array_multiply(t->range, t->weights, t->range, ARGAND_PRODUCT));
    TRY(argand_op_adjoint(t->op, s->work, t->range));
    return argand_array_axpby(z, (argand_scalar){t->beta, 0}, s->work, one);
}

argand_status smooth_add_terms(smooth *s, argand_array *z, const argand_array *p)
{
    for (int i = 0; i < s->count; i++) TRY(add_term(s, &s->terms[i], z, p));
    return ARGAND_OK;
}

void smooth_weights(const smooth *s, double *identity, double *differences)
{
    *identity = *differences = 0;
    for (int i = 0; i < s->count; i++) *(s->terms[i].op ? differences : identity) += s->terms[i].beta;
}

argand_status smooth_add_quadratic(smooth *s, argand_array *g, const argand_array *x)
{
    for (int i = 0; i < s->count; i++)
        if (!s->terms[i].coupling) TRY(add_term(s, &s->terms[i], g, x));
    return ARGAND_OK;
}

argand_status smooth_gradient(smooth *s, argand_array *g, const argand_array *x, argand_array *numbers,
                              int data)
{
    TRY(data_gradient(s, g, x, numbers, data));
    return smooth_add_quadratic(s, g, x);
}

argand_status smooth_penalty(smooth *s, const argand_array *x, argand_array *numbers, int at)
{
    bool add = false;
    for (int i = 0; i < s->count; i++) {
        smooth_term *t = &s->terms[i];
        if (t->coupling || t->weights) continue;
        if (t->op) TRY(argand_op_apply(t->op, t->range, x));
        const argand_array *range = t->op ? t->range : x;
        TRY(scalars_dot(numbers, at, t->beta / 2, range, range, add));
        add = true;
    }
    return ARGAND_OK;
}

argand_status smooth_normal(smooth *s, argand_array *z, const argand_array *p)
{
    if (s->normal) return argand_op_apply(s->normal, z, p);
    TRY(argand_op_apply(s->op, s->residual, p));
    return back(s, z);
}

argand_status smooth_hessian(smooth *s, argand_array *z, const argand_array *p)
{
    TRY(smooth_normal(s, z, p));
    return smooth_add_terms(s, z, p);
}

double smooth_data(const smooth *s, double number)
{
    return s->normal ? fmax(0, s->energy + number) : number;
}
