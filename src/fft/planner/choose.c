/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the candidate for a plan's problem: the one of wisdom; otherwise the fastest (ARGAND_MEASURE) or
 * the one with the shortest predicted time (ARGAND_ESTIMATE). A candidate that fails when it is made is
 * skipped. Plans with accessors (at the end) have no predictions. */
#include "fft/planner/choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "fft/planner/measure.h"
#include "fft/planner/wisdom.h"

/* Sets the engine's device: the plan's own, or the host if no engine serves that device. */
static argand_status find_candidates(argand_fft *plan)
{
    fft_candidates *all = &plan->candidates;
    plan->compute_device = device_keep(plan->device);
    all->taken = all->taken_inverse = -1;
    TRY(candidates_add(all, &plan->problem, plan->device));
    for (int i = 0; i < all->count; i++)
        if (all->list[i].possible) return ARGAND_OK;
    argand_device *host;
    TRY(device_host(&host, plan->device));
    argand_device_close(plan->compute_device);
    plan->compute_device = device_keep(host);
    const int first = all->count;
    TRY(candidates_add(all, &plan->problem, host));
    for (int i = first; i < all->count; i++)
        if (all->list[i].possible) return ARGAND_OK;
    return status_set(ARGAND_UNSUPPORTED, "argand_fft_create: %s", all->list[all->count - 1].reason);
}

/* ---- by wisdom ---- */

/* Returns the candidate of that engine and variant. Without one, returns any other candidate of the engine
 * if it has named variants and this may be one: it may be able to make variants that it does not list, and
 * reports an error otherwise. The candidate that is already taken keeps its entry. */
static fft_candidate *find_known(const argand_fft *plan, const wisdom_answer *known)
{
    fft_candidate *found = NULL;
    for (int i = 0; i < plan->candidates.count; i++) {
        fft_candidate *c = &plan->candidates.list[i];
        if (!c->possible || strcmp(c->engine->name, known->engine)) continue;
        if (!strcmp(c->variant, known->variant)) return c;
        if (!c->engine->create_variant || found || i == plan->candidates.taken) continue;
        if (!c->engine->unknown || !c->engine->unknown(known->variant)) found = c;
    }
    return found;
}

/* Takes another candidate for the inverse of a real plan, if wisdom has one that can still be made. */
static argand_status take_known_inverse(argand_fft *plan, const wisdom_answer *known)
{
    fft_candidate *forward = &plan->candidates.list[plan->candidates.taken], *c = find_known(plan, known);
    forward->measured_inverse = c == forward ? known->seconds : 0;
    if (!c || c == forward) return ARGAND_OK;
    const fft_candidate before = *c;
    snprintf(c->variant, sizeof c->variant, "%s", known->variant);
    fft_problem problem = plan->problem;
    problem.only = ARGAND_INVERSE;
    const argand_status status = candidate_create(&plan->inverse_state, c, &problem, plan->compute_device);
    if (status == ARGAND_OK) {
        plan->inverse_engine = c->engine;
        plan->candidates.taken_inverse = (int)(c - plan->candidates.list);
        c->measured_inverse = known->seconds;
        candidate_explain(forward, "taken for forward transforms: wisdom says it was the fastest");
        candidate_explain(c, "taken for inverse transforms: wisdom says it was the fastest");
        return ARGAND_OK;
    }
    *c = before;
    return status == ARGAND_UNSUPPORTED || status == ARGAND_BUILD ? ARGAND_OK : status;
}

/* Returns true if the directions of a real plan have different candidates. If both belong to one engine,
 * their kernels are compiled together. */
static bool directions_differ(const argand_fft *plan, const wisdom_answer known[2], const fft_engine *engine)
{
    const bool same_engine = !strcmp(known[0].engine, known[1].engine),
               differ = choice_has_two_directions(&plan->problem) && find_known(plan, &known[1]) &&
                        (!same_engine || strcmp(known[0].variant, known[1].variant));
    const char *const variants[] = {known[0].variant, known[1].variant};
    const int only[] = {ARGAND_FORWARD, ARGAND_INVERSE};
    if (differ && same_engine && engine->precompile)
        engine->precompile(&plan->problem, plan->compute_device, variants, only, 2);
    return differ;
}

static void explain_known(fft_candidate *c, const wisdom_answer *known, const fft_problem *p)
{
    if (known->relative[0])
        candidate_explain(c, "taken: the fastest on %s, a chip of the same kind", known->relative);
    else if (p->centred && !p->access && !(known->seconds > 0))
        candidate_explain(c, "taken: wisdom says it was the fastest of similar ones");
    else
        candidate_explain(c, known->seconds > 0
                                 ? "taken: wisdom says it was the fastest"
                                 : "taken: wisdom says it was the fastest with a batch of similar size");
}

/* Takes the candidate of wisdom; another engine serves until its kernels are compiled. Leaves the plan
 * without an engine if wisdom has none, if the plan measures again, or if MEASURE finds an entry that was not
 * measured with this batch on this chip. */
