/* SPDX-License-Identifier: BSD-3-Clause */
/* The length to pad to on a device: of all lengths from n to 1.07 n without prime factors beyond 13, the one
 * whose transforms are predicted to take the least time, many at once. Both ends of that range grow with n,
 * hence so does the answer: a length that falls out below was either not the best, or all that remain are
 * longer. */
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

/* Seconds of one transform among as many as fill the memory bus; by n log n where nobody can say. */
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
    double least[2] = {INFINITY, INFINITY}; /* of engines of low priority, where there is no other, too */
    if (candidates_add(&all, &p, device) == ARGAND_OK)
        for (int i = 0; i < all.count; i++)
            if (all.list[i].possible && all.list[i].predicted > 0) {
                double *of = &least[all.list[i].low_priority];
                *of = fmin(*of, all.list[i].predicted / (double)p.batch);
            }
    candidates_release(&all);
    return isfinite(least[0]) ? least[0] : isfinite(least[1]) ? least[1] : (double)n * log2((double)n + 1);
}

/* Of columns forward and back in one pass, which compute for longer than they move; INFINITY: there is no
 * such pass. */
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

/* Lines of reals (even) are never columns. */
static void consider(search *s, int64_t n)
{
    if (n < s->low || n > s->high || (s->even && n % 2)) return;
    const double columns = s->even ? INFINITY : seconds_of_columns(s, n),
                 seconds = isfinite(columns) ? columns : seconds_of(s->device, n);
    if (s->best && (seconds > s->best_seconds || (seconds == s->best_seconds && n > s->best))) return;
    s->best = n;
    s->best_seconds = seconds;
}

/* All products of `part` and primes from that one on, then of powers of two. */
static void visit(search *s, int64_t part, int prime)
{
    for (int i = prime; i < PRIMES; i++)
        if (part <= s->high / odd_primes[i]) visit(s, part * odd_primes[i], i);
    while (part < s->low && part <= s->high / 2) part *= 2;
    for (; part <= s->high; part *= 2) consider(s, part);
}

/* For lengths that no memory holds: the next one that serves, and none below what shorter ones have. */
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
    /* where the range may be empty, which is so for short lengths alone, it goes as far as a length that
     * serves */
    const int64_t served = even ? 2 * argand_fft_next_size((n + 1) / 2) : argand_fft_next_size(n);
    if (n < 256 && served > s.high) s.high = served;
    visit(&s, 1, 0);
    return s.best;
}
