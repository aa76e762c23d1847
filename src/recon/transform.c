/* SPDX-License-Identifier: BSD-3-Clause */
/* From an image to the samples of a shot: which transform, and how it is made. */
#include "recon/session.h"

static argand_status make_nufft(const argand_sense *s, const recon_points *at, argand_op **transform)
{
    argand_nufft *plan;
    argand_nufft_options options = {
        .type = s->options.type, .rank = s->grid.rank, .tolerance = s->options.nufft_tolerance};
    for (int axis = 0; axis < 3; axis++) options.n[axis] = s->grid.n[axis];
    TRY(argand_nufft_create(&plan, s->device, &options));
    const argand_status status = argand_nufft_set_points(plan, (const argand_array *const *)at->k);
    if (status != ARGAND_OK) {
        argand_nufft_destroy(plan);
        return status;
    }
    return argand_op_nufft(transform, s->device, plan, s->coils);
}

static argand_status make_field(const argand_sense *s, const recon_points *at, int slice,
                                argand_op **transform)
{
    argand_array *field = NULL, *r2star = NULL, *mask = NULL, *gradient[3] = {NULL};
    argand_field *plan;
    argand_status status;
    argand_field_options options = {.type = s->options.type, .rank = s->grid.rank, .t = at->t};
    for (int axis = 0; axis < s->grid.rank; axis++) {
        options.n[axis] = s->grid.n[axis];
        options.k[axis] = at->k[axis];
    }
    options.gradients = s->transform == ARGAND_TRANSFORM_DFT_GRADIENTS;
    TRY_OR_DONE(map_of_slice(s, &s->maps.field, slice, &field));
    TRY_OR_DONE(map_of_slice(s, &s->maps.r2star, slice, &r2star));
    TRY_OR_DONE(map_of_slice(s, &s->maps.mask, slice, &mask));
    for (int axis = 0; axis < 3 && options.gradients; axis++) {
        TRY_OR_DONE(map_of_slice(s, &s->maps.gradient[axis], slice, &gradient[axis]));
        options.gradient[axis] = gradient[axis];
    }
    options.field_map = map_is_zero(&s->maps.field) ? NULL : field;
    options.r2star = r2star;
    options.mask = mask;
    TRY_OR_DONE(argand_field_create(&plan, s->device, &options));
    status = argand_op_field(transform, s->device, plan, s->coils);
done:
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(gradient[axis]);
    argand_array_destroy(mask);
    argand_array_destroy(r2star);
    argand_array_destroy(field);
    return status;
}

argand_status transform_make(const argand_sense *s, const recon_points *at, int slice, argand_op **transform)
{
    *transform = NULL;
    return s->transform == ARGAND_TRANSFORM_NUFFT ? make_nufft(s, at, transform)
                                                  : make_field(s, at, slice, transform);
}

void transform_choose(argand_sense *s)
{
    const bool has_field = !map_is_zero(&s->maps.field) || !map_is_zero(&s->maps.r2star);
    s->transform = s->options.transform;
    if (s->transform == ARGAND_TRANSFORM_AUTO) {
        s->transform = has_field ? ARGAND_TRANSFORM_DFT : ARGAND_TRANSFORM_NUFFT;
        text_add(&s->notes, has_field ? "There is a field map: the exact DFT corrects for it.\n"
                                      : "There is no field map to correct for: the NUFFT is used.\n");
    } else if (s->transform == ARGAND_TRANSFORM_NUFFT && has_field) {
        text_add(&s->notes, "The NUFFT does not correct for the field map; --transform dft does.\n");
    }
}
