/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses how a cluster's blocks share lines and planes of U V points: radices, threads, and the exchange
 * between blocks. */
#include "fft/gpu/cluster/split.h"

#include <math.h>
#include <stdlib.h>

/* Cost, in operations a point, of an exchange with its twiddle factors, and of memory with the transfer to
 * another block. */
enum { CLUSTER_EXCHANGE = 46, CLUSTER_MEMORY = 100 };
/* Largest number of points of a thread, and largest radix. */
enum { MOST_HELD = 27 };

int cluster_tile(int n, int blocks)
{
    return (n + blocks - 1) / blocks;
}

/* Returns true if the job has one point for each element of a line, or for each pair of reals. */
bool cluster_takes_kinds(const line_job *job)
{
    const int64_t in = job->in_kind == IN_PAIRS ? 2 : 1, out = job->out_kind == OUT_PAIRS ? 2 : 1;
    return job->in_kind != IN_HALF_PACKED && job->out_kind != OUT_HALF_PACKED &&
           !(job->in_kind == IN_PAIRS && job->out_kind == OUT_PAIRS) && llabs(job->axis.in) == in &&
           llabs(job->axis.out) == out;
}

int cluster_points(const cluster_split *h)
{
    const int first = h->u * cluster_tile(h->v, h->blocks), second = h->v * cluster_tile(h->u, h->blocks);
    return first > second ? first : second;
}

/* Returns true if elements from other blocks have an area apart from that of a block's own stages. */
bool cluster_is_disjoint(const cluster_split *h)
{
    return h->algorithm != EXCHANGE_IN_PLACE;
}

/* Returns the blocks resident on a multiprocessor with that many registers a thread (64K in four parts, as
 * on Hopper and on Blackwell's data center chips). */
static int blocks_with(int registers_held, int threads, int64_t bytes)
{
    const int registers = (registers_held + 7) / 8 * 8, warps = (threads + 31) / 32;
    int blocks = (int)(228 * 1024 / (bytes + 1024));
    while (blocks > 1 && (blocks * warps > 64 || (blocks * warps + 3) / 4 * 32 * registers > 16384)) blocks--;
    return blocks < 1 ? 1 : blocks;
}

/* Returns the number of resident blocks given to the compiler, which would otherwise use more registers:
 * those for the points and a margin, or a smaller margin if a block would be alone. */
int cluster_resident(int threads, int held, int64_t bytes, bool is_double)
{
    const int points = (is_double ? 4 : 2) * held,
              blocks = blocks_with(points + (is_double ? 56 : 24), threads, bytes);
    return blocks > 1 ? blocks : blocks_with(points + (is_double ? 40 : 16), threads, bytes);
}

/* Returns the share of the resident blocks that clusters of that size fill. A cluster lies within one
 * group of 14 to 18 multiprocessors. */
static double filled_by(int blocks, int resident)
{
    double filled = 0;
    for (int units = 14; units <= 18; units += 2)
        filled += (double)(units * resident / blocks * blocks) / (units * resident) / 3;
    return filled;
}

/* The factorizations of n into two or three radices, the largest first. */
enum { MOST_CHOICES = 32 }; /* 720 has 16; no product of radices up to 27 has more */
typedef struct radix_choices {
    int count;
    struct {
        int count, radix[3];
        double least; /* operations a point, with exchanges, if no thread is idle */
    } choice[MOST_CHOICES];
} radix_choices;

static void find_choices(radix_choices *w, int rest, int largest, int count, int *radix, double least)
{
    if (rest == 1 && count > 1 && w->count < MOST_CHOICES) {
        w->choice[w->count].count = count;
        w->choice[w->count].least = least;
        for (int i = 0; i < count; i++) w->choice[w->count].radix[i] = radix[i];
        w->count++;
    }
    for (int r = largest < rest ? largest : rest; r > 1 && count < 3; r--)
        if (rest % r == 0 && radix_operations(r) > 0) {
            radix[count] = r;
            find_choices(w, rest / r, r, count + 1, radix, least + radix_operations(r) + CLUSTER_EXCHANGE);
        }
}

