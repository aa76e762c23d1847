/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms the kernels of convolutions on the host, in double precision. */
#include "fft/gpu/convolution/convolution.h"

#include "array/array.h"
#include "base/memory.h"

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

/* Returns a prime factor of m that the kernels have a radix for and the host has not; 0: there is none.
 * The host's plans of such lengths are convolutions themselves, which take longer to make than everything
 * else here. */
static int large_prime(int m)
{
    static const int primes[] = {17, 19, 23, 29, 31, 37, 41, 43, 47};
    for (int i = 0; i < 9; i++)
        if (m % primes[i] == 0) return primes[i];
    return 0;
}
enum { MOST_PRIME = 47 };

typedef struct parts {
    int p, n, count; /* p parts of n points for each of `count` rows */
    roots whole;     /* roots of order p n */
} parts;

/* Transforms the p points y by sums and differences of opposite points (Singleton 1969); results have
 * stride `distance`. */
static void direct_sum(double *to, int64_t distance, double (*y)[2], const parts *x)
{
    double total[2] = {y[0][0], y[0][1]};
    for (int j = 1; 2 * j < x->p; j++)
        for (int part = 0; part < 2; part++) {
            const double a = y[j][part], b = y[x->p - j][part];
            y[j][part] = a + b;
            y[x->p - j][part] = a - b;
            total[part] += a + b;
        }
    to[0] = total[0];
    to[1] = total[1];
    for (int k = 1; 2 * k < x->p; k++) {
        double even[2] = {y[0][0], y[0][1]}, odd[2] = {0, 0};
        for (int j = 1; 2 * j < x->p; j++) {
            double cosine, sine;
            roots_at(&x->whole, (int64_t)(j * k % x->p) * x->n, &cosine, &sine);
            for (int part = 0; part < 2; part++) {
                even[part] += cosine * y[j][part];
                odd[part] += sine * y[x->p - j][part];
            }
        }
        double *one = to + 2 * distance * k, *other = to + 2 * distance * (x->p - k);
        one[0] = even[0] + odd[1];
        one[1] = even[1] - odd[0];
        other[0] = even[0] - odd[1];
        other[1] = even[1] + odd[0];
    }
}

/* Sets points k1 + n k2 of all rows from point k1 of their p parts. */
static void combine(double *rows, const double *from, const parts *x, int k1)
{
    const int n = x->n, p = x->p;
    double twiddle[MOST_PRIME][2], y[MOST_PRIME][2];
    for (int j = 0; j < p; j++) tables_root(twiddle[j], &x->whole, (int64_t)j * k1);
    for (int row = 0; row < x->count; row++) {
        for (int j = 0; j < p; j++) {
            const double *a = from + 2 * (((int64_t)row * p + j) * n + k1), *w = twiddle[j];
            y[j][0] = a[0] * w[0] - a[1] * w[1];
            y[j][1] = a[0] * w[1] + a[1] * w[0];
        }
        direct_sum(rows + 2 * ((int64_t)row * n * p + k1), n, y, x);
    }
}

static argand_status combine_all(double *rows, const double *from, int n, int p, int count,
                                 argand_device *device)
{
    const bool many = (int64_t)n * p * count > 1 << 15;
    parts x = {.p = p, .n = n, .count = count};
    TRY(roots_make(&x.whole, (int64_t)n * p));
#pragma omp parallel for num_threads(argand_device_threads(device)) schedule(static) if (many)
    for (int k1 = 0; k1 < n; k1++) combine(rows, from, &x, k1);
    roots_release(&x.whole);
    return ARGAND_OK;
}

/* Transforms a large prime factor by direct sums, the rest by a plan. */
argand_status spectrum_transform(double *rows, int m, int count, argand_device *device)
{
    const int p = large_prime(m), n = p ? m / p : m;
    double *split;
    if (m == 1) return ARGAND_OK;
    if (!p) return by_plan(rows, m, count, device);
    TRY(memory_take(&split, 2 * (size_t)m * (size_t)count * sizeof *split));
    for (int64_t i = 0; i < (int64_t)m * count; i++) {
        const int64_t row = i / m, j = i % m, to = (row * p + j % p) * n + j / p;
        split[2 * to] = rows[2 * i];
        split[2 * to + 1] = rows[2 * i + 1];
    }
    argand_status status = spectrum_transform(split, n, count * p, device);
    if (status == ARGAND_OK) status = combine_all(rows, split, n, p, count, device);
    memory_free(split);
    return status;
}
