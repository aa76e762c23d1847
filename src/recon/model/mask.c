/* SPDX-License-Identifier: BSD-3-Clause */
/* The mask of a slice, as an operator and in coil maps: pixels outside stay 0. */
#include "array/copy.h"
#include "recon/maps/maps.h"
#include "recon/model/model.h"

argand_status model_mask(const argand_sense *s, const recon_model *m, argand_op **mask)
{
    argand_array *map = NULL, *numbers = NULL;
    argand_status status;
    *mask = NULL;
    if (!s->maps.mask.array) return ARGAND_OK;
    argand_shape image = {s->options.type, s->grid.rank, {s->grid.n[0], s->grid.n[1], s->grid.n[2]}};
    const argand_shape *shape = &image;
    TRY_OR_DONE(map_of_slice(s, &s->maps.mask, m->slice, &map));
    TRY_OR_DONE(argand_array_create(&numbers, s->device, shape->type, shape->rank, shape->dims));
    TRY_OR_DONE(argand_array_copy(numbers, map));
    status = argand_op_diagonal(mask, numbers);
done:
    argand_array_destroy(numbers);
    argand_array_destroy(map);
    return status;
}

argand_status masked_maps(const argand_sense *s, const recon_model *m, argand_array **maps)
{
    const int64_t pixels = s->grid.n[0] * s->grid.n[1] * s->grid.n[2], dims[2] = {pixels, s->coils};
    argand_array *mask = NULL, *spread = NULL, *flat = NULL, *given = NULL;
    argand_status status;
    if (!s->maps.mask.array) return argand_array_reshape(maps, m->coil_maps, 2, dims);
    TRY(argand_array_create(maps, s->device, s->options.type, 2, dims));
    TRY_OR_DONE(map_of_slice(s, &s->maps.mask, m->slice, &given));
    TRY_OR_DONE(array_on_device(&mask, given, s->device));
    TRY_OR_DONE(argand_array_view(&spread, mask, 2, dims, (int64_t[2]){1, 0}, 0));
    TRY_OR_DONE(argand_array_reshape(&flat, m->coil_maps, 2, dims));
    status = argand_array_multiply(*maps, spread, flat, ARGAND_PRODUCT);
done:
    argand_array_destroy(flat);
    argand_array_destroy(spread);
    argand_array_destroy(mask);
    argand_array_destroy(given);
    if (status) argand_array_destroy(*maps);
    return status;
}