static void choices_of(radix_choices *w, int n)
{
    int radix[3];
    w->count = 0;
    find_choices(w, n, MOST_HELD, 0, radix, 0);
}

/* Returns the least cost of all factorizations; HUGE_VAL: there are none. */
static double least_of(const radix_choices *w)
{
    double least = HUGE_VAL;
    for (int i = 0; i < w->count; i++)
        if (w->choice[i].least < least) least = w->choice[i].least;
    return least * (1 - 1e-9); /* tolerance for rounding */
}

double cluster_half_least(int n)
{
    radix_choices w;
    choices_of(&w, n);
    return least_of(&w);
}

/* Returns the operations a point for blocks of `threads` threads with `points` in all; HUGE_VAL if a
 * thread would hold more than `most`. */
static double half_cost(const int *radix, int count, int points, int threads, int most)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const int butterflies = points / radix[i], each = (butterflies + threads - 1) / threads;
        if (each * radix[i] > most) return HUGE_VAL;
        sum += (radix_operations(radix[i]) + CLUSTER_EXCHANGE) * each * threads / butterflies;
    }
    return sum;
}

/* Chooses the cheapest of the factorizations. */
static bool half_radices(radix_list *r, const radix_choices *w, int points, int threads, int most)
{
    *r = (radix_list){.cost = HUGE_VAL};
    for (int i = 0; i < w->count; i++) {
        const int *const radix = w->choice[i].radix, count = w->choice[i].count;
        if (radix[0] > most || w->choice[i].least * (1 - 1e-9) >= r->cost) continue;
        const double cost = half_cost(radix, count, points, threads, most);
        if (cost >= r->cost) continue;
        *r = (radix_list){.count = count, .cost = cost};
        for (int k = 0; k < count; k++) r->radix[k] = radix[k];
    }
    return r->count > 1;
}

/* Returns the shared memory that a block will request: a sixteenth is padding. */
static int64_t bytes_of(const cluster_split *h, const block_limits *l)
{
    return (cluster_is_disjoint(h) ? 3 : 2) * (int64_t)cluster_points(h) * l->element_bytes / 2 * 17 / 16;
}

/* Returns the share of a multiprocessor's throughput that the blocks reach. Resident blocks hide each
 * other's latency; their shared memory reduces the first-level cache. An exchange in place costs a little. */
static double worth_of(const cluster_split *h, const block_limits *l)
{
    static const double alone[] = {0.8, 0.95, 0.98, 1};
    const int blocks = h->min_blocks;
    const double wanted = l->is_double ? 8192 : 16384,
                 share = filled_by(h->blocks, blocks) * blocks * cluster_points(h) / wanted,
                 crowd = (double)(blocks * bytes_of(h, l)) / (228 * 1024) - 0.85,
                 waiting = h->algorithm == EXCHANGE_IN_PLACE ? (blocks < 3 ? 0.92 : 0.97) : 1;
    return (0.3 + 0.7 * (share < 1 ? share : 1)) * alone[blocks < 4 ? blocks - 1 : 3] * waiting *
           (crowd > 0 ? 1 - crowd : 1);
}

static bool is_wanted(int algorithm, const block_limits *l)
{
    return l->tuning.cluster_exchange == EXCHANGE_ANY || algorithm == l->tuning.cluster_exchange;
}

/* Tries the exchange modes that the tuning allows for these threads and radices. */
static void try_algorithms(cluster_split *best, cluster_split *more, int most, const block_limits *l)
{
    for (more->algorithm = EXCHANGE_DISJOINT; more->algorithm <= EXCHANGE_IN_PLACE; more->algorithm++) {
        if (!is_wanted(more->algorithm, l)) continue;
        more->min_blocks = cluster_resident(more->threads, most, bytes_of(more, l), l->is_double);
        more->cost = (CLUSTER_MEMORY + more->radices[0].cost + more->radices[1].cost) / worth_of(more, l);
        if (more->cost < best->cost) *best = *more;
    }
}

