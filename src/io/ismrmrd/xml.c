/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the dataset "xml": one string of variable length (libismrmrd, h5py) or of fixed length. */
#include "io/hdf5/heap.h"
#include "io/ismrmrd/scan.h"

#include <string.h>
#include "base/memory.h"
#include "io/hdf5/dataset.h"

enum { LARGEST_STRING = 16 << 20 };

static argand_status read_varying(scan_reader *reader, hid_t dataset, hid_t type)
{
    argand_status status = ARGAND_OK;
    char *chars = NULL;
    TRY(hdf5_check_varying(reader->path, dataset, 0, &(hdf5_varying){"xml", 0, 1}, 1));
    const hid_t transfer = hdf5_arena_transfer(&reader->arena);
    const herr_t result = H5Dread(dataset, type, H5S_ALL, H5S_ALL, transfer, &chars);
    if (reader->arena.failed)
        status = status_set(ARGAND_MEMORY, "%s: no memory for the header", reader->path);
    else if (result < 0 || !chars)
        status = status_set(ARGAND_FORMAT, "%s: the header (xml) cannot be read: %s", reader->path,
                            result < 0 ? hdf5_reason() : "it is empty");
    else
        text_add(&reader->owner->header, "%s", chars);
    H5Pclose(transfer);
    hdf5_arena_clear(&reader->arena);
    return status;
}

static argand_status read_fixed(scan_reader *reader, hid_t dataset, hid_t type)
{
    argand_status status = ARGAND_OK;
    const size_t size = H5Tget_size(type);
    char *chars = NULL;
    CHECK(size && size <= LARGEST_STRING, ARGAND_FORMAT, "%s: a header (xml) of %.6g MB makes no sense",
          reader->path, (double)size / 1e6);
    CHECK(hdf5_can_hold(dataset, reader->file_bytes, size), ARGAND_FORMAT,
          "%s: promises a header (xml) of %zu bytes, but stores %.6g MB for it. It is damaged", reader->path,
          size, (double)H5Dget_storage_size(dataset) / 1e6);
    TRY(memory_new(&chars, size + 1, 1));
    CHECK_OR_DONE(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, chars) >= 0, ARGAND_FORMAT,
                  "%s: the header (xml) cannot be read: %s", reader->path, hdf5_reason());
    text_add(&reader->owner->header, "%s", chars);
done:
    memory_free(chars);
    return status;
}

argand_status scan_read_text(scan_reader *reader, hid_t dataset)
{
    argand_status status = ARGAND_OK;
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    CHECK_OR_DONE(H5Tget_class(type) == H5T_STRING, ARGAND_FORMAT, "%s: the header (xml) is not a text",
                  reader->path);
    CHECK_OR_DONE(H5Sget_simple_extent_npoints(space) == 1, ARGAND_FORMAT,
                  "%s: the header (xml) has %lld texts instead of one", reader->path,
                  (long long)H5Sget_simple_extent_npoints(space));
    TRY_OR_DONE(H5Tis_variable_str(type) > 0 ? read_varying(reader, dataset, type)
                                             : read_fixed(reader, dataset, type));
    status = reader->owner->header.status;
done:
    H5Sclose(space);
    H5Tclose(type);
    return status;
}

/* Names the images of a file without acquisitions, such as argand sense SCAN OUT.h5 and Gadgetron write. */
argand_status scan_refuse_images(const scan_reader *reader)
{
    text names = {0};
    hdf5_list(&names, reader->group);
    const bool images = strstr(text_chars(&names), "image") != NULL;
    const argand_status status =
        images ? status_set(
                     ARGAND_FORMAT,
                     "%s: holds images (%s) and no acquisitions: Argand reads the raw data of such files; "
                     "ismrmrd-python and h5py read their images",
                     reader->path, text_chars(&names))
               : status_set(ARGAND_FORMAT, "%s: holds no acquisitions: no table \"data\" in the group",
                            reader->path);
    text_free(&names);
    return status;
}

argand_status scan_read_header(scan_reader *reader)
{
    hid_t dataset;
    TRY(hdf5_open_dataset(&dataset, reader->group, reader->path, "xml"));
    if (dataset < 0) {
        text names = {0};
        hdf5_list(&names, reader->group);
        const argand_status status =
            !strncmp(text_chars(&names), "image", strlen("image"))
                ? scan_refuse_images(reader)
                : status_set(ARGAND_FORMAT,
                             "%s: has no header: no \"xml\" in the group. The group holds: %s. Is it an "
                             "ISMRMRD file?",
                             reader->path, text_chars(&names));
        text_free(&names);
        return status;
    }
    const argand_status status = scan_read_text(reader, dataset);
    H5Dclose(dataset);
    TRY(status);
    return scan_parse_header(reader);
}
