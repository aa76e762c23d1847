/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_scan_read: chooses the reader by the file's contents. */
#include "base/memory.h"
#include "base/size.h"
#include "io/scans/scans.h"

static argand_status read_file(scan_reader *reader)
{
    TRY(hdf5_open(&reader->file, &reader->file_bytes, reader->path));
    size_multiply(&reader->arena.allowance, (size_t)reader->file_bytes,
                  4); /* half-precision files grow by a factor of 2 */
    const argand_status status =
        scan_is_fastmri(reader) ? scan_read_fastmri(reader) : scan_read_ismrmrd(reader);
    H5Fclose(reader->file);
    return status;
}

static argand_status read_hdf5(scan_reader *reader)
{
    hdf5_session session;
    TRY(hdf5_enter(&session));
    const argand_status status = hdf5_blame(read_file(reader), reader->path);
    hdf5_leave(&session);
    return status;
}

static argand_status read_any(scan_reader *reader)
{
    if (scan_is_stream(reader->path)) return scan_read_stream(reader);
    if (scan_bruker_data(NULL, reader->path)) return scan_read_bruker(reader);
    if (scan_is_mrd2(reader->path)) return scan_read_mrd2(reader);
    return scan_is_twix(reader->path) ? scan_read_twix(reader) : read_hdf5(reader);
}

argand_status argand_scan_read(argand_scan **scan, const char *path, const argand_scan_options *options)
{
    if (scan) *scan = NULL;
    CHECK(scan && path, ARGAND_ARGUMENT, "argand_scan_read: scan and path must not be NULL");
    TRY(scan_check_options(options));
    scan_reader reader = {.path = path, .options = options ? *options : (argand_scan_options){0}};
    TRY(NEW(reader.owner, 1));
    const argand_status status = read_any(&reader);
    memory_free(reader.pieces);
    memory_free(reader.heads);
    scan_publish(reader.owner, path);
    if (status == ARGAND_OK)
        *scan = &reader.owner->scan;
    else
        argand_scan_destroy(&reader.owner->scan);
    return status;
}
