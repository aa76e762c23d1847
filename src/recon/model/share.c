/* SPDX-License-Identifier: BSD-3-Clause */
/* The operators of a rank's share of a volume (session/share.c), and what joins them to the volume's. */
#include "recon/model/model.h"

#include "base/memory.h"
#include "dist/op/across.h"

argand_status share_zero(const argand_sense *s, int64_t images, argand_op **op)
{
    argand_shape domain = {s->options.type, s->grid.rank, {s->grid.n[0], s->grid.n[1], s->grid.n[2]}};
    const argand_shape range = {s->options.type, 1, {1}};
    if (images > 1) domain.dims[domain.rank++] = images;
    return op_zero(op, s->device, &domain, &range);
}

argand_status share_maps(const recon_share *share, const argand_array *maps, argand_array **own)
{
    const int axis = argand_array_rank(maps) - 1;
    return argand_array_part(own, maps, axis, share->shots ? 0 : share->first,
                             share->shots ? argand_array_dim(maps, axis) : share->count);
}

argand_status share_transform(const recon_share *share, int shot, argand_op *whole, argand_op **own)
{
    *own = NULL;
    if (!share->shots && share->count < argand_op_range(whole)->dims[1])
        return op_of_fewer(own, whole, share->count);
    if (!share->shots || (shot >= share->first && shot < share->first + share->count))
        *own = argand_op_keep(whole);
    return ARGAND_OK;
}

argand_status share_sense(const argand_sense *s, const recon_samples *data, recon_model *m)
{
    const recon_share *share = &data->share;
    argand_array *maps = NULL;
    argand_op **own = NULL;
    argand_status status;
    if (!share->count) return share_zero(s, 1, &m->sense);
    TRY_OR_DONE(share_maps(share, m->coil_maps, &maps));
    TRY_OR_DONE(NEW(own, m->shot_count));
    for (int i = 0; i < m->shot_count; i++) TRY_OR_DONE(share_transform(share, i, m->transforms[i], &own[i]));
    status = m->phases ? argand_op_pcsense(&m->sense, m->shot_count, own, maps, m->phases)
                       : argand_op_sense(&m->sense, own[0], maps);
done:
    for (int i = 0; i < m->shot_count && own; i++) argand_op_destroy(own[i]);
    memory_free(own);
    argand_array_destroy(maps);
    return status;
}

/* Place of a share's samples among those of all coils. */
static op_place place_of(const argand_sense *s, const recon_samples *data)
{
    const recon_share *share = &data->share;
    op_place place = {.whole = data->at.count * s->coils, .run = 1};
    if (!share->count) return place;
    place.run = share->samples;
    place.stride = data->at.count;
    place.first = share->sample + (share->shots ? 0 : share->first * data->at.count);
    place.count = share->samples * (share->shots ? s->coils : share->count);
    return place;
}

static void replace(argand_op **op, argand_op *by)
{
    argand_op_destroy(*op);
    *op = by;
}

argand_status share_join(const argand_sense *s, const recon_samples *data, recon_model *m)
{
    const op_place place = place_of(s, data);
    argand_op *whole;
    if (!s->meeting || !m->sense) return ARGAND_OK;
    TRY(op_across_at(&whole, m->sense, s->meeting, &place));
    replace(&m->sense, whole);
    if (!m->normal) return ARGAND_OK;
    TRY(op_sum_across(&whole, m->normal, s->meeting));
    replace(&m->normal, whole);
    return ARGAND_OK;
}

argand_status share_weights(const argand_sense *s, const recon_samples *data, const argand_array *weights,
                            argand_array **own)
{
    const recon_share *share = &data->share;
    *own = NULL;
    if (!share->count || !weights) return ARGAND_OK;
    return argand_array_view(own, weights, 2,
                             (int64_t[]){share->samples, share->shots ? s->coils : share->count},
                             (int64_t[]){1, 0}, share->sample);
}
