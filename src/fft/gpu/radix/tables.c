/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes twiddle factors exp(-2 pi i m / n), correctly rounded to double precision as far as possible. */
#include "fft/gpu/radix/tables.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/pi.h"

/* Computes one twiddle factor. The library only sees angles below an eighth of a turn, in double
 * precision, because long double takes ten times as long. The first derivatives add the part of the angle
 * beyond double precision. */
void tables_twiddle(double *to, int64_t m, int64_t n)
{
    m %= n;
    const int64_t eighth = 8 * m / n;
    const int64_t quarter = (eighth + 1) / 2 % 4; /* nearest axis of the complex plane */
    const long double angle =
        LONG_TWO_PI * (long double)(4 * m - (eighth + 1) / 2 * n) / (long double)(4 * n);
    const double near = (double)angle, rest = (double)(angle - (long double)near), cosine = cos(near),
                 sine = sin(near), c = cosine - sine * rest, s = sine + cosine * rest;
    const double re[4] = {c, -s, -c, s}, im[4] = {s, c, -s, -c};
    to[0] = re[quarter];
    to[1] = -im[quarter];
}

void tables_root(double *to, const roots *r, int64_t m)
{
    roots_at(r, m, &to[0], &to[1]);
    to[1] = -to[1];
}

static argand_status reserve(twiddle_tables *t, int count)
{
    if (t->dry || t->count + count <= t->capacity) return ARGAND_OK;
    const int capacity = t->count + count + (count < t->count ? t->count : 1024);
    double *numbers;
    TRY(memory_take_pages(&numbers, 2 * (size_t)capacity * sizeof *numbers));
    if (t->count) memcpy(numbers, t->elements, 2 * (size_t)t->count * sizeof *numbers);
    memory_free(t->elements);
    t->elements = numbers;
    t->capacity = capacity;
    return ARGAND_OK;
}

static bool find(const twiddle_tables *t, int kind, int a, int b, int *at)
{
    for (int i = 0; i < t->entries; i++)
        if (t->entry[i].kind == kind && t->entry[i].a == a && t->entry[i].b == b) {
            *at = t->entry[i].at;
            return true;
        }
    return false;
}

/* Reserves space for `count` elements and remembers it under these parameters. */
static argand_status begin(twiddle_tables *t, int kind, int a, int b, int count, int *at)
{
    CHECK(count < (1 << 26) && t->count < (1 << 26), ARGAND_UNSUPPORTED,
          "argand_fft_create: tables of %d twiddles", count);
    TRY(reserve(t, count));
    *at = t->count - t->base;
    t->count += count;
    if (t->entries < (int)(sizeof t->entry / sizeof *t->entry)) {
        t->entry[t->entries].kind = kind;
        t->entry[t->entries].a = a;
        t->entry[t->entries].b = b;
        t->entry[t->entries++].at = *at;
    }
    return ARGAND_OK;
}

void tables_begin(twiddle_tables *t)
{
    t->base = t->count;
    t->entries = 0;
}

/* Number of elements from which making roots takes less time than the roots save. */
enum { MANY = 4096 };

static argand_status fill_stage(double *to, int length, int radix)
{
    const int64_t n = (int64_t)length * radix;
    const bool many = n > MANY;
    roots r = {0};
    if (many) TRY(roots_make(&r, n));
    for (int leg = 1; leg < radix; leg++)
        for (int k = 0; k < length; k++, to += 2)
            if (many)
                tables_root(to, &r, (int64_t)leg * k);
            else
                tables_twiddle(to, (int64_t)leg * k, n);
    roots_release(&r);
    return ARGAND_OK;
}

argand_status tables_stage(twiddle_tables *t, int length, int radix, int *at)
{
    *at = 0;
    if (length == 1 || radix == 1 || find(t, -1, length, radix, at)) return ARGAND_OK;
    TRY(begin(t, -1, length, radix, (radix - 1) * length, at));
    return t->dry ? ARGAND_OK : fill_stage(tables_at(t, *at), length, radix);
}

argand_status tables_twiddles(twiddle_tables *t, int64_t n, int64_t step, int count, int *at)
{
    /* only tables with n and step below 2^30 are shared; larger ones gain nothing */
    const bool small = n < (1 << 30) && step < (1 << 30);
    if (small && find(t, (int)n, (int)step, count, at)) return ARGAND_OK;
    TRY(begin(t, small ? (int)n : -2, (int)(small ? step : -1), count, count, at));
    if (t->dry) return ARGAND_OK;
    for (int k = 0; k < count; k++) tables_twiddle(tables_at(t, *at) + 2 * k, k * step, n);
    return ARGAND_OK;
}

argand_status tables_reserve(twiddle_tables *t, int count, int *at)
{
    return begin(t, -3, 0, 0, count, at);
}

double *tables_at(const twiddle_tables *t, int at)
{
    return t->elements + 2 * (t->base + at);
}

void tables_release(twiddle_tables *t)
{
    memory_free(t->elements);
    *t = (twiddle_tables){0};
}