static argand_status take_wisdom(argand_fft *plan)
{
    wisdom_answer answers[2];
    const wisdom_answer *known = &answers[0];
    bool is_known;
    if (plan->problem.again) return ARGAND_OK;
    TRY(wisdom_ask(&is_known, answers, plan->compute_device, &plan->problem));
    if (is_known && !(known->seconds > 0) && plan->problem.effort == ARGAND_MEASURE) return ARGAND_OK;
    fft_candidate *c = is_known ? find_known(plan, known) : NULL;
    if (!c) return ARGAND_OK;
    const fft_candidate before = *c;
    const int chosen = (int)(c - plan->candidates.list);
    snprintf(c->variant, sizeof c->variant, "%s", known->variant);
    const bool differ = directions_differ(plan, answers, c->engine);
    if (!differ) TRY(interim_begin(plan, chosen));
    if (plan->state) {
        c->measured = known->seconds;
        return ARGAND_OK;
    }
    const argand_status status = choice_take(plan, chosen, differ ? ARGAND_FORWARD : 0);
    if (status == ARGAND_OK) {
        c->measured = known->seconds;
        explain_known(c, known, &plan->problem);
        return choice_has_two_directions(&plan->problem) ? take_known_inverse(plan, &answers[1]) : ARGAND_OK;
    }
    if (strcmp(before.variant, known->variant) && (status == ARGAND_UNSUPPORTED || status == ARGAND_BUILD)) {
        *c = before; /* restores the listed variant */
        return ARGAND_OK;
    }
    return choice_give_up(c, status);
}

/* Returns the first message if no candidate could be made. */
static argand_status fail(const fft_candidates *all)
{
    for (int i = 0; i < all->count; i++)
        if (all->list[i].failure) return status_set(all->list[i].failure, "%s", all->list[i].reason);
    return status_set(ARGAND_UNSUPPORTED, "argand_fft_create: %s", all->list[0].reason);
}

/* ---- plans with accessors ---- */

/* Takes the first engine that can do the problem, with its first variant, which is that of the plain plan.
 * Plans with accessors have engines of their own on each kind of device. */
static argand_status take_first(argand_fft *plan)
{
    fft_candidates *all = &plan->candidates;
    for (int i = 0; i < all->count; i++) {
        fft_candidate *c = &all->list[i];
        if (!c->possible) continue;
        const argand_status status = choice_take(plan, i, 0);
        if (status == ARGAND_OK)
            candidate_explain(c, "taken: the first engine that supports these accessors%s",
                              c->variant[0] ? ", with the tuning of similar plans" : "");
        if (status == ARGAND_OK || i + 1 == all->count)
            return status; /* the message has all of the compiler's output */
        TRY(choice_give_up(c, status));
    }
    return status_set(ARGAND_UNSUPPORTED, "argand_fft_create: %s", all->list[all->count - 1].reason);
}

/* Sets *wanted if variants should be compared. They should not if those of the plain plan were compared
 * and the accessors do not matter. */
static argand_status wants_trial(bool *wanted, const argand_fft *plan)
{
    wisdom_answer known[2];
    bool is_known = false;
    fft_problem plain = plan->problem;
    plain.access = NULL;
    *wanted =
        plan->problem.effort == ARGAND_MEASURE && plan->engine->variants && access_trial_can(&plan->problem);
    if (!*wanted || plan->problem.again || !access_is_free(&plan->problem)) return ARGAND_OK;
    TRY(wisdom_ask(&is_known, known, plan->compute_device, &plain));
    *wanted = !(is_known && known->seconds > 0);
    return ARGAND_OK;
}

/* Compares variants by measurement if the plan asks for it, once one variant works. */
static argand_status compare_access(argand_fft *plan)
{
    fft_candidates *all = &plan->candidates;
    const fft_engine *engine = plan->engine;
    bool wanted;
    TRY(wants_trial(&wanted, plan));
    if (!wanted) return ARGAND_OK;
    engine->destroy(plan->state);
    plan->state = NULL;
    plan->engine = NULL;
    /* the device's other engines are there for problems that this one cannot do */
    for (int i = 0; i < all->count; i++)
        if (all->list[i].engine != engine && (engine_is_wanted("native") || engine_is_wanted(engine->name))) {
            all->list[i].possible = false;
            candidate_explain(&all->list[i], "ARGAND_FFT_ENGINE names another one");
        }
    all->taken = all->taken_inverse = -1;
    candidates_add_variants(all, engine, &plan->problem, plan->compute_device);
    return choice_take_measured(plan);
}

/* Lets another engine begin if the first one that can do the problem would wait for its kernels. */
static argand_status begin_access(argand_fft *plan)
{
    const fft_candidates *all = &plan->candidates;
    for (int i = 0; i < all->count; i++)
        if (all->list[i].possible) return all->list[i].engine->request ? interim_begin(plan, i) : ARGAND_OK;
    return ARGAND_OK;
}

static argand_status take_access(argand_fft *plan)
{
    fft_candidates *all = &plan->candidates;
    plan->compute_device = device_keep(plan->device);
    all->taken = all->taken_inverse = -1;
    TRY(candidates_add_access(all, &plan->problem, plan->device));
    bool varied = false;
    for (int i = 0; i < all->count; i++) varied |= all->list[i].possible && all->list[i].engine->variants;
    if (varied) TRY(take_wisdom(plan));
    if (plan->state) return ARGAND_OK;
    TRY(begin_access(plan));
    if (plan->state) return ARGAND_OK;
    TRY(take_first(plan));
    TRY(compare_access(plan));
    return plan->state ? ARGAND_OK : fail(all);
}

argand_status plan_choose(argand_fft *plan)
{
    if (plan->problem.access) return take_access(plan);
    TRY(find_candidates(plan));
    if (plan->problem.at_once) return interim_take_at_once(plan);
    TRY(take_wisdom(plan));
    if (plan->state) return ARGAND_OK;
    TRY(plan->problem.effort == ARGAND_ESTIMATE ? choice_take_predicted(plan) : choice_take_measured(plan));
    return plan->state ? ARGAND_OK : fail(&plan->candidates);
}
