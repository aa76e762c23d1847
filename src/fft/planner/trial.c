/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses by measurement: makes and times the promising candidates until the time is over, keeps the
 * fastest, and adds them to wisdom. */
#include "fft/planner/choice.h"

#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory.h"
#include "base/observe.h"
#include "fft/planner/measure.h"
#include "fft/planner/model.h"
#include "fft/planner/wisdom.h"

/* Goals, with the fastest candidate so far for each: both directions of a real plan together (a complex
 * plan has no other goal), forward, and inverse; -1: none. */
enum { BOTH, FORWARD, INVERSE, GOALS };

static double seconds_of(const fft_candidate *c, int goal)
{
    return goal == INVERSE   ? c->measured_inverse
           : goal == FORWARD ? c->measured - c->measured_inverse
                             : c->measured;
}

static void release_state(fft_candidate *c)
{
    if (c->state) c->engine->destroy(c->state);
    c->state = NULL;
}

/* Enters candidate i for each goal that it is fastest for, and releases candidates that are no longer
 * fastest. */
static void rank_one(fft_candidates *all, int fastest[GOALS], int i, bool real)
{
    for (int goal = 0; goal < (real ? GOALS : 1); goal++)
        if (fastest[goal] < 0 ||
            seconds_of(&all->list[i], goal) < seconds_of(&all->list[fastest[goal]], goal))
            fastest[goal] = i;
    for (int k = 0; k < all->count; k++)
        if (k != fastest[BOTH] && k != fastest[FORWARD] && k != fastest[INVERSE])
            release_state(&all->list[k]);
}

/* State of a measurement: the fastest candidates, and the results to compare with. */
typedef struct trial {
    int fastest[GOALS];
    fft_reference reference;
    double end; /* time at which measuring ends */
} trial;

/* Times candidate i; keeps its state if it is one of the fastest so far. */
static argand_status try_one(argand_fft *plan, trial *t, int i)
{
    fft_candidate *c = &plan->candidates.list[i];
    double seconds[2];
    bool differs = false;
    TRY(observe("comparing transforms", -1));
    argand_status status = candidate_create(&c->state, c, &plan->problem, plan->compute_device);
    if (status != ARGAND_OK) return choice_give_up(c, status);
    status = candidate_measure(seconds, &differs, &t->reference, c, c->state, &plan->problem,
                               plan->compute_device);
    if (c->engine->chosen) c->engine->chosen(c->state, &plan->problem, c->variant);
    if (status != ARGAND_OK || differs) {
        release_state(c);
        c->possible = !differs;
        if (differs) c->failure = ARGAND_INTERNAL;
        return status;
    }
    c->measured = seconds[0] + seconds[1];
    c->measured_inverse = seconds[1];
    rank_one(&plan->candidates, t->fastest, i, choice_has_two_directions(&plan->problem));
    return ARGAND_OK;
}

/* Two engines have tables and kernels twice. They must gain more than the scatter of two measurements. */
static const double TWO_PAY = 0.99;

/* Gives the plan the states of the chosen candidates. */
static void take_fastest(argand_fft *plan, const int fastest[GOALS])
{
    fft_candidates *all = &plan->candidates;
    const fft_candidate *list = all->list;
    const bool two =
        choice_has_two_directions(&plan->problem) &&
        seconds_of(&list[fastest[FORWARD]], FORWARD) + seconds_of(&list[fastest[INVERSE]], INVERSE) <
            TWO_PAY * list[fastest[BOTH]].measured;
    all->taken = fastest[two ? FORWARD : BOTH];
    all->taken_inverse = fastest[two ? INVERSE : BOTH];
    fft_candidate *forward = &all->list[all->taken], *inverse = &all->list[all->taken_inverse];
    plan->engine = forward->engine;
    plan->state = forward->state;
    forward->state = NULL;
    if (!two) return;
    plan->inverse_engine = inverse->engine;
    plan->inverse_state = inverse->state;
    inverse->state = NULL;
}

static void explain_measurement(fft_candidates *all)
{
    for (int i = 0; i < all->count; i++) {
        fft_candidate *c = &all->list[i];
        if (i == all->taken || i == all->taken_inverse)
            candidate_explain(c, all->taken == all->taken_inverse ? "taken: measured as the fastest"
                                 : i == all->taken ? "taken for forward transforms: measured as the fastest"
                                                   : "taken for inverse transforms: measured as the fastest");
        else if (c->possible)
            candidate_explain(c, c->measured > 0 ? "measured as slower"
                                                 : "the time limit for measuring was reached");
    }
}

/* Returns the possible candidate with the best prediction that is not in the list. first: its engine must
 * not be in the list either. */
static int next_of(const fft_candidates *all, const int *order, int count, bool first)
{
    int next = -1;
    for (int i = 0; i < all->count; i++) {
        const fft_candidate *c = &all->list[i];
        bool in_list = !c->possible;
        for (int k = 0; k < count; k++)
            in_list |= order[k] == i || (first && all->list[order[k]].engine == c->engine);
        if (!in_list && (next < 0 || choice_is_before(c, &all->list[next]))) next = i;
    }
    return next;
}

/* Orders the possible candidates by prediction, so that the promising ones are timed: first the best one
 * of each engine, then the rest, because some engines have more variants than there is time for. */
