/* SPDX-License-Identifier: BSD-3-Clause */
/* Array files as numbers on the host, and their axes as text. */
#include "common/path.h"
#include "pack/pack.h"

#include <stdio.h>
#include <stdlib.h>

const char *const pack_axis_names[AXIS_KINDS] = {
    "1", "k", "sample", "shot", "partition", "coil", "slice", "repetition", "contrast", "average", "set"};

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

const char *pack_shape_text(char *text, size_t size, const pack_array *a)
{
    const bool npy = has_ending(a->path, ".npy");
    size_t used = (size_t)snprintf(text, size, "%c", npy ? '(' : '{');
    for (int i = 0; i < a->rank && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", i ? ", " : "",
                                 (long long)a->dims[npy ? a->rank - 1 - i : i]);
    if (used < size) snprintf(text + used, size - used, "%c", npy ? ')' : '}');
    return text;
}

const char *pack_axes_text(char *text, size_t size, const pack_array *a)
{
    const bool npy = has_ending(a->path, ".npy");
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < a->rank && used < size; i++) {
        const int axis = npy ? a->rank - 1 - i : i;
        if (a->kinds[axis] != AXIS_ONE)
            used += (size_t)snprintf(text + used, size - used, "%s%s %lld", used ? ", " : "",
                                     pack_axis_names[a->kinds[axis]], (long long)a->dims[axis]);
    }
    return text;
}

const char *pack_axes_list(char *text, size_t size, const pack_array *a)
{
    const bool npy = has_ending(a->path, ".npy");
    size_t used = 0;
    for (int i = 0; i < a->rank && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "," : "",
                                 pack_axis_names[a->kinds[npy ? a->rank - 1 - i : i]]);
    return text;
}

argand_status pack_axis_set(pack_array *a, int axis, pack_axis kind)
{
    a->kinds[axis] = kind;
    if (kind == AXIS_ONE) return ARGAND_OK;
    if (a->length[kind])
        return report_error(ARGAND_ARGUMENT, "%s %s: two of its axes are called %s", a->named, a->path,
                            pack_axis_names[kind]);
    int64_t stride = 1;
    for (int i = 0; i < axis; i++) stride *= a->dims[i];
    a->length[kind] = a->dims[axis];
    a->stride[kind] = stride;
    return ARGAND_OK;
}

/* Behind the coils: repetitions; what else there may be has to be named. */
argand_status pack_axes_rest(pack_array *a, int from)
{
    char shape[256];
    bool repetitions = false;
    for (int i = from; i < a->rank; i++) {
        if (a->dims[i] == 1) continue;
        if (repetitions)
            return report_error(ARGAND_ARGUMENT,
                                "%s %s: of its axes %s two are left over besides samples and coils: name all "
                                "of them (--axes)",
                                a->named, a->path, pack_shape_text(shape, sizeof shape, a));
        TRY(pack_axis_set(a, i, AXIS_REPETITION));
        repetitions = true;
    }
    return ARGAND_OK;
}
