/* SPDX-License-Identifier: BSD-3-Clause */
/* Which radices a transform goes through, and how many items share it. All factorisations are compared by
 * operations a point: an exchange through shared memory costs as much as some forty additions, items that
 * stand idle count as if they worked, and more points an item than fit in registers are refused. */
#include "fft/gpu/radix/radices.h"

#include <math.h>

static const int known[] = {49, 47, 43, 41, 37, 36, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20,
                            19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2};
enum { KNOWN = sizeof known / sizeof *known, TABLE = 50 };

/* Real operations a point of a butterfly. */
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

/* Items that one line may have. */
static int most_items(const box_limits *l)
{
    return l->tuning.threads_per_line && l->tuning.threads_per_line < l->items ? l->tuning.threads_per_line
                                                                               : l->items;
}

typedef struct search {
    const box_limits *limits;
    int n, least, most; /* points that an item may hold */
    int radix[BOX_STAGES];
    bool paired; /* an item must have pairs of butterflies of one stage */
    double loss; /* what any list of radices loses at least (chirped_loss) */
    box_radices *best;
} search;

static const double exchange = 40, turning = 6;
/* Bluestein's lines, as fitted to 300 of them on an H200 (docs/internals/fft.md): each stage, the first one
 * too, as so many operations; how much idle items count; what a kernel loses whose points do not leave its
 * registers room for addresses. */
static const double chirped_stage = 27, chirped_busy = 0.58, crowded = 1.23, spilled = 2;

static double stage_cost(const search *s, int i)
{
    return s->limits->chirped ? chirped_stage : i ? exchange + turning : 0;
}

/* Groups of a multiprocessor of 65536 registers: their items have the points, and as many more up to 30. */
static double chirped_groups(const search *s, int items, int held)
{
    const int lines = items < 128 ? 256 / items : 1, warps = (lines * items + 31) / 32,
              numbers = 2 * held * (s->limits->is_double ? 2 : 1),
              registers = (numbers + (numbers < 30 ? numbers : 30) + 7) / 8 * 8,
              bytes = s->n * lines * s->limits->item_bytes, by_registers = 65536 / (registers * 32 * warps),
              by_shared = (int)(s->limits->shared_bytes / (bytes + 1024));
    return by_registers < by_shared ? by_registers : by_shared;
}

/* Words that points and addresses want beyond an item's registers. */
static int beyond_registers(const search *s, int items, int radix)
{
    const int warps = (items + 31) / 32, all = 65536 / (32 * warps) / 8 * 8,
              each = (s->n / radix + items - 1) / items;
    return 2 * each * radix * (s->limits->is_double ? 2 : 1) + (each > 1 ? 32 : 18) - all;
}

static double few_groups_lose(double groups)
{
    return groups < 2 ? 1.37 : groups < 3 ? 1.2 : groups < 4 ? 1.11 : 1;
}

/* As many groups as have shared memory for a line each. */
static double least_loss(int n, const box_limits *l)
{
    return l->chirped ? few_groups_lose((double)(l->shared_bytes / (n * l->item_bytes + 1024))) : 1;
}

/* What few groups on a multiprocessor and crowded registers cost. */
static double chirped_loss(const search *s, int count, int items, int held)
{
    double loss = few_groups_lose(chirped_groups(s, items, held));
    int beyond = 0;
    for (int i = 0; i < count; i++) {
        const int words = beyond_registers(s, items, s->radix[i]);
        if (words > beyond) beyond = words;
    }
    return beyond > 8 ? loss * spilled : beyond > 0 ? loss * crowded : loss;
}

/* Operations a point where `items` share the transform; huge where an item would hold too many points. */
static double cost_with(const search *s, int count, int items)
{
    double sum = 0;
    int held = 0;
    for (int i = 0; i < count; i++) {
        const int butterflies = s->n / s->radix[i], each = (butterflies + items - 1) / items;
        const double busy = (double)butterflies / ((double)each * items);
        sum += (radix_operations(s->radix[i]) + stage_cost(s, i)) /
               (s->limits->chirped ? pow(busy, chirped_busy) : busy);
        if (each * s->radix[i] > held) held = each * s->radix[i];
    }
    if (held > s->most || items > most_items(s->limits)) return HUGE_VAL;
    if (s->limits->chirped) return sum * chirped_loss(s, count, items, held);
    /* fewer numbers in flight hide less of the memory's latency; more than 16 leave fewer groups */
    return sum * (held < 8 ? 1.3 - 0.0375 * held : held > 16 ? 1 + 0.02 * (held - 16) : 1);
}

/* The smallest radix of which all items have as many pairs of butterflies: the most neighbours in memory. 0:
 * none. */
static int paired_radix(const int *radix, int count, int n, int items)
{
    for (int i = count - 1; i >= 0; i--)
        if (n / radix[i] % (2 * items) == 0) return radix[i];
    return 0;
}

