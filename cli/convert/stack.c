/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves slices of a scan's array into the third dimension of an image. As in images of argand sense,
 * slices are ordered by position, whatever their counters. Maps for options of argand sense stay in the
 * order of the counters in formats without positions (.npy, .cfl). */
#include "convert/convert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A slice: its number in the array, its centre in mm, and its coordinate along the slice direction. */
typedef struct slice_place {
    int number;
    bool known;
    double centre[3], along;
} slice_place;

static int groups_of(const argand_scan *scan)
{
    int groups = 1;
    for (int64_t i = 0; i < scan->acquisition_count; i++)
        if (scan->acquisitions[i].counters.slice >= groups) groups = scan->acquisitions[i].counters.slice + 1;
    return groups;
}

static int bands_of(const argand_scan *scan)
{
    return scan->encoding_count && scan->encodings[0].bands.count > 1 ? scan->encodings[0].bands.count : 1;
}

int convert_slice_count(const argand_scan *scan)
{
    return groups_of(scan) * bands_of(scan);
}

/* Sets the position of a slice from an acquisition of its group. */
static void place_slice(slice_place *s, const argand_scan *scan, const argand_acquisition *a, double shift)
{
    s->known = true;
    for (int d = 0; d < 3; d++) {
        const double direction = (double)scan->acquisitions[0].slice_dir[d];
        s->centre[d] = (double)a->position[d] + shift * direction;
        s->along += s->centre[d] * direction;
    }
}

/* Finds the positions of slices. Band b of group g is slice g + b G, at (b - floor(bands / 2)) spacing
 * from the group. */
static void find_places(slice_place *slices, const argand_scan *scan)
{
    const int groups = groups_of(scan), bands = bands_of(scan);
    const double spacing = bands > 1 ? scan->encodings[0].bands.spacing : 0;
    for (int i = 0; i < groups * bands; i++) slices[i].number = i;
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        for (int b = 0; b < bands; b++) {
            slice_place *s = &slices[a->counters.slice + b * groups];
            if (!s->known) place_slice(s, scan, a, (b - bands / 2) * spacing);
        }
    }
}

static int by_place(const void *left, const void *right)
{
    const slice_place *a = left, *b = right;
    if (a->along < b->along - 1e-3) return -1;
    if (a->along > b->along + 1e-3) return 1;
    return a->number - b->number;
}

/* Lists the positions of slices, and sorts them if all are known; a slice without acquisitions has none. */
static argand_status list_places(slice_place **slices, const argand_scan *scan, int count, bool sorted)
{
    bool all = sorted;
    *slices = calloc((size_t)count, sizeof **slices);
    if (!*slices) return report_error(ARGAND_MEMORY, "%s: no memory for its slices", scan->path);
    find_places(*slices, scan);
    for (int i = 0; i < count; i++) all = all && (*slices)[i].known;
    if (all) qsort(*slices, (size_t)count, sizeof **slices, by_place);
    return ARGAND_OK;
}

/* Sets slice distance and centre of a stack. If positions are missing, slices are one thickness apart. */
static void place_stack(argand_geometry *g, const slice_place *slices, int count)
{
    double step[3], length = 0;
    for (int d = 0; d < 3; d++) {
        step[d] = (slices[count - 1].centre[d] - slices[0].centre[d]) / (count - 1);
        length += step[d] * step[d];
    }
    length = sqrt(length);
    for (int d = 0; d < 3; d++) {
        if (length > 0) g->slice[d] = step[d] / length;
        g->centre[d] = slices[0].centre[d] + (count / 2) * (length > 0 ? step[d] : g->slice[d] * g->voxel[2]);
    }
    if (length > 0) g->voxel[2] = length;
}

/* Returns the dimension that counts slices; -1: none. Only coil maps have coils before the slices. */
static int slice_axis(const argand_array *array, bool coil_maps, int count)
{
    const int axis = coil_maps ? 4 : 3;
    if (argand_array_dim(array, 2) == count) return 2;
    return argand_array_dim(array, 2) == 1 && argand_array_dim(array, axis) == count ? axis : -1;
}

/* Reorders {nx, ny, 1, vectors, slices} to {nx, ny, slices, vectors, 1}, in the order of `slices`. */
static argand_status gather(argand_array **stack, const argand_array *from, int axis,
                            const slice_place *slices, int count)
{
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = argand_array_rank(from);
    for (int i = 0; i < ARGAND_MAX_RANK; i++) dims[i] = argand_array_dim(from, i);
    dims[axis] = 1;
    dims[2] = count;
    TRY(argand_array_create(stack, argand_array_device(from), argand_array_type(from), rank, dims));
    argand_status status = ARGAND_OK;
    for (int i = 0; i < count && !status; i++) {
        argand_array *to = NULL, *part = NULL;
        status = argand_array_part(&to, *stack, 2, i, 1);
        if (!status) status = argand_array_part(&part, from, axis, slices[i].number, 1);
        if (!status) status = argand_array_copy(to, part);
        argand_array_destroy(part);
        argand_array_destroy(to);
    }
    return status;
}

/* Removes the dimension of 1 that counted slices. */
static argand_status leave_axis_out(argand_array **stack, int axis)
{
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = argand_array_rank(*stack);
    argand_array *fewer;
    if (axis == 2) return ARGAND_OK;
    for (int i = 0; i < rank - 1; i++) dims[i] = argand_array_dim(*stack, i < axis ? i : i + 1);
    TRY(argand_array_reshape(&fewer, *stack, rank - 1, dims));
    argand_array_destroy(*stack);
    *stack = fewer;
    return ARGAND_OK;
}

argand_status convert_stack(convert_image *image, const argand_scan *scan, bool has_places)
{
    const sidecar_kind kind = image->described.kind;
    const bool coil_maps = kind == KIND_COIL_MAPS, is_map = kind == KIND_FIELD_MAP || kind == KIND_MASK;
    const int count = convert_slice_count(scan), axis = slice_axis(image->array, coil_maps, count);
    slice_place *slices;
    argand_array *stack = NULL;
    if (count < 2 || axis < 0 || image->geometry.voxel[0] <= 0) return ARGAND_OK; /* or it is no image */
    if (kind == KIND_PHASE_MAPS || (coil_maps && !(has_places && image->geometry.valid)))
        return ARGAND_OK; /* as options take them */
    TRY(list_places(&slices, scan, count, has_places || !is_map));
    argand_status status = gather(&stack, image->array, axis, slices, count);
    if (!status) status = leave_axis_out(&stack, axis);
    if (!status && image->geometry.valid) place_stack(&image->geometry, slices, count);
    free(slices);
    if (status) {
        argand_array_destroy(stack);
        return status;
    }
    argand_array_destroy(image->array);
    image->array = stack;
    if (coil_maps) snprintf(image->described.axes, sizeof image->described.axes, "x, y, slice, coil");
    return ARGAND_OK;
}
