/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies arrays to the host as floats, and prints their axes. */
#include <stdio.h>
#include "base/memory.h"
#include "io/pack/pack.h"

const char *const pack_axis_names[AXIS_KINDS] = {
    "1", "k", "sample", "shot", "partition", "coil", "slice", "repetition", "contrast", "average", "set"};

static argand_status check_finite(const pack_array *a)
{
    int64_t count = a->is_complex ? 2 : 1;
    for (int i = 0; i < a->rank; i++) count *= a->dims[i];
    for (int64_t i = 0; i < count; i++)
        if (!(a->numbers[i] - a->numbers[i] == 0))
            return status_set(ARGAND_FORMAT, "%s: element %lld of memory is not finite", a->title,
                              (long long)(i / (a->is_complex ? 2 : 1)));
    return ARGAND_OK;
}

static argand_status download_floats(pack_array *a, const argand_array *from)
{
    argand_device *host;
    argand_array *floats = NULL;
    TRY(memory_take(&a->numbers, (size_t)argand_array_count(from) * (a->is_complex ? 2 : 1) * sizeof(float)));
    TRY(argand_device_open(&host, "cpu"));
    argand_status status =
        argand_array_create(&floats, host, a->is_complex ? ARGAND_C32 : ARGAND_R32, a->rank, a->dims);
    if (status == ARGAND_OK) status = argand_array_copy(floats, from);
    if (status == ARGAND_OK) status = argand_array_download(floats, a->numbers);
    argand_array_destroy(floats);
    argand_device_close(host);
    return status;
}

/* Uses the elements in place if they are contiguous single-precision numbers that the host can reach and
 * nothing changes them. Otherwise copies them. */
static argand_status take_floats(pack_array *a, const argand_array *from, bool changed)
{
    const argand_type type = argand_array_type(from);
    float *data = argand_array_data(from);
    if (changed || !data || !argand_array_is_contiguous(from) || (type != ARGAND_C32 && type != ARGAND_R32))
        return download_floats(a, from);
    a->borrowed = true;
    a->numbers = data;
    return argand_device_wait(argand_array_device(from));
}

argand_status pack_array_take(pack_array *a, const argand_pack_array *given, const char *usual, bool changed)
{
    *a = (pack_array){.name = given->name ? given->name : usual,
                      .axes = given->axes,
                      .slowest_first = given->slowest_first};
    a->title = given->title ? given->title : a->name;
    const argand_type type = argand_array_type(given->array);
    a->is_complex = type == ARGAND_C32 || type == ARGAND_C64;
    a->rank = argand_array_rank(given->array);
    for (int i = 0; i < a->rank; i++) a->dims[i] = argand_array_dim(given->array, i);
    const argand_status status = take_floats(a, given->array, changed);
    CHECK(status != ARGAND_MEMORY, status, "%s: no memory for %lld numbers", a->title,
          (long long)argand_array_count(given->array) * (a->is_complex ? 2 : 1));
    TRY(status);
    return check_finite(a);
}

void pack_array_free(pack_array *a)
{
    if (!a->borrowed) memory_free(a->numbers);
    *a = (pack_array){0};
}

const char *pack_shape_text(char *text, size_t size, const pack_array *a)
{
    const bool npy = a->slowest_first;
    size_t used = (size_t)snprintf(text, size, "%c", npy ? '(' : '{');
    for (int i = 0; i < a->rank && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", i ? ", " : "",
                                 (long long)a->dims[npy ? a->rank - 1 - i : i]);
    if (used < size) snprintf(text + used, size - used, npy ? a->rank == 1 ? ",)" : ")" : "}");
    return text;
}

const char *pack_axes_text(char *text, size_t size, const pack_array *a)
{
    const bool npy = a->slowest_first;
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
    const bool npy = a->slowest_first;
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
        return status_set(ARGAND_ARGUMENT, "%s: two of its axes are called %s", a->title,
                          pack_axis_names[kind]);
    int64_t stride = 1;
    for (int i = 0; i < axis; i++) stride *= a->dims[i];
    a->length[kind] = a->dims[axis];
    a->stride[kind] = stride;
    return ARGAND_OK;
}

/* Calls the axis after the coils repetition. Further axes must be named by the user. */
argand_status pack_axes_rest(pack_array *a, int from)
{
    char shape[256];
    bool repetitions = false;
    for (int i = from; i < a->rank; i++) {
        if (a->dims[i] == 1) continue;
        if (repetitions)
            return status_set(ARGAND_ARGUMENT,
                              "%s: of its axes %s two are left over besides samples and coils: name all "
                              "of them (--axes)",
                              a->title, pack_shape_text(shape, sizeof shape, a));
        TRY(pack_axis_set(a, i, AXIS_REPETITION));
        repetitions = true;
    }
    return ARGAND_OK;
}
