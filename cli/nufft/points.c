/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads positions from array files: finds the axis of components, and makes a real array for each axis of
 * space. */
#include "nufft/nufft.h"
#include "common/path.h"
#include "files/shape.h"
#include "files/sidecar.h"

#include <stdlib.h>
#include <string.h>

/* Finds the axis of x, y, z: the first in memory (NumPy's last), otherwise the last; -1 for positions on a
 * line. */
static argand_status find_components(int *axis, const point_file *p, const argand_array *array)
{
    char text[256];
    int64_t dims[ARGAND_MAX_RANK];
    const int rank = argand_array_rank(array);
    for (int i = 0; i < rank; i++) dims[i] = argand_array_dim(array, i);
    *axis = -1;
    if (rank <= 1) return ARGAND_OK;
    *axis = 0;
    if (dims[0] <= 3) return ARGAND_OK;
    *axis = rank - 1;
    if (dims[rank - 1] <= 3) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "%s %s: %s has no axis of 1 to 3 components: give (points, 2) or (points, 3) of "
                        "NumPy, {3, points} of BART",
                        p->named, p->path, shape_text(text, sizeof text, p->path, rank, dims));
}

/* Reads all numbers as doubles. Refuses complex numbers with imaginary parts; BART's files are complex. */
static argand_status read_doubles(double **numbers, const point_file *p, const argand_array *array,
                                  argand_device *device)
{
    const int64_t count = argand_array_count(array);
    argand_array *flat = NULL, *wide = NULL;
    *numbers = malloc((size_t)count * 2 * sizeof **numbers);
    if (!*numbers) return report_error(ARGAND_MEMORY, "%s %s: no memory for its numbers", p->named, p->path);
    argand_status status = argand_array_reshape(&flat, array, 1, &count);
    if (!status) status = argand_array_create(&wide, device, ARGAND_C64, 1, &count);
    if (!status) status = argand_array_copy(wide, flat);
    if (!status) status = argand_array_download(wide, *numbers);
    argand_array_destroy(wide);
    argand_array_destroy(flat);
    for (int64_t i = 0; i < count && !status; i++) {
        if ((*numbers)[2 * i + 1] != 0)
            status = report_error(ARGAND_ARGUMENT, "%s %s: element %lld is not real, and positions are",
                                  p->named, p->path, (long long)i);
        (*numbers)[i] = (*numbers)[2 * i];
    }
    return status;
}

/* Sets *zyx if x comes last: by --k-order, else by the sidecar, else by the file's ending. */
static argand_status find_order(bool *zyx, const char *path, argand_k_order order, const argand_array *array)
{
    static sidecar its;
    *zyx = order == ARGAND_K_ORDER_ZYX;
    if (order) return ARGAND_OK;
    TRY(sidecar_read(&its, path));
    *zyx = has_ending(path, ".npy") && !sidecar_x_first(&its, array);
    return ARGAND_OK;
}

/* Makes one array for each component. Component c of point j is at from[j, c]. */
static argand_status split(point_file *p, const double *numbers, bool first, bool zyx, argand_device *device)
{
    double *one = malloc((size_t)p->count * sizeof *one);
    argand_status status =
        one ? ARGAND_OK : report_error(ARGAND_MEMORY, "%s %s: no memory for its numbers", p->named, p->path);
    for (int axis = 0; axis < p->components && !status; axis++) {
        const int component = zyx ? p->components - 1 - axis : axis;
        for (int64_t j = 0; j < p->count; j++)
            one[j] = first ? numbers[j * p->components + component] : numbers[component * p->count + j];
        status = argand_array_create(&p->at[axis], device, ARGAND_R64, 1, &p->count);
        if (!status) status = argand_array_upload(p->at[axis], one);
    }
    free(one);
    return status;
}

argand_status points_read(point_file *p, const char *named, const char *path, argand_k_order order)
{
    bool zyx = false;
    argand_array *array = NULL;
    argand_device *host = NULL;
    double *numbers = NULL;
    int axis = -1;
    *p = (point_file){.named = named, .path = path, .components = 1, .count = 1};
    argand_status status = argand_device_open(&host, "cpu");
    if (!status) status = argand_array_read(&array, path, host);
    if (status) status = report_error(status, "%s %s", named, argand_message());
    if (!status) status = find_components(&axis, p, array);
    if (!status) status = find_order(&zyx, path, order, array);
    if (!status) status = read_doubles(&numbers, p, array, host);
    for (int i = 0; array && i < argand_array_rank(array); i++) {
        if (i == axis)
            p->components = (int)argand_array_dim(array, i);
        else
            p->count *= p->dims[p->rank++] = argand_array_dim(array, i);
    }
    if (!status) status = split(p, numbers, axis == 0, zyx, host);
    free(numbers);
    argand_array_destroy(array);
    argand_device_close(host);
    return status;
}

void points_free(point_file *p)
{
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(p->at[axis]);
}
