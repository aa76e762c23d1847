/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates ESPIRiT's coil maps of a session from low-resolution coil images, and crops them. */
#include "recon/calibrate/choice.h"

#include <math.h>
#include "base/memory.h"
#include "recon/maps/maps.h"

static argand_status from_images(const argand_sense *s, calibration *c, double crop)
{
    argand_array *images = NULL;
    argand_status status;
    argand_espirit_options options = s->options.espirit;
    options.images = false;
    options.crop = crop;
    /* The noise level differs between scans, and the solved images have a further error. */
    if (options.threshold == 0) options.threshold = s->cartesian ? -1e-4 : -1e-3;
    for (int axis = 0; axis < s->grid.rank; axis++) options.calibration[axis] = (int)c->block.size[axis];
    TRY_OR_DONE(lowres_images(s, &c->block, c->from.data, c->from.transforms, c->from.phases, &images));
    TRY_OR_DONE(lowres_kspace(s, images));
    status = argand_coils_espirit(c->maps, c->values, images, &options, &c->report);
done:
    argand_array_destroy(images);
    return status;
}

/* Creates the array of eigenvalues {grid[, sets]}. */
static argand_status new_values(const argand_sense *s, argand_array **values)
{
    const int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.rank > 2 ? s->grid.n[2] : s->options.sets,
                             s->options.sets};
    const argand_type type = s->options.type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    return argand_array_create(values, s->device, type, s->grid.rank + (s->options.sets > 1), dims);
}

static argand_status new_maps(const argand_sense *s, argand_array **maps)
{
    const argand_shape shape = sets_shape(s);
    return argand_array_create(maps, s->device, shape.type, shape.rank, shape.dims);
}

argand_status calibrate_espirit(argand_sense *s, calibration *c, double crop)
{
    TRY(new_maps(s, &c->maps));
    TRY(new_values(s, &c->values));
    return from_images(s, c, crop);
}

argand_status espirit_cut(const argand_sense *s, const argand_array *uncut, const argand_array *eigenvalues,
                          double crop, argand_array **cut, double *inside)
{
    const argand_shape shape = sets_shape(s);
    const int64_t pixels = argand_array_count(eigenvalues);
    double *maps = NULL, *values = NULL;
    argand_array *flat = NULL;
    int64_t kept = 0;
    argand_status status;
    TRY_OR_DONE(numbers_of_array(uncut, &maps));
    TRY_OR_DONE(numbers_of_array(eigenvalues, &values));
    for (int64_t i = 0; i < pixels; i++) {
        kept += values[i] > crop;
        for (int64_t coil = 0; coil < s->coils && !(values[i] > crop); coil++)
            maps[2 * (i + pixels * coil)] = maps[2 * (i + pixels * coil) + 1] = 0;
    }
    TRY_OR_DONE(complex_of_numbers(s, maps, pixels * s->coils, &flat));
    *inside = (double)kept / (double)pixels;
    status = argand_array_reshape(cut, flat, shape.rank, shape.dims);
done:
    argand_array_destroy(flat);
    memory_free(values);
    memory_free(maps);
    return status;
}
