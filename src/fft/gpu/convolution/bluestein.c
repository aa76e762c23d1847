/* SPDX-License-Identifier: BSD-3-Clause */
/* Bluestein's algorithm (IEEE Trans. Audio Electroacoust. 18:451, 1970) inside a tile, for lines of any
 * length n without radices: with the chirp c[j] = exp(-pi i j^2 / n)
 *
 *   X[k] = c[k] sum_j (c[j] x[j]) conj(c[k - j]),
 *
 * a convolution of m points that have radices. This file chooses m and makes all tables; the steps are in
 * kernels/fft/tile/convolution.krn. */
#include "fft/gpu/convolution/convolution.h"

#include <math.h>
#include "array/array.h"
#include "base/memory.h"

/* ---- choosing m ---- */

/* Length from which the stages of lines are a loop: NVRTC takes longest for long lines, and the loop costs
 * them least. */
enum { LONG_LINE = 4096 };
enum { LONGEST_LINES = 12000 };
/* Factor on the cost of a loop: 12133 points by 28 31 28 are as fast as by 30 29 28, with 0.6 of the
 * machine code; shorter lines are slower. */
static const double LOOP_WORTH = 0.98;
/* Limits of wrong results. A convolution of m < 2 n - 1 points has 2 n - 1 - m of them, which threads
 * correct one by one. */
enum { MOST_WRAPPED = 16, EACH_WRAPPED = 128 };

static int64_t least_convolution(int64_t n)
{
    return 2 * n - 1 - (n / EACH_WRAPPED < MOST_WRAPPED ? n / EACH_WRAPPED : MOST_WRAPPED);
}

static int64_t most_convolution(int64_t n)
{
    return 2 * n - 1 + n / 2 + 8;
}

bool convolution_reaches(int64_t n, int64_t m)
{
    return !has_radices(n) && m >= least_convolution(n) && m <= most_convolution(n);
}

/* Puts the radices into an order that reads the same from both ends, if there is one; a radix without a
 * partner stands in the middle. Then the stages of the inverse are those of the forward transform. */
static void put_in_mirrored_order(radix_list *r)
{
    int half[TILE_STAGES], pairs = 0, middle = 0, alone = 0;
    for (int i = 0; i < r->count; i++)
        if (i + 1 < r->count && r->radix[i] == r->radix[i + 1])
            half[pairs++] = r->radix[i++];
        else
            middle = r->radix[i], alone++;
    if (alone > 1) return;
    for (int i = 0; i < pairs; i++) r->radix[i] = r->radix[r->count - 1 - i] = half[i];
    if (alone) r->radix[pairs] = middle;
}

bool convolution_may_loop(const line_convolution *f, const block_limits *l)
{
    return f->kind == CONVOLUTION_BLUESTEIN &&
           (l->tuning.stage_loop > 1 || (l->tuning.stage_loop && f->points > LONG_LINE));
}

/* Returns true if put_in_mirrored_order finds such an order. */
static bool has_mirrored_order(const radix_list *radices)
{
    radix_list r = *radices;
    put_in_mirrored_order(&r);
    for (int i = 0; i < r.count; i++)
        if (r.radix[i] != r.radix[r.count - 1 - i]) return false;
    return true;
}

bool bluestein_choose(line_convolution *f, radix_list *r, int64_t n, int most, const block_limits *limits)
{
    block_limits here = *limits;
    const block_limits *l = &here;
    here.chirped = true;
    if (!l->is_double && here.tuning.points_per_thread > 24) here.tuning.points_per_thread = 32;
    const bool loops =
        convolution_may_loop(&(line_convolution){.kind = CONVOLUTION_BLUESTEIN, .points = (int)n}, l);
    double best = HUGE_VAL;
    for (int64_t m = least_convolution(n); m <= most && m <= most_convolution(n); m++) {
        radix_list radices;
        const double worth = loops && n > LONGEST_LINES ? LOOP_WORTH : 1, below = best / worth;
        if (l->tuning.convolution_points && m != l->tuning.convolution_points) continue;
        if (!radices_choose_below(&radices, (int)m, l, below / (double)m)) continue;
        const double cost = radices.cost * (double)m * (has_mirrored_order(&radices) ? worth : 1);
        if (cost >= best) continue;
        best = cost;
        *r = radices;
        f->kind = CONVOLUTION_BLUESTEIN;
        f->convolution = (int)m;
        f->wrapped = m < 2 * n - 1 ? (int)(2 * n - 1 - m) : 0;
    }
    if (convolution_may_loop(f, l)) put_in_mirrored_order(r);
    return f->kind != CONVOLUTION_NONE;
}

