/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the radices of a transform, and the threads that share it. All factorisations are compared by
 * operations a point. An exchange through shared memory costs as much as some forty additions, and idle
 * threads count as busy ones. Factorisations with more points a thread than fit in registers are refused. */
#include "fft/gpu/radix/radices.h"

#include <math.h>

static const int known[] = {49, 47, 43, 41, 37, 36, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20,
                            19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2};
enum { KNOWN = sizeof known / sizeof *known, TABLE = 50 };

/* Returns the real operations a point of a butterfly. */
double radix_operations(int radix)
{
    static const double table[TABLE] = {
        [2] = 2,   [3] = 5.3, [4] = 4,   [5] = 8,   [6] = 6.7, [7] = 14,  [8] = 6.5,   [9] = 10,
        [10] = 10, [11] = 24, [12] = 9,  [13] = 28, [14] = 16, [15] = 13, [16] = 9,    [17] = 36,
        [18] = 12, [19] = 40, [20] = 12, [21] = 19, [22] = 26, [23] = 48, [24] = 12,   [25] = 19,
        [26] = 30, [27] = 19, [28] = 18, [29] = 60, [30] = 22, [31] = 64, [32] = 11.5, [36] = 14,
        [37] = 76, [41] = 84, [43] = 88, [47] = 96, [49] = 32};
    return table[radix];
}

/* Returns the largest number of threads for one line. */
static int most_threads(const block_limits *l)
{
    return l->tuning.threads_per_line && l->tuning.threads_per_line < l->threads ? l->tuning.threads_per_line
                                                                                 : l->threads;
}

typedef struct search {
    const block_limits *limits;
    int n, least, most; /* points that a thread may hold, at least and at most */
    int radix[TILE_STAGES];
    bool paired; /* a thread must have pairs of butterflies of one stage */
    double loss; /* least loss of any list of radices (chirped_loss) */
    radix_list *best;
} search;

static const double exchange = 40, twiddling = 6;
/* Costs of Bluestein's lines, fitted to 300 of them on an H200 (docs/internals/fft.md): operations of each
 * stage, the first one too; weight of idle threads; loss of a kernel whose points leave too few registers
 * for addresses. */
static const double chirped_stage = 27, chirped_busy = 0.58, crowded = 1.23, spilled = 2;

static double stage_cost(const search *s, int i)
{
    return s->limits->chirped ? chirped_stage : i ? exchange + twiddling : 0;
}

/* Returns the blocks of a multiprocessor of 65536 registers. A thread needs registers for its points, and
 * as many more, up to 30. */
static double chirped_blocks(const search *s, int threads, int held)
{
    const int lines = threads < 128 ? 256 / threads : 1, warps = (lines * threads + 31) / 32,
              registers_held = 2 * held * (s->limits->is_double ? 2 : 1),
              registers = (registers_held + (registers_held < 30 ? registers_held : 30) + 7) / 8 * 8,
              bytes = s->n * lines * s->limits->element_bytes,
              by_registers = 65536 / (registers * 32 * warps),
              by_shared = (int)(s->limits->shared_bytes / (bytes + 1024));
    return by_registers < by_shared ? by_registers : by_shared;
}

/* Returns how many registers points and addresses need beyond those that a thread has. */
static int beyond_registers(const search *s, int threads, int radix)
{
    const int warps = (threads + 31) / 32, all = 65536 / (32 * warps) / 8 * 8,
              each = (s->n / radix + threads - 1) / threads;
    return 2 * each * radix * (s->limits->is_double ? 2 : 1) + (each > 1 ? 32 : 18) - all;
}

double few_blocks_lose(double blocks)
{
    return blocks < 2 ? 1.37 : blocks < 3 ? 1.2 : blocks < 4 ? 1.11 : 1;
}

/* Returns the loss with as many blocks as have shared memory for a line each. */
static double least_loss(int n, const block_limits *l)
{
    return l->chirped ? few_blocks_lose((double)(l->shared_bytes / (n * l->element_bytes + 1024))) : 1;
}

