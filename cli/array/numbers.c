/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes array files as complex doubles, and parses lists of axes and sizes. */
#include "array/numbers.h"
#include "files/shape.h"
#include "common/path.h"

#include <stdlib.h>
#include <string.h>

static argand_status take(numbers *x)
{
    x->v = calloc((size_t)x->count, sizeof *x->v);
    if (x->v) return ARGAND_OK;
    return report_error(ARGAND_MEMORY, "no memory for %lld numbers", (long long)x->count);
}

argand_status numbers_take(numbers *x, const argand_array *from, argand_device *host)
{
    const argand_type type = argand_array_type(from);
    argand_array *wide = NULL;
    x->is_complex = type == ARGAND_C32 || type == ARGAND_C64;
    x->is_double = type == ARGAND_R64 || type == ARGAND_C64;
    x->rank = argand_array_rank(from);
    x->count = argand_array_count(from);
    for (int d = 0; d < ARGAND_MAX_RANK; d++) x->dims[d] = argand_array_dim(from, d);
    argand_status status = argand_array_create(&wide, host, ARGAND_C64, x->rank, x->dims);
    if (!status) status = argand_array_copy(wide, from);
    if (!status) status = take(x);
    if (!status) status = argand_array_download(wide, x->v);
    argand_array_destroy(wide);
    return status;
}

argand_status numbers_read(numbers *x, const char *path, argand_device *device)
{
    argand_array *array;
    *x = (numbers){.path = path, .numpy = shape_is_slowest_first(path)};
    argand_status status = path_is_nifti(path) ? argand_nifti_read(&array, path, device, &x->geometry)
                                               : argand_array_read(&array, path, device);
    if (status) return status;
    status = numbers_take(x, array, device);
    argand_array_destroy(array);
    return status;
}

argand_status numbers_give(argand_array **array, const numbers *x, argand_device *device)
{
    argand_array *wide = NULL, *real = NULL;
    const bool part = !x->is_complex;
    argand_status status = argand_array_create(&wide, device, ARGAND_C64, x->rank, x->dims);
    if (!status) status = argand_array_upload(wide, x->v);
    if (!status && part) status = argand_array_create(&real, device, ARGAND_R64, x->rank, x->dims);
    if (!status && part) status = argand_array_real(real, wide);
    const argand_type type = x->is_double ? (part ? ARGAND_R64 : ARGAND_C64) : part ? ARGAND_R32 : ARGAND_C32;
    if (!status) status = argand_array_create(array, device, type, x->rank, x->dims);
    if (!status) status = argand_array_copy(*array, part ? real : wide);
    argand_array_destroy(real);
    argand_array_destroy(wide);
    return status;
}

argand_status numbers_write(const char *path, const numbers *x, argand_device *device)
{
    argand_array *array = NULL;
    argand_status status = numbers_give(&array, x, device);
    if (!status && path_is_nifti(path))
        status = argand_nifti_write(path, array, &x->geometry, x->geometry.time_step);
    else if (!status)
        status = argand_array_write(path, array);
    argand_array_destroy(array);
    return status;
}

void numbers_free(numbers *x)
{
    free(x->v);
    x->v = NULL;
}

argand_status numbers_like(numbers *y, const numbers *x, int rank, const int64_t *dims)
{
    numbers made = *x;
    made.v = NULL;
    made.rank = rank;
    made.count = 1;
    for (int d = 0; d < ARGAND_MAX_RANK; d++) {
        made.dims[d] = d < rank ? dims[d] : 1;
        if (__builtin_mul_overflow(made.count, made.dims[d], &made.count) || made.count > INT64_C(1) << 40)
            return report_error(ARGAND_ARGUMENT, "%s: the result would have more than 2^40 elements",
                                x->path);
    }
    *y = made;
    return take(y);
}

void numbers_move(numbers *y, numbers *x)
{
    *y = *x;
    x->v = NULL;
}

const char *numbers_shape(char *text, size_t size, const numbers *x)
{
    return shape_text(text, size, x->path, x->rank, x->dims);
}

argand_status array_list(int64_t *list, int *count, const char *named, const char *text)
{
    const char *at = text;
    for (*count = 0; *count < ARGAND_MAX_RANK;) {
        char *end;
        list[*count] = strtoll(at, &end, 10);
        if (end == at || llabs(list[*count]) > INT64_C(1) << 40) break;
        ++*count;
        at = end;
        if (!*at) return ARGAND_OK;
        if (*at != ',') break;
        at++;
    }
    return report_error(ARGAND_ARGUMENT, "%s %s: give up to %d whole numbers with commas between them", named,
                        text, ARGAND_MAX_RANK);
}

/* BART's arrays have 16 axes, of which the last ones have length 1 and are not in x->rank. Those of them that
 * argand_array has are given to x up to the one that is asked for. */
static void add_bart_axes(numbers *x, int64_t axis)
{
    if (has_ending(x->path, ".cfl") && axis >= x->rank && axis < ARGAND_MAX_RANK) x->rank = (int)axis + 1;
}

argand_status array_axes(int *bits, int *order, int *count, const array_settings *s, numbers *x)
{
    int64_t list[ARGAND_MAX_RANK];
    char shape[256];
    int found;
    const bool is_cfl = has_ending(x->path, ".cfl");
    *bits = (1 << x->rank) - 1;
    if (count) *count = x->rank;
    for (int i = 0; order && i < x->rank; i++) order[i] = x->numpy ? x->rank - 1 - i : i;
    if (!s->axes) return ARGAND_OK;
    TRY(array_list(list, &found, "--axes", s->axes));
    if (count) *count = found;
    for (int i = 0; i < found; i++) add_bart_axes(x, list[i]);
    *bits = 0;
    for (int i = 0; i < found; i++) {
        const int64_t own = list[i] < 0 ? list[i] + x->rank : list[i];
        const int axis = (int)(x->numpy ? x->rank - 1 - own : own);
        if (own < 0 || own >= x->rank)
            return report_error(ARGAND_ARGUMENT, "--axes %s: %s has the shape %s; its axes are 0 to %d%s",
                                s->axes, x->path, numbers_shape(shape, sizeof shape, x),
                                (is_cfl ? ARGAND_MAX_RANK : x->rank) - 1,
                                is_cfl ? " (of BART's 16, axes of length 1 are left out)" : "");
        if (*bits & 1 << axis)
            return report_error(ARGAND_ARGUMENT, "--axes %s: names axis %lld twice", s->axes, (long long)own);
        *bits |= 1 << axis;
        if (order) order[i] = axis;
    }
    return ARGAND_OK;
}
