/* SPDX-License-Identifier: BSD-3-Clause */
/* The adjointness test: <A x, y> against <x, A^H y> for random x and y. */
#include "op/op.h"

#include <math.h>
#include "base/memory.h"
#include "base/random.h"

static argand_status randomise(argand_array *array, random_state *random)
{
    const argand_type type = argand_array_type(array);
    const size_t count = (size_t)argand_array_count(array) * (type_is_complex(type) ? 2 : 1);
    const bool is_double = type == ARGAND_R64 || type == ARGAND_C64;
    void *host;
    TRY(memory_new(&host, count, is_double ? sizeof(double) : sizeof(float)));
    for (size_t i = 0; i < count; i++) {
        const double value = random_normal(random);
        if (is_double)
            ((double *)host)[i] = value;
        else
            ((float *)host)[i] = (float)value;
    }
    const argand_status status = argand_array_upload(array, host);
    memory_free(host);
    return status;
}

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
static double mismatch(const argand_op *op, argand_scalar left, argand_scalar right)
{
    if (type_is_complex(argand_op_domain(op)->type) && type_is_complex(argand_op_range(op)->type))
        return hypot(left.re - right.re, left.im - right.im);
    return fabs(left.re - right.re);
}

static argand_status try_pair(const argand_op *op, const pair *p, random_state *random, double *error)
{
    argand_scalar left, right;
    double norm_ax, norm_y;
    TRY(randomise(p->x, random));
    TRY(randomise(p->y, random));
    TRY(argand_op_apply(op, p->ax, p->x));
    TRY(argand_op_adjoint(op, p->ahy, p->y));
    TRY(argand_array_dot(&left, p->ax, p->y));
    TRY(argand_array_dot(&right, p->x, p->ahy));
    TRY(argand_array_norm(&norm_ax, p->ax));
    TRY(argand_array_norm(&norm_y, p->y));
    const double difference = mismatch(op, left, right);
    *error = difference == 0 ? 0 : difference / (norm_ax * norm_y);
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
    return status;
}
