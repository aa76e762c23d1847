/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes scans in libismrmrd's layout. The group "dataset" holds "xml" (one string of variable length),
 * "data" (the table of acquisitions) and the arrays. Each array has a first dimension of 1, to which
 * copies may be appended. */
#include "io/ismrmrd/write.h"

#include <string.h>
#include "base/files/file.h"
#include "base/memory.h"

static hid_t number_type(argand_type type)
{
    const hid_t part = type == ARGAND_R64 || type == ARGAND_C64 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
    return type == ARGAND_C32 || type == ARGAND_C64 ? ismrmrd_type_complex(part) : H5Tcopy(part);
}

/* Makes a whole copy one chunk, as libismrmrd does, unless it is too large: HDF5 limits chunks to 4 GB. */
static void choose_chunk(hsize_t *chunk, const hsize_t *dims, int rank, size_t element)
{
    const double most = 1e9;
    double bytes = (double)element;
    for (int d = 0; d < rank; d++) bytes *= (double)dims[d];
    for (int d = 0; d < rank; d++) {
        const double others = bytes / (double)dims[d];
        chunk[d] = dims[d];
        if (bytes > most) chunk[d] = others < most ? (hsize_t)(most / others) : 1;
        bytes = others * (double)chunk[d];
    }
}

static hid_t create_array(hid_t group, const argand_scan_array *a, hid_t type)
{
    hsize_t dims[ARGAND_MAX_RANK + 1] = {1}, most[ARGAND_MAX_RANK + 1] = {H5S_UNLIMITED},
                                   chunk[ARGAND_MAX_RANK + 1];
    for (int d = 0; d < a->rank; d++) most[d + 1] = dims[d + 1] = (hsize_t)a->dims[a->rank - 1 - d];
    choose_chunk(chunk, dims, a->rank + 1, H5Tget_size(type));
    const hid_t space = H5Screate_simple(a->rank + 1, dims, most), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, a->rank + 1, chunk);
    H5Pset_obj_track_times(creation, false); /* keeps the bytes of equal scans equal */
    const hid_t dataset = H5Dcreate2(group, a->name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    H5Sclose(space);
    return dataset;
}

argand_status scan_write_arrays(hid_t group, const argand_scan *scan)
{
    for (int i = 0; i < scan->array_count; i++) {
        const argand_scan_array *a = &scan->arrays[i];
        const hid_t type = number_type(a->type), dataset = create_array(group, a, type);
        const herr_t result =
            dataset < 0 ? -1 : H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, a->data);
        const char *reason = result < 0 ? hdf5_reason() : "";
        if (dataset >= 0) H5Dclose(dataset);
        H5Tclose(type);
        CHECK(result >= 0, ARGAND_FILE, "array %s cannot be written: %s", a->name, reason);
    }
    return ARGAND_OK;
}

static argand_status write_string(hid_t group, const char *chars)
{
    const hsize_t one = 1, unlimited = H5S_UNLIMITED;
    const hid_t type = H5Tcopy(H5T_C_S1), creation = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(1, &one, &unlimited);
    H5Tset_size(type, H5T_VARIABLE);
    H5Pset_chunk(creation, 1, &one);
    H5Pset_obj_track_times(creation, false); /* keeps the bytes of equal scans equal */
    const hid_t dataset = H5Dcreate2(group, "xml", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const herr_t result = dataset < 0 ? -1 : H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &chars);
    const char *reason = result < 0 ? hdf5_reason() : "";
    if (dataset >= 0) H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(creation);
    H5Tclose(type);
    CHECK(result >= 0, ARGAND_FILE, "the header cannot be written: %s", reason);
    return ARGAND_OK;
}

argand_status scan_make_header(text *xml, const argand_scan *scan)
{
    scan_header_text(xml, scan);
    TRY(xml->status);
    return scan_header_keep(xml, scan);
}

argand_status scan_write_header(hid_t group, const argand_scan *scan)
{
    text xml = {0};
    argand_status status = scan_make_header(&xml, scan);
    if (status == ARGAND_OK) status = write_string(group, text_chars(&xml));
    text_free(&xml);
    return status;
}

static argand_status write_group(hid_t file, scan_fill fill, const void *what)
{
    const hid_t group = H5Gcreate2(file, "dataset", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(group >= 0, ARGAND_FILE, "the group cannot be written: %s", hdf5_reason());
    const argand_status status = fill(group, what);
    H5Gclose(group);
    return status;
}

/* Copies the finished file from HDF5's memory to the draft. */
static argand_status write_image(file_draft *draft, hid_t file)
{
    char *bytes = NULL;
    argand_status status;
    const bool flushed = H5Fflush(file, H5F_SCOPE_LOCAL) >= 0;
    const ssize_t count = flushed ? H5Fget_file_image(file, NULL, 0) : -1;
    CHECK(count > 0, ARGAND_FILE, "%s: HDF5 cannot finish it: %s", draft->target, hdf5_reason());
    TRY(memory_take(&bytes, (size_t)count));
    CHECK_OR_DONE(H5Fget_file_image(file, bytes, (size_t)count) == count, ARGAND_FILE,
                  "%s: HDF5 cannot finish it: %s", draft->target, hdf5_reason());
    status = file_write(draft, bytes, (size_t)count);
done:
    memory_free(bytes);
    return status;
}

/* Makes the file in memory and writes it to the disk as a draft. On a full disk HDF5 (1.10) cannot close a
 * file of its own: it keeps the file open and crashes when the program ends. */
static argand_status write_draft(file_draft *draft, scan_fill fill, const void *what)
{
    enum { STEP = 1 << 22 }; /* growth of HDF5's memory, bytes */
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, STEP, false);
    const hid_t file = H5Fcreate("argand", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    CHECK(file >= 0, ARGAND_FILE, "%s: cannot be written: %s", draft->target, hdf5_reason());
    argand_status status = write_group(file, fill, what);
    if (status == ARGAND_OK)
        status = write_image(draft, file);
    else
        status_prefix(status, "%s: ", draft->target);
    H5Fclose(file);
    return status;
}

argand_status scan_write_file(const char *path, scan_fill fill, const void *what)
{
    argand_status status;
    file_draft draft;
    hdf5_session session;
    TRY(file_begin(&draft, path));
    TRY_OR_DONE(hdf5_enter(&session));
    status = hdf5_blame(write_draft(&draft, fill, what), path);
    hdf5_leave(&session);
done:
    if (status == ARGAND_OK) return file_finish(&draft);
    file_abandon(&draft);
    return status;
}

static argand_status fill_scan(hid_t group, const void *what)
{
    const argand_scan *scan = what;
    TRY(scan_write_header(group, scan));
    TRY(scan_write_acquisitions(group, scan));
    return scan_write_arrays(group, scan);
}

argand_status argand_scan_write(const argand_scan *scan, const char *path)
{
    CHECK(scan && path, ARGAND_ARGUMENT, "argand_scan_write: scan and path must not be NULL");
    const argand_status status = scan_check_writable(scan);
    if (status != ARGAND_OK) return status_prefix(status, "%s: ", path);
    return scan_write_file(path, fill_scan, scan);
}
