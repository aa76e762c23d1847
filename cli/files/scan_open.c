/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a scan in a separate process: HDF5 crashes on some damaged files, and scans may come from
 * anywhere. ARGAND_ISOLATE=off reads in this process, for debuggers. */
#include "common/report.h"

#include <stdlib.h>
#include <string.h>
#include "common/path.h"

argand_status scan_open(argand_scan **scan, const char *path, const scan_reading *reading)
{
    const argand_scan_options options = {.group = reading->group,
                                         .k_unit = (argand_k_unit)reading->k_unit,
                                         .y_fastest = reading->y_fastest,
                                         .time_from_echo = reading->time_from_echo,
                                         .no_images = reading->no_images,
                                         .bands = reading->bands};
    const char *isolate = getenv("ARGAND_ISOLATE");
    if (isolate && !strcmp(isolate, "off")) return argand_scan_read(scan, path, &options);
    return argand_scan_read_isolated(scan, path, &options, interrupted);
}

argand_status scan_name_check(const char *path)
{
    static const char *const scans[] = {".h5", ".hdf5", ".hdf", ".mrd"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    if (!dot || dot == name) return ARGAND_OK;
    for (size_t i = 0; i < sizeof scans / sizeof *scans; i++)
        if (!strcmp(dot, scans[i])) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "%s: what is written is a scan (ISMRMRD): give a name that ends in .h5", path);
}

argand_status array_name_check(const char *path)
{
    if (path_is_array(path)) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT, "%s: unknown ending; known are .npy, .cfl, .nii and .nii.gz%s", path,
                        has_ending(path, ".png") ? " (argand convert makes pictures)" : "");
}
