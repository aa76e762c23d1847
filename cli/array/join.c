/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins several arrays. */
#include "array/numbers.h"

#include <string.h>

static argand_status check_alike(const numbers *a, const numbers *b, int axis)
{
    char one[256], other[256];
    for (int d = 0; d < ARGAND_MAX_RANK; d++)
        if (d != axis && a->dims[d] != b->dims[d])
            return report_error(
                ARGAND_ARGUMENT, "%s %s and %s %s: all axes except the joined one must have equal lengths",
                a->path, numbers_shape(one, sizeof one, a), b->path, numbers_shape(other, sizeof other, b));
    return ARGAND_OK;
}

/* Joins along an axis below y's rank, in blocks of all lower axes. */
static argand_status join(numbers *y, const numbers *x, int count, int axis, int rank)
{
    int64_t dims[ARGAND_MAX_RANK], block = 1, blocks = 1, at = 0;
    memcpy(dims, x->dims, sizeof dims);
    for (int i = 1; i < count; i++) {
        TRY(check_alike(&x[0], &x[i], axis));
        dims[axis] += x[i].dims[axis];
    }
    TRY(numbers_like(y, x, rank, dims));
    for (int d = 0; d < axis; d++) block *= dims[d];
    for (int d = axis + 1; d < rank; d++) blocks *= dims[d];
    for (int i = 0; i < count; i++) {
        const int64_t part = block * x[i].dims[axis];
        y->is_complex |= x[i].is_complex;
        y->is_double |= x[i].is_double;
        for (int64_t b = 0; b < blocks; b++)
            memcpy(y->v + b * block * dims[axis] + at, x[i].v + b * part, (size_t)part * sizeof *y->v);
        at += part;
    }
    return ARGAND_OK;
}

argand_status array_concatenate(numbers *y, numbers *x, int count, const array_settings *s)
{
    int bits, order[ARGAND_MAX_RANK], axes;
    if (!s->axes) return report_error(ARGAND_ARGUMENT, "concatenate: give --axes N");
    TRY(array_axes(&bits, order, &axes, s, x));
    if (axes != 1) return report_error(ARGAND_ARGUMENT, "--axes %s: give exactly one axis", s->axes);
    TRY(join(y, x, count, order[0], x->rank));
    y->geometry = (argand_geometry){0};
    return ARGAND_OK;
}

argand_status array_stack(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)s;
    if (x->rank == ARGAND_MAX_RANK)
        return report_error(ARGAND_ARGUMENT, "%s: has %d axes already", x->path, ARGAND_MAX_RANK);
    return join(y, x, count, x->rank, x->rank + 1);
}
