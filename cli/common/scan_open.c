/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a scan, in a process of its own: HDF5 crashes on some damaged files, and scans come from anywhere.
 * ARGAND_ISOLATE=off reads within this one, for debuggers. */
#include "common/command.h"

#include <stdlib.h>
#include <string.h>

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
