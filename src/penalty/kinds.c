/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of penalties, and queries of it. */
#include "penalty/penalty.h"

#include <math.h>
#include <string.h>

#define PENALTY(name) extern const penalty_kind penalty_##name;
#include "penalty/kinds.inc"
#undef PENALTY

#define PENALTY(name) &penalty_##name,
static const penalty_kind *const kinds[] = {
#include "penalty/kinds.inc"
};
#undef PENALTY
enum { KINDS = sizeof kinds / sizeof *kinds };

extern const penalty_kind penalty_denoiser; /* has no text, so that the table of the parser lacks it */
static const penalty_kind unknown = {.name = "unknown", .form = "", .summary = "", .formula = ""};

const penalty_kind *penalty_kind_at(int i)
{
    return i >= 0 && i < KINDS ? kinds[i] : NULL;
}

const penalty_kind *penalty_kind_of(argand_regularizer_kind id)
{
    for (int i = 0; i < KINDS; i++)
        if (kinds[i]->id == id) return kinds[i];
    return id == penalty_denoiser.id ? &penalty_denoiser : &unknown;
}

const penalty_kind *penalty_kind_named(const char *name)
{
    for (int i = 0; i < KINDS; i++)
        if (!strcmp(name, kinds[i]->name) || (kinds[i]->other_name && !strcmp(name, kinds[i]->other_name)))
            return kinds[i];
    return NULL;
}

int argand_regularizer_count(void)
{
    return KINDS;
}

argand_status argand_regularizer_describe(argand_regularizer_kind kind, argand_regularizer_info *info)
{
    const penalty_kind *k = penalty_kind_of(kind);
    CHECK(info, ARGAND_ARGUMENT, "argand_regularizer_describe: info is NULL");
    CHECK(k->id, ARGAND_ARGUMENT, "regularizer kind %d is not known; give 1 to %d", (int)kind, (int)KINDS);
    *info = (argand_regularizer_info){.name = k->name,
                                      .other_name = k->other_name,
                                      .form = k->form,
                                      .summary = k->summary,
                                      .formula = k->formula,
                                      .paper = k->paper,
                                      .weight = k->usual};
    return ARGAND_OK;
}

const char *argand_regularizer_name(argand_regularizer_kind kind)
{
    return penalty_kind_of(kind)->name;
}

bool regularizer_is_quadratic(const argand_regularizer *r)
{
    const penalty_kind *kind = penalty_kind_of(r->kind);
    return kind->id && !kind->prox;
}

bool regularizer_is_half_quadratic(const argand_regularizer *r)
{
    return penalty_kind_of(r->kind)->curvatures != NULL;
}

bool regularizer_has_gradient(const argand_regularizer *r)
{
    return penalty_kind_of(r->kind)->of_gradient;
}

bool regularizer_is_map(const argand_regularizer *r)
{
    return penalty_kind_of(r->kind)->is_map;
}

bool regularizer_has_series(const argand_regularizer *r)
{
    return penalty_kind_of(r->kind)->of_series;
}

argand_status regularizer_op(argand_op **op, const argand_regularizer *r, argand_device *device,
                             const argand_shape *shape, int space)
{
    return regularizer_has_gradient(r) ? argand_op_gradient(op, device, shape, space)
                                       : argand_op_identity(op, device, shape);
}

argand_status regularizer_check(const argand_regularizer *r, const argand_shape *shape, int space)
{
    const penalty_kind *kind = penalty_kind_of(r->kind);
    const char *name = kind->name;
    CHECK(kind->id, ARGAND_ARGUMENT, "regularizer kind %d is not known; give one of argand_regularizer_kind",
          (int)r->kind);
    CHECK(r->weight >= 0 && isfinite(r->weight), ARGAND_ARGUMENT, "%s: weight %g; it must be 0 or more", name,
          r->weight);
    CHECK(space >= 1 && space <= 3 && space <= shape->rank, ARGAND_ARGUMENT,
          "%s: %d axes of space in an image of rank %d; give 1 to 3, not more than it has", name, space,
          shape->rank);
    CHECK(shape->rank < ARGAND_MAX_RANK, ARGAND_ARGUMENT, "%s: an image of rank %d; %d at most", name,
          shape->rank, ARGAND_MAX_RANK - 1);
    CHECK(r->delta >= 0 && isfinite(r->delta), ARGAND_ARGUMENT,
          "%s: delta %g; it must be above 0, or 0 for the default", name, r->delta);
    CHECK(r->levels >= 0 && r->levels <= WAVELET_LEVELS, ARGAND_ARGUMENT,
          "%s: %d levels; give 1 to %d, or 0 for the default", name, r->levels, WAVELET_LEVELS);
    CHECK(r->wavelet == ARGAND_DAUBECHIES_4 || r->wavelet == ARGAND_HAAR, ARGAND_ARGUMENT,
          "%s: wavelet %d is not known; give one of argand_wavelet", name, (int)r->wavelet);
    return kind->check ? kind->check(r, shape, space) : ARGAND_OK;
}
