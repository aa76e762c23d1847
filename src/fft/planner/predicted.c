/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes candidates: one that is told, or the one with the shortest predicted time. Candidates of low
 * priority (engine.h) and those without a prediction come after the others; among equal ones the first of
 * the table is used. */
#include "fft/planner/choice.h"

#include <math.h>

/* Makes candidate i the plan's, if it can be made. only: for that direction; 0: for both. */
argand_status choice_take(argand_fft *plan, int i, int only)
{
    fft_candidate *c = &plan->candidates.list[i];
    fft_problem problem = plan->problem;
    problem.only = only;
    TRY(candidate_create(&plan->state, c, &problem, plan->compute_device));
    plan->engine = c->engine;
    plan->candidates.taken = plan->candidates.taken_inverse = i;
    return ARGAND_OK;
}

/* Records why making a candidate failed. Returns ARGAND_OK if another candidate may be tried, else the
 * status. */
argand_status choice_give_up(fft_candidate *c, argand_status status)
{
    if (status != ARGAND_UNSUPPORTED && status != ARGAND_BUILD) return status;
    c->possible = false;
    c->failure = status;
    candidate_explain(c, "%s", argand_message());
    return ARGAND_OK;
}

/* Returns true if two engines may serve the plan's two directions. */
bool choice_has_two_directions(const fft_problem *p)
{
    return problem_is_real(p) && !p->access;
}

bool choice_is_before(const fft_candidate *a, const fft_candidate *b)
{
    const double x = a->predicted > 0 ? a->predicted : INFINITY,
                 y = b->predicted > 0 ? b->predicted : INFINITY;
    return a->low_priority != b->low_priority ? b->low_priority : x < y;
}

static int best_predicted(const fft_candidates *all)
{
    int best = -1;
    for (int i = 0; i < all->count; i++)
        if (all->list[i].possible && (best < 0 || choice_is_before(&all->list[i], &all->list[best])))
            best = i;
    return best;
}

static void explain_prediction(fft_candidates *all, int chosen)
{
    fft_candidate *taken = &all->list[chosen];
    int others = 0;
    for (int i = 0; i < all->count; i++) {
        fft_candidate *c = &all->list[i];
        if (!c->possible || c == taken) continue;
        others++;
        if (c->low_priority) continue; /* the engine has given the reason */
        candidate_explain(
            c, c->is_alike
                   ? "its time is not predicted: only ARGAND_MEASURE compares the tunings of an engine"
               : c->predicted > 0 ? "the predicted time is longer, or equal and later in the list"
                                  : "the time cannot be predicted");
    }
    candidate_explain(taken, others == 0           ? "taken: no other engine can compute this"
                             : taken->low_priority ? "taken: the plans of the other engines failed"
                                                   : "taken: the shortest predicted time");
}

argand_status choice_take_predicted(argand_fft *plan)
{
    fft_candidates *all = &plan->candidates;
    for (int best = best_predicted(all); best >= 0; best = best_predicted(all)) {
        TRY(interim_begin(plan, best));
        const argand_status status = plan->state ? ARGAND_OK : choice_take(plan, best, 0);
        if (status == ARGAND_OK) {
            explain_prediction(all, best);
            return ARGAND_OK;
        }
        TRY(choice_give_up(&all->list[best], status));
    }
    return ARGAND_OK;
}
