/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of lengths without radices, as convolutions inside a box: Rader (Proc. IEEE 56:1107, 1968) where the
 * length is a prime and one less has radices, otherwise Bluestein (IEEE Trans. Audio Electroacoust. 18:451,
 * 1970). Their tables. */
#include "fft/device/box.h"

#include <complex.h>
#include <math.h>
#include "base/memory.h"

typedef long double complex number;

static bool is_prime(int64_t n)
{
    for (int64_t d = 2; d * d <= n; d++)
        if (n % d == 0) return false;
    return n > 1;
}

bool fused_choose(box_fused *f, box_radices *r, int64_t n, int most, const box_limits *l)
{
    *f = (box_fused){.points = (int)n};
    if (n <= most && is_prime(n) && radices_choose(r, (int)n - 1, l, 1)) {
        *f = (box_fused){.kind = FUSED_RADER, .points = (int)n, .convolution = (int)n - 1};
        return true;
    }
    double best = HUGE_VAL;
    for (int64_t m = 2 * n - 1; m <= most && m <= 2 * n - 1 + n / 2 + 8; m++) {
        box_radices here;
        if (!radices_choose(&here, (int)m, l, 1) || here.cost * (double)m >= best) continue;
        best = here.cost * (double)m;
        *r = here;
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

/* y = the transform of x's n points, `apart` from each other, by the smallest factor at a time. */
static void transform(number *y, const number *x, int n, int apart, number *work)
{
    int radix = 2;
    if (n == 1) {
        y[0] = x[0];
        return;
    }
    while (n % radix) radix++;
    const int part = n / radix;
    for (int r = 0; r < radix; r++)
        transform(work + r * part, x + (int64_t)r * apart, part, apart * radix, y + r * part);
    for (int k = 0; k < n; k++) {
        y[k] = 0;
        for (int r = 0; r < radix; r++) y[k] += work[r * part + k % part] * turn((int64_t)r * k, n, -1);
    }
}

/* The spectrum of the convolution's kernel, which is in `kernel`, over its length: behind `at`. */
static void put_spectrum(box_tables *t, int at, number *kernel, number *spectrum, number *work, int m)
{
    transform(spectrum, kernel, m, 1, work);
    for (int k = 0; k < m; k++)
        tables_put(t, at + k, (double)(creall(spectrum[k]) / m), (double)(cimagl(spectrum[k]) / m));
}

/* exp(-pi i j^2 / n), and as kernel its conjugate on both sides of 0. */
static void bluestein(box_tables *t, const box_fused *f, int chirp, number *kernel)
{
    const int64_t n = f->points, m = f->convolution;
    for (int64_t j = 0; j < n; j++) {
        const number w = turn(j * j, 2 * n, -1);
        tables_put(t, chirp + (int)j, (double)creall(w), (double)cimagl(w));
        kernel[j] = kernel[j ? m - j : 0] = conjl(w);
    }
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

argand_status fused_tables(box_tables *t, const box_fused *f, int *table, int *spectrum)
{
    const int m = f->convolution, first = f->kind == FUSED_RADER ? m : f->points;
    number *numbers = NULL;
    argand_status status;
    TRY_OR_DONE(tables_room(t, first, table));
    TRY_OR_DONE(tables_room(t, m, spectrum));
    TRY_OR_DONE(NEW(numbers, 3 * (size_t)m));
    if (f->kind == FUSED_RADER)
        rader(t, f, *table, numbers);
    else
        bluestein(t, f, *table, numbers);
    put_spectrum(t, *spectrum, numbers, numbers + m, numbers + 2 * m, m);
done:
    memory_free(numbers);
    return status;
}
