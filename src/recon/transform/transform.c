/* SPDX-License-Identifier: BSD-3-Clause */
/* The transform from an image to the samples of a shot: choice and creation. */
#include "recon/transform/transform.h"
#include "recon/maps/maps.h"

static argand_status make_nufft(const argand_sense *s, const recon_points *at, argand_op **transform)
{
    argand_nufft *plan;
    TRY(nufft_of_points(s, at, &plan));
    return argand_op_nufft(transform, s->device, plan, s->coils);
}

static argand_status make_field(const argand_sense *s, const recon_points *at, const recon_physics *p,
                                argand_op **transform)
{
    argand_field *plan;
    argand_field_options options = {.type = s->options.type,
                                    .rank = s->grid.rank,
                                    .t = at->t,
                                    .field_map = p->field,
                                    .r2star = p->r2star,
                                    .mask = p->mask,
                                    .gradients = s->transform == ARGAND_TRANSFORM_DFT_GRADIENTS};
    for (int axis = 0; axis < s->grid.rank; axis++) {
        options.n[axis] = s->grid.n[axis];
        options.k[axis] = at->k[axis];
    }
    for (int axis = 0; axis < 3; axis++) options.gradient[axis] = p->gradient[axis];
    TRY(argand_field_create(&plan, s->device, &options));
    return argand_op_field(transform, s->device, plan, s->coils);
}

argand_status physics_of_slice(const argand_sense *s, int slice, recon_physics *p)
{
    *p = (recon_physics){.slice = slice};
    argand_status status = ARGAND_OK;
    if (!map_is_zero(&s->maps.field)) status = map_of_slice(s, &s->maps.field, slice, &p->field);
    if (!status) status = map_of_slice(s, &s->maps.r2star, slice, &p->r2star);
    if (!status) status = map_of_slice(s, &s->maps.mask, slice, &p->mask);
    for (int axis = 0; axis < 3 && !status && s->transform == ARGAND_TRANSFORM_DFT_GRADIENTS; axis++)
        status = map_of_slice(s, &s->maps.gradient[axis], slice, &p->gradient[axis]);
    if (status) physics_free(p);
    return status;
}

void physics_free(recon_physics *p)
{
    argand_array *const all[] = {p->field,       p->r2star,      p->mask, p->gradient[0],
                                 p->gradient[1], p->gradient[2], p->t};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) argand_array_destroy(all[i]);
    argand_segments_destroy(p->segments);
    *p = (recon_physics){0};
}

argand_status transform_make(const argand_sense *s, const recon_points *at, recon_physics *p,
                             argand_op **transform)
{
    *transform = NULL;
    if (at->phase) return measured_make(s, at, p, transform);
    /* Calibration data have no measured phase, so that the NUFFT suffices. */
    if (s->term_count && !p->field && !p->r2star) return make_nufft(s, at, transform);
    if (s->transform == ARGAND_TRANSFORM_NUFFT) return make_nufft(s, at, transform);
    if (s->transform == ARGAND_TRANSFORM_SEGMENTED) return segmented_make(s, at, p, transform);
    return make_field(s, at, p, transform);
}

argand_status transform_of_slice(const argand_sense *s, const recon_points *at, int slice,
                                 argand_op **transform)
{
    recon_physics physics;
    TRY(physics_of_slice(s, slice, &physics));
    const argand_status status = transform_make(s, at, &physics, transform);
    physics_free(&physics);
    return status;
}

argand_status transform_choose(argand_sense *s)
{
    const bool has_field = !map_is_zero(&s->maps.field) || !map_is_zero(&s->maps.r2star);
    s->transform = s->options.transform;
    bool pays;
    if (s->term_count) {
        CHECK(s->transform == ARGAND_TRANSFORM_AUTO || s->transform == ARGAND_TRANSFORM_SEGMENTED,
              ARGAND_UNSUPPORTED,
              "phase terms and concomitant fields need segments: give --transform segmented or auto");
        s->transform = ARGAND_TRANSFORM_SEGMENTED;
        return ARGAND_OK;
    }
    if (s->transform == ARGAND_TRANSFORM_AUTO && has_field) {
        TRY(segmented_pays(s, &pays));
        s->transform = pays ? ARGAND_TRANSFORM_SEGMENTED : ARGAND_TRANSFORM_DFT;
    } else if (s->transform == ARGAND_TRANSFORM_AUTO) {
        s->transform = ARGAND_TRANSFORM_NUFFT;
        text_add(&s->notes, s->maps.field.array
                                ? "The field map is 0 everywhere: the NUFFT is used.\n"
                                : "There is no field map to correct for: the NUFFT is used.\n");
    } else if (s->transform == ARGAND_TRANSFORM_NUFFT && has_field) {
        text_add(&s->notes,
                 "The NUFFT does not correct for the field map; --transform dft or segmented does.\n");
    } else if (s->transform == ARGAND_TRANSFORM_SEGMENTED && !has_field) {
        s->transform = ARGAND_TRANSFORM_NUFFT;
        text_add(&s->notes, "There is no field map to correct for: the NUFFT needs no segments.\n");
    }
    return ARGAND_OK;
}