/* Returns the highest throughput that these threads can reach with any exchange mode. */
static double most_worth(const cluster_split *h, int threads, int most, const block_limits *l)
{
    cluster_split more = *h;
    double best = 0;
    for (more.algorithm = EXCHANGE_DISJOINT; more.algorithm <= EXCHANGE_IN_PLACE; more.algorithm++) {
        if (!is_wanted(more.algorithm, l)) continue;
        more.min_blocks = cluster_resident(threads, most, bytes_of(&more, l), l->is_double);
        const double worth = worth_of(&more, l);
        if (worth > best) best = worth;
    }
    return best * (1 + 1e-9);
}

/* Tries one number of threads. least: lower bounds of the factorizations' costs. */
static void try_threads(cluster_split *best, const cluster_split *h, const radix_choices *choices,
                        const double *least, int threads, int most, const block_limits *l)
{
    cluster_split more = *h;
    const int points[2] = {h->u * cluster_tile(h->v, h->blocks), h->v * cluster_tile(h->u, h->blocks)};
    const double below = best->cost * most_worth(h, threads, most, l) - CLUSTER_MEMORY;
    if (least[0] + least[1] >= below ||
        !half_radices(&more.radices[0], &choices[0], points[0], threads, most) ||
        more.radices[0].cost + least[1] >= below ||
        !half_radices(&more.radices[1], &choices[1], points[1], threads, most))
        return;
    more.threads = threads;
    try_algorithms(best, &more, most, l);
}

/* Chooses the threads and radices with the least cost for their throughput; returns true if it is below
 * h's. */
static bool choose_threads(cluster_split *h, const block_limits *l)
{
    static const int held[] = {12, CLUSTER_HELD, 20, MOST_HELD};
    const int points = cluster_points(h), given = l->tuning.cluster_threads;
    const double below = h->cost;
    radix_choices choices[2];
    cluster_split best = *h;
    choices_of(&choices[0], h->u);
    choices_of(&choices[1], h->v);
    const double least[2] = {least_of(&choices[0]), least_of(&choices[1])};
    if (CLUSTER_MEMORY + least[0] + least[1] >= below) return false;
    for (int i = 0; i < 4; i++)
        for (int threads = (points / held[i] + 31) / 32 * 32;
             threads <= l->threads && threads <= points / 8 + 32; threads += 32)
            if (!given || threads == given) try_threads(&best, h, choices, least, threads, held[i], l);
    *h = best;
    return best.cost < below;
}

/* Returns the factor on the cost for lines that do not fill tiles, and for blocks that wait for each
 * other. */
static double spread_cost(const cluster_split *h)
{
    const double filled = (double)cluster_points(h) * h->blocks / ((double)h->u * h->v);
    return filled * (1 + 0.02 * fabs(log2((double)h->u / h->v)) + 0.001 * (h->u > h->v)) *
           (1 + 0.02 * log2(h->blocks));
}

bool cluster_fits(int blocks, int u, int v, int least_v, const block_limits *l)
{
    const int least_u = CLUSTER_SEGMENT / l->element_bytes, tile_u = cluster_tile(u, blocks),
              tile_v = cluster_tile(v, blocks);
    const cluster_split h = {.blocks = blocks, .u = u, .v = v};
    return tile_u >= least_u && tile_v >= least_v && cluster_tile(u, tile_u) == blocks &&
           cluster_tile(v, tile_v) == blocks && cluster_points(&h) <= limits_max_points(l);
}

/* Chooses both halves for a cluster of that many blocks, if they cost less than `cost`. */
bool cluster_try_below(cluster_split *h, int blocks, int u, int v, int least_v, double cost,
                       const block_limits *l)
{
    *h = (cluster_split){.blocks = blocks, .u = u, .v = v};
    h->cost = cost / spread_cost(h) * (1 + 1e-9);
    return cluster_fits(blocks, u, v, least_v, l) && choose_threads(h, l);
}

bool cluster_try(cluster_split *h, int blocks, int u, int v, int least_v, const block_limits *l)
{
    return cluster_try_below(h, blocks, u, v, least_v, HUGE_VAL, l);
}

int cluster_small_points(const block_limits *l)
{
    return l->is_double ? 4096 : 8192;
}

bool cluster_is_small(const cluster_split *h, const block_limits *l)
{
    return cluster_points(h) <= cluster_small_points(l);
}

double cluster_cost(const cluster_split *h)
{
    return h->cost * spread_cost(h);
}
