/* SPDX-License-Identifier: BSD-3-Clause */
/* Array files as floats on the host: noise and maps that go into a scan. */
#include "pack/pack.h"

#include <stdlib.h>

static argand_status download_floats(pack_array *a, const argand_array *from, argand_device *device)
{
    const int64_t count = argand_array_count(from) * (a->is_complex ? 2 : 1);
    argand_array *floats = NULL;
    a->numbers = malloc((size_t)count * sizeof *a->numbers);
    if (!a->numbers)
        return report_error(ARGAND_MEMORY, "%s %s: no memory for %lld numbers", a->named, a->path,
                            (long long)count);
    argand_status status =
        argand_array_create(&floats, device, a->is_complex ? ARGAND_C32 : ARGAND_R32, a->rank, a->dims);
    if (!status) status = argand_array_copy(floats, from);
    if (!status) status = argand_array_download(floats, a->numbers);
    argand_array_destroy(floats);
    return status;
}

static argand_status check_finite(const pack_array *a)
{
    int64_t count = a->is_complex ? 2 : 1;
    for (int i = 0; i < a->rank; i++) count *= a->dims[i];
    for (int64_t i = 0; i < count; i++)
        if (!(a->numbers[i] - a->numbers[i] == 0))
            return report_error(ARGAND_FORMAT, "%s %s: element %lld of memory is not finite", a->named,
                                a->path, (long long)(i / (a->is_complex ? 2 : 1)));
    return ARGAND_OK;
}

argand_status pack_array_read(pack_array *a, const char *named, const char *path, argand_device *device)
{
    argand_array *array;
    *a = (pack_array){.named = named, .path = path};
    const argand_status found = argand_array_read(&array, path, device);
    if (found) return report_error(found, "%s %s", named, argand_message());
    const argand_type type = argand_array_type(array);
    a->is_complex = type == ARGAND_C32 || type == ARGAND_C64;
    a->rank = argand_array_rank(array);
    for (int i = 0; i < a->rank; i++) a->dims[i] = argand_array_dim(array, i);
    argand_status status = download_floats(a, array, device);
    argand_array_destroy(array);
    return status ? status : check_finite(a);
}

void pack_array_free(pack_array *a)
{
    free(a->numbers);
    *a = (pack_array){0};
}
