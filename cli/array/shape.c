/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves elements: each element of the result comes from one place of the input. */
#include "array/numbers.h"

#include <stdlib.h>
#include <string.h>

/* The axis of x that axis d of y reads, and the index there: from + sign times y's index, modulo the
 * length if `wraps`. Elements outside x are 0. */
typedef struct move {
    int axis;
    int64_t from;
    int sign;
    bool wraps;
} move;

static void identity(move *m)
{
    for (int d = 0; d < ARGAND_MAX_RANK; d++) m[d] = (move){d, 0, 1, false};
}

static int64_t place(const numbers *y, const numbers *x, const move *m, const int64_t *strides, int64_t i)
{
    int64_t at = 0;
    for (int d = 0; d < y->rank; d++) {
        const int64_t n = x->dims[m[d].axis];
        int64_t element = m[d].from + m[d].sign * (i % y->dims[d]);
        i /= y->dims[d];
        if (m[d].wraps) element = (element % n + n) % n;
        if (element < 0 || element >= n) return -1;
        at += element * strides[m[d].axis];
    }
    return at;
}

static argand_status apply(numbers *y, const numbers *x, int rank, const int64_t *dims, const move *m)
{
    int64_t strides[ARGAND_MAX_RANK + 1] = {1};
    for (int d = 0; d < ARGAND_MAX_RANK; d++) strides[d + 1] = strides[d] * x->dims[d];
    TRY(numbers_like(y, x, rank, dims));
    for (int64_t i = 0; i < y->count; i++) {
        const int64_t at = place(y, x, m, strides, i);
        if (at >= 0) y->v[i] = x->v[at];
    }
    return ARGAND_OK;
}

/* Moves the image's position: the centre voxel floor(n/2) of y along d, in elements of x. */
static void move_centre(numbers *y, const numbers *x, int d, double from)
{
    const double step = from + (double)(y->dims[d] / 2) - (double)(x->dims[d] / 2);
    const double *direction = d == 0 ? y->geometry.read : d == 1 ? y->geometry.phase : y->geometry.slice;
    for (int i = 0; i < 3 && d < 3; i++) y->geometry.centre[i] += step * y->geometry.voxel[d] * direction[i];
}

/* Reads a range "3:7", ":7", "3:" or "5" (one element); negative numbers count from the end. */
static argand_status read_range(int64_t *from, int64_t *to, const char *text, int64_t n)
{
    char *end;
    *from = strtoll(text, &end, 10);
    const bool one = *end != ':';
    bool good = !*end ? end != text : *end == ':';
    *to = n;
    if (good && *end == ':' && end[1]) {
        const char *at = end + 1;
        *to = strtoll(at, &end, 10);
        good = end != at && !*end;
    }
    if (*from < 0) *from += n;
    if (*to < 0) *to += n;
    if (one) *to = *from + 1;
    if (good && *from >= 0 && *from < *to && *to <= n) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT, "--range %s: give FROM:TO (TO not included) within 0:%lld", text,
                        (long long)n);
}

argand_status array_slice(numbers *y, numbers *x, int count, const array_settings *s)
{
    int bits;
    int64_t dims[ARGAND_MAX_RANK];
    move m[ARGAND_MAX_RANK];
    (void)count;
    if (!s->range || !s->axes)
        return report_error(ARGAND_ARGUMENT, "slice: give --axes and --range, say --axes 0 --range 2:5");
    TRY(array_axes(&bits, NULL, NULL, s, x));
    identity(m);
    memcpy(dims, x->dims, sizeof dims);
    for (int d = 0; d < x->rank; d++) {
        int64_t to = 0;
        if (!(bits & 1 << d)) continue;
        TRY(read_range(&m[d].from, &to, s->range, x->dims[d]));
        dims[d] = to - m[d].from;
    }
    TRY(apply(y, x, x->rank, dims, m));
    for (int d = 0; d < x->rank; d++) move_centre(y, x, d, (double)m[d].from);
    return ARGAND_OK;
}

argand_status array_resize(numbers *y, numbers *x, int count, const array_settings *s)
{
    int bits, order[ARGAND_MAX_RANK], axes, sizes;
    int64_t dims[ARGAND_MAX_RANK], list[ARGAND_MAX_RANK];
    move m[ARGAND_MAX_RANK];
    (void)count;
    if (!s->size) return report_error(ARGAND_ARGUMENT, "resize: give --size, say --size 128,128");
    TRY(array_axes(&bits, order, &axes, s, x));
    TRY(array_list(list, &sizes, "--size", s->size));
    if (sizes != axes)
        return report_error(ARGAND_ARGUMENT, "--size %s: give a size for each of %d axes", s->size, axes);
    identity(m);
    memcpy(dims, x->dims, sizeof dims);
    for (int i = 0; i < axes; i++) {
        if (list[i] < 1) return report_error(ARGAND_ARGUMENT, "--size %s: sizes are at least 1", s->size);
        dims[order[i]] = list[i];
        m[order[i]].from = x->dims[order[i]] / 2 - list[i] / 2;
    }
    return apply(y, x, x->rank, dims, m); /* the centre stays */
}