/* ---- tables: the chirp ---- */

/* Sets c[j] = exp(-pi i j^2 / n) for the n elements j from -origin on, with j^2 modulo 2 n. In centred
 * lines j may be negative: j k = (j^2 + k^2 - (k - j)^2) / 2 still holds, and k - j does not change. */
static argand_status put_chirp(double *to, int64_t n, int64_t origin, argand_device *device)
{
    roots r;
    TRY(roots_make(&r, 2 * n));
#pragma omp parallel for num_threads(argand_device_threads(device)) schedule(static) if (n > 1 << 15)
    for (int64_t j = 0; j < n; j++) tables_root(to + 2 * j, &r, (j - origin) * (j - origin) % (2 * n));
    roots_release(&r);
    return ARGAND_OK;
}

argand_status convolution_chirp(twiddle_tables *t, const line_convolution *f, argand_device *device,
                                int *table)
{
    TRY(tables_reserve(t, f->points, table));
    return t->dry ? ARGAND_OK : put_chirp(tables_at(t, *table), f->points, f->origin, device);
}

/* Makes the table that corrects results n - wrapped + k of a convolution that is too short: point j of the
 * line, multiplied by its chirp, times element k - j of this table is added
 * (kernels/fft/tile/convolution.krn). */
argand_status convolution_wrapped(twiddle_tables *t, const line_convolution *f, int *table)
{
    const int64_t n = f->points, first = f->convolution - n + 1;
    if (!f->wrapped) return ARGAND_OK;
    TRY(tables_reserve(t, f->wrapped, table));
    if (t->dry) return ARGAND_OK;
    for (int64_t j = first; j < n; j++) {
        const int64_t other = f->convolution - j;
        double there[2], instead[2], *to = tables_at(t, *table) + 2 * (j - first);
        tables_twiddle(there, j * j % (2 * n), 2 * n);
        tables_twiddle(instead, other * other % (2 * n), 2 * n);
        to[0] = there[0] - instead[0];
        to[1] = instead[1] - there[1];
    }
    return ARGAND_OK;
}

/* ---- tables: the kernel's spectrum ---- */

/* Sets the kernel conj(c[j]) / m = exp(+pi i j^2 / n) / m, j on both sides of 0. */
argand_status bluestein_kernel(double *kernel, const line_convolution *f)
{
    const int64_t n = f->points, m = f->convolution, last = n - 1 > m / 2 ? n - 1 : m / 2;
    roots r;
    TRY(roots_make(&r, 2 * n));
    for (int64_t j = 0; j <= last; j++) {
        double w[2] = {0, 0};
        if (j < n) tables_root(w, &r, j * j % (2 * n));
        double *one = kernel + 2 * j, *other = kernel + 2 * (j ? m - j : 0);
        other[0] = w[0] / (double)m;
        other[1] = -w[1] / (double)m;
        if (j > m - n) continue; /* in a short convolution, m - j of the other half has this position */
        one[0] = other[0];
        one[1] = other[1];
    }
    roots_release(&r);
    return ARGAND_OK;
}

/* The spectrum by lines: point k1 + u k2 of the m = u v is point k2 of line k1. The kernel and its
 * spectrum are symmetric (point j equals point m - j), so that half of all columns and half of all lines
 * are enough. Columns v j1 + j2 of u elements are transformed and multiplied by exp(-2 pi i j2 k1 / m),
 * then lines of v are transformed in place (Gentleman and Sande 1966). */
typedef struct matrix {
    int64_t points, m, u, v;
    roots chirp, twiddles; /* roots of order 2 points, and of order m */
    double *columns;       /* 0 to v / 2, one after another */
} matrix;

