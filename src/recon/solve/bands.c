/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves for slices that were excited together. */
#include "recon/solve/solve.h"

/* Solves for all bands of a volume once, and keeps the images for the volumes of the other bands. */
argand_status bands_run(argand_sense *s, const recon_volume *v, argand_array *x, argand_monitor monitor,
                        void *context)
{
    const int64_t dims[3] = {s->grid.n[0], s->grid.n[1], s->bands};
    argand_array *image = NULL;
    argand_status status = ARGAND_OK;
    if (!s->band_images) TRY(argand_array_create(&s->band_images, s->device, s->options.type, 3, dims));
    if (!s->solved || s->solved->rows != v->rows) {
        s->solved = NULL;
        status = sense_solve(s, v, s->band_images, monitor, context);
        if (status != ARGAND_OK && status != ARGAND_STOPPED) return status;
        if (status == ARGAND_OK) s->solved = v;
    } else { /* the model of the bands, too, is that of the volume before */
        const int own = (int)(v - s->volumes);
        if (s->made_for >= 0) s->made_for = own;
        if (s->empty >= 0) s->empty = own;
    }
    TRY(argand_array_view(&image, s->band_images, 2, dims, (int64_t[]){1, dims[0]},
                          v->band * dims[0] * dims[1]));
    const argand_status copied = argand_array_copy(x, image);
    argand_array_destroy(image);
    return copied != ARGAND_OK ? copied : status;
}
