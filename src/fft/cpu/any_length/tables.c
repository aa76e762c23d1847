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

static void set_pair(const any_length_plan *plan, void *table, int64_t at, long double re, long double im)
{
    if (plan->is_double) {
        ((double *)table)[2 * at] = (double)re;
        ((double *)table)[2 * at + 1] = (double)im;
    } else {
        ((float *)table)[2 * at] = (float)re;
        ((float *)table)[2 * at + 1] = (float)im;
    }
}

static size_t pair_size(const any_length_plan *plan)
{
    return plan->is_double ? 16 : 8;
}

static argand_status make_twiddles(any_length_plan *plan, any_length_level *l, const int32_t *from,
                                   int64_t block)
{
    void *twiddles;
    long double re, im;
    TRY(any_length_table(plan, &twiddles, (size_t)((l->radix - 1) * l->parts), pair_size(plan)));
    for (int64_t i = 0, at = 0; i < l->parts; i++) {
        const int64_t j = from ? i / block * block + from[i % block] : i;
        for (int64_t q = 1; q < l->radix; q++, at++) {
            any_length_root(&re, &im, j * q, l->radix * l->parts, plan->is_double);
            set_pair(plan, twiddles, at, re, im);
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
    TRY(any_length_table(plan, &sums, (size_t)(half * half), pair_size(plan)));
    for (int64_t m = 1, at = 0; m <= half; m++)
        for (int64_t k = 1; k <= half; k++, at++) {
            any_length_root(&re, &im, k * m, l->radix, plan->is_double);
            set_pair(plan, sums, at, re, im);
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
    TRY(any_length_table(plan, &table, (size_t)count, pair_size(plan)));
    for (int64_t i = 0; i < count; i++) {
        long double re, im;
        function(context, i, &re, &im);
        set_pair(plan, table, i, re, im);
    }
    *weights = table;
    return ARGAND_OK;
}

/* ---- the spectrum of a kernel ---- */

typedef struct exact_fft {
    int64_t n;
    const long double *roots; /* n pairs: cos, sin of 2 pi k / n */
} exact_fft;

static int64_t least_factor(int64_t n)
{
    for (int64_t f = 2; f * f <= n; f++)
        if (n % f == 0) return f;
    return n;
}

/* to: n contiguous pairs; from: pairs at stride `step`. Columns of every step-th root. (Cooley and Tukey
 * 1965) */
static void exact_run(const exact_fft *e, long double *to, const long double *from, int64_t n, int64_t step,
                      long double *work)
{
    if (n == 1) {
        to[0] = from[0];
        to[1] = from[1];
        return;
    }
    const int64_t r = least_factor(n), m = n / r, unit = e->n / n;
    for (int64_t q = 0; q < r; q++)
        exact_run(e, work + 2 * q * m, from + 2 * q * step, m, step * r, to + 2 * q * m);
    for (int64_t k = 0; k < n; k++) {
        long double re = 0, im = 0;
        for (int64_t q = 0; q < r; q++) {
            const long double *w = e->roots + 2 * (k * q % n * unit), *x = work + 2 * (q * m + k % m);
            re += x[0] * w[0] + x[1] * w[1];
            im += x[1] * w[0] - x[0] * w[1];
        }
        to[2 * k] = re;
        to[2 * k + 1] = im;
    }
}

static argand_status take_spectrum(any_length_plan *plan, any_length_convolution *c, const long double *all,
                                   int64_t first, int64_t step)
{
    void *spectrum;
    TRY(any_length_table(plan, &spectrum, (size_t)c->tree.n, pair_size(plan)));
    for (int64_t i = 0; i < c->tree.n; i++) {
        const long double *s = all + 2 * (first + step * any_length_tree_output(&c->tree, i));
        const long double scale = 1 / (long double)(c->tree.n * step);
        set_pair(plan, spectrum, i, s[0] * scale, s[1] * scale);
    }
    c->spectrum = spectrum;
    return ARGAND_OK;
}

size_t any_length_spectra_bytes(int64_t kernel)
{
    enum { ARRAYS = 4 }; /* roots, the kernel, its spectrum, work memory */
    return memory_product((size_t)kernel, 2 * ARRAYS * sizeof(long double));
}

argand_status any_length_spectra(any_length_plan *plan, any_length_big *big, const long double *kernel)
{
    const int64_t n = big->halves * big->half[0].tree.n;
    long double *roots = NULL, *spectrum = NULL, *work = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(roots, 2 * n));
    TRY_OR_DONE(NEW(spectrum, 2 * n));
    TRY_OR_DONE(NEW(work, 2 * n));
    for (int64_t k = 0; k < n; k++) any_length_root(&roots[2 * k], &roots[2 * k + 1], k, n, plan->is_double);
    const exact_fft exact = {n, roots};
    exact_run(&exact, spectrum, kernel, n, 1, work);
    for (int h = 0; h < big->halves; h++)
        TRY_OR_DONE(take_spectrum(plan, &big->half[h], spectrum, h, big->halves));
done:
    memory_free(work);
    memory_free(spectrum);
    memory_free(roots);
    return status;
}