/* Sets column j2 of the kernel, exp(+pi i j^2 / points) / m on both sides of 0. */
static void put_column(const matrix *x, int64_t j2)
{
    double *to = x->columns + 2 * j2 * x->u;
    for (int64_t i = j2; i < x->m; i += x->v, to += 2) {
        const int64_t j = i < x->m - i ? i : x->m - i;
        to[0] = to[1] = 0;
        if (j >= x->points) continue;
        tables_root(to, &x->chirp, j * j % (2 * x->points));
        to[0] /= (double)x->m;
        to[1] /= -(double)x->m;
    }
}

/* Moves point k1 of column j2 and of its mirror image, column v - j2, to a line, times the twiddle. The
 * mirror image's point k1 is the column's point -k1. */
static void twiddle_column(double *line, const matrix *x, int64_t j2, int64_t k1)
{
    const double *column = x->columns + 2 * j2 * x->u, *a = column + 2 * k1,
                 *b = column + 2 * (k1 ? x->u - k1 : 0);
    double w[2];
    tables_root(w, &x->twiddles, j2 * k1);
    line[2 * j2] = a[0] * w[0] - a[1] * w[1];
    line[2 * j2 + 1] = a[0] * w[1] + a[1] * w[0];
    if (j2 == 0 || 2 * j2 == x->v) return;
    line[2 * (x->v - j2)] = b[0] * w[0] + b[1] * w[1];
    line[2 * (x->v - j2) + 1] = b[1] * w[0] - b[0] * w[1];
}

/* Fills lines 0 to u / 2 from some columns at a time, so that whole cache lines are written. */
static void put_lines(double *to, const matrix *x, int64_t first, int64_t end)
{
    for (int64_t k1 = 0; k1 <= x->u / 2; k1++)
        for (int64_t j2 = first; j2 < end; j2++) twiddle_column(to + 2 * k1 * x->v, x, j2, k1);
}

/* Copies line u - k1 in reversed order to line k1: m - (k1 + u k2) = u - k1 + u (v - 1 - k2). */
static void mirror_line(double *to, const matrix *x, int64_t k1)
{
    const double *from = to + 2 * (x->u - k1) * x->v;
    double *line = to + 2 * k1 * x->v;
    for (int64_t k2 = 0; k2 < x->v; k2++) {
        line[2 * k2] = from[2 * (x->v - 1 - k2)];
        line[2 * k2 + 1] = from[2 * (x->v - 1 - k2) + 1];
    }
}

static argand_status fill(double *to, const matrix *x, argand_device *device)
{
    enum { TOGETHER = 8 };
    const int64_t columns = x->v / 2 + 1, lines = x->u / 2 + 1;
    const int threads = argand_device_threads(device);
    const bool many = x->m > 1 << 15;
#pragma omp parallel for num_threads(threads) schedule(static) if (many)
    for (int64_t j2 = 0; j2 < columns; j2++) put_column(x, j2);
    TRY(spectrum_transform(x->columns, (int)x->u, (int)columns, device));
#pragma omp parallel for num_threads(threads) schedule(static) if (many)
    for (int64_t j2 = 0; j2 < columns; j2 += TOGETHER)
        put_lines(to, x, j2, j2 + TOGETHER < columns ? j2 + TOGETHER : columns);
    TRY(spectrum_transform(to, (int)x->v, (int)lines, device));
#pragma omp parallel for num_threads(threads) schedule(static) if (many)
    for (int64_t k1 = lines; k1 < x->u; k1++) mirror_line(to, x, k1);
    return ARGAND_OK;
}

argand_status bluestein_spectrum(double *to, const line_convolution *f, int lines, argand_device *device)
{
    matrix x = {.points = f->points, .m = f->convolution, .u = lines, .v = f->convolution / lines};
    argand_status status;
    TRY_OR_DONE(roots_make(&x.chirp, 2 * x.points));
    TRY_OR_DONE(roots_make(&x.twiddles, x.m));
    TRY_OR_DONE(memory_take_pages(&x.columns, 2 * (size_t)((x.v / 2 + 1) * x.u) * sizeof *x.columns));
    status = fill(to, &x, device);
done:
    memory_free(x.columns);
    roots_release(&x.twiddles);
    roots_release(&x.chirp);
    return status;
}