static int in_order(const fft_candidates *all, int order[FFT_MOST_CANDIDATES])
{
    int count = 0, next;
    for (int first = 1; first >= 0; first--)
        while ((next = next_of(all, order, count, first)) >= 0) order[count++] = next;
    return count;
}

/* Lets engines compile for the next candidates at once: as many as there are threads, so that one thread
 * compiles nothing too early. */
static void precompile(const argand_fft *plan, const int *order, int count)
{
    for (int i = 0; i < count; i++) {
        const fft_engine *engine = plan->candidates.list[order[i]].engine;
        const char *variants[FFT_MOST_CANDIDATES];
        int found = 0;
        bool before = false;
        for (int k = 0; k < i; k++) before |= plan->candidates.list[order[k]].engine == engine;
        if (before || !engine->precompile) continue;
        for (int k = i; k < count; k++)
            if (plan->candidates.list[order[k]].engine == engine)
                variants[found++] = plan->candidates.list[order[k]].variant;
        if (found > 1) engine->precompile(&plan->problem, plan->compute_device, variants, NULL, found);
    }
}

/* Adds one wisdom entry if one engine serves both directions; with two, the inverse has another entry of
 * its own. */
static argand_status remember(const argand_fft *plan)
{
    const fft_candidates *all = &plan->candidates;
    const fft_candidate *forward = &all->list[all->taken], *inverse = &all->list[all->taken_inverse];
    const double seconds = seconds_of(forward, FORWARD) + seconds_of(inverse, INVERSE);
    const char *wanted = getenv("ARGAND_FFT_ENGINE"); /* if set, other engines were not tried */
    if (wanted && *wanted) return ARGAND_OK;
    TRY(wisdom_remember(plan->compute_device, &plan->problem, false, forward->engine->name, forward->variant,
                        seconds));
    if (!choice_has_two_directions(&plan->problem)) return ARGAND_OK;
    return wisdom_remember(plan->compute_device, &plan->problem, true, inverse->engine->name,
                           inverse->variant, inverse->measured_inverse);
}

/* Times candidates until the time is over, but at least one. */
static argand_status try_all(argand_fft *plan, trial *t, const int *order, int count)
{
    const int ahead = argand_device_threads(plan->compute_device);
    for (int i = 0; i < count && (t->fastest[BOTH] < 0 || clock_seconds() < t->end); i++) {
        if (i % ahead == 0) precompile(plan, order + i, count - i < ahead ? count - i : ahead);
        TRY(try_one(plan, t, order[i]));
    }
    return ARGAND_OK;
}

static bool is_listed(const fft_candidates *all, const fft_engine *engine, const char *variant)
{
    for (int i = 0; i < all->count; i++)
        if (all->list[i].engine == engine && !strcmp(all->list[i].variant, variant)) return true;
    return false;
}

/* Tries the fastest candidate with one of its choices changed. */
static argand_status try_nearby(argand_fft *plan, trial *t)
{
    fft_candidates *all = &plan->candidates;
    const fft_candidate best = all->list[t->fastest[BOTH]];
    char names[FFT_MOST_CANDIDATES][FFT_VARIANT_CHARS];
    int order[FFT_MOST_CANDIDATES], found = 0;
    const int count = best.engine->nearby ? best.engine->nearby(&plan->problem, plan->compute_device,
                                                                best.variant, names, FFT_MOST_CANDIDATES)
                                          : 0;
    for (int i = 0; i < count && all->count < FFT_MOST_CANDIDATES; i++) {
        if (is_listed(all, best.engine, names[i])) continue;
        fft_candidate *c = &all->list[all->count];
        *c = (fft_candidate){
            .engine = best.engine, .possible = true, .is_alike = true, .predicted = best.predicted};
        memcpy(c->variant, names[i], sizeof c->variant);
        order[found++] = all->count++;
    }
    return try_all(plan, t, order, found);
}

static argand_status try_everything(argand_fft *plan, trial *t)
{
    enum { ROUNDS = 2 }; /* steps from the fastest variant to a faster neighbour */
    int order[FFT_MOST_CANDIDATES];
    const int count = in_order(&plan->candidates, order);
    argand_status status = try_all(plan, t, order, count);
    for (int i = 0, last = -1; i < ROUNDS && status == ARGAND_OK && t->fastest[BOTH] >= 0; i++) {
        if (t->fastest[BOTH] == last || clock_seconds() >= t->end) break;
        last = t->fastest[BOTH];
        status = try_nearby(plan, t);
    }
    return status;
}

/* Chooses by prediction if nothing can be timed. */
argand_status choice_take_measured(argand_fft *plan)
{
    fft_candidates *all = &plan->candidates;
    TRY(wisdom_check_file());
    trial t = {.fastest = {-1, -1, -1}, .end = clock_seconds() + plan->problem.measure_seconds};
    model_learn(plan->compute_device);
    const argand_status status = try_everything(plan, &t);
    reference_release(&t.reference);
    if (t.fastest[BOTH] < 0)
        return status == ARGAND_OK || status == ARGAND_MEMORY ? choice_take_predicted(plan) : status;
    if (status == ARGAND_STOPPED) {
        for (int i = 0; i < all->count; i++) release_state(&all->list[i]);
        return status;
    }
    take_fastest(plan, t.fastest);
    for (int i = 0; i < all->count; i++) release_state(&all->list[i]);
    explain_measurement(all);
    return remember(plan);
}
