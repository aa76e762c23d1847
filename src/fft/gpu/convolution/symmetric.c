/* SPDX-License-Identifier: BSD-3-Clause */
/* The spectrum of Bluestein's kernel by lines: point k1 + u k2 of the m = u v is point k2 of line k1. The
 * kernel's point j is its point m - j, and so it is with the spectrum, so that half of all columns, and
 * half of all lines, are enough: columns v j1 + j2 of u elements are transformed, multiplied by exp(-2 pi i
 * j2 k1 / m), and then lines of v are (Gentleman and Sande 1966), where they are to be. */
#include "fft/gpu/convolution/convolution.h"

#include "array/array.h"
#include "base/memory.h"

typedef struct matrix {
    int64_t points, m, u, v;
    roots chirp, twiddles; /* of 2 points, of m */
    double *columns;       /* 0 to v / 2, one after another */
} matrix;

/* Column j2 of the kernel, exp(+pi i j^2 / points) / m on both sides of 0. */
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

/* Point k1 of a column and of the one that mirrors it, which has its point -k1. */
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

/* Lines 0 to u / 2, some columns at a time as caches have whole lines of memory. */
static void put_lines(double *to, const matrix *x, int64_t first, int64_t end)
{
    for (int64_t k1 = 0; k1 <= x->u / 2; k1++)
        for (int64_t j2 = first; j2 < end; j2++) twiddle_column(to + 2 * k1 * x->v, x, j2, k1);
}

/* Line k1 mirrors line u - k1: m - (k1 + u k2) = u - k1 + u (v - 1 - k2). */
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

argand_status spectrum_symmetric(double *to, const line_convolution *f, int lines, argand_device *device)
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
