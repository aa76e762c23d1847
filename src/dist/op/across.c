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

typedef struct meeting {
    op_meeting base; /* the first, so that meet() finds the rest */
    argand_comm *comm;
    letter *letters; /* of all ranks */
    int references;
} meeting;

static meeting *of(op_meeting *m)
{
    return (meeting *)(void *)m;
}

static argand_status meet(op_meeting *m, argand_status mine, double *numbers, int count)
{
    meeting *all = of(m);
    letter own = {.status = (int32_t)mine};
    bool failed = false;
    if (count) memcpy(own.numbers, numbers, (size_t)count * sizeof *numbers);
    TRY(argand_comm_gather(all->comm, all->letters, &own, sizeof own));
    const int ranks = argand_comm_size(all->comm);
    for (int r = 0; r < ranks; r++) failed = failed || all->letters[r].status;
    if (failed) {
        m->told = true;
        return argand_comm_agree(all->comm, mine);
    }
    for (int i = 0; i < count; i++) {
        numbers[i] = all->letters[0].numbers[i];
        for (int r = 1; r < ranks; r++) numbers[i] += all->letters[r].numbers[i];
    }
    return ARGAND_OK;
}

static argand_status sum(op_meeting *m, double *numbers, int64_t count)
{
    return argand_comm_sum_doubles(of(m)->comm, numbers, count);
}

argand_status op_meeting_new(op_meeting **out, argand_comm *comm)
{
    meeting *m;
    *out = NULL;
    TRY(NEW(m, 1));
    const argand_status status = NEW(m->letters, argand_comm_size(comm));
    if (status != ARGAND_OK) {
        memory_free(m);
        return status;
    }
    m->base = (op_meeting){.rank = argand_comm_rank(comm), .meet = meet, .sum = sum};
    m->comm = argand_comm_keep(comm);
    m->references = 1;
    *out = &m->base;
    return ARGAND_OK;
}

op_meeting *op_meeting_keep(op_meeting *m)
{
    of(m)->references++;
    return m;
}

void op_meeting_destroy(op_meeting *m)
{
    if (!m || --of(m)->references) return;
    argand_comm_destroy(of(m)->comm);
    memory_free(of(m)->letters);
    memory_free(m);
}

argand_comm *op_meeting_comm(const op_meeting *m)
{
    return ((const meeting *)(const void *)m)->comm;
}

typedef struct across {
    op_spread spread;
    const argand_op *local;
} across;

static argand_status meet_all(across *a, argand_status mine)
{
    return meet(a->spread.meeting, mine, NULL, 0);
}

/* Ends an application whose result is the sum of those of the ranks. */
static argand_status add_up(across *a, argand_array *x, argand_status mine)
{
    TRY(meet_all(a, mine));
    return argand_comm_sum(op_meeting_comm(a->spread.meeting), x);
}

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    across *a = context;
    return meet_all(a, argand_op_apply(a->local, y, x));
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
    op_meeting_destroy(a->spread.meeting);
    memory_free(a);
}

static argand_status create(argand_op **op, argand_op *local, op_meeting *m, const op_place *place,
                            const argand_op_definition *kind)
{
    across *a;
    argand_op_definition d = *kind;
    *op = NULL;
    TRY(NEW(a, 1));
    *a = (across){{*place, op_meeting_keep(m)}, local};
    d.domain = *argand_op_domain(local);
    d.range = *argand_op_range(local);
    d.destroy = destroy;
    d.context = a;
    const argand_status status = op_compose(op, &d, local, NULL);
    if (status != ARGAND_OK) destroy(a);
    return status;
}

argand_status op_across_at(argand_op **op, argand_op *local, op_meeting *m, const op_place *place)
{
    static const argand_op_definition kind = {
        .name = "across", .apply = apply, .adjoint = adjoint, .normal = normal};
    TRY(create(op, local, m, place, &kind));
    (*op)->spread = &((across *)(*op)->definition.context)->spread;
    return ARGAND_OK;
}

argand_status op_sum_across(argand_op **op, argand_op *local, op_meeting *m)
{
    static const argand_op_definition kind = {.name = "sum across", .apply = apply_sum, .adjoint = adjoint};
    return create(op, local, m, &(op_place){.run = 1}, &kind);
}

static int64_t elements(const argand_shape *shape)
{
    int64_t count = 1;
    for (int axis = 0; axis < shape->rank; axis++) count *= shape->dims[axis];
    return count;
}

/* Compares the sides that all ranks must share, and finds the place of this rank's data. `mine`: what this
 * rank has come to. */
static argand_status find_place(const argand_op *local, argand_comm *comm, bool is_sum, op_place *place,
                                argand_status mine)
{
    const int ranks = argand_comm_size(comm), rank = argand_comm_rank(comm);
    argand_shape own[2], *all = NULL;
    argand_status status = mine == ARGAND_OK ? NEW(all, 2 * (int64_t)ranks) : mine;
    status = argand_comm_agree(comm, status);
    if (status != ARGAND_OK) {
        memory_free(all);
        return status;
    }
    memset(own, 0, sizeof own);
    own[0] = *argand_op_domain(local);
    own[1] = *argand_op_range(local);
    status = argand_comm_gather(comm, all, own, sizeof own);
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

static argand_status check_given(argand_op **op, const argand_op *local, bool is_sum)
{
    const char *name = is_sum ? "sum_across" : "across";
    CHECK(op && local, ARGAND_ARGUMENT, "argand_op_%s: a pointer is NULL", name);
    return spread_refuse(local, name);
}

static argand_status make(argand_op **op, argand_op *local, argand_comm *comm, bool is_sum)
{
    op_place place;
    if (op) *op = NULL;
    argand_status status = check_given(op, local, is_sum);
    if (argand_comm_size(comm) == 1) {
        if (status == ARGAND_OK) *op = argand_op_keep(local);
        return status;
    }
    TRY(find_place(local, comm, is_sum, &place, status));
    op_meeting *m;
    status = op_meeting_new(&m, comm);
    if (status == ARGAND_OK)
        status = is_sum ? op_sum_across(op, local, m) : op_across_at(op, local, m, &place);
    op_meeting_destroy(m);
    status = argand_comm_agree(comm, status);
    if (status != ARGAND_OK) {
        argand_op_destroy(*op);
        *op = NULL;
    }
    return status;
}

argand_status argand_op_across(argand_op **op, argand_op *local, argand_comm *comm)
{
    return make(op, local, comm, false);
}

argand_status argand_op_sum_across(argand_op **op, argand_op *local, argand_comm *comm)
{
    return make(op, local, comm, true);
}
