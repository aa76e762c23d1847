/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies arrays from and to host memory. */
#include "array/copy.h"

static size_t bytes_of(const argand_array *array)
{
    return (size_t)array->count * argand_type_size(array->type);
}

static size_t start_of(const argand_array *array)
{
    return (size_t)array->offset * argand_type_size(array->type);
}

/* Makes a contiguous temporary array of the same shape on the same device. */
static argand_status make_packed(argand_array **packed, const argand_array *array)
{
    return array_scratch(packed, storage_device(array->storage), array->type, array->rank, array->dims);
}

argand_status argand_array_upload(argand_array *array, const void *host)
{
    CHECK_ARRAY(array);
    CHECK(host, ARGAND_ARGUMENT, "argand_array_upload: no host memory");
    if (argand_array_is_contiguous(array))
        return storage_upload(array->storage, start_of(array), host, bytes_of(array));
    argand_array *packed;
    TRY(make_packed(&packed, array));
    argand_status status = storage_upload(packed->storage, 0, host, bytes_of(array));
    if (status == ARGAND_OK) status = array_copy_within(array, packed);
    argand_array_destroy(packed);
    return status;
}

argand_status argand_array_download(const argand_array *array, void *host)
{
    CHECK_ARRAY(array);
    CHECK(host, ARGAND_ARGUMENT, "argand_array_download: no host memory");
    if (argand_array_is_contiguous(array))
        return storage_download(array->storage, start_of(array), host, bytes_of(array));
    argand_array *packed;
    TRY(make_packed(&packed, array));
    argand_status status = array_copy_within(packed, array);
    if (status == ARGAND_OK) status = storage_download(packed->storage, 0, host, bytes_of(array));
    argand_array_destroy(packed);
    return status;
}
