/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators over the ranks of a communicator: y_r = A_r x on each rank, x = sum_r A_r^H y_r on all; and sums
 * of operators, y = sum_r B_r x. The callers are argand_op_across, argand_op_sum_across and the session
 * (recon/ranks).
 *
 * A meeting precedes each sum, and follows each application: a rank whose part has failed tells the others
 * there, instead of leaving them to wait (op/spread.h). Its letters have one size whatever they carry, so
 * that a rank that leaves a solver early meets others at any of their meetings. */
#include "dist/op/across.h"

#include <string.h>
#include "base/memory.h"

/* What a rank gives to a meeting. */
typedef struct letter {
    int32_t status;
    double numbers[SPREAD_NUMBERS];
} letter;

typedef struct across {
    op_spread spread; /* the first, so that meet() finds the rest */
    const argand_op *local;
    argand_comm *comm;
    letter *letters; /* of all ranks */
} across;

static argand_status meet(op_spread *s, argand_status mine, double *numbers, int count)
{
    across *a = (across *)(void *)s;
    letter own = {.status = (int32_t)mine};
    bool failed = false;
    if (count) memcpy(own.numbers, numbers, (size_t)count * sizeof *numbers);
    TRY(argand_comm_gather(a->comm, a->letters, &own, sizeof own));
    const int ranks = argand_comm_size(a->comm);
    for (int r = 0; r < ranks; r++) failed = failed || a->letters[r].status;
    if (failed) {
        s->told = true;
        return argand_comm_agree(a->comm, mine);
    }
    for (int i = 0; i < count; i++) {
        numbers[i] = a->letters[0].numbers[i];
        for (int r = 1; r < ranks; r++) numbers[i] += a->letters[r].numbers[i];
    }
    return ARGAND_OK;
}

static argand_status sum(op_spread *s, double *numbers, int64_t count)
{
    return argand_comm_sum_doubles(((across *)(void *)s)->comm, numbers, count);
}

/* Ends an application whose result is the sum of those of the ranks. */
static argand_status add_up(across *a, argand_array *x, argand_status mine)
{
    TRY(meet(&a->spread, mine, NULL, 0));
    return argand_comm_sum(a->comm, x);
}

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    across *a = context;
    return meet(&a->spread, argand_op_apply(a->local, y, x), NULL, 0);
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    across *a = context;
    return add_up(a, x, argand_op_adjoint(a->local, x, y));
}

static argand_status normal(void *context, argand_array *z, const argand_array *x)
{
    across *a = context;
    return add_up(a, z, argand_op_normal(a->local, z, x));
}

static argand_status apply_sum(void *context, argand_array *y, const argand_array *x)
{
    across *a = context;
    return add_up(a, y, argand_op_apply(a->local, y, x));
}

static void destroy(void *context)
{
    across *a = context;
    memory_free(a->letters);
    argand_comm_destroy(a->comm);
    memory_free(a);
}

static argand_status state_new(across **out, const argand_op *local, argand_comm *comm, const op_place *place)
{
    across *a;
    *out = NULL;
    TRY(NEW(a, 1));
    const argand_status status = NEW(a->letters, argand_comm_size(comm));
    if (status != ARGAND_OK) {
        memory_free(a);
        return status;
    }
    a->spread = (op_spread){.place = *place, .rank = argand_comm_rank(comm), .meet = meet, .sum = sum};
    a->local = local;
    a->comm = argand_comm_keep(comm);
    *out = a;
    return ARGAND_OK;
}

static argand_status create(argand_op **op, argand_op *local, argand_comm *comm, const op_place *place,
                            const argand_op_definition *kind)
{
    across *a;
    argand_op_definition d = *kind;
    *op = NULL;
    TRY(state_new(&a, local, comm, place));
    d.domain = *argand_op_domain(local);
    d.range = *argand_op_range(local);
    d.destroy = destroy;
    d.context = a;
    const argand_status status = op_compose(op, &d, local, NULL);
    if (status != ARGAND_OK) destroy(a);
    return status;
}

argand_status op_across_at(argand_op **op, argand_op *local, argand_comm *comm, const op_place *place)
{
    static const argand_op_definition kind = {
        .name = "across", .apply = apply, .adjoint = adjoint, .normal = normal};
    TRY(create(op, local, comm, place, &kind));
    (*op)->spread = &((across *)(*op)->definition.context)->spread;
    return ARGAND_OK;
}

argand_status op_sum_across(argand_op **op, argand_op *local, argand_comm *comm)
{
    static const argand_op_definition kind = {.name = "sum across", .apply = apply_sum, .adjoint = adjoint};
    return create(op, local, comm, &(op_place){.run = 1}, &kind);
}

static int64_t elements(const argand_shape *shape)
{
    int64_t count = 1;
    for (int axis = 0; axis < shape->rank; axis++) count *= shape->dims[axis];
    return count;
}

/* Compares the sides that all ranks must share, and finds the place of this rank's data. */
static argand_status find_place(const argand_op *local, argand_comm *comm, bool is_sum, op_place *place)
{
    const int ranks = argand_comm_size(comm), rank = argand_comm_rank(comm);
    argand_shape own[2], *all;
    memset(own, 0, sizeof own);
    own[0] = *argand_op_domain(local);
    own[1] = *argand_op_range(local);
    argand_status status = NEW(all, 2 * (int64_t)ranks);
    status = argand_comm_agree(comm, status);
    if (status == ARGAND_OK) status = argand_comm_gather(comm, all, own, sizeof own);
    *place = (op_place){.count = elements(&own[1]), .stride = 0};
    place->run = place->count;
    for (int r = 0; r < ranks && status == ARGAND_OK; r++) {
        for (int end = 0; end < (is_sum ? 2 : 1) && status == ARGAND_OK; end++)
            if (!shape_equal(&all[2 * r + end], &all[end]))
                status = status_set(ARGAND_ARGUMENT,
                                    "argand_op_%sacross: the %s of rank %d is %s, that of rank 0 %s",
                                    is_sum ? "sum_" : "", end ? "range" : "domain", r,
                                    shape_printed(&all[2 * r + end]).chars, shape_printed(&all[end]).chars);
        if (all[2 * r + 1].type != all[1].type && status == ARGAND_OK)
            status = status_set(ARGAND_ARGUMENT,
                                "argand_op_across: the data of rank %d are %s, those of rank 0 %s", r,
                                argand_type_name(all[2 * r + 1].type), argand_type_name(all[1].type));
        place->whole += elements(&all[2 * r + 1]);
        if (r < rank) place->first += elements(&all[2 * r + 1]);
    }
    memory_free(all);
    return status;
}

static argand_status make(argand_op **op, argand_op *local, argand_comm *comm, bool is_sum)
{
    op_place place;
    if (op) *op = NULL;
    CHECK(op && local, ARGAND_ARGUMENT, "argand_op_%sacross: a pointer is NULL", is_sum ? "sum_" : "");
    if (argand_comm_size(comm) == 1) {
        *op = argand_op_keep(local);
        return ARGAND_OK;
    }
    TRY(find_place(local, comm, is_sum, &place));
    argand_status status = is_sum ? op_sum_across(op, local, comm) : op_across_at(op, local, comm, &place);
    const argand_status all = argand_comm_agree(comm, status);
    if (all != ARGAND_OK) {
        argand_op_destroy(*op);
        *op = NULL;
    }
    return all;
}

argand_status argand_op_across(argand_op **op, argand_op *local, argand_comm *comm)
{
    return make(op, local, comm, false);
}

argand_status argand_op_sum_across(argand_op **op, argand_op *local, argand_comm *comm)
{
    return make(op, local, comm, true);
}
