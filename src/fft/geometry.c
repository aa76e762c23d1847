/* SPDX-License-Identifier: BSD-3-Clause */
/* Which elements a set of strides touches, and whether two of them are the same. */
#include "fft/problem.h"

#include <stdlib.h>
#include "base/memory.h"

typedef struct span {
    int64_t n, stride;
} span;

static int spans_of(span *spans, const fft_geometry *g, bool out_side, int64_t axis_0_count)
{
    int count = 0;
    for (int i = 0; i < g->rank + g->loops; i++) {
        const argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
        spans[count++] =
            (span){i == 0 ? axis_0_count : axis->n, out_side ? axis->out_stride : axis->in_stride};
    }
    return count;
}

argand_status geometry_extent(extent *e, const fft_geometry *g, bool out_side, int64_t axis_0_count)
{
    span spans[2 * ARGAND_MAX_RANK];
    const int count = spans_of(spans, g, out_side, axis_0_count);
    *e = (extent){0, 0};
    for (int i = 0; i < count; i++) {
        int64_t reach, *end = spans[i].stride < 0 ? &e->low : &e->high;
        const bool overflow = __builtin_mul_overflow(spans[i].n - 1, spans[i].stride, &reach) ||
                              __builtin_add_overflow(*end, reach, end);
        CHECK(!overflow && *end < INT64_MAX / 64 && *end > INT64_MIN / 64, ARGAND_ARGUMENT,
              "fft: %s stride %lld over %lld elements goes beyond any memory", out_side ? "output" : "input",
              (long long)spans[i].stride, (long long)spans[i].n);
    }
    return ARGAND_OK;
}

static int by_stride(const void *a, const void *b)
{
    const int64_t x = llabs(((const span *)a)->stride), y = llabs(((const span *)b)->stride);
    return (x > y) - (x < y);
}

/* Enough for distinct elements: each stride reaches beyond all that the smaller ones span together. */
static bool nested(const span *spans, int count)
{
    int64_t reach = 0;
    for (int i = 0; i < count; i++) {
        if (llabs(spans[i].stride) <= reach) return false;
        reach += (spans[i].n - 1) * llabs(spans[i].stride);
    }
    return true;
}

/* For strides that are not nested but may still be distinct, such as 2 x 3 elements at strides 3 and 2: marks
 * each. */
static argand_status mark_all(const span *spans, int count, const extent *e, bool *distinct)
{
    unsigned char *marks;
    int64_t total = 1;
    *distinct = true;
    for (int i = 0; i < count; i++) total *= spans[i].n;
    TRY(NEW(marks, e->high - e->low + 1));
    for (int64_t index = 0; index < total && *distinct; index++) {
        int64_t rest = index, at = -e->low;
        for (int i = 0; i < count; rest /= spans[i++].n) at += rest % spans[i].n * spans[i].stride;
        *distinct = !marks[at];
        marks[at] = 1;
    }
    memory_free(marks);
    return ARGAND_OK;
}

argand_status geometry_check_output(const fft_geometry *g, bool out_side, int64_t axis_0_count)
{
    span all[2 * ARGAND_MAX_RANK], spans[2 * ARGAND_MAX_RANK];
    const int all_count = spans_of(all, g, out_side, axis_0_count);
    int count = 0;
    bool distinct = true;
    extent e;
    for (int i = 0; i < all_count; i++)
        if (all[i].n > 1) spans[count++] = all[i];
    qsort(spans, (size_t)count, sizeof *spans, by_stride);
    if (nested(spans, count)) return ARGAND_OK;
    TRY(geometry_extent(&e, g, out_side, axis_0_count));
    TRY(mark_all(spans, count, &e, &distinct));
    CHECK(distinct, ARGAND_ARGUMENT, "argand_fft_create: with these strides two %s elements are one",
          out_side ? "output" : "real");
    return ARGAND_OK;
}

/* Axes of length 1 may have any stride. */
bool geometry_is(const fft_geometry *a, const fft_geometry *b)
{
    if (a->rank != b->rank || a->loops != b->loops) return false;
    for (int i = 0; i < a->rank + a->loops; i++) {
        const argand_axis *x = i < a->rank ? &a->axes[i] : &a->loop[i - a->rank];
        const argand_axis *y = i < a->rank ? &b->axes[i] : &b->loop[i - a->rank];
        if (x->n != y->n) return false;
        if (x->n > 1 && (x->in_stride != y->in_stride || x->out_stride != y->out_stride)) return false;
    }
    return true;
}
