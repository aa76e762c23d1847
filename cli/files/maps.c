/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/maps.h"
#include "common/path.h"

#include <stdio.h>
#include <string.h>

argand_status array_file_read(const char *named, const char *path, argand_device *device,
                              argand_array **array)
{
    const argand_status status = argand_array_read(array, path, device);
    return status ? report_error(status, "%s %s", named, argand_message()) : ARGAND_OK;
}

argand_status array_file_real(const char *named, const char *path, argand_array **array)
{
    const argand_type type = argand_array_type(*array);
    const int rank = argand_array_rank(*array);
    int64_t dims[ARGAND_MAX_RANK];
    double most = 0;
    argand_array *part = NULL;
    if (type == ARGAND_R32 || type == ARGAND_R64) return ARGAND_OK;
    for (int axis = 0; axis < rank; axis++) dims[axis] = argand_array_dim(*array, axis);
    TRY(argand_array_create(&part, argand_array_device(*array), type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32,
                            rank, dims));
    argand_status status = argand_array_imag(part, *array);
    if (!status) status = argand_array_max_abs(&most, part);
    if (!status && most > 0)
        status =
            report_error(ARGAND_ARGUMENT,
                         "%s %s: holds complex numbers (imaginary parts up to %g), and real ones are wanted; "
                         "argand convert --real takes the real part",
                         named, path, most);
    if (!status) status = argand_array_real(part, *array);
    if (status) {
        argand_array_destroy(part);
        return status;
    }
    argand_array_destroy(*array);
    *array = part;
    return ARGAND_OK;
}

/* Reads an array of another scan, "other.h5:NAME". */
static argand_status from_other_scan(const char *from, const char *colon, argand_device *device,
                                     argand_array **array)
{
    char path[4096];
    argand_scan *scan;
    snprintf(path, sizeof path, "%.*s", (int)(colon - from), from);
    argand_status status = scan_open(&scan, path, &(scan_reading){0});
    if (status != ARGAND_OK) return status;
    const argand_scan_array *found = argand_scan_find(scan, colon + 1);
    if (found) {
        status = argand_array_create(array, device, found->type, found->rank, found->dims);
        if (status == ARGAND_OK) status = argand_array_upload(*array, found->data);
    } else {
        status = report_error(ARGAND_ARGUMENT, "%s: there is no array \"%s\" (argand info lists them)", path,
                              colon + 1);
    }
    argand_scan_destroy(scan);
    return status;
}

bool map_is_file(const char *from, const argand_scan *scan)
{
    return from && strcmp(from, "none") != 0 && from[0] != ':' && !argand_scan_find(scan, from) &&
           !path_scan_array(from);
}

argand_status map_find(const char *from, argand_device *device, const argand_scan *scan, argand_array **array,
                       const char **name, argand_geometry *place)
{
    if (place) *place = (argand_geometry){0};
    *array = NULL;
    *name = NULL;
    if (!from) return ARGAND_OK;
    if (!strcmp(from, "none")) {
        *name = "";
        return ARGAND_OK;
    }
    if (from[0] == ':' || argand_scan_find(scan, from)) {
        *name = from + (from[0] == ':');
        return ARGAND_OK;
    }
    *name = from;
    const char *colon = path_scan_array(from);
    if (colon) return from_other_scan(from, colon, device, array);
    return path_is_nifti(from) ? argand_nifti_read(array, from, device, place)
                               : argand_array_read(array, from, device);
}
