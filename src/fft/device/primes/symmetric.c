/* SPDX-License-Identifier: BSD-3-Clause */
/* The spectrum of Bluestein's kernel by lines: number k1 + u k2 of the m = u v is number k2 of line k1. The
 * kernel's number j is its number m - j, and so it is with the spectrum, so that half of all columns, and
 * half of all lines, are enough: columns v j1 + j2 of u numbers are transformed, turned by exp(-2 pi i j2 k1
 * / m), and then lines of v are (Gentleman and Sande 1966), where they are to be. */
#include "fft/device/box.h"

#include "array/array.h"
#include "base/memory.h"

typedef struct matrix {
    int64_t points, m, u, v;
    roots chirp, turns; /* of 2 points, of m */
    double *columns;    /* of 0 to v / 2 those from `first` on, one after another */
    int64_t first;
} matrix;

/* Column j2 of the kernel, exp(+pi i j^2 / points) / m on both sides of 0. */
static void put_column(double *to, const matrix *x, int64_t j2)
{
    for (int64_t i = j2; i < x->m; i += x->v, to += 2) {
        const int64_t j = i < x->m - i ? i : x->m - i;
        to[0] = to[1] = 0;
        if (j >= x->points) continue;
        tables_root(to, &x->chirp, j * j % (2 * x->points));
        to[0] /= (double)x->m;
        to[1] /= -(double)x->m;
    }
}

/* Number k1 of column j2 and of the one that mirrors it, which has its number -k1. */
static void turn_numbers(double *line, const double *column, const matrix *x, int64_t j2, int64_t k1)
{
    const double *a = column + 2 * k1, *b = column + 2 * (k1 ? x->u - k1 : 0);
    double w[2];
    tables_root(w, &x->turns, j2 * k1);
    line[2 * j2] = a[0] * w[0] - a[1] * w[1];
    line[2 * j2 + 1] = a[0] * w[1] + a[1] * w[0];
    if (j2 == 0 || 2 * j2 == x->v) return;
    line[2 * (x->v - j2)] = b[0] * w[0] + b[1] * w[1];
    line[2 * (x->v - j2) + 1] = b[1] * w[0] - b[0] * w[1];
}

/* `count` columns, those from `first` on, become numbers of lines 0 to u / 2; some at a time as caches have
 * whole lines of memory. */
static void put_lines(double *to, const matrix *x, int64_t first, int64_t count)
{
    const double *column = x->columns + 2 * (first - x->first) * x->u;
    for (int64_t k1 = 0; k1 <= x->u / 2; k1++)
        for (int64_t i = 0; i < count; i++)
            turn_numbers(to + 2 * k1 * x->v, column + 2 * i * x->u, x, first + i, k1);
}

static argand_status do_columns(double *to, const matrix *x, int64_t count, argand_device *device)
{
    enum { TOGETHER = 8 };
    const int threads = argand_device_threads(device);
    const bool many = x->m > 1 << 15;
#pragma omp parallel for num_threads(threads) schedule(static) if (many)
    for (int64_t i = 0; i < count; i++) put_column(x->columns + 2 * i * x->u, x, x->first + i);
    TRY(spectrum_transform(x->columns, (int)x->u, (int)count, device));
#pragma omp parallel for num_threads(threads) schedule(static) if (many)
    for (int64_t i = 0; i < count; i += TOGETHER)
        put_lines(to, x, x->first + i, count - i < TOGETHER ? count - i : TOGETHER);
    return ARGAND_OK;
}

argand_status spectrum_symmetric(double *to, const box_fused *f, int lines, argand_device *device)
{
    enum { ROOM = 1 << 18 }; /* numbers of columns at a time: new memory costs more than all else here */
    matrix x = {.points = f->points, .m = f->convolution, .u = lines, .v = f->convolution / lines};
    const int64_t columns = x.v / 2 + 1, parts = (columns * x.u + ROOM - 1) / ROOM,
                  most = (columns + parts - 1) / parts;
    argand_status status;
    TRY_OR_DONE(roots_make(&x.chirp, 2 * x.points));
    TRY_OR_DONE(roots_make(&x.turns, x.m));
    TRY_OR_DONE(memory_take_pages(&x.columns, 2 * (size_t)(most * x.u) * sizeof *x.columns));
    for (; x.first < columns; x.first += most)
        TRY_OR_DONE(do_columns(to, &x, columns - x.first < most ? columns - x.first : most, device));
    status = spectrum_transform(to, (int)x.v, (int)(x.u / 2 + 1), device);
done:
    memory_free(x.columns);
    roots_release(&x.turns);
    roots_release(&x.chirp);
    return status;
}
