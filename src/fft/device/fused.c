/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of lengths without radices, as convolutions inside a box: Rader (Proc. IEEE 56:1107, 1968) where the
 * length is a prime and one less has radices, otherwise Bluestein (IEEE Trans. Audio Electroacoust. 18:451,
 * 1970). Their tables. */
#include "fft/device/box.h"

#include <complex.h>
#include <math.h>
#include "array/array.h"
#include "base/memory.h"

typedef long double complex number;

static bool is_prime(int64_t n)
{
    for (int64_t d = 2; d * d <= n; d++)
        if (n % d == 0) return false;
    return n > 1;
}

bool fused_choose(box_fused *f, box_radices *r, int64_t n, int most, const box_limits *limits)
{
    box_limits here = *limits;
    const box_limits *l = &here;
    here.convolves = true;
    *f = (box_fused){.points = (int)n};
    if (n <= most && is_prime(n) && radices_choose(r, (int)n - 1, l, 1)) {
        *f = (box_fused){.kind = FUSED_RADER, .points = (int)n, .convolution = (int)n - 1};
        return true;
    }
    /* few groups are on a multiprocessor, so that exchanges, two for each stage but the first, are what
     * counts */
    const double more = 15;
    double best = HUGE_VAL;
    for (int64_t m = 2 * n - 1; m <= most && m <= 2 * n - 1 + n / 2 + 8; m++) {
        box_radices radices;
        if (!radices_choose(&radices, (int)m, l, 1)) continue;
        const double cost = (radices.cost + more * radices.count) * (double)m;
        if (cost >= best) continue;
        best = cost;
        *r = radices;
        f->kind = FUSED_BLUESTEIN;
        f->convolution = (int)m;
    }
    return f->kind != FUSED_NONE;
}

/* exp(sign 2 pi i m / n) */
static number turn(int64_t m, int64_t n, int sign)
{
    const long double angle =
        sign * 6.283185307179586476925286766559005768L * (long double)(m % n) / (long double)n;
    return cosl(angle) + I * sinl(angle);
}

/* The spectrum of the convolution's kernel, over its length, by a plan of the host in double precision. */
static argand_status put_spectrum(box_tables *t, int at, const number *kernel, int m, argand_device *device)
{
    argand_device *host;
    argand_fft *plan = NULL;
    argand_array *x = NULL;
    argand_status status;
    TRY_OR_DONE(device_host(&host, device));
    TRY_OR_DONE(
        argand_fft_create(&plan, host, &(argand_fft_options){.type = ARGAND_C64, .rank = 1, .n = {m}}));
    TRY_OR_DONE(argand_array_create(&x, host, ARGAND_C64, 1, (int64_t[]){m}));
    double *numbers = argand_array_data(x);
    for (int j = 0; j < m; j++) {
        numbers[2 * j] = (double)(creall(kernel[j]) / m);
        numbers[2 * j + 1] = (double)(cimagl(kernel[j]) / m);
    }
    TRY_OR_DONE(argand_fft_apply(plan, x, x, ARGAND_FORWARD));
    for (int k = 0; k < m; k++) tables_put(t, at + k, numbers[2 * k], numbers[2 * k + 1]);
done:
    argand_array_destroy(x);
    argand_fft_destroy(plan);
    return status;
}

/* exp(-pi i j^2 / n) */
argand_status fused_chirp(box_tables *t, const box_fused *f, int *table)
{
    const int64_t n = f->points;
    TRY(tables_room(t, f->points, table));
    for (int64_t j = 0; j < n && !t->dry; j++) {
        const number w = turn(j * j, 2 * n, -1);
        tables_put(t, *table + (int)j, (double)creall(w), (double)cimagl(w));
    }
    return ARGAND_OK;
}

/* Its conjugate on both sides of 0 is what lines are convolved with. */
argand_status fused_spectrum(box_tables *t, const box_fused *f, argand_device *device, int *spectrum)
{
    const int64_t n = f->points, m = f->convolution;
    number *kernel;
    TRY(tables_room(t, f->convolution, spectrum));
    if (t->dry) return ARGAND_OK;
    TRY(NEW(kernel, m));
    for (int64_t j = 0; j < n; j++) kernel[j] = kernel[j ? m - j : 0] = turn(j * j, 2 * n, 1);
    const argand_status status = put_spectrum(t, *spectrum, kernel, f->convolution, device);
    memory_free(kernel);
    return status;
}

static int64_t power(int64_t base, int64_t exponent, int64_t p)
{
    int64_t result = 1;
    for (; exponent; exponent /= 2, base = base * base % p)
        if (exponent % 2) result = result * base % p;
    return result;
}

/* The smallest number whose powers are all of 1 to p - 1. */
static int64_t primitive_root(int64_t p)
{
    for (int64_t root = 1;; root++) {
        bool all = true;
        int64_t rest = p - 1;
        for (int64_t d = 2; d <= rest && all; d++) {
            if (rest % d) continue;
            all = power(root, (p - 1) / d, p) != 1;
            while (rest % d == 0) rest /= d;
        }
        if (all) return root;
    }
}

/* Point j of the convolution is number root^j of the line; result j is number root^-j; the kernel is exp(-2
 * pi i root^-j / p). Places count from number 1 of the line. */
static void rader(box_tables *t, const box_fused *f, int places, number *kernel)
{
    const int64_t p = f->points, root = primitive_root(p), back = power(root, p - 2, p);
    int64_t to = 1, from = 1;
    for (int j = 0; j < f->convolution; j++, to = to * back % p, from = from * root % p) {
        tables_put(t, places + j, (double)(from - 1), (double)(to - 1));
        kernel[j] = turn(to, p, -1);
    }
}

static argand_status rader_tables(box_tables *t, const box_fused *f, argand_device *device, int *places,
                                  int *spectrum)
{
    number *kernel;
    TRY(tables_room(t, f->convolution, places));
    TRY(tables_room(t, f->convolution, spectrum));
    if (t->dry) return ARGAND_OK;
    TRY(NEW(kernel, f->convolution));
    rader(t, f, *places, kernel);
    const argand_status status = put_spectrum(t, *spectrum, kernel, f->convolution, device);
    memory_free(kernel);
    return status;
}

argand_status fused_tables(box_tables *t, const box_fused *f, argand_device *device, int *table,
                           int *spectrum)
{
    if (f->kind == FUSED_RADER) return rader_tables(t, f, device, table, spectrum);
    TRY(fused_chirp(t, f, table));
    return fused_spectrum(t, f, device, spectrum);
}
