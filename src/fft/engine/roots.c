/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes two short tables; any root of unity is the product of one element of each. The tables of short
 * lengths that the process used last are kept: to make them takes longer than all else of a short plan. */
#include "fft/engine/roots.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include "base/memory.h"
#include "base/pi.h"

/* Returns the bits of the fine index. A fine angle takes a few nanoseconds, a coarse one, in long double,
 * ten times as long. */
static int shift_for(int64_t n)
{
    int shift = 0;
    while ((int64_t)4 << 2 * shift <= 8 * n && (int64_t)512 << shift <= n) shift++;
    return shift;
}

static void split(double *to, long double value)
{
    to[0] = (double)value;
    to[2] = (double)(value - (long double)to[0]);
}

/* So many coarse roots are products of one root and each of the first ones, for a tenth of the time. */
enum { PRODUCTS = 32 };

static void put_coarse(double *to, long double cosine, long double sine)
{
    split(to, cosine);
    split(to + 1, sine);
}

/* Products of long doubles, if these are more precise than doubles, and else none but for one of 1 */
static void make_coarse(const roots *r, int64_t count, long double radians)
{
    const bool precise = LDBL_MANT_DIG > DBL_MANT_DIG && count > 2 * PRODUCTS;
    const int64_t step = precise ? PRODUCTS : 1;
    long double first[PRODUCTS][2] = {{1, 0}};
    for (int64_t i = 1; i < step; i++) {
        const long double angle = radians * (long double)(i << r->shift);
        first[i][0] = cosl(angle);
        first[i][1] = sinl(angle);
    }
    for (int64_t i = 0; i < count; i += step) {
        const long double angle = radians * (long double)(i << r->shift), c = cosl(angle), s = sinl(angle);
        for (int64_t k = 0; k < step && i + k < count; k++)
            put_coarse(r->coarse + 4 * (i + k), c * first[k][0] - s * first[k][1],
                       c * first[k][1] + s * first[k][0]);
    }
}

static void make(const roots *r, int64_t fine, int64_t coarse)
{
    const long double radians = LONG_TWO_PI / (long double)r->n;
    for (int64_t i = 0; i < fine; i++) {
        const double angle = (double)radians * (double)i, half = sin(angle / 2);
        r->fine[2 * i] = -2 * half * half;
        r->fine[2 * i + 1] = sin(angle);
    }
    make_coarse(r, coarse, radians);
}

/* ---- kept tables. A thread that finds the lock taken computes instead of waiting; no lock is inherited by a
 * forked process that could stop it. ---- */

enum { KEPT = 16, KEPT_NUMBERS = 2176 };

typedef struct kept_roots {
    int64_t n; /* 0: the entry is empty */
    double numbers[KEPT_NUMBERS];
} kept_roots;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static kept_roots kept[KEPT];
static int oldest;

static bool find(const roots *r, size_t bytes)
{
    bool found = false;
    if (bytes > sizeof kept[0].numbers || pthread_mutex_trylock(&lock)) return false;
    for (int i = 0; i < KEPT && !found; i++)
        if (kept[i].n == r->n) found = memcpy(r->coarse, kept[i].numbers, bytes) != NULL;
    pthread_mutex_unlock(&lock);
    return found;
}

static void keep(const roots *r, size_t bytes)
{
    if (bytes > sizeof kept[0].numbers || pthread_mutex_trylock(&lock)) return;
    kept[oldest].n = r->n;
    memcpy(kept[oldest].numbers, r->coarse, bytes);
    oldest = (oldest + 1) % KEPT;
    pthread_mutex_unlock(&lock);
}

argand_status roots_make(roots *r, int64_t n)
{
    *r = (roots){.n = n, .shift = shift_for(n)};
    const int64_t fine = (int64_t)1 << r->shift, coarse = (n + fine - 1) >> r->shift;
    const size_t bytes = (size_t)(4 * coarse + 2 * fine) * sizeof *r->coarse;
    TRY(memory_take(&r->coarse, bytes));
    r->fine = r->coarse + 4 * coarse;
    if (find(r, bytes)) return ARGAND_OK;
    make(r, fine, coarse);
    keep(r, bytes);
    return ARGAND_OK;
}

void roots_release(roots *r)
{
    memory_free(r->coarse);
    *r = (roots){0};
}
