/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes plans of transforms abreast: small factors become levels of butterflies, primes to 61 levels of sums
 * or convolutions, larger ones convolutions; or else the whole length is one (Bluestein), where that is
 * predicted to be cheaper. */
#include "fft/cpu/any_length/any_length.h"

#include <math.h>
#include "base/memory.h"

typedef struct factors {
    int64_t small; /* product of those that butterflies do */
    int count;
    int64_t large[PRIMES_LEVELS];
    primes_way way[PRIMES_LEVELS];
    double cost; /* of all levels, a line of a cell */
} factors;

static void add_large(factors *f, int64_t prime, int64_t n)
{
    double cost;
    f->large[f->count] = prime;
    f->way[f->count] = primes_way_for(prime, &cost);
    f->cost += cost * (double)(n / prime) + (f->way[f->count] == BY_SUMS ? 0 : 4 * (double)n);
    f->count++;
}

static void factorise(factors *f, int64_t n)
{
    int64_t rest = n;
    *f = (factors){.small = 1};
    for (int64_t prime = 2; prime * prime <= rest; prime++)
        for (; rest % prime == 0; rest /= prime)
            if (prime <= BUTTERFLY_MOST)
                f->small *= prime;
            else
                add_large(f, prime, n);
    if (rest > BUTTERFLY_MOST)
        add_large(f, rest, n);
    else
        f->small *= rest;
}

static int64_t big_work(const primes_big *b)
{
    return b->halves == 2 ? 2 * b->half[0].tree.n : 0;
}

static void add_level(primes_plan *plan, int64_t radix, int64_t *rest, const primes_big *big)
{
    *rest /= radix;
    plan->tree.level[plan->tree.count++] = (primes_level){.radix = radix, .parts = *rest, .big = big};
    if (!big) return;
    const int64_t work = big_work(big) + (*rest > 1 ? big->n : 0);
    if (work > plan->work_cells) plan->work_cells = work;
}

static argand_status add_big(primes_plan *plan, int64_t n, primes_way way, int64_t *rest)
{
    CHECK(plan->bigs < PRIMES_BIGS, ARGAND_INTERNAL, "fft: length %lld has more than %d large factors",
          (long long)plan->n, PRIMES_BIGS);
    primes_big *big = &plan->big[plan->bigs++];
    TRY(way == BY_BLUESTEIN ? bluestein_make(plan, big, n, false)
                            : rader_make(plan, big, n, way == BY_PADDED_RADER, false));
    add_level(plan, n, rest, big);
    return ARGAND_OK;
}

/* Butterflies first, then sums, then convolutions, the largest last, as its points need no moving there. */
static argand_status add_levels(primes_plan *plan, const factors *f)
{
    primes_tree small;
    int64_t rest = plan->n;
    primes_tree_choose(&small, f->small, BUTTERFLY_MOST, false);
    for (int i = 0; i < f->count; i++)
        if (f->way[i] == BY_SUMS) add_level(plan, f->large[i], &rest, NULL);
    for (int i = 0; i < small.count; i++) add_level(plan, small.level[i].radix, &rest, NULL);
    for (int i = 0; i < f->count; i++)
        if (f->way[i] != BY_SUMS) TRY(add_big(plan, f->large[i], f->way[i], &rest));
    return ARGAND_OK;
}

/* Whether the factors are to be done one by one, and what the better of both costs. */
static bool one_by_one(const factors *f, int64_t n, double *cost)
{
    primes_tree small;
    const double mixed =
        f->cost + primes_tree_choose(&small, f->small, BUTTERFLY_MOST, false) * (double)(n / f->small);
    const double whole = f->count ? primes_bluestein_cost(n) : INFINITY;
    int bigs = 0;
    for (int i = 0; i < f->count; i++) bigs += f->way[i] != BY_SUMS;
    const bool better = whole >= mixed && bigs <= PRIMES_BIGS;
    *cost = better ? mixed : whole;
    return better;
}

double primes_cost(int64_t n)
{
    factors f;
    double cost;
    factorise(&f, n);
    one_by_one(&f, n, &cost);
    return cost;
}

static argand_status make_levels(primes_plan *plan)
{
    factors f;
    int64_t rest = plan->n;
    factorise(&f, plan->n);
    return one_by_one(&f, plan->n, &plan->cost) ? add_levels(plan, &f)
                                                : add_big(plan, plan->n, BY_BLUESTEIN, &rest);
}

static const primes_big *last_big(const primes_plan *plan)
{
    return plan->tree.count ? plan->tree.level[plan->tree.count - 1].big : NULL;
}

static int64_t output_of(const primes_plan *plan, int64_t i)
{
    const primes_big *big = last_big(plan);
    if (!big) return primes_tree_output(&plan->tree, i);
    return primes_tree_output(&plan->tree, i / big->n * big->n) + plan->n / big->n * big->to[i % big->n];
}

/* One cell more for each order: real transforms have one output more. */
static argand_status make_orders(primes_plan *plan)
{
    const primes_big *big = last_big(plan);
    const int64_t block = big ? big->n : 1;
    TRY(primes_table(plan, &plan->in, (size_t)plan->n + 1, sizeof *plan->in));
    TRY(primes_table(plan, &plan->out, (size_t)plan->n + 1, sizeof *plan->out));
    for (int64_t i = 0; i < plan->n; i++) {
        const int64_t j = big ? i / block * block + big->from[i % block] : i;
        plan->in[j] = (int32_t)i;
        plan->out[output_of(plan, i)] = (int32_t)i;
    }
    plan->in[plan->n] = plan->out[plan->n] = (int32_t)plan->n;
    return primes_tree_tables(plan, &plan->tree, big ? big->from : NULL, block);
}

argand_status primes_make(primes_plan **out, int64_t n, bool is_double)
{
    primes_plan *plan;
    *out = NULL;
    CHECK(n >= 1 && n <= INT32_MAX / 4, ARGAND_UNSUPPORTED, "fft: %lld points are too many for lines abreast",
          (long long)n);
    TRY(NEW(plan, 1));
    plan->n = n;
    plan->is_double = is_double;
    argand_status status = make_levels(plan);
    if (status == ARGAND_OK) status = make_orders(plan);
    if (status != ARGAND_OK) {
        primes_release(plan);
        return status;
    }
    *out = plan;
    return ARGAND_OK;
}

void primes_release(primes_plan *plan)
{
    if (!plan) return;
    while (plan->tables) memory_free(plan->table[--plan->tables]);
    memory_free(plan);
}

static void print_tree(const primes_tree *tree, text *t)
{
    for (int i = 0; i < tree->count; i++) {
        const primes_level *l = &tree->level[i];
        if (!l->big) {
            text_add(t, i ? " %lld" : "%lld", (long long)l->radix);
            continue;
        }
        text_add(t, i ? " (%s %lld: " : "(%s %lld: ", l->big->first ? "rader" : "bluestein",
                 (long long)l->radix);
        if (l->big->halves == 2) text_add(t, "2 x ");
        print_tree(&l->big->half[0].tree, t);
        text_add(t, ")");
    }
}

void primes_print(const primes_plan *plan, text *t)
{
    print_tree(&plan->tree, t);
}
