/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the head on a grid: image, field map, coil maps. */
#include "simulate/simulate.h"

#include <math.h>

static const double TWO_PI = 6.283185307179586476925;

static int64_t planes_of(const simulate_settings *s)
{
    return simulate_is_volume(s) ? s->matrix.n[2] : s->slices > 1 ? s->slices + 2 : 1;
}

argand_status simulate_head_make(simulate_head *head, argand_device *device, const simulate_settings *s,
                                 int fineness)
{
    const int64_t planes = planes_of(s) * (simulate_is_volume(s) ? fineness : 1);
    const int64_t n[4] = {s->matrix.n[0] * fineness, s->matrix.n[1] * fineness, planes, s->coils};
    *head = (simulate_head){0};
    argand_status status = argand_array_create(&head->image, device, ARGAND_R32, 3, n);
    if (!status)
        status =
            argand_phantom_image(head->image, planes > 1 ? ARGAND_SHEPP_LOGAN_3D : ARGAND_SHEPP_LOGAN_2D);
    if (!status) status = argand_array_create(&head->field_map, device, ARGAND_R32, 3, n);
    if (!status) status = argand_fieldmap_head(head->field_map, TWO_PI * s->field_range);
    if (!status) status = argand_array_create(&head->coil_maps, device, ARGAND_C32, 4, n);
    if (!status)
        status = s->coils > 1 ? argand_coils_birdcage(head->coil_maps)
                              : argand_array_fill(head->coil_maps, (argand_scalar){1, 0});
    return status;
}

/* Copies one plane as contiguous {nx, ny} or {nx, ny, coils}; a view of coil maps would not be contiguous. */
static argand_status copy_plane(argand_array **plane, const argand_array *array, int64_t z)
{
    const int64_t nx = argand_array_dim(array, 0), ny = argand_array_dim(array, 1),
                  coils = argand_array_dim(array, 3);
    const int64_t dims[3] = {nx, ny, coils}, strides[3] = {1, nx, nx * ny * argand_array_dim(array, 2)};
    argand_array *part;
    const int rank = argand_array_rank(array) - 1;
    argand_status status = argand_array_view(&part, array, rank, dims, strides, z * nx * ny);
    if (status) return status;
    status = argand_array_create(plane, argand_array_device(array), argand_array_type(array), rank, dims);
    if (!status) status = argand_array_copy(*plane, part);
    argand_array_destroy(part);
    return status;
}

static argand_status same(argand_array **view, const argand_array *array)
{
    int64_t dims[4];
    for (int d = 0; d < argand_array_rank(array); d++) dims[d] = argand_array_dim(array, d);
    return argand_array_reshape(view, array, argand_array_rank(array), dims);
}

argand_status simulate_head_view(simulate_head *view, const simulate_head *head, const simulate_settings *s,
                                 int slice)
{
    const argand_array *from[3] = {head->image, head->field_map, head->coil_maps};
    argand_array *to[3] = {NULL, NULL, NULL};
    argand_status status = ARGAND_OK;
    for (int i = 0; i < 3 && !status; i++)
        status = simulate_is_volume(s) ? same(&to[i], from[i])
                                       : copy_plane(&to[i], from[i], s->slices > 1 ? slice + 1 : 0);
    *view = (simulate_head){to[0], to[1], to[2]};
    if (status) simulate_head_free(view);
    return status;
}

void simulate_head_free(simulate_head *head)
{
    argand_array_destroy(head->coil_maps);
    argand_array_destroy(head->field_map);
    argand_array_destroy(head->image);
    *head = (simulate_head){0};
}