/* Returns the loss of few blocks on a multiprocessor and of too few registers. */
static double chirped_loss(const search *s, int count, int threads, int held)
{
    double loss = few_blocks_lose(chirped_blocks(s, threads, held));
    int beyond = 0;
    for (int i = 0; i < count; i++) {
        const int registers_held = beyond_registers(s, threads, s->radix[i]);
        if (registers_held > beyond) beyond = registers_held;
    }
    return beyond > 8 ? loss * spilled : beyond > 0 ? loss * crowded : loss;
}

/* Returns the operations a point if `threads` share the transform; HUGE_VAL if a thread would hold too
 * many points. */
static double cost_with(const search *s, int count, int threads)
{
    double sum = 0;
    int held = 0;
    for (int i = 0; i < count; i++) {
        const int butterflies = s->n / s->radix[i], each = (butterflies + threads - 1) / threads;
        const double busy = (double)butterflies / ((double)each * threads);
        sum += (radix_operations(s->radix[i]) + stage_cost(s, i)) /
               (s->limits->chirped ? pow(busy, chirped_busy) : busy);
        if (each * s->radix[i] > held) held = each * s->radix[i];
    }
    if (held > s->most || threads > most_threads(s->limits)) return HUGE_VAL;
    if (s->limits->chirped) return sum * chirped_loss(s, count, threads, held);
    /* fewer elements in flight hide less of the memory's latency; more than 16 leave fewer blocks */
    return sum * (held < 8 ? 1.3 - 0.0375 * held : held > 16 ? 1 + 0.02 * (held - 16) : 1);
}

/* Returns the smallest radix for which all threads have equally many pairs of butterflies, because it has
 * the most neighbours in memory; 0: none. */
static int paired_radix(const int *radix, int count, int n, int threads)
{
    for (int i = count - 1; i >= 0; i--)
        if (n / radix[i] % (2 * threads) == 0) return radix[i];
    return 0;
}

static void consider(search *s, int count)
{
    if (count < s->least) return;
    for (int i = 0; i < count; i++) {
        const int butterflies = s->n / s->radix[i];
        const int threads =
            /* two butterflies each */
            butterflies <= most_threads(s->limits) ? butterflies : (butterflies + 1) / 2;
        const double cost = cost_with(s, count, threads);
        if (cost >= s->best->cost || (s->paired && !paired_radix(s->radix, count, s->n, threads))) continue;
        *s->best = (radix_list){.count = count, .threads = threads, .cost = cost};
        for (int k = 0; k < count; k++) s->best->radix[k] = s->radix[k];
    }
}

/* Returns true for composite radices that only convolutions use. */
static bool is_large(int radix)
{
    return radix > 16 && radix != 17 && radix != 19 && radix != 23 && radix != 25 && radix != 27 &&
           radix != 29 && radix != 31 && radix != 32 && radix < 37;
}

/* Returns how many more stages a list may have whose radices so far cost `least`, to cost less than the
 * best. */
static int stages_left(const search *s, int count, double least)
{
    const double more = (s->best->cost / s->loss - least) / stage_cost(s, 1);
    return (more < TILE_STAGES ? (int)more : TILE_STAGES) + (count == 0);
}

static bool power_reaches(int radix, int stages, int rest)
{
    int64_t product = 1;
    for (; stages > 0 && product < rest; stages--) product *= radix;
    return product >= rest;
}

