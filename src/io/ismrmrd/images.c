/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes files of images (argand_scan_images_write): "xml", and for each series a group with "header"
 * (heads), "attributes" (a string for each image) and "data" {image, channel, z, y, x}, as libismrmrd
 * appends images. */
#include <string.h>

#include "base/memory.h"
#include "io/ismrmrd/write.h"

typedef struct request {
    const argand_scan *scan;
    int count;
    const argand_scan_series *series;
} request;

static argand_status check_series(const argand_scan_series *s)
{
    CHECK(s->name && *s->name && !strchr(s->name, '/') && s->count > 0 && s->images && s->array,
          ARGAND_ARGUMENT, "a series of images lacks its name, images or array");
    const int rank = argand_array_rank(s->array);
    CHECK(rank <= 4 && argand_array_dim(s->array, 3) == s->count, ARGAND_ARGUMENT,
          "series %s: %lld images in an array of %d dimensions, the fourth of %lld", s->name,
          (long long)s->count, rank, (long long)argand_array_dim(s->array, 3));
    return ARGAND_OK;
}

/* Creates a dataset whose first axis may grow, with one chunk per image. */
static hid_t create(hid_t group, const char *name, hid_t type, int rank, const hsize_t *dims)
{
    hsize_t most[5], chunk[5];
    for (int d = 0; d < rank; d++) most[d] = chunk[d] = dims[d];
    most[0] = H5S_UNLIMITED;
    chunk[0] = 1;
    const hid_t space = H5Screate_simple(rank, dims, most), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, rank, chunk);
    H5Pset_obj_track_times(creation, false); /* so that the same images give the same bytes */
    const hid_t dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    H5Sclose(space);
    return dataset;
}

static argand_status write_dataset(hid_t group, const char *name, hid_t type, int rank, const hsize_t *dims,
                                   const void *data)
{
    const hid_t dataset = create(group, name, type, rank, dims);
    const herr_t result = dataset < 0 ? -1 : H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    const char *reason = result < 0 ? hdf5_reason() : "";
    if (dataset >= 0) H5Dclose(dataset);
    CHECK(result >= 0, ARGAND_FILE, "%s of images cannot be written: %s", name, reason);
    return ARGAND_OK;
}

static argand_status write_heads(hid_t group, const argand_scan_series *s)
{
    const hsize_t count = (hsize_t)s->count;
    const uint32_t attributes = (uint32_t)strlen(s->attributes ? s->attributes : "");
    uint8_t *heads;
    argand_status status;
    TRY(NEW(heads, s->count * ARGAND_SCAN_IMAGE_HEAD));
    const hid_t type = ismrmrd_type_images();
    CHECK_OR_DONE(type >= 0, ARGAND_MEMORY, "no memory for heads of images");
    for (int64_t i = 0; i < s->count; i++) {
        argand_scan_image image = s->images[i];
        image.type = argand_array_type(s->array);
        for (int d = 0; d < 3; d++) image.n[d] = argand_array_dim(s->array, d);
        TRY_OR_DONE(argand_scan_image_head(heads + i * ARGAND_SCAN_IMAGE_HEAD, &image, attributes));
    }
    status = write_dataset(group, "header", type, 1, &count, heads);
done:
    if (type >= 0) H5Tclose(type);
    memory_free(heads);
    return status;
}

static argand_status write_attributes(hid_t group, const argand_scan_series *s)
{
    const hsize_t count = (hsize_t)s->count;
    const char **all;
    TRY(NEW(all, s->count));
    for (int64_t i = 0; i < s->count; i++) all[i] = s->attributes ? s->attributes : "";
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    const argand_status status = write_dataset(group, "attributes", type, 1, &count, all);
    H5Tclose(type);
    memory_free(all);
    return status;
}

static argand_status write_data(hid_t group, const argand_scan_series *s)
{
    const argand_type type = argand_array_type(s->array);
    const hid_t part = type == ARGAND_R64 || type == ARGAND_C64 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
    const hsize_t dims[5] = {(hsize_t)s->count, 1, (hsize_t)argand_array_dim(s->array, 2),
                             (hsize_t)argand_array_dim(s->array, 1), (hsize_t)argand_array_dim(s->array, 0)};
    char *numbers = NULL;
    TRY(NEW(numbers, argand_array_count(s->array) * (int64_t)argand_type_size(type)));
    argand_status status = argand_array_download(s->array, numbers);
    if (status == ARGAND_OK) {
        const hid_t element =
            type == ARGAND_C32 || type == ARGAND_C64 ? ismrmrd_type_complex(part) : H5Tcopy(part);
        status = write_dataset(group, "data", element, 5, dims, numbers);
        H5Tclose(element);
    }
    memory_free(numbers);
    return status;
}

static argand_status write_series(hid_t parent, const argand_scan_series *s)
{
    argand_status status;
    TRY(check_series(s));
    const hid_t group = H5Gcreate2(parent, s->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(group >= 0, ARGAND_FILE, "the group %s cannot be written: %s", s->name, hdf5_reason());
    TRY_OR_DONE(write_heads(group, s));
    TRY_OR_DONE(write_attributes(group, s));
    status = write_data(group, s);
done:
    H5Gclose(group);
    return status;
}

static argand_status fill_images(hid_t group, const void *what)
{
    const request *r = what;
    TRY(scan_write_header(group, r->scan));
    for (int i = 0; i < r->count; i++) TRY(write_series(group, &r->series[i]));
    return ARGAND_OK;
}

argand_status argand_scan_images_write(const char *path, const argand_scan *scan, int series_count,
                                       const argand_scan_series *series)
{
    CHECK(path && scan && series, ARGAND_ARGUMENT,
          "argand_scan_images_write: path, scan and series must not be NULL");
    CHECK(series_count > 0, ARGAND_ARGUMENT, "%s: no series of images", path);
    return scan_write_file(path, fill_images, &(request){scan, series_count, series});
}
