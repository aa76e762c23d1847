/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of images that are solved together, and of the spectra of their normal operators. */
#include "recon/solve/solve.h"

argand_status images_new(const argand_sense *s, int64_t count, argand_array **images)
{
    int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2]};
    dims[s->grid.rank] = count;
    return argand_array_create(images, s->device, s->options.type, s->grid.rank + 1, dims);
}

argand_status spectrum_new(const argand_sense *s, const argand_array *like, int64_t images,
                           argand_array **all)
{
    int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2]};
    dims[s->grid.rank] = images;
    return argand_array_create(all, argand_array_device(like), argand_array_type(like), s->grid.rank + 1,
                               dims);
}

argand_status spectrum_add(argand_array *all, int64_t image, double factor, const argand_array *spectrum)
{
    const int64_t count = argand_array_count(spectrum), one = 1;
    argand_array *to, *from;
    TRY(argand_array_reshape(&from, spectrum, 1, &count));
    argand_status status = argand_array_view(&to, all, 1, &count, &one, image * count);
    if (!status) {
        status = argand_array_axpby(to, (argand_scalar){factor, 0}, from, (argand_scalar){1, 0});
        argand_array_destroy(to);
    }
    argand_array_destroy(from);
    return status;
}
