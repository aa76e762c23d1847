/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the length to pad to on a device: among all lengths from n to 1.07 n without prime factors beyond
 * 13, the one whose transforms are predicted to be fastest, many at once. Both ends of that range grow
 * with n, hence so does the answer: a length that leaves the range at its lower end was not the best, or
 * all that remain are longer. */
#include <math.h>

#include "fft/planner/candidate.h"
#include "fft/planner/model.h"

enum { MOST_POINTS = 1 << 23, PRIMES = 5 };
static const int64_t LARGEST = (int64_t)1 << 48;
static const int odd_primes[PRIMES] = {3, 5, 7, 11, 13};

typedef struct search {
    argand_device *device;
    int64_t low, high, best;
    double best_seconds;
    bool even;
} search;

/* Returns the seconds of one transform among as many as saturate the memory bus; without a prediction, n
 * log n. */
static double seconds_of(argand_device *device, int64_t n)
{
    fft_candidates all = {0};
    if (!device) return (double)n;
    const fft_problem p = {.type = ARGAND_C32,
                           .rank = 1,
                           .n = {n},
                           .points = n,
                           .batch = n < MOST_POINTS ? MOST_POINTS / n : 1,
                           .forward_factor = 1,
                           .inverse_factor = 1};
    /* [1]: engines of low priority, used if there is no other */
    double least[2] = {INFINITY, INFINITY};
    if (candidates_add(&all, &p, device) == ARGAND_OK)
        for (int i = 0; i < all.count; i++)
            if (all.list[i].possible && all.list[i].predicted > 0) {
                double *of = &least[all.list[i].low_priority];
                *of = fmin(*of, all.list[i].predicted / (double)p.batch);
            }
    candidates_release(&all);
    return isfinite(least[0]) ? least[0] : isfinite(least[1]) ? least[1] : (double)n * log2((double)n + 1);
}

/* Returns the seconds of columns forward and inverse in one pass, which computes for longer than it moves
 * data; INFINITY: there is no such pass. */
static double seconds_of_columns(const search *s, int64_t n)
{
    double least = INFINITY;
    fft_model model;
    if (!s->device || device_is_host(s->device)) return least;
    model_of(&model, s->device);
    for (const fft_engine *const *e = fft_engines; *e; e++)
        if ((*e)->line_operations)
            least = fmin(least, (*e)->line_operations(n, s->device) / model.operations);
    return least;
}

/* Compares one length with the best. Lines of reals (even) are never columns. */
static void consider(search *s, int64_t n)
{
    if (n < s->low || n > s->high || (s->even && n % 2)) return;
    const double columns = s->even ? INFINITY : seconds_of_columns(s, n),
                 seconds = isfinite(columns) ? columns : seconds_of(s->device, n);
    if (s->best && (seconds > s->best_seconds || (seconds == s->best_seconds && n > s->best))) return;
    s->best = n;
    s->best_seconds = seconds;
}

/* Visits all products of `part` with primes from that one on, then with powers of two. */
static void visit(search *s, int64_t part, int prime)
{
    for (int i = prime; i < PRIMES; i++)
        if (part <= s->high / odd_primes[i]) visit(s, part * odd_primes[i], i);
    while (part < s->low && part <= s->high / 2) part *= 2;
    for (; part <= s->high; part *= 2) consider(s, part);
}

/* Returns a length for n too large for any memory: the next supported one, not shorter than those for
 * smaller n. */
static int64_t beyond(int64_t n, bool even)
{
    const int64_t least = LARGEST + LARGEST * 7 / 100, from = n > least ? n : least;
    if (!even) return argand_fft_next_size(from);
    const int64_t half = argand_fft_next_size(from / 2 + from % 2);
    return half > INT64_MAX / 2 ? 0 : 2 * half;
}

int64_t argand_fft_fast_size(argand_device *device, int64_t n, bool even)
{
    if (n <= 2) return even || n == 2 ? 2 : 1;
    if (n > LARGEST) return beyond(n, even);
    search s = {.device = device, .low = n, .high = n + n * 7 / 100, .even = even};
    /* for some short lengths the range is empty; it then extends to the next supported length */
    const int64_t served = even ? 2 * argand_fft_next_size((n + 1) / 2) : argand_fft_next_size(n);
    if (n < 256 && served > s.high) s.high = served;
    visit(&s, 1, 0);
    return s.best;
}
