/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts the cost of a pass with tiles of one shape, and chooses the number of threads for them. */
#include "fft/gpu/schedule/tile_cost.h"

#include <math.h>

enum { MOST_HELD = 20, MANY = 32 }; /* points of a thread */

/* Returns the largest number of points that a thread holds, and sets *busy to the smallest share of
 * threads that have work in a stage. */
static int held_of(const tile_shape *s, int threads, double *busy)
{
    int held = 0;
    *busy = 1;
    for (int i = 0; i < s->stages; i++) {
        const int radix = s->stage[i].radix, butterflies = tile_points(s) / radix,
                  each = (butterflies + threads - 1) / threads;
        if (each * radix > held) held = each * radix;
        *busy = fmin(*busy, (double)butterflies / ((double)each * threads));
    }
    return held;
}

/* Chooses a number of threads with few idle ones and 8 to 16 points each, or more if the tuning's radices
 * need them. */
bool tile_choose_threads(tile_shape *s, const block_limits *l)
{
    int most = l->is_double                              ? 16
               : l->tuning.points_per_thread < MOST_HELD ? l->tuning.points_per_thread
                                                         : MOST_HELD;
    double best = 0;
    for (int i = 0;
         i < s->stages && !l->is_double && (l->tuning.points_per_thread >= MANY || l->tuning.radices); i++)
        if (s->stage[i].radix > most) most = s->stage[i].radix;
    s->threads = 0;
    for (int threads = 32; threads <= l->threads; threads += 8) {
        double busy;
        const int held = held_of(s, threads, &busy), whole = (threads + 31) / 32 * 32;
        double worth = busy * threads / whole;
        if (held > most) continue;
        if (held > 16) worth /= 1 + 0.03 * (held - 16);
        if (held < 8) worth /= 1 + 0.1 * (8 - held);
        if (worth <= best) continue;
        best = worth;
        s->threads = threads;
    }
    return s->threads > 0;
}

double tile_cost_of_stages(int stages)
{
    static const double cost[] = {1, 1, 1, 1.12, 1.3, 1.5, 1.7};
    return cost[stages < 6 ? stages : 6];
}

/* Returns the time of a pass relative to a good pass along one axis, as measured on an H200. It grows with
 * the number of stages, and with narrow tiles of few `sectors`. It grows if only one or two blocks fit on
 * a multiprocessor, which is then idle while they load. It also grows if few rounds of blocks leave
 * multiprocessors idle in the last round. */
double tile_cost_by_sectors(const tile_shape *s, double blocks, int sectors, const block_limits *l)
{
    static const double by_sectors[] = {1, 1.5, 1.08, 1.12, 1};
    double busy;
    const int held = held_of(s, s->threads, &busy), warps = (s->threads + 31) / 32,
              registers = ((l->is_double ? 4 : 2) * held + 24 + 7) / 8 * 8,
              resident = 65536 / (32 * warps * registers);
    const double share = blocks / (l->units ? l->units : 1), rounds = share / (resident > 1 ? resident : 1),
                 cost = tile_cost_of_stages(s->stages) * (0.85 + 0.15 / busy) *
                        by_sectors[sectors < LINE_SECTORS ? sectors : LINE_SECTORS] *
                        (resident > 2    ? 1
                         : resident > 1  ? 1.05
                         : s->lines == 2 ? 1.2
                                         : 1.15);
    if (rounds > 1) return resident > 1 ? cost : cost * sqrt(ceil(rounds) / rounds);
    return cost * sqrt(ceil(share) / share);
}

double tile_cost(tile_shape *s, double blocks, const block_limits *l)
{
    return tile_choose_threads(s, l)
               ? tile_cost_by_sectors(s, blocks, LINE_SECTORS, l) * (s->threads < 96 ? 1.1 : 1)
               : HUGE_VAL;
}
