/* SPDX-License-Identifier: BSD-3-Clause */
/* Spectra of what convolutions' lines are convolved with, by the host in double precision. */
#include "fft/device/box.h"

#include "array/array.h"
#include "base/memory.h"

/* ---- transforms ---- */

static argand_status by_plan(double *rows, int m, int count, argand_device *device)
{
    argand_device *host;
    argand_fft *plan = NULL;
    argand_array *x = NULL;
    argand_status status;
    TRY_OR_DONE(device_host(&host, device));
    TRY_OR_DONE(argand_fft_create(
        &plan, host, &(argand_fft_options){.type = ARGAND_C64, .rank = 1, .n = {m}, .batch = count}));
    TRY_OR_DONE(argand_array_wrap(&x, host, ARGAND_C64, 2, (int64_t[]){m, count}, NULL, rows));
    TRY_OR_DONE(argand_fft_apply(plan, x, x, ARGAND_FORWARD));
done:
    argand_array_destroy(x);
    argand_fft_destroy(plan);
    return status;
}

/* Primes that our kernels have radices for, and the host has not: its plans of such lengths are convolutions
 * themselves, which take longer to make than all else here. 0: m has none. */
static int large_prime(int m)
{
    static const int primes[] = {17, 19, 23, 29, 31};
    for (int i = 0; i < 5; i++)
        if (m % primes[i] == 0) return primes[i];
    return 0;
}
enum { MOST_PRIME = 31 };

/* Points k1 + n k2 of all rows, from their p parts' points k1. */
static void combine(double *rows, const double *parts, int n, int p, int count, int k1)
{
    double turn[2 * MOST_PRIME], root[2 * MOST_PRIME], y[2 * MOST_PRIME];
    for (int j = 0; j < p; j++) {
        tables_turn(turn + 2 * j, (int64_t)j * k1, (int64_t)n * p);
        tables_turn(root + 2 * j, j, p);
    }
    for (int row = 0; row < count; row++) {
        for (int j = 0; j < p; j++) {
            const double *x = parts + 2 * (((int64_t)row * p + j) * n + k1), *w = turn + 2 * j;
            y[2 * j] = x[0] * w[0] - x[1] * w[1];
            y[2 * j + 1] = x[0] * w[1] + x[1] * w[0];
        }
        for (int k2 = 0; k2 < p; k2++) {
            double *to = rows + 2 * ((int64_t)row * n * p + k1 + (int64_t)n * k2), re = 0, im = 0;
            for (int j = 0; j < p; j++) {
                const double *w = root + 2 * (j * k2 % p);
                re += y[2 * j] * w[0] - y[2 * j + 1] * w[1];
                im += y[2 * j] * w[1] + y[2 * j + 1] * w[0];
            }
            to[0] = re;
            to[1] = im;
        }
    }
}

static void combine_all(double *rows, const double *parts, int n, int p, int count, argand_device *device)
{
    const bool many = (int64_t)n * p * count > 1 << 13;
#pragma omp parallel for num_threads(argand_device_threads(device)) schedule(static) if (many)
    for (int k1 = 0; k1 < n; k1++) combine(rows, parts, n, p, count, k1);
}

/* A large prime is a direct sum. */
argand_status spectrum_transform(double *rows, int m, int count, argand_device *device)
{
    const int p = large_prime(m), n = p ? m / p : m;
    double *parts;
    if (m == 1) return ARGAND_OK;
    if (!p) return by_plan(rows, m, count, device);
    TRY(memory_take(&parts, 2 * (size_t)m * (size_t)count * sizeof *parts));
    for (int64_t i = 0; i < (int64_t)m * count; i++) {
        const int64_t row = i / m, j = i % m, to = (row * p + j % p) * n + j / p;
        parts[2 * to] = rows[2 * i];
        parts[2 * to + 1] = rows[2 * i + 1];
    }
    const argand_status status = spectrum_transform(parts, n, count * p, device);
    if (status == ARGAND_OK) combine_all(rows, parts, n, p, count, device);
    memory_free(parts);
    return status;
}

/* ---- kernels ---- */

/* exp(+pi i j^2 / n) on both sides of 0 is what Bluestein's are. */
static argand_status put_both_sides(double *kernel, const box_fused *f)
{
    const int64_t n = f->points, m = f->convolution;
    roots r;
    TRY(roots_make(&r, 2 * n));
    for (int64_t j = 0; j <= m / 2; j++) {
        double w[2] = {0, 0};
        if (j < n) tables_root(w, &r, j * j % (2 * n));
        double *one = kernel + 2 * j, *other = kernel + 2 * (j ? m - j : 0);
        other[0] = one[0] = w[0] / (double)m;
        other[1] = one[1] = -w[1] / (double)m;
    }
    roots_release(&r);
    return ARGAND_OK;
}

/* From rows of `lines` numbers to lines of them, some rows at a time as caches have whole lines of memory. */
static void put_lines(double *to, const double *rows, int m, int lines)
{
    enum { TOGETHER = 16 };
    const int n = m / lines;
    for (int first = 0; first < n; first += TOGETHER)
        for (int line = 0; line < lines; line++)
            for (int i = first; i < n && i < first + TOGETHER; i++) {
                to[2 * ((int64_t)line * n + i)] = rows[2 * ((int64_t)i * lines + line)];
                to[2 * ((int64_t)line * n + i) + 1] = rows[2 * ((int64_t)i * lines + line) + 1];
            }
}

/* In rows as the transform leaves it. Kernels are divided by m, as transforms back are not. */
static argand_status fill(double *kernel, const box_fused *f, argand_device *device)
{
    TRY(f->kind == FUSED_RADER ? rader_kernel(kernel, f) : put_both_sides(kernel, f));
    return spectrum_transform(kernel, f->convolution, 1, device);
}

static argand_status fill_lines(double *to, const box_fused *f, int lines, argand_device *device)
{
    const int m = f->convolution;
    double *rows;
    TRY(memory_take_pages(&rows, 2 * (size_t)m * sizeof *rows));
    const argand_status status = fill(rows, f, device);
    if (status == ARGAND_OK) put_lines(to, rows, m, lines);
    memory_free(rows);
    return status;
}

argand_status fused_spectrum(box_tables *t, const box_fused *f, int lines, argand_device *device,
                             int *spectrum)
{
    TRY(tables_room(t, f->convolution, spectrum));
    if (t->dry) return ARGAND_OK;
    double *to = tables_at(t, *spectrum);
    if (lines <= 1) return fill(to, f, device);
    return f->kind == FUSED_RADER ? fill_lines(to, f, lines, device)
                                  : spectrum_symmetric(to, f, lines, device);
}
