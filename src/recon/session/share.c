/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank's share of a volume that several ranks solve together: some of its shots, if each has a phase map,
 * or some of its coils. Ranks without a share take part in all exchanges with zeros. */
#include "recon/session/session.h"

#include "dist/comm/comm.h"
#include "dist/op/across.h"

/* Returns the largest share of `count` things. */
static int64_t most_of(int64_t count, int ranks)
{
    return (count + ranks - 1) / ranks;
}

/* Shots are dealt if that gives the smaller largest share. A preconditioner is made from the kernels of all
 * shots, so that coils are dealt with one. */
bool share_is_of_shots(const argand_sense *s, int64_t shots, int ranks)
{
    return s->options.phases != ARGAND_PHASES_NONE && shots > 1 && !s->options.precondition &&
           most_of(shots, ranks) * s->coils <= most_of(s->coils, ranks) * shots;
}

int64_t share_most(const argand_sense *s, int64_t shots, int ranks)
{
    return most_of(share_is_of_shots(s, shots, ranks) ? shots : s->coils, ranks);
}

recon_share share_of(const argand_sense *s, const recon_samples *data)
{
    recon_share share = {.count = s->coils, .samples = data->at.count};
    if (!s->meeting) return share;
    argand_comm *team = op_meeting_comm(s->meeting);
    const int ranks = argand_comm_size(team), rank = argand_comm_rank(team);
    share.shots = share_is_of_shots(s, data->shot_count, ranks);
    comm_share(share.shots ? data->shot_count : s->coils, ranks, rank, &share.first, &share.count);
    if (!share.shots || !share.count) return share;
    const recon_shot *first = &data->shots[share.first], *last = first + share.count - 1;
    share.sample = first->first;
    share.samples = last->first + last->count - first->first;
    return share;
}

/* Makes the samples of a share: a view of all of them, or a copy where they are not contiguous. */
argand_status share_samples(const argand_sense *s, recon_samples *data)
{
    const recon_share *share = &data->share;
    argand_array *part = NULL;
    argand_status status;
    data->share = share_of(s, data);
    if (!share->count) {
        const int64_t one = 1;
        TRY(argand_array_create(&data->own, s->device, s->options.type, 1, &one));
        return argand_array_fill(data->own, (argand_scalar){0, 0});
    }
    if (!share->shots) return argand_array_part(&data->own, data->y, 1, share->first, share->count);
    TRY(argand_array_part(&part, data->y, 0, share->sample, share->samples));
    status =
        argand_array_create(&data->own, s->device, s->options.type, 2, (int64_t[]){share->samples, s->coils});
    if (!status) status = argand_array_copy(data->own, part);
    argand_array_destroy(part);
    return status;
}

argand_status share_same(const argand_sense *s, argand_array *array)
{
    if (!s->meeting || !array) return ARGAND_OK;
    TRY(s->meeting->meet(s->meeting, ARGAND_OK, NULL, 0));
    return argand_comm_broadcast(op_meeting_comm(s->meeting), 0, array);
}
