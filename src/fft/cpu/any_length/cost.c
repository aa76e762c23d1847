/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts what the levels of a batch cost, and chooses the cheapest radices. */
#include "fft/cpu/any_length/any_length.h"

#include <math.h>
#include <string.h>

/* Cycles a cell for a level that falls, as measured on data in the nearest cache (16 floats a vector). */
static const double butterfly_cost[BUTTERFLY_MOST + 1] = {
    [2] = 4.0,  [3] = 5.0,   [4] = 4.5,  [5] = 6.5,   [6] = 6.0, [7] = 8.0,  [8] = 6.0, [9] = 7.5,
    [10] = 8.0, [11] = 11.5, [12] = 7.5, [13] = 13.5, [14] = 10, [15] = 9.5, [16] = 9.0};
/* A level whose parts all fall on the same sets of the nearest cache loses some of them before it stores. */
static const double crowded = 4.0;

static double level_cost(int64_t radix, int64_t parts)
{
    if (radix > BUTTERFLY_MOST) return 4 + (double)radix * 0.56;
    const bool power = parts >= 32 && parts % 32 == 0;
    return butterfly_cost[radix] + (power && radix > 8 ? crowded : 0);
}

/* ---- the best tree: each divisor's best radix, remembered ---- */

enum { DIVISORS = 4096 };

typedef struct choice {
    int64_t n, radix;
    double cost;
} choice;

typedef struct chooser {
    int count;
    int64_t largest;
    bool convolution; /* the last level must be a butterfly */
    choice known[DIVISORS];
} chooser;

static double best_below(chooser *c, int64_t n);

static void consider(chooser *c, choice *best, int64_t radix)
{
    const int64_t parts = best->n / radix;
    if (best->n % radix || (c->convolution && parts == 1 && radix > BUTTERFLY_MOST)) return;
    const double cost = level_cost(radix, parts) + (parts > 1 ? best_below(c, parts) : 0);
    if (cost >= best->cost) return;
    best->cost = cost;
    best->radix = radix;
}

static const choice *find(const chooser *c, int64_t n)
{
    for (int i = 0; i < c->count; i++)
        if (c->known[i].n == n) return &c->known[i];
    return NULL;
}

/* INFINITY where n has a prime factor that no level does. */
static double best_below(chooser *c, int64_t n)
{
    const choice *known = find(c, n);
    if (known) return known->cost;
    choice best = {n, 0, INFINITY};
    for (int64_t radix = 2; radix <= BUTTERFLY_MOST; radix++) consider(c, &best, radix);
    for (int64_t radix = BUTTERFLY_MOST + 1; radix <= c->largest; radix += 2)
        if (n % radix == 0 && radix % 3 && radix % 5 && radix % 7) consider(c, &best, radix);
    if (c->count < DIVISORS) c->known[c->count++] = best;
    return best.cost;
}

double any_length_tree_choose(any_length_tree *tree, int64_t n, int64_t largest, bool convolution)
{
    static _Thread_local chooser c; /* too large for a stack */
    c.count = 0;
    c.largest = largest;
    c.convolution = convolution;
    *tree = (any_length_tree){.n = n};
    if (n == 1) return 0;
    const double cost = best_below(&c, n);
    if (cost == INFINITY) return cost;
    for (int64_t rest = n; rest > 1;) {
        const int64_t radix = find(&c, rest)->radix;
        rest /= radix;
        tree->level[tree->count++] = (any_length_level){.radix = radix, .parts = rest};
    }
    return cost * (double)n;
}

static bool smooth(int64_t n)
{
    static const int primes[] = {2, 3, 5, 7, 11, 13};
    for (int i = 0; i < 6; i++)
        while (n % primes[i] == 0) n /= primes[i];
    return n == 1;
}

/* Returns the cheapest smooth length from `least` to a little more. */
int64_t any_length_padded_length(int64_t least, bool convolution)
{
    any_length_tree tree;
    int64_t best = 0;
    double best_cost = INFINITY;
    for (int64_t n = least < 2 ? 2 : least; !best || n <= least + least / 8; n++) {
        if (!smooth(n)) continue;
        const double cost = any_length_tree_choose(&tree, n, BUTTERFLY_MOST, convolution);
        if (cost < best_cost) {
            best_cost = cost;
            best = n;
        }
    }
    return best;
}

double any_length_convolution_cost(int64_t n)
{
    any_length_tree tree;
    return 2 * any_length_tree_choose(&tree, n, STRAIGHT_MOST, true);
}

double any_length_sums_cost(int64_t prime)
{
    return prime <= STRAIGHT_MOST ? level_cost(prime, 1) * (double)prime : INFINITY;
}
