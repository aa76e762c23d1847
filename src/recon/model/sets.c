/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the operator of several sets of coil maps (maps/sets.c). */
#include "recon/model/model.h"

#include "base/memory.h"
#include "recon/maps/maps.h"

/* Makes the operator of one set, restricted to the image's pixels inside the mask. */
static argand_status part_of(const argand_sense *s, const recon_share *share, const recon_model *m,
                             int64_t set, argand_op *mask, argand_op **part)
{
    const argand_shape shape = sets_shape(s);
    argand_array *view, *maps = NULL;
    argand_array *own = NULL;
    argand_op *sense = NULL, *transform = NULL;
    argand_status status;
    TRY(argand_array_part(&view, m->coil_maps, shape.rank - 1, set, 1));
    status = argand_array_reshape(&maps, view, shape.rank - 1, shape.dims);
    argand_array_destroy(view);
    TRY(status);
    TRY_OR_DONE(share_maps(share, maps, &own));
    TRY_OR_DONE(share_transform(share, 0, m->transforms[0], &transform));
    TRY_OR_DONE(argand_op_sense(&sense, transform, own));
    if (mask)
        status = argand_op_chain(part, sense, mask);
    else
        *part = argand_op_keep(sense);
done:
    argand_op_destroy(sense);
    argand_op_destroy(transform);
    argand_array_destroy(own);
    argand_array_destroy(maps);
    return status;
}

argand_status sets_operator(const argand_sense *s, const recon_samples *data, recon_model *m)
{
    const int sets = s->options.sets;
    argand_op **parts, *mask = NULL;
    argand_status status;
    if (!data->share.count) return share_zero(s, sets, &m->sense);
    TRY(NEW(parts, sets));
    TRY_OR_DONE(model_mask(s, m, &mask));
    for (int64_t set = 0; set < sets; set++) TRY_OR_DONE(part_of(s, &data->share, m, set, mask, &parts[set]));
    status = argand_op_multiband(&m->sense, parts, sets, NULL);
done:
    argand_op_destroy(mask);
    for (int set = 0; set < sets; set++) argand_op_destroy(parts[set]);
    memory_free(parts);
    return status;
}
