/* SPDX-License-Identifier: BSD-3-Clause */
/* Where maps come from on the command line. */
#include "array/numbers.h"
#include "sense/sense.h"

#include <stdio.h>
#include <string.h>

/* "other.h5:NAME" */
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

/* The colon of "other.h5:NAME"; NULL where there is none. */
static const char *find_colon(const char *from)
{
    const char *ending = strstr(from, ".h5:");
    return ending ? ending + 3 : NULL;
}

bool sense_map_is_file(const char *from, const argand_scan *scan)
{
    return from && strcmp(from, "none") != 0 && from[0] != ':' && !argand_scan_find(scan, from) &&
           !find_colon(from);
}

argand_status sense_map_find(const char *from, argand_device *device, const argand_scan *scan,
                             argand_array **array, const char **name, argand_geometry *place)
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
    const char *colon = find_colon(from);
    if (colon) return from_other_scan(from, colon, device, array);
    return numbers_is_nifti(from) ? argand_nifti_read(array, from, device, place)
                                  : argand_array_read(array, from, device);
}
