/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of a plan, computed in long double and rounded once. */
#include "fft/cpu/any_length/any_length.h"

#include <math.h>
#include "base/memory.h"
#include "base/pi.h"

argand_status any_length_table(any_length_plan *plan, void *pointer_to_pointer, size_t count, size_t size)
{
    CHECK(plan->tables < ANY_LENGTH_TABLES, ARGAND_INTERNAL, "fft: length %lld takes more than %d tables",
          (long long)plan->n, ANY_LENGTH_TABLES);
    TRY(memory_new(pointer_to_pointer, count, size));
    plan->table[plan->tables++] = *(void **)pointer_to_pointer;
    return ARGAND_OK;
}

/* The angle is brought into an eighth of the circle in whole numbers, where nothing is lost. Doubles are
 * precise enough for single-precision tables, and four times as fast. */
void any_length_root(long double *re, long double *im, int64_t k, int64_t n, bool is_double)
{
    k %= n;
    const bool lower = 2 * k > n;
    if (lower) k = n - k;
    const bool left = 4 * k > n;
    const int64_t quarter = left ? n - 2 * k : 2 * k; /* of a circle of 2 n */
    const bool steep = 4 * quarter > n;
    const long double share = steep ? (long double)(n - 2 * quarter) / 4 : (long double)quarter / 2;
    const long double angle = LONG_TWO_PI * share / (long double)n;
    const long double c = is_double ? cosl(angle) : (long double)cos((double)angle),
                      s = is_double ? sinl(angle) : (long double)sin((double)angle);
    const long double x = steep ? s : c, y = steep ? c : s;
    *re = left ? -x : x;
    *im = lower ? -y : y;
}

void any_length_put(const any_length_plan *plan, void *table, int64_t at, long double re, long double im)
{
    if (plan->is_double) {
        ((double *)table)[2 * at] = (double)re;
        ((double *)table)[2 * at + 1] = (double)im;
    } else {
        ((float *)table)[2 * at] = (float)re;
        ((float *)table)[2 * at + 1] = (float)im;
    }
}

static argand_status make_twiddles(any_length_plan *plan, any_length_level *l, const int32_t *from,
                                   int64_t block)
{
    void *twiddles;
    long double re, im;
    TRY(any_length_table(plan, &twiddles, (size_t)((l->radix - 1) * l->parts), any_length_pair(plan)));
    for (int64_t i = 0, at = 0; i < l->parts; i++) {
        const int64_t j = from ? i / block * block + from[i % block] : i;
        for (int64_t q = 1; q < l->radix; q++, at++) {
            any_length_root(&re, &im, j * q, l->radix * l->parts, plan->is_double);
            any_length_put(plan, twiddles, at, re, im);
        }
    }
    l->twiddles = twiddles;
    return ARGAND_OK;
}

static argand_status make_sums(any_length_plan *plan, any_length_level *l)
{
    const int64_t half = l->radix / 2;
    void *sums;
    long double re, im;
    TRY(any_length_table(plan, &sums, (size_t)(half * half), any_length_pair(plan)));
    for (int64_t m = 1, at = 0; m <= half; m++)
        for (int64_t k = 1; k <= half; k++, at++) {
            any_length_root(&re, &im, k * m, l->radix, plan->is_double);
            any_length_put(plan, sums, at, re, im);
        }
    l->sums = sums;
    return ARGAND_OK;
}

argand_status any_length_tree_tables(any_length_plan *plan, any_length_tree *tree, const int32_t *from,
                                     int64_t block)
{
    for (int i = 0; i < tree->count; i++) {
        any_length_level *l = &tree->level[i];
        if (l->parts > 1) TRY(make_twiddles(plan, l, from, block));
        if (!l->big && l->radix > BUTTERFLY_MOST) TRY(make_sums(plan, l));
    }
    return ARGAND_OK;
}

int64_t any_length_tree_output(const any_length_tree *tree, int64_t i)
{
    int64_t k = 0, step = 1;
    for (int l = 0; l < tree->count; l++) {
        const int64_t parts = tree->level[l].parts;
        k += i / parts * step;
        i %= parts;
        step *= tree->level[l].radix;
    }
    return k;
}

argand_status any_length_convolution_make(any_length_plan *plan, any_length_big *big, int64_t m, bool single)
{
    any_length_tree *tree = &big->half[0].tree;
    big->in_order = single;
    if (single)
        *tree = (any_length_tree){.n = m, .count = 1, .level = {{.radix = m, .parts = 1}}};
    else
        any_length_tree_choose(tree, m, STRAIGHT_MOST, true);
    if (!single) TRY(any_length_tree_tables(plan, tree, NULL, 1));
    big->half[1].tree = *tree;
    return ARGAND_OK;
}

argand_status any_length_weights(any_length_plan *plan, const void **weights, int64_t count,
                                 any_length_weight *function, const void *context)
{
    void *table;
    TRY(any_length_table(plan, &table, (size_t)count, any_length_pair(plan)));
    for (int64_t i = 0; i < count; i++) {
        long double re, im;
        function(context, i, &re, &im);
        any_length_put(plan, table, i, re, im);
    }
    *weights = table;
    return ARGAND_OK;
}
