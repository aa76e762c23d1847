/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens data sets of HDF5 files that may be damaged or hostile, and bounds how much they can hold. */
#include "io/hdf5/dataset.h"

#include <string.h>
#include "base/size.h"
#include "io/hdf5/session.h"

enum { DEFLATE_AT_BEST = 1032 };

/* Refuses an external link; HDF5 calls this before it opens the other file. */
static herr_t refuse_link(const char *parent, const char *parent_group, const char *child,
                          const char *child_object, unsigned *flags, hid_t list, void *data)
{
    (void)parent, (void)parent_group, (void)child, (void)child_object, (void)flags, (void)list, (void)data;
    return -1;
}

hid_t hdf5_stay_inside(hid_t class_of_list)
{
    const hid_t list = H5Pcreate(class_of_list);
    if (H5Pset_elink_cb(list, refuse_link, NULL) >= 0) return list;
    H5Pclose(list);
    return -1;
}

static argand_status check_link(hid_t group, const char *path, const char *name, hid_t list)
{
    H5L_info_t link;
    CHECK(H5Lget_info(group, name, &link, list) >= 0, ARGAND_FORMAT,
          "%s: %s cannot be looked at (%s). The file is damaged", path, name, hdf5_reason());
    CHECK(link.type == H5L_TYPE_HARD || link.type == H5L_TYPE_SOFT, ARGAND_UNSUPPORTED,
          "%s: %s is a link to another file. Only data inside the file are read: copy them into one file "
          "(h5copy -f ext)",
          path, name);
    return ARGAND_OK;
}

/* Refuses data stored in other files: a hostile file could show any file that the reader may read. */
static argand_status check_storage(hid_t dataset, const char *path, const char *name)
{
    const hid_t creation = H5Dget_create_plist(dataset);
    const H5D_layout_t layout = H5Pget_layout(creation);
    const int external = H5Pget_external_count(creation);
    H5Pclose(creation);
    CHECK(creation >= 0 && layout >= 0 && external >= 0, ARGAND_FORMAT,
          "%s: the layout of %s makes no sense. The file is damaged", path, name);
    CHECK(layout != H5D_VIRTUAL && !external, ARGAND_UNSUPPORTED,
          "%s: the numbers of %s lie in other files (%s). Only data inside the file are read: copy them into "
          "one "
          "file (h5repack)",
          path, name, external ? "external storage" : "a virtual data set");
    return ARGAND_OK;
}

argand_status hdf5_open_dataset(hid_t *dataset, hid_t group, const char *path, const char *name)
{
    argand_status status = ARGAND_OK;
    const hid_t list = hdf5_stay_inside(H5P_DATASET_ACCESS);
    *dataset = -1;
    CHECK_OR_DONE(list >= 0, ARGAND_MEMORY, "%s: no memory to open %s", path, name);
    if (H5Lexists(group, name, list) <= 0) goto done;
    TRY_OR_DONE(check_link(group, path, name, list));
    *dataset = H5Dopen2(group, name, list);
    CHECK_OR_DONE(*dataset >= 0, ARGAND_FORMAT, "%s: %s cannot be opened (%s). The file is damaged", path,
                  name, hdf5_reason());
    status = check_storage(*dataset, path, name);
done:
    if (status != ARGAND_OK && *dataset >= 0) {
        H5Dclose(*dataset);
        *dataset = -1;
    }
    if (list >= 0) H5Pclose(list);
    return status;
}

/* Returns the unpacked bytes that a chunk claims: HDF5 allocates memory for a whole chunk. */
static size_t chunk_bytes(hid_t dataset, hid_t creation)
{
    hsize_t chunk[H5S_MAX_RANK];
    const hid_t type = H5Dget_type(dataset);
    size_t bytes = H5Tget_size(type);
    H5Tclose(type);
    const int rank = H5Pget_chunk(creation, H5S_MAX_RANK, chunk);
    for (int d = 0; d < rank && d < H5S_MAX_RANK; d++) size_multiply(&bytes, bytes, (size_t)chunk[d]);
    return rank > 0 ? bytes : SIZE_MAX;
}

/* Returns the stored bytes. The size of a contiguous layout is a claim of the file and may be anything. */
static hsize_t stored_inside(hid_t dataset, H5D_layout_t layout, hsize_t file_bytes)
{
    const hsize_t stored = H5Dget_storage_size(dataset);
    if (stored > file_bytes) return 0;
    if (layout != H5D_CONTIGUOUS) return stored;
    const haddr_t at = H5Dget_offset(dataset);
    return at != HADDR_UNDEF && at <= file_bytes - stored ? stored : 0;
}

bool hdf5_can_hold(hid_t dataset, hsize_t file_bytes, size_t bytes)
{
    const hid_t creation = H5Dget_create_plist(dataset);
    const H5D_layout_t layout = H5Pget_layout(creation);
    size_t most = stored_inside(dataset, layout, file_bytes);
    if (layout == H5D_CHUNKED && H5Pget_nfilters(creation) > 0) size_multiply(&most, most, DEFLATE_AT_BEST);
    const bool chunks_fit = layout != H5D_CHUNKED || chunk_bytes(dataset, creation) <= most;
    H5Pclose(creation);
    return bytes <= most && chunks_fit;
}
