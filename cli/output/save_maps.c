/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the coil maps in use (--save-maps): one set for each slice, in the order of the image's slices. */
#include "output/output.h"

#include <stdlib.h>
#include <string.h>

#include "files/sidecar.h"

bool output_saves_maps(const output *o, int volume)
{
    const output_place *at = &o->places[volume];
    if (!o->run.settings->save_maps || at->image) return false;
    for (int v = 0; v < volume; v++)
        if (!o->places[v].image && o->places[v].slice == at->slice) return false;
    return true;
}

argand_status output_keep_maps(output *o, int volume)
{
    const int64_t slice = o->places[volume].slice;
    if (!output_saves_maps(o, volume)) return ARGAND_OK;
    if (!o->coil_maps) o->coil_maps = calloc((size_t)o->images[0].slices, sizeof *o->coil_maps);
    if (!o->coil_maps) return report_error(ARGAND_MEMORY, "out of memory");
    if (o->coil_maps[slice]) return ARGAND_OK;
    return argand_sense_coil_maps(o->run.session, volume, &o->coil_maps[slice]);
}

/* Joins the maps to {nx, ny, nz, coils, slices}; maps of a single slice stay unchanged. */
static argand_status join(argand_array **all, const output *o)
{
    int64_t dims[ARGAND_MAX_RANK], slices = o->images[0].slices, size;
    const argand_array *first = o->coil_maps[0];
    const int rank = argand_array_rank(first);
    size = argand_array_count(first);
    for (int d = 0; d < rank; d++) dims[d] = argand_array_dim(first, d);
    dims[rank] = slices;
    TRY(argand_array_create(all, argand_array_device(first), argand_array_type(first), rank + (slices > 1),
                            dims));
    for (int64_t i = 0; i < slices; i++) {
        argand_array *to = NULL, *from = NULL;
        argand_status status = argand_array_view(&to, *all, 1, &size, NULL, i * size);
        if (!status) status = argand_array_reshape(&from, o->coil_maps[i], 1, &size);
        if (!status) status = argand_array_copy(to, from);
        argand_array_destroy(from);
        argand_array_destroy(to);
        if (status) return status;
    }
    return ARGAND_OK;
}

argand_status output_saved_maps(output *o)
{
    const char *path = o->run.settings->save_maps;
    const bool nifti = strstr(path, ".nii") != NULL, sets = argand_array_rank(o->coil_maps[0]) > 4;
    sidecar what = {.found = true, .kind = KIND_COIL_MAPS};
    argand_array *all = NULL;
    snprintf(what.axes, sizeof what.axes, "%s", sets ? "x, y, z, coil, set" : "x, y, z, coil, slice");
    snprintf(what.source, sizeof what.source, "%s", o->run.input);
    if (sets && o->images[0].slices > 1)
        return report_error(ARGAND_UNSUPPORTED,
                            "--save-maps: several sets of several slices are too many axes");
    TRY(sidecar_may_write(&what, path));
    argand_status status = join(&all, o);
    if (!status)
        status =
            nifti ? argand_nifti_write(path, all, &o->images[0].geometry, 0) : argand_array_write(path, all);
    if (!status) status = sidecar_write(&what, path, all, o->run.command);
    argand_array_destroy(all);
    return output_note_file(o, path, status);
}
