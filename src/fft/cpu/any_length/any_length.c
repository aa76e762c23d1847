/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes plans of batches: small factors become levels of butterflies, primes to 61 levels of sums
 * or convolutions, larger ones convolutions; or else the whole length is one (Bluestein), where that is
 * predicted to be cheaper. */
#include "fft/cpu/any_length/method.h"

#include <math.h>
#include "base/memory.h"

typedef struct factors {
    int64_t small; /* product of those that butterflies do */
    int count;
    int64_t large[ANY_LENGTH_LEVELS];
    const any_length_method *method[ANY_LENGTH_LEVELS]; /* NULL: by sums of cosines and sines */
    double cost;                                        /* of all levels, a line of a cell */
} factors;

/* Returns the cheapest method for a prime beyond the butterflies; NULL: sums. */
static const any_length_method *method_for(int64_t prime, double *cost)
{
    const double rader = rader_method.cost(prime), padded = padded_rader_method.cost(prime),
                 sums = any_length_sums_cost(prime);
    *cost = fmin(sums, fmin(rader, padded));
    return *cost == sums ? NULL : *cost == rader ? &rader_method : &padded_rader_method;
}

static void add_large(factors *f, int64_t prime, int64_t n)
{
    double cost;
    f->large[f->count] = prime;
    f->method[f->count] = method_for(prime, &cost);
    f->cost += cost * (double)(n / prime) + (f->method[f->count] ? 4 * (double)n : 0);
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

static int64_t big_work(const any_length_big *b)
{
    return b->halves == 2 ? 2 * b->half[0].tree.n : 0;
}

static void add_level(any_length_plan *plan, int64_t radix, int64_t *rest, const any_length_big *big)
{
    *rest /= radix;
    plan->tree.level[plan->tree.count++] = (any_length_level){.radix = radix, .parts = *rest, .big = big};
    if (!big) return;
    const int64_t work = big_work(big) + (*rest > 1 ? big->n : 0);
    if (work > plan->work_cells) plan->work_cells = work;
}

static argand_status add_big(any_length_plan *plan, int64_t n, const any_length_method *method, int64_t *rest)
{
    CHECK(plan->bigs < ANY_LENGTH_BIGS, ARGAND_INTERNAL, "fft: length %lld has more than %d large factors",
          (long long)plan->n, ANY_LENGTH_BIGS);
    any_length_big *big = &plan->big[plan->bigs++];
    TRY(method->make(plan, big, n, false));
    add_level(plan, n, rest, big);
    return ARGAND_OK;
}

/* Butterflies first, then sums, then convolutions, the largest last, as its points need no moving there. */
static argand_status add_levels(any_length_plan *plan, const factors *f)
{
    any_length_tree small;
    int64_t rest = plan->n;
    any_length_tree_choose(&small, f->small, BUTTERFLY_MOST, false);
    for (int i = 0; i < f->count; i++)
        if (!f->method[i]) add_level(plan, f->large[i], &rest, NULL);
    for (int i = 0; i < small.count; i++) add_level(plan, small.level[i].radix, &rest, NULL);
    for (int i = 0; i < f->count; i++)
        if (f->method[i]) TRY(add_big(plan, f->large[i], f->method[i], &rest));
    return ARGAND_OK;
}

/* Returns true if doing the factors one by one is cheaper than the whole length by Bluestein; *cost is that
 * of the cheaper one. */
static bool one_by_one(const factors *f, int64_t n, double *cost)
{
    any_length_tree small;
    const double mixed =
        f->cost + any_length_tree_choose(&small, f->small, BUTTERFLY_MOST, false) * (double)(n / f->small);
    const double whole = f->count ? bluestein_method.cost(n) : INFINITY;
    int bigs = 0;
    for (int i = 0; i < f->count; i++) bigs += f->method[i] != NULL;
    const bool better = whole >= mixed && bigs <= ANY_LENGTH_BIGS;
    *cost = better ? mixed : whole;
    return better;
}

double any_length_cost(int64_t n)
{
    factors f;
    double cost;
    factorise(&f, n);
    one_by_one(&f, n, &cost);
    return cost;
}

static argand_status make_levels(any_length_plan *plan)
{
    factors f;
    int64_t rest = plan->n;
    factorise(&f, plan->n);
    return one_by_one(&f, plan->n, &plan->cost) ? add_levels(plan, &f)
                                                : add_big(plan, plan->n, &bluestein_method, &rest);
}

static const any_length_big *last_big(const any_length_plan *plan)
{
    return plan->tree.count ? plan->tree.level[plan->tree.count - 1].big : NULL;
}

static int64_t output_of(const any_length_plan *plan, int64_t i)
{
    const any_length_big *big = last_big(plan);
    if (!big) return any_length_tree_output(&plan->tree, i);
    return any_length_tree_output(&plan->tree, i / big->n * big->n) + plan->n / big->n * big->to[i % big->n];
}

/* One cell more for each order: real transforms have one output more. */
static argand_status make_orders(any_length_plan *plan)
{
    const any_length_big *big = last_big(plan);
    const int64_t block = big ? big->n : 1;
    TRY(any_length_table(plan, &plan->in, (size_t)plan->n + 1, sizeof *plan->in));
    TRY(any_length_table(plan, &plan->out, (size_t)plan->n + 1, sizeof *plan->out));
    for (int64_t i = 0; i < plan->n; i++) {
        const int64_t j = big ? i / block * block + big->from[i % block] : i;
        plan->in[j] = (int32_t)i;
        plan->out[output_of(plan, i)] = (int32_t)i;
    }
    plan->in[plan->n] = plan->out[plan->n] = (int32_t)plan->n;
    return any_length_tree_tables(plan, &plan->tree, big ? big->from : NULL, block);
}

argand_status any_length_make(any_length_plan **out, int64_t n, bool is_double)
{
    any_length_plan *plan;
    *out = NULL;
    CHECK(n >= 1 && n <= INT32_MAX / 4, ARGAND_UNSUPPORTED,
          "fft: %lld points are too many for a batch of lines", (long long)n);
    TRY(NEW(plan, 1));
    plan->n = n;
    plan->is_double = is_double;
    argand_status status = make_levels(plan);
    if (status == ARGAND_OK) status = make_orders(plan);
    if (status != ARGAND_OK) {
        any_length_release(plan);
        return status;
    }
    *out = plan;
    return ARGAND_OK;
}

void any_length_release(any_length_plan *plan)
{
    if (!plan) return;
    while (plan->tables) memory_free(plan->table[--plan->tables]);
    memory_free(plan);
}

static void print_tree(const any_length_tree *tree, text *t)
{
    for (int i = 0; i < tree->count; i++) {
        const any_length_level *l = &tree->level[i];
        if (!l->big) {
            text_add(t, i ? " %lld" : "%lld", (long long)l->radix);
            continue;
        }
        text_add(t, i ? " (" : "(");
        l->big->method->print(l->big, t);
        print_tree(&l->big->half[0].tree, t);
        text_add(t, ")");
    }
}

void any_length_print(const any_length_plan *plan, text *t)
{
    print_tree(&plan->tree, t);
}
