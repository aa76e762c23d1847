/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the gradients of conjugate gradients orthogonal: decides how many are kept, and takes components
 * along earlier gradients out of the next. */
#include "solve/conjugacy.h"

#include <math.h>
#include "array/array.h"
#include "op/spread.h"

static double elements(const argand_shape *shape)
{
    double count = 1;
    for (int axis = 0; axis < shape->rank; axis++) count *= (double)shape->dims[axis];
    return count;
}

/* Returns how many gradients are kept: all, if they take at most 256 MiB and twice the data's bytes, and
 * at least 8. Eight keep the first 19 iterations of a steep problem right. The shapes alone decide, not
 * the free memory, so results are the same on every machine. */
static int vectors_for(const argand_op *op, const argand_cg_options *o)
{
    enum { LEAST = 8, MOST = 64 };
    const argand_shape *domain = argand_op_domain(op), *range = argand_op_range(op);
    const double image = elements(domain) * (double)argand_type_size(domain->type);
    const double data = (op->spread ? (double)op->spread->place.whole : elements(range)) *
                        (double)argand_type_size(range->type);
    const double fits = o->kept_gradients > 0 ? (double)o->kept_gradients
                                              : fmin(MOST, fmax(LEAST, floor((0x1p28 + 2 * data) / image)));
    const double useful = fmin(o->iterations ? o->iterations : 10, elements(domain));
    return o->kept_gradients < 0 ? 0 : (int)fmin(fits, useful);
}

static bool loses_phase(const argand_op *op)
{
    const argand_type from = argand_op_domain(op)->type, to = argand_op_range(op)->type;
    return type_is_complex(from) && !type_is_complex(to);
}

/* An operator from complex to real numbers is linear over the reals only. Then only the real parts of the
 * gradients' inner products are 0. */
argand_status conjugacy_make(basis *b, const argand_op *op, const argand_cg_options *o)
{
    const argand_shape *domain = argand_op_domain(op);
    bool reals = loses_phase(op);
    for (int i = 0; i < o->penalty_count; i++) reals = reals || loses_phase(o->penalties[i].op);
    return basis_make(b, argand_op_device(op), domain->type, (int64_t)elements(domain), vectors_for(op, o),
                      reals);
}

argand_status conjugacy_restore(basis *b, const argand_op *preconditioner, argand_array *s, argand_array *z)
{
    if (!b->count) return ARGAND_OK;
    if (preconditioner) TRY(argand_op_apply(preconditioner, z, s));
    TRY(basis_dot(b, preconditioner ? z : s));
    return basis_subtract(b, s);
}
