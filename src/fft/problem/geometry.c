/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the elements that a set of strides covers, and checks whether two of them coincide. */
#include "fft/problem/problem.h"

#include <stdlib.h>

typedef struct stride_run {
    int64_t n, stride;
} stride_run;

static int strides_of(stride_run *runs, const fft_geometry *g, bool is_output, int64_t axis_0_count)
{
    int count = 0;
    for (int i = 0; i < g->rank + g->loops; i++) {
        const argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
        runs[count++] =
            (stride_run){i == 0 ? axis_0_count : axis->n, is_output ? axis->out_stride : axis->in_stride};
    }
    return count;
}

bool extents_disjoint(const extent *a, int64_t size_a, const extent *b, int64_t size_b, int64_t behind)
{
    return behind + (a->high + 1) * size_a <= b->low * size_b ||
           (b->high + 1) * size_b <= behind + a->low * size_a;
}

argand_status geometry_extent(extent *e, const fft_geometry *g, bool is_output, int64_t axis_0_count)
{
    stride_run runs[2 * ARGAND_MAX_RANK];
    const int count = strides_of(runs, g, is_output, axis_0_count);
    *e = (extent){0, 0};
    for (int i = 0; i < count; i++) {
        int64_t reach, *end = runs[i].stride < 0 ? &e->low : &e->high;
        const bool overflow = __builtin_mul_overflow(runs[i].n - 1, runs[i].stride, &reach) ||
                              __builtin_add_overflow(*end, reach, end);
        CHECK(!overflow && *end < INT64_MAX / 64 && *end > INT64_MIN / 64, ARGAND_ARGUMENT,
              "fft: %s stride %lld over %lld elements goes beyond any memory", is_output ? "output" : "input",
              (long long)runs[i].stride, (long long)runs[i].n);
    }
    return ARGAND_OK;
}

static int by_stride(const void *a, const void *b)
{
    const int64_t x = ((const stride_run *)a)->stride, y = ((const stride_run *)b)->stride;
    return (x > y) - (x < y);
}

/* Sorts the absolute strides of dimensions longer than 1 in ascending order. */
static int sorted_strides(stride_run *runs, const fft_geometry *g, bool is_output, int64_t axis_0_count)
{
    stride_run all[2 * ARGAND_MAX_RANK];
    const int all_count = strides_of(all, g, is_output, axis_0_count);
    int count = 0;
    for (int i = 0; i < all_count; i++)
        if (all[i].n > 1) runs[count++] = (stride_run){all[i].n, llabs(all[i].stride)};
    qsort(runs, (size_t)count, sizeof *runs, by_stride);
    return count;
}

/* Returns true if each stride is larger than the extent of all smaller ones, so that elements are
 * distinct. */
static bool nested(const stride_run *runs, int count)
{
    int64_t reach = 0;
    for (int i = 0; i < count; i++) {
        if (runs[i].stride <= reach) return false;
        reach += (runs[i].n - 1) * runs[i].stride;
    }
    return true;
}

/* Search for strides that are not nested but may still give distinct elements, such as 2 x 3 elements at
 * strides 3 and 2. Two elements coincide if numbers d, not all of them 0 and |d[i]| < n[i], have sum d[i]
 * stride[i] = 0. The d of the largest stride is tried first, as far as the smaller strides can compensate.
 * The time depends on lengths, not on strides, and no memory is needed. */
typedef struct search {
    const stride_run *runs;
    int64_t reach[2 * ARGAND_MAX_RANK]; /* extent of all smaller strides */
    int64_t steps;                      /* steps left; below 0: given up */
} search;

enum { MOST_STEPS = 1 << 26 }; /* about a second */

static int64_t divided(int64_t a, int64_t b, bool up)
{
    const int64_t q = a / b, rest = a % b;
    return q + (up && rest > 0) - (!up && rest < 0);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Returns true if the first `count` strides can add up to `sum`. any: a larger stride has a d other than
 * 0. */
static bool add_up(search *s, int count, int64_t sum, bool any)
{
    if (s->steps-- <= 0) return true;
    if (count == 0) return any && sum == 0;
    const stride_run *a = &s->runs[count - 1];
    if (count == 2 && !any) {
        const stride_run *b = &s->runs[0];
        const int64_t common = common_divisor(a->stride, b->stride);
        return a->stride / common < b->n && b->stride / common < a->n;
    }
    const int64_t reach = s->reach[count - 1], low = divided(sum - reach, a->stride, true),
                  high = divided(sum + reach, a->stride, false), most = a->n - 1,
                  least = any ? -most : 0; /* -d gives the same sums as d */
    for (int64_t d = low > least ? low : least; d <= high && d <= most; d++)
        if (add_up(s, count - 1, sum - d * a->stride, any || d)) return true;
    return false;
}

argand_status geometry_check_output(const fft_geometry *g, bool is_output, int64_t axis_0_count)
{
    stride_run runs[2 * ARGAND_MAX_RANK];
    search s = {.runs = runs, .steps = MOST_STEPS};
    extent e;
    TRY(geometry_extent(&e, g, is_output, axis_0_count));
    const int count = sorted_strides(runs, g, is_output, axis_0_count);
    if (nested(runs, count)) return ARGAND_OK;
    for (int i = 1; i < count; i++) s.reach[i] = s.reach[i - 1] + (runs[i - 1].n - 1) * runs[i - 1].stride;
    const bool coincide = runs[0].stride == 0 || add_up(&s, count, 0, false);
    CHECK(s.steps >= 0, ARGAND_UNSUPPORTED,
          "argand_fft_create: with these strides two %s elements may share one address, and the check takes "
          "too long; use simpler strides",
          is_output ? "output" : "real");
    CHECK(!coincide, ARGAND_ARGUMENT,
          "argand_fft_create: with these strides two %s elements share one address; give other strides",
          is_output ? "output" : "real");
    return ARGAND_OK;
}

/* Compares two geometries; axes of length 1 may have any stride. */
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
