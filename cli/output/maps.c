/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the maps that the report shows with the images. */
#include "output/output.h"
#include "files/maps.h"

/* Converts a map to real numbers in the unit of display. */
static argand_status scaled(argand_array **array, double scale)
{
    const argand_type type = argand_array_type(*array);
    if (scale == 1 || (type != ARGAND_R32 && type != ARGAND_R64)) return ARGAND_OK;
    return argand_array_scale(*array, (argand_scalar){scale, 0});
}

static argand_status from_scan(argand_array **array, const output *o, const char *name)
{
    const argand_scan_array *found = argand_scan_find(o->run.scan, name);
    *array = NULL;
    if (!found) return ARGAND_OK;
    TRY(argand_array_create(array, o->run.device, found->type, found->rank, found->dims));
    const argand_status status = argand_array_upload(*array, found->data);
    if (status == ARGAND_OK) return ARGAND_OK;
    argand_array_destroy(*array);
    *array = NULL;
    return status;
}

/* Returns true if the slices are in the same order in maps (by counter) and in images (by position). */
static bool slices_agree(const output *o)
{
    for (int v = 0; v < argand_sense_volumes(o->run.session); v++)
        if (o->places[v].slice != argand_sense_counters(o->run.session, v)->slice) return false;
    return true;
}

/* Removes the third dimension of {nx, ny, 1, slices}, the layout of files, so that the report pages
 * through map and image together. */
static argand_status stack(argand_array **array, const output *o)
{
    const int64_t dims[3] = {argand_array_dim(*array, 0), argand_array_dim(*array, 1),
                             argand_array_dim(*array, 3)};
    const bool by_slice = argand_array_dim(*array, 2) == 1 && dims[2] > 1 && dims[2] == o->images[0].slices;
    argand_array *stacked;
    if (!by_slice || !slices_agree(o) || argand_array_count(*array) != dims[0] * dims[1] * dims[2])
        return ARGAND_OK;
    TRY(argand_array_reshape(&stacked, *array, 3, dims));
    argand_array_destroy(*array);
    *array = stacked;
    return ARGAND_OK;
}

argand_status output_find_map(output *o, const char *from, const char *usual, const char *title,
                              const char *unit, double scale)
{
    argand_array *array;
    const char *name;
    if (!output_wants_report(o)) return ARGAND_OK;
    TRY(map_find(from, o->run.device, o->run.scan, &array, &name, NULL));
    if (!name) name = usual;
    if (!array && name && *name) TRY(from_scan(&array, o, name));
    if (!array) return ARGAND_OK;
    argand_status status = scaled(&array, scale);
    if (status == ARGAND_OK) status = stack(&array, o);
    output_take_map(o, title, unit, "map", array);
    return status;
}

/* Takes the coil maps of the last volume, whose model the session still holds, so that nothing is
 * estimated again. */
argand_status output_coil_maps(output *o)
{
    argand_array *maps;
    if (!output_wants_report(o) || o->run.scan->channels < 2) return ARGAND_OK;
    const int last = argand_sense_volumes(o->run.session) - 1;
    TRY(argand_sense_coil_maps(o->run.session, last, &maps));
    output_take_map(o,
                    o->images[o->places[last].image].slices > 1 ? "Coil maps of the last slice" : "Coil maps",
                    "", "coil", maps);
    return ARGAND_OK;
}

argand_status output_phase_maps(output *o)
{
    argand_array *maps;
    if (!output_wants_report(o)) return ARGAND_OK;
    const int last = argand_sense_volumes(o->run.session) - 1;
    TRY(argand_sense_phase_maps(o->run.session, last, &maps));
    output_take_map(o, last ? "Phase maps of the last volume" : "Phase maps", "rad", "shot", maps);
    return ARGAND_OK;
}
