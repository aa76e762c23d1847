/* SPDX-License-Identifier: BSD-3-Clause */
/* Redistribution of an array between any two sets of boxes. */
#include "dist/fft/plan.h"

#include "base/memory.h"

typedef struct ends {
    argand_box in, out;
    int64_t type;
} ends;

typedef struct job {
    argand_comm *comm;
    int rank;
    argand_array *out;
    const argand_array *in;
    argand_device *device;
    ends mine, *all;
    dist_part *from, *to;
    argand_box *inputs;
    dist_move move;
    dist_memory memory;
} job;

static argand_status check_array(const job *j, const argand_array *array, const argand_box *box,
                                 const char *what)
{
    if (!argand_box_count(box, j->rank)) return ARGAND_OK;
    CHECK(array, ARGAND_ARGUMENT, "argand_dist_copy: %s is NULL, and the rank's box has elements", what);
    for (int d = 0; d < ARGAND_MAX_RANK; d++) {
        const int64_t n = d < j->rank ? box_extent(box, d) : 1;
        CHECK(
            argand_array_dim(array, d) == n && (n == 1 || argand_array_stride(array, d) == box->strides[d]),
            ARGAND_ARGUMENT,
            "argand_dist_copy: dimension %d of the %s is %lld with stride %lld, but the rank's box has %lld "
            "with stride %lld",
            d, what, (long long)argand_array_dim(array, d), (long long)argand_array_stride(array, d),
            (long long)n, d < j->rank ? (long long)box->strides[d] : 1);
    }
    return ARGAND_OK;
}

static argand_status take(job *j, const argand_box *out_box, const argand_box *in_box)
{
    CHECK(out_box && in_box, ARGAND_ARGUMENT, "argand_dist_copy: a box is NULL");
    CHECK(j->rank >= 1 && j->rank <= ARGAND_MAX_RANK, ARGAND_ARGUMENT,
          "argand_dist_copy: rank is %d; give 1 to %d", j->rank, ARGAND_MAX_RANK);
    TRY(box_take(&j->mine.in, in_box, j->rank, NULL, "input"));
    TRY(box_take(&j->mine.out, out_box, j->rank, NULL, "output"));
    TRY(check_array(j, j->in, &j->mine.in, "input"));
    TRY(check_array(j, j->out, &j->mine.out, "output"));
    if (!argand_box_count(&j->mine.in, j->rank)) j->in = NULL;
    if (!argand_box_count(&j->mine.out, j->rank)) j->out = NULL;
    CHECK(!j->in || !j->out || argand_array_device(j->in) == argand_array_device(j->out), ARGAND_ARGUMENT,
          "argand_dist_copy: the arrays are on different devices");
    j->device = j->in ? argand_array_device(j->in) : j->out ? argand_array_device(j->out) : NULL;
    j->mine.type = j->in ? j->in->type : j->out ? j->out->type : 0;
    CHECK(!j->in || !j->out || j->in->type == j->out->type, ARGAND_ARGUMENT,
          "argand_dist_copy: the input is %s and the output %s", argand_type_name(j->in->type),
          argand_type_name(j->out->type));
    const int ranks = argand_comm_size(j->comm);
    TRY(NEW(j->all, ranks));
    TRY(NEW(j->inputs, ranks));
    TRY(NEW(j->from, ranks));
    return NEW(j->to, ranks);
}

static argand_status make(job *j)
{
    const int ranks = argand_comm_size(j->comm), me = argand_comm_rank(j->comm);
    for (int r = 0; r < ranks; r++) {
        j->inputs[r] = j->all[r].in;
        j->from[r].box = j->all[r].in;
        j->to[r].box = j->all[r].out;
        CHECK(!j->all[r].type || !j->mine.type || j->all[r].type == j->mine.type, ARGAND_ARGUMENT,
              "argand_dist_copy: this rank has %s, rank %d has %s",
              argand_type_name((argand_type)j->mine.type), r, argand_type_name((argand_type)j->all[r].type));
    }
    TRY(dist_check_cover(j->inputs, ranks, me, j->rank, NULL, "input"));
    if (!j->device) return ARGAND_OK; /* this rank has no part */
    const size_t size = argand_type_size((argand_type)j->mine.type);
    TRY(dist_move_make(&j->move, j->comm, j->rank, j->from, j->to, size));
    return dist_memory_make(&j->memory, j->comm, j->device, size * (size_t)box_span(&j->mine.in, j->rank),
                            size * (size_t)box_span(&j->mine.out, j->rank));
}

/* Returns errors of the communication; those of this rank alone go to *own. */
static argand_status exchange(job *j, argand_status *own)
{
    argand_array in, out;
    if (!j->device) return ARGAND_OK;
    if (j->in) in = dist_view(j->in, j->in->type, box_span(&j->mine.in, j->rank));
    if (j->out) out = dist_view(j->out, j->out->type, box_span(&j->mine.out, j->rank));
    TRY(dist_memory_start(&j->memory, &j->move, j->comm, j->out ? &out : NULL, j->in ? &in : NULL, true,
                          own));
    return dist_memory_finish(&j->memory, &j->move, j->comm, j->out ? &out : NULL, own);
}

argand_status argand_dist_copy(argand_comm *comm, int rank, argand_array *out, const argand_box *out_box,
                               const argand_array *in, const argand_box *in_box)
{
    argand_comm *self = NULL;
    if (!comm) TRY(argand_comm_self(&self));
    job j = {.comm = comm ? comm : self, .rank = rank, .out = out, .in = in};
    argand_status own = ARGAND_OK, status = argand_comm_agree(j.comm, take(&j, out_box, in_box));
    if (!status) status = comm_choose(&j.comm, j.comm, j.device);
    if (!status) status = argand_comm_gather(j.comm, j.all, &j.mine, sizeof j.mine);
    if (!status) status = argand_comm_agree(j.comm, make(&j));
    if (!status) status = exchange(&j, &own);
    if (!status) status = argand_comm_agree(j.comm, own);
    dist_memory_free(&j.memory);
    dist_move_free(&j.move);
    memory_free(j.to);
    memory_free(j.from);
    memory_free(j.inputs);
    memory_free(j.all);
    argand_comm_destroy(self);
    return status;
}
