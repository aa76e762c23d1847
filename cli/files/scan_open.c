/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a scan in a separate process: HDF5 crashes on some damaged files, and scans may come from
 * anywhere. ARGAND_ISOLATE=off reads in this process, for debuggers. What comes from a pipe is taken into
 * memory first (mrd/spool.c), and read from there in the same way. */
#include "common/report.h"
#include "mrd/mrd.h"

#include <stdlib.h>
#include <string.h>
#include "common/path.h"

static argand_status read_path(argand_scan **scan, const char *path, const scan_reading *reading)
{
    const argand_scan_options options = {.group = reading->group,
                                         .k_unit = (argand_k_unit)reading->k_unit,
                                         .y_fastest = reading->y_fastest,
                                         .time_from_echo = reading->time_from_echo,
                                         .no_images = reading->no_images,
                                         .no_trajectory = reading->no_trajectory,
                                         .bands = reading->bands,
                                         .blips = reading->blips};
    const char *isolate = getenv("ARGAND_ISOLATE");
    if (isolate && !strcmp(isolate, "off")) return argand_scan_read(scan, path, &options);
    return argand_scan_read_isolated(scan, path, &options, interrupted);
}

/* Puts the pipe's name in the place of the memory's in the library's message. */
static argand_status name_pipe(argand_status status, const mrd_spool *spool)
{
    const char *message = argand_message(), *at = strstr(message, spool->path);
    if (!at) return status;
    return report_error(status, "%.*s%s%s", (int)(at - message), message, spool->name,
                        at + strlen(spool->path));
}

static argand_status read_pipe(argand_scan **scan, const char *path, const scan_reading *reading)
{
    mrd_spool *spool;
    TRY(mrd_spool_open(&spool, path));
    argand_status status = ARGAND_OK;
    if (!spool->is_whole && !spool->acquisitions)
        status = report_error(ARGAND_FORMAT, "%s: sent %lld images and no acquisitions: it holds no raw data",
                              spool->name, (long long)spool->images);
    if (!status) {
        status = read_path(scan, spool->path, reading);
        if (status) status = name_pipe(status, spool);
    }
    if (!status) snprintf((*scan)->path, sizeof(*scan)->path, "%s", spool->name);
    mrd_spool_close(spool);
    return status;
}

argand_status scan_open(argand_scan **scan, const char *path, const scan_reading *reading)
{
    const bool pipe = reading->pipes ? mrd_is_pipe(path) : !strcmp(path, "-");
    *scan = NULL;
    return pipe ? read_pipe(scan, path, reading) : read_path(scan, path, reading);
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
