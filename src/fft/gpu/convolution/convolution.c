/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of lengths without radices, as convolutions inside a tile: Rader (Proc. IEEE 56:1107, 1968) where the
 * length is a prime and one less has radices, otherwise Bluestein (IEEE Trans. Audio Electroacoust. 18:451,
 * 1970). Their tables; rader.c has Rader's orders, spectrum.c what lines are convolved with. */
#include "fft/gpu/convolution/convolution.h"

#include <math.h>
#include "base/memory.h"

bool is_prime(int64_t n)
{
    for (int64_t d = 2; d * d <= n; d++)
        if (n % d == 0) return false;
    return n > 1;
}

/* Convolutions of more points take NVRTC longest, and a loop costs them least. */
enum { LONG_LINE = 4096 };
enum { LONGEST_LINES = 12000 };
static const double LOOP_WORTH =
    0.98; /* 12133 by 28 31 28 as fast as by 30 29 28, in 0.6 of the machine code; shorter ones lose by it */
/* A convolution of m < 2 n - 1 points is wrong in 2 n - 1 - m results, which threads mend one by one: a few
 * of many. */
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

/* Radices that read the same from both ends, where they can: an odd one of a kind is in the middle. Then
 * stages back are those there. */
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

/* Whether put_in_mirrored_order finds one. */
static bool has_mirrored_order(const radix_list *radices)
{
    radix_list r = *radices;
    put_in_mirrored_order(&r);
    for (int i = 0; i < r.count; i++)
        if (r.radix[i] != r.radix[r.count - 1 - i]) return false;
    return true;
}

bool convolution_choose(line_convolution *f, radix_list *r, int64_t n, int most, const block_limits *limits)
{
    block_limits here = *limits;
    const block_limits *l = &here;
    here.convolves = true;
    *f = (line_convolution){.points = (int)n};
    if (n <= most && is_prime(n) && has_small_radices(n - 1) && radices_choose(r, (int)n - 1, l, 1)) {
        *f = (line_convolution){.kind = CONVOLUTION_RADER, .points = (int)n, .convolution = (int)n - 1};
        return true;
    }
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

/* What results n - wrapped + k want besides the convolution: point j of the line, multiplied by its twiddle,
 * times this of k - j (kernels/fft/tile/convolution.krn). */
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

/* exp(-pi i j^2 / n), j^2 modulo 2 n, of the n elements j from -origin on: those of centred lines may be
 * below 0, as j k = (j^2 + k^2 - (k - j)^2) / 2 holds for them, too, and k - j is as it was. */
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

argand_status convolution_conjugates(twiddle_tables *t, int table, int count, bool spectrum)
{
    int behind;
    TRY(tables_reserve(t, count, &behind));
    if (t->dry) return ARGAND_OK;
    const double *from = tables_at(t, table);
    double *to = tables_at(t, behind);
    for (int i = 0; i < count; i++) {
        const int of = spectrum && i ? count - i : i;
        to[2 * i] = from[2 * of];
        to[2 * i + 1] = -from[2 * of + 1];
    }
    return ARGAND_OK;
}