static void consider(search *s, int count)
{
    if (count < s->least) return;
    for (int i = 0; i < count; i++) {
        const int butterflies = s->n / s->radix[i];
        const int items =
            butterflies <= most_items(s->limits) ? butterflies : (butterflies + 1) / 2; /* two each */
        const double cost = cost_with(s, count, items);
        if (cost >= s->best->cost || (s->paired && !paired_radix(s->radix, count, s->n, items))) continue;
        *s->best = (box_radices){.count = count, .items = items, .cost = cost};
        for (int k = 0; k < count; k++) s->best->radix[k] = s->radix[k];
    }
}

/* Composite radices that only convolutions have. */
static bool is_large(int radix)
{
    return radix > 16 && radix != 17 && radix != 19 && radix != 23 && radix != 25 && radix != 27 &&
           radix != 29 && radix != 31 && radix != 32 && radix < 37;
}

/* Stages that may follow where the radices so far cost `least`, for all to cost less than the best. */
static int stages_left(const search *s, int count, double least)
{
    const double more = (s->best->cost / s->loss - least) / stage_cost(s, 1);
    return (more < BOX_STAGES ? (int)more : BOX_STAGES) + (count == 0);
}

static bool power_reaches(int radix, int stages, int rest)
{
    int64_t product = 1;
    for (; stages > 0 && product < rest; stages--) product *= radix;
    return product >= rest;
}

/* `least`: what the radices so far cost if no item is idle, and so at least. */
static void divide(search *s, int rest, int first, int count, double least)
{
    if (rest == 1) consider(s, count);
    if (rest == 1 || count == BOX_STAGES - 2) return; /* two more may be needed to rearrange */
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

/* As many points as an item may hold: what is wanted, but enough for long lines and for the largest prime
 * factor. */
static int most_held(int n, const box_limits *l)
{
    const int wanted = l->is_double && l->tuning.points_per_thread > 16 ? 16 : l->tuning.points_per_thread,
              needed = (n + most_items(l) - 1) / most_items(l);
    const int largest = (int)largest_prime(n), prime = largest > 7 ? largest : 7;
    const int least = needed > prime ? needed : prime;
    return wanted > least ? wanted : least;
}

/* Those that the tuning tells, two digits each, if their product is n. */
static bool told_by(search *s, int digits)
{
    int product = 1, count = 0;
    for (int rest = digits; rest; rest /= 100, count++) {
        if (rest % 100 >= TABLE || radix_operations(rest % 100) <= 0) return false;
        product *= rest % 100;
    }
    if (product != s->n || count > BOX_STAGES - 2) return false;
    s->most = 64;
    for (int i = count, rest = digits; i-- > 0; rest /= 100) s->radix[i] = rest % 100;
    consider(s, count);
    return s->best->count > 0;
}

static bool told(search *s)
{
    return told_by(s, s->limits->tuning.radices) || told_by(s, s->limits->tuning.radices_2);
}

bool radices_choose_below(box_radices *best, int n, const box_limits *l, double cost)
{
    search s = {.limits = l, .n = n, .least = 1, .loss = least_loss(n, l), .best = best};
    *best = (box_radices){.cost = cost};
    if (!has_radices(n)) return false;
    if (l->tuning.radices && told(&s)) return true;
    s.most = most_held(n, l);
    divide(&s, n, 0, 0, 0);
    return best->count > 0;
}

bool radices_choose(box_radices *best, int n, const box_limits *l, int least_stages)
{
    search s = {.limits = l, .n = n, .least = least_stages, .loss = least_loss(n, l), .best = best};
    *best = (box_radices){.cost = HUGE_VAL};
    if (l->tuning.radices && told(&s)) return true;
    if (n == 1) { /* only moved */
        *best = (box_radices){.count = 1, .radix = {1}, .items = 1};
        return true;
    }
    if (!has_radices(n)) return false;
    s.most = most_held(n, l);
    divide(&s, n, 0, 0, 0);
    if (!best->count && least_stages > 1) return radices_choose(best, n, l, 1);
    return best->count > 0;
}

bool radices_choose_paired(box_radices *best, int n, const box_limits *l, paired_end end)
{
    search s = {.limits = l, .n = n, .least = 2, .loss = 1, .best = best, .paired = true};
    s.most = most_held(n, l);
    *best = (box_radices){.cost = HUGE_VAL};
    if (n > 1) divide(&s, n, 0, 0, 0);
    if (!best->count) return false;
    const int paired = paired_radix(best->radix, best->count, n, best->items),
              to = end == PAIRED_FIRST ? 0 : best->count - 1;
    int at = 0;
    while (best->radix[at] != paired) at++;
    for (; at < to; at++) best->radix[at] = best->radix[at + 1];
    for (; at > to; at--) best->radix[at] = best->radix[at - 1];
    best->radix[to] = paired;
    best->paired = true;
    return true;
}
