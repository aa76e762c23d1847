/* SPDX-License-Identifier: BSD-3-Clause */
/* The adjointness test: <A x, y> against <x, A^H y> for random x and y. */
#include "op/spread.h"

#include <math.h>

typedef struct pair {
    argand_array *x, *y, *ax, *ahy;
} pair;

static argand_status pair_make(pair *p, const argand_op *op)
{
    TRY(shape_array(&p->x, op->device, argand_op_domain(op)));
    TRY(shape_array(&p->y, op->device, argand_op_range(op)));
    TRY(shape_array(&p->ax, op->device, argand_op_range(op)));
    return shape_array(&p->ahy, op->device, argand_op_domain(op));
}

static void pair_release(pair *p)
{
    argand_array_destroy(p->ahy);
    argand_array_destroy(p->ax);
    argand_array_destroy(p->y);
    argand_array_destroy(p->x);
}

/* Compares <A x, y> with <x, A^H y>; if domain or range is real, only their real parts. */
static double mismatch(const argand_op *op, const double left[2], const double right[2])
{
    if (type_is_complex(argand_op_domain(op)->type) && type_is_complex(argand_op_range(op)->type))
        return hypot(left[0] - right[0], left[1] - right[1]);
    return fabs(left[0] - right[0]);
}

/* <x, y> over all ranks */
static argand_status product(double out[2], op_spread *s, const argand_array *x, const argand_array *y)
{
    argand_scalar dot;
    TRY(argand_array_dot(&dot, x, y));
    out[0] = dot.re;
    out[1] = dot.im;
    return spread_sum(s, out, 2);
}

static argand_status try_pair(const argand_op *op, const pair *p, random_state *random, double *error)
{
    double left[2], right[2], norm_ax, norm_y;
    TRY(spread_normal(op->domain_spread, p->x, random, 1));
    TRY(spread_normal(op->spread, p->y, random, 1));
    TRY(argand_op_apply(op, p->ax, p->x));
    TRY(argand_op_adjoint(op, p->ahy, p->y));
    TRY(product(left, op->spread, p->ax, p->y));
    TRY(product(right, op->domain_spread, p->x, p->ahy));
    TRY(spread_dot_host(op->spread, &norm_ax, p->ax, p->ax));
    TRY(spread_dot_host(op->spread, &norm_y, p->y, p->y));
    const double difference = mismatch(op, left, right);
    *error = difference == 0 ? 0 : difference / (sqrt(norm_ax) * sqrt(norm_y));
    return ARGAND_OK;
}

argand_status argand_op_check(const argand_op *op, int trials, uint64_t seed, double *error)
{
    CHECK(op && error, ARGAND_ARGUMENT, "argand_op_check: a pointer is NULL");
    CHECK(trials >= 0, ARGAND_ARGUMENT, "argand_op_check: %d trials", trials);
    random_state random = {seed};
    pair p = {0};
    argand_status status;
    double largest = 0;
    op_spread *const spread = op->spread ? op->spread : op->domain_spread;
    spread_begin(spread);
    TRY_OR_DONE(pair_make(&p, op));
    for (int trial = 0; trial < (trials ? trials : 3); trial++) {
        double one_error;
        TRY_OR_DONE(try_pair(op, &p, &random, &one_error));
        if (!(one_error <= largest)) largest = one_error; /* a NaN is kept */
    }
    *error = largest;
    status = ARGAND_OK;
done:
    pair_release(&p);
    return spread_end(spread, status);
}
