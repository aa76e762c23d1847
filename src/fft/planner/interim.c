/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets the general kernel or cuFFT serve a plan until the plan's own kernels are compiled. */
#include "fft/planner/interim.h"

#include <stdio.h>
#include "base/memory.h"
#include "fft/planner/plan.h"

/* Returns true if the plan may begin with another engine. Measured plans wait. Orders of frequencies differ
 * between engines unless they are natural. */
static bool may_begin(const argand_fft *plan, const fft_candidate *own)
{
    const fft_problem *p = &plan->problem;
    return !p->waits && p->effort == ARGAND_ESTIMATE && !p->scrambled_signal && !p->scrambled_spectrum &&
           plan->compute_device == plan->device && own->engine->request &&
           (kernels_background(plan->device) || device_traits_of(plan->device)->rehearses_first);
}

/* Returns the candidate that can begin, -1 if there is none: the last of the list, in which the general
 * kernel follows cuFFT, whose own first plan of a size may compile. */
static int find_first(const argand_fft *plan)
{
    const fft_candidates *all = &plan->candidates;
    for (int i = all->count; i-- > 0;) {
        const fft_candidate *c = &all->list[i];
        if (c->possible && c->engine->is_immediate &&
            c->engine->is_immediate(&plan->problem, plan->compute_device))
            return i;
    }
    return -1;
}

/* Makes the state that serves first. If it cannot be made, the plan waits for its kernels. */
static bool take_first(argand_fft *plan, int first)
{
    fft_candidates *all = &plan->candidates;
    fft_problem problem = plan->problem;
    problem.at_once = true; /* for plans within the engine's */
    if (candidate_create(&plan->state, &all->list[first], &problem, plan->compute_device)) return false;
    plan->engine = all->list[first].engine;
    all->taken = all->taken_inverse = first;
    return true;
}

argand_status interim_take_at_once(argand_fft *plan)
{
    const int first = find_first(plan);
    CHECK(first >= 0 && take_first(plan, first), ARGAND_UNSUPPORTED,
          "argand_fft_create: no engine is there that compiles nothing");
    candidate_explain(&plan->candidates.list[first], "taken: it compiles nothing");
    return ARGAND_OK;
}

argand_status interim_begin(argand_fft *plan, int own)
{
    const fft_candidate *c = &plan->candidates.list[own];
    kernel_request *request = NULL;
    if (!may_begin(plan, c)) return ARGAND_OK;
    const int first = find_first(plan);
    if (first < 0) return ARGAND_OK;
    if (device_traits_of(plan->device)->rehearses_first) {
        (void)take_first(plan, first); /* for good */
        return ARGAND_OK;
    }
    TRY(c->engine->request(&request, &plan->problem, plan->compute_device, c->variant));
    if (!request) return ARGAND_OK;
    if (NEW(plan->interim, 1) != ARGAND_OK || !take_first(plan, first)) {
        memory_free(plan->interim);
        plan->interim = NULL;
        kernels_forget(request);
        return ARGAND_OK;
    }
    plan->interim->own = own;
    plan->interim->first = first;
    plan->interim->request = request;
    pthread_mutex_init(&plan->interim->lock, NULL);
    return ARGAND_OK;
}

/* Keeps the first engine for good. The caller holds the lock. */
static void give_up(fft_interim *s, const char *what, const char *reason)
{
    snprintf(s->reason, sizeof s->reason, "%s: %s", what, reason);
    atomic_store(&s->over, true);
}

/* Makes the chosen candidate's state. The caller holds the lock. */
static void change(const argand_fft *plan, argand_status compiled, const char *reason)
{
    fft_interim *s = plan->interim;
    void *state;
    if (compiled != ARGAND_OK) {
        give_up(s, "its kernels cannot be compiled", reason);
        return;
    }
    if (candidate_create(&state, &plan->candidates.list[s->own], &plan->problem, plan->compute_device))
        give_up(s, "it cannot be made", argand_message());
    else
        atomic_store_explicit(&s->state, state, memory_order_release);
}

void interim_advance(const argand_fft *plan)
{
    fft_interim *s = plan->interim;
    const char *reason;
    argand_status compiled;
    if (atomic_load_explicit(&s->state, memory_order_acquire) || atomic_load(&s->over)) return;
    if (!kernels_are_ready(s->request, &compiled, &reason) || device_is_captured(plan->device)) return;
    if (pthread_mutex_trylock(&s->lock)) return; /* another call makes the change */
    if (!atomic_load(&s->state) && !atomic_load(&s->over)) change(plan, compiled, reason);
    pthread_mutex_unlock(&s->lock);
}

void interim_explain(const argand_fft *plan, int candidate, char *reason, size_t size)
{
    const fft_interim *s = plan->interim;
    if (!s || (candidate != s->own && candidate != s->first)) return;
    const char *own = plan->candidates.list[s->own].engine->name,
               *first = plan->candidates.list[s->first].engine->name;
    const bool is_own = candidate == s->own;
    if (atomic_load(&s->over))
        snprintf(reason, size, "%s", is_own ? s->reason : "taken: the chosen engine failed");
    else if (atomic_load(&s->state))
        snprintf(reason, size, is_own ? "taken: the shortest predicted time" : "served until %s was compiled",
                 own);
    else if (is_own)
        snprintf(reason, size, "chosen: the shortest predicted time; %s serves until it is compiled", first);
    else
        snprintf(reason, size, "taken until the kernels of %s are compiled", own);
}

void interim_end(argand_fft *plan)
{
    fft_interim *s = plan->interim;
    if (!s) return;
    void *state = atomic_load(&s->state);
    if (state) plan->candidates.list[s->own].engine->destroy(state);
    kernels_forget(s->request);
    pthread_mutex_destroy(&s->lock);
    memory_free(s);
    plan->interim = NULL;
}