static argand_status shift(numbers *y, numbers *x, const array_settings *s, int kind, int64_t by)
{
    int bits;
    move m[ARGAND_MAX_RANK];
    TRY(array_axes(&bits, NULL, NULL, s, x));
    identity(m);
    for (int d = 0; d < x->rank; d++) {
        const int64_t half = kind > 0 ? x->dims[d] / 2 : (x->dims[d] + 1) / 2;
        if (bits & 1 << d) m[d] = (move){d, -(kind ? half : by) % x->dims[d], 1, true};
    }
    return apply(y, x, x->rank, x->dims, m);
}

argand_status array_fftshift(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)count;
    return shift(y, x, s, 1, 0);
}

argand_status array_ifftshift(numbers *y, numbers *x, int count, const array_settings *s)
{
    (void)count;
    return shift(y, x, s, -1, 0);
}

argand_status array_roll(numbers *y, numbers *x, int count, const array_settings *s)
{
    int64_t by[ARGAND_MAX_RANK];
    int given = 0;
    (void)count;
    if (s->by) TRY(array_list(by, &given, "--by", s->by));
    if (given != 1) return report_error(ARGAND_ARGUMENT, "roll: give --by N, in elements");
    return shift(y, x, s, 0, by[0]);
}

argand_status array_flip(numbers *y, numbers *x, int count, const array_settings *s)
{
    int bits;
    move m[ARGAND_MAX_RANK];
    (void)count;
    TRY(array_axes(&bits, NULL, NULL, s, x));
    identity(m);
    for (int d = 0; d < x->rank; d++)
        if (bits & 1 << d) m[d] = (move){d, x->dims[d] - 1, -1, false};
    TRY(apply(y, x, x->rank, x->dims, m));
    y->geometry = (argand_geometry){0};
    return ARGAND_OK;
}

argand_status array_transpose(numbers *y, numbers *x, int count, const array_settings *s)
{
    int bits, order[ARGAND_MAX_RANK], axes;
    int64_t dims[ARGAND_MAX_RANK];
    move m[ARGAND_MAX_RANK];
    (void)count;
    TRY(array_axes(&bits, order, &axes, s, x));
    if (axes != x->rank)
        return report_error(ARGAND_ARGUMENT, "--axes %s: name each of the %d axes once, in their new order",
                            s->axes, x->rank);
    identity(m);
    for (int i = 0; i < axes; i++) { /* without --axes: reversed, as in NumPy */
        const int from = s->axes ? order[i] : order[axes - 1 - i], to = x->numpy ? axes - 1 - i : i;
        m[to].axis = from;
        dims[to] = x->dims[from];
    }
    TRY(apply(y, x, x->rank, dims, m));
    y->geometry = (argand_geometry){0};
    return ARGAND_OK;
}

static argand_status reshaped(numbers *y, numbers *x, int rank, const int64_t *dims)
{
    char shape[256];
    int64_t all = 1;
    for (int d = 0; d < rank; d++)
        if (dims[d] < 1 || __builtin_mul_overflow(all, dims[d], &all)) all = -1;
    if (all != x->count)
        return report_error(ARGAND_ARGUMENT,
                            "--size: %s %s has %lld elements; give sizes whose product is that number",
                            x->path, numbers_shape(shape, sizeof shape, x), (long long)x->count);
    numbers_move(y, x);
    y->rank = rank;
    for (int d = 0; d < ARGAND_MAX_RANK; d++) y->dims[d] = d < rank ? dims[d] : 1;
    return ARGAND_OK;
}

argand_status array_reshape(numbers *y, numbers *x, int count, const array_settings *s)
{
    int64_t list[ARGAND_MAX_RANK], dims[ARGAND_MAX_RANK];
    int rank;
    (void)count;
    if (!s->size) return report_error(ARGAND_ARGUMENT, "reshape: give --size, say --size 4,128,128");
    TRY(array_list(list, &rank, "--size", s->size));
    for (int i = 0; i < rank; i++) dims[x->numpy ? rank - 1 - i : i] = list[i];
    return reshaped(y, x, rank, dims);
}

argand_status array_squeeze(numbers *y, numbers *x, int count, const array_settings *s)
{
    int64_t dims[ARGAND_MAX_RANK];
    int rank = 0;
    (void)count, (void)s;
    for (int d = 0; d < x->rank; d++)
        if (x->dims[d] > 1) dims[rank++] = x->dims[d];
    return reshaped(y, x, rank, dims);
}
