/* SPDX-License-Identifier: BSD-3-Clause */
/* The spectrum of a convolution's kernel. Short kernels are transformed in long double, so that each number
 * is rounded once. Long ones are transformed in double by the plan of the convolution itself, which takes a
 * hundredth of the time and no memory but the result's. */
#include "fft/cpu/any_length/method.h"

#include "base/memory.h"

/* Kernels with more numbers are long: the exact transform of so many takes 5 ms. */
enum { EXACT_MOST = 1 << 13 };

static int64_t kernel_length(const any_length_big *big)
{
    return big->halves * big->half[0].tree.n;
}

bool any_length_is_long(const any_length_big *big)
{
    return big->in_order && kernel_length(big) > EXACT_MOST;
}

argand_status any_length_circle_make(any_length_circle *c, int64_t n, const any_length_plan *plan,
                                     const any_length_big *big)
{
    *c = (any_length_circle){.n = n, .is_double = plan->is_double, .by_table = any_length_is_long(big)};
    return c->by_table ? roots_make(&c->table, n) : ARGAND_OK;
}

void any_length_circle_at(const any_length_circle *c, int64_t k, long double *re, long double *im)
{
    double cosine, sine;
    if (!c->by_table) {
        any_length_root(re, im, k, c->n, c->is_double);
        return;
    }
    roots_at(&c->table, k % c->n, &cosine, &sine);
    *re = (long double)cosine;
    *im = (long double)sine;
}

void any_length_circle_release(any_length_circle *c)
{
    if (c->by_table) roots_release(&c->table);
}

/* ---- exact ---- */

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
    TRY(any_length_table(plan, &spectrum, (size_t)c->tree.n, any_length_pair(plan)));
    for (int64_t i = 0; i < c->tree.n; i++) {
        const long double *s = all + 2 * (first + step * any_length_tree_output(&c->tree, i));
        const long double scale = 1 / (long double)(c->tree.n * step);
        any_length_put(plan, spectrum, i, s[0] * scale, s[1] * scale);
    }
    c->spectrum = spectrum;
    return ARGAND_OK;
}

static argand_status exact_spectra(any_length_plan *plan, any_length_big *big, any_length_weight *kernel,
                                   const void *context)
{
    const int64_t n = kernel_length(big);
    long double *circle = NULL, *values = NULL, *spectrum = NULL, *work = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(circle, 2 * n));
    TRY_OR_DONE(NEW(values, 2 * n));
    TRY_OR_DONE(NEW(spectrum, 2 * n));
    TRY_OR_DONE(NEW(work, 2 * n));
    for (int64_t k = 0; k < n; k++) {
        any_length_root(&circle[2 * k], &circle[2 * k + 1], k, n, plan->is_double);
        kernel(context, k, &values[2 * k], &values[2 * k + 1]);
    }
    const exact_fft exact = {n, circle};
    exact_run(&exact, spectrum, values, n, 1, work);
    for (int h = 0; h < big->halves; h++)
        TRY_OR_DONE(take_spectrum(plan, &big->half[h], spectrum, h, big->halves));
done:
    memory_free(work);
    memory_free(spectrum);
    memory_free(values);
    memory_free(circle);
    return status;
}

/* ---- long ---- */

/* The spectrum of all 2 m numbers k has its even elements from k[j] + k[j + m], and its odd ones from
 * (k[j] - k[j + m]) exp(-2 pi i j / 2 m), by m points each. */
static void fold_kernel(double *to, const any_length_big *big, int half, any_length_weight *kernel,
                        const void *context, const any_length_circle *circle)
{
    const int64_t m = big->half[0].tree.n;
    long double re, im, other_re, other_im, c, s;
    for (int64_t j = 0; j < m; j++) {
        kernel(context, j, &re, &im);
        if (big->halves == 2) {
            kernel(context, j + m, &other_re, &other_im);
            re += half ? -other_re : other_re;
            im += half ? -other_im : other_im;
        }
        if (half) {
            any_length_circle_at(circle, j, &c, &s);
            const long double turned = re * c + im * s;
            im = im * c - re * s;
            re = turned;
        }
        to[2 * j] = (double)re;
        to[2 * j + 1] = (double)im;
    }
}

static argand_status long_spectrum(any_length_plan *plan, any_length_big *big, int half,
                                   any_length_weight *kernel, const void *context)
{
    const int64_t m = big->half[0].tree.n, n = kernel_length(big);
    simd_single *transform = NULL;
    any_length_circle circle = {.by_table = false};
    void *spectrum, *work = NULL;
    double *values = NULL;
    argand_status status;
    TRY(any_length_table(plan, &spectrum, (size_t)m, any_length_pair(plan)));
    TRY_OR_DONE(any_length_circle_make(&circle, n, plan, big));
    TRY_OR_DONE(simd_single_make(&transform, true, m));
    TRY_OR_DONE(memory_new(&work, simd_single_work_bytes(transform) + 1, 1));
    if (!plan->is_double) TRY_OR_DONE(NEW(values, 2 * m));
    double *to = plan->is_double ? spectrum : values;
    fold_kernel(to, big, half, kernel, context, &circle);
    simd_single_run(transform, to, to, work, 0, 1 / (double)n);
    for (int64_t i = 0; i < 2 * m && !plan->is_double; i++) ((float *)spectrum)[i] = (float)to[i];
    big->half[half].spectrum = spectrum;
done:
    memory_free(values);
    memory_free(work);
    simd_single_release(transform);
    any_length_circle_release(&circle);
    return status;
}

argand_status any_length_spectra(any_length_plan *plan, any_length_big *big, any_length_weight *kernel,
                                 const void *context)
{
    if (!any_length_is_long(big)) return exact_spectra(plan, big, kernel, context);
    for (int h = 0; h < big->halves; h++) TRY(long_spectrum(plan, big, h, kernel, context));
    return ARGAND_OK;
}

size_t any_length_big_bytes(const any_length_plan *plan, const any_length_big *big)
{
    enum { EXACT_ARRAYS = 4, WEIGHTS = 4 }; /* roots, the kernel, its spectrum, work memory */
    const size_t length = (size_t)kernel_length(big), pair = any_length_pair(plan),
                 tables = memory_product((size_t)big->n, WEIGHTS * pair + 2 * sizeof(int32_t)) +
                          memory_product(length, pair);
    if (!any_length_is_long(big))
        return tables + memory_product(length, 2 * EXACT_ARRAYS * sizeof(long double));
    /* work memory, and a spectrum before it is rounded */
    return tables + memory_product((size_t)big->half[0].tree.n, plan->is_double ? 16 : 32);
}