/* Tries all factorisations of the rest. least: lower bound of the cost of the radices so far. */
static void divide(search *s, int rest, int first, int count, double least)
{
    if (rest == 1) consider(s, count);
    /* two more stages may be needed to rearrange points */
    if (rest == 1 || count == TILE_STAGES - 2) return;
    if (least * s->loss >= s->best->cost) return;
    const int stages = stages_left(s, count, least);
    for (int i = first; i < KNOWN && power_reaches(known[i], stages, rest); i++)
        if (rest % known[i] == 0 && known[i] <= s->most &&
            (s->limits->convolves || s->limits->tuning.large_radices || !is_large(known[i]))) {
            s->radix[count] = known[i];
            divide(s, rest / known[i], i, count + 1,
                   least + radix_operations(known[i]) + stage_cost(s, count));
        }
}

static int64_t largest_prime(int64_t n)
{
    int64_t largest = 1;
    for (int64_t d = 2; d * d <= n; d++)
        for (; n % d == 0; n /= d) largest = d;
    return n > 1 ? n : largest;
}

/* Returns how many points a thread may hold: the number wanted, but enough for long lines and for the
 * largest prime factor. */
static int most_held(int n, const block_limits *l)
{
    const int wanted = l->is_double && l->tuning.points_per_thread > 16 ? 16 : l->tuning.points_per_thread,
              needed = (n + most_threads(l) - 1) / most_threads(l);
    const int largest = (int)largest_prime(n), prime = largest > 7 ? largest : 7;
    const int least = needed > prime ? needed : prime;
    return wanted > least ? wanted : least;
}

/* Uses the radices of the tuning, two digits each, if their product is n; returns false if not. */
static bool told_by(search *s, int digits)
{
    int product = 1, count = 0;
    for (int rest = digits; rest; rest /= 100, count++) {
        if (rest % 100 >= TABLE || radix_operations(rest % 100) <= 0) return false;
        product *= rest % 100;
    }
    if (product != s->n || count > TILE_STAGES - 2) return false;
    s->most = 64;
    for (int i = count, rest = digits; i-- > 0; rest /= 100) s->radix[i] = rest % 100;
    consider(s, count);
    return s->best->count > 0;
}

static bool told(search *s)
{
    return told_by(s, s->limits->tuning.radices) || told_by(s, s->limits->tuning.radices_2);
}

bool radices_choose_below(radix_list *best, int n, const block_limits *l, double cost)
{
    search s = {.limits = l, .n = n, .least = 1, .loss = least_loss(n, l), .best = best};
    *best = (radix_list){.cost = cost};
    if (!has_radices(n)) return false;
    if (l->tuning.radices && told(&s)) return true;
    s.most = most_held(n, l);
    divide(&s, n, 0, 0, 0);
    return best->count > 0;
}

bool radices_choose(radix_list *best, int n, const block_limits *l, int least_stages)
{
    search s = {.limits = l, .n = n, .least = least_stages, .loss = least_loss(n, l), .best = best};
    *best = (radix_list){.cost = HUGE_VAL};
    if (l->tuning.radices && told(&s)) return true;
    if (n == 1) { /* points are only moved */
        *best = (radix_list){.count = 1, .radix = {1}, .threads = 1};
        return true;
    }
    if (!has_radices(n)) return false;
    s.most = most_held(n, l);
    divide(&s, n, 0, 0, 0);
    if (!best->count && least_stages > 1) return radices_choose(best, n, l, 1);
    return best->count > 0;
}

bool radices_choose_paired(radix_list *best, int n, const block_limits *l, paired_end end)
{
    search s = {.limits = l, .n = n, .least = 2, .loss = 1, .best = best, .paired = true};
    s.most = most_held(n, l);
    *best = (radix_list){.cost = HUGE_VAL};
    if (n > 1) divide(&s, n, 0, 0, 0);
    if (!best->count) return false;
    const int paired = paired_radix(best->radix, best->count, n, best->threads),
              to = end == PAIRED_FIRST ? 0 : best->count - 1;
    int at = 0;
    while (best->radix[at] != paired) at++;
    for (; at < to; at++) best->radix[at] = best->radix[at + 1];
    for (; at > to; at--) best->radix[at] = best->radix[at - 1];
    best->radix[to] = paired;
    best->paired = true;
    return true;
}
