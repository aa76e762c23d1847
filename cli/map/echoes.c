/* SPDX-License-Identifier: BSD-3-Clause */
/* The array of all echoes. */
#include "map/map.h"

#include <stdlib.h>

/* Copies the image of an echo to its place in the array of all. */
argand_status map_put(map_echoes *e, const argand_array *image, int echo, int count, const char *path,
                      argand_device *device)
{
    const int rank = argand_array_rank(image);
    int64_t dims[ARGAND_MAX_RANK];
    argand_array *place = NULL;
    if (rank >= ARGAND_MAX_RANK)
        return report_error(ARGAND_ARGUMENT, "%s: %d axes are one too many for images of echoes", path, rank);
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(image, axis);
    dims[rank] = count;
    if (!e->images) TRY(argand_array_create(&e->images, device, argand_array_type(image), rank + 1, dims));
    bool same =
        argand_array_rank(e->images) == rank + 1 && argand_array_type(e->images) == argand_array_type(image);
    for (int axis = 0; axis < rank && same; axis++) same = dims[axis] == argand_array_dim(e->images, axis);
    if (!same)
        return report_error(ARGAND_ARGUMENT, "%s: has another shape or type than the image of the first echo",
                            path);
    argand_status status = calibrate_last(&place, e->images, echo);
    if (!status) status = argand_array_copy(place, image);
    argand_array_destroy(place);
    return status;
}

void map_free(map_echoes *e)
{
    argand_array_destroy(e->images);
    argand_array_destroy(e->mask);
    for (int v = 0; v < e->volume_count; v++) argand_array_destroy(e->volumes[v].coil_maps);
    free(e->volumes);
    argand_epi_destroy(e->epi);
    argand_scan_destroy(e->file);
    *e = (map_echoes){0};
}

static argand_status create(argand_array **map, const map_echoes *e, argand_type type, argand_device *device)
{
    const int rank = argand_array_rank(e->images) - 1;
    int64_t dims[ARGAND_MAX_RANK];
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(e->images, axis);
    return argand_array_create(map, device, type, rank, dims);
}

argand_status map_create(argand_array **map, const map_echoes *e, argand_device *device)
{
    return create(map, e, ARGAND_R32, device);
}

argand_status map_create_complex(argand_array **map, const map_echoes *e, argand_device *device)
{
    return create(map, e, ARGAND_C32, device);
}

argand_echo_options map_options(const map_echoes *e, const map_settings *s)
{
    return (argand_echo_options){.echo_count = e->count,
                                 .echo_times = e->times,
                                 .mask = e->mask,
                                 .threshold = s->threshold,
                                 .noise = s->noise};
}
