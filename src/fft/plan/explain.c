/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers questions about a plan: its passes, its work memory, and the candidates that were considered. */
#include <stdio.h>
#include "fft/plan/half.h"

/* Adds the copies that plan.c makes if the engine runs on another device. */
static void add_copy(fft_passes *list, const fft_problem *p, argand_direction direction, bool back)
{
    if (list->count == FFT_MOST_PASSES) return;
    const bool reals = problem_is_real(p) && back == (direction == ARGAND_INVERSE);
    const int64_t n_0 = problem_is_real(p) && !reals ? p->n[0] / 2 + 1 : p->n[0];
    const int64_t element = (int64_t)argand_type_size(p->type) * (problem_is_real(p) && !reals ? 2 : 1);
    const int64_t bytes = p->points / p->n[0] * n_0 * p->batch * element;
    int at = back ? list->count : 0;
    for (int i = list->count++; i > at; i--) list->pass[i] = list->pass[i - 1];
    argand_fft_pass *pass = &list->pass[at];
    *pass = (argand_fft_pass){
        .axis = -1, .read_bytes = bytes, .write_bytes = bytes, .seconds = (double)bytes / 1e10 + 1e-5};
    snprintf(pass->what, sizeof pass->what, back ? "back from the host" : "to the host");
}

static void list_passes(fft_passes *list, const argand_fft *plan, argand_direction direction)
{
    *list = (fft_passes){0};
    if (!plan || (direction != ARGAND_FORWARD && direction != ARGAND_INVERSE)) return;
    const fft_candidates *all = &plan->candidates; /* empty if there was no choice */
    const fft_serving now = plan_serving(plan, direction);
    const char *variant = all->count ? all->list[now.candidate].variant : "";
    candidate_passes(list, now.engine, variant, &plan->problem, plan->compute_device, direction);
    if (list->count && now.engine->detail) now.engine->detail(now.state, &plan->problem, list);
    if (list->count && plan->compute_device != plan->device) {
        add_copy(list, &plan->problem, direction, false);
        add_copy(list, &plan->problem, direction, true);
    }
    if (list->count && plan->half_packed) half_add_pass(list, plan, direction);
}

int argand_fft_pass_count(const argand_fft *plan, argand_direction direction)
{
    fft_passes list;
    list_passes(&list, plan, direction);
    return list.count;
}

argand_status argand_fft_pass_describe(const argand_fft *plan, argand_direction direction, int index,
                                       argand_fft_pass *pass)
{
    fft_passes list;
    CHECK(plan && pass, ARGAND_ARGUMENT, "argand_fft_pass_describe: no %s",
          plan ? "place for the answer" : "plan");
    list_passes(&list, plan, direction);
    CHECK(index >= 0 && index < list.count, ARGAND_ARGUMENT, "argand_fft_pass_describe: pass %d of %d", index,
          list.count);
    *pass = list.pass[index];
    return ARGAND_OK;
}

int64_t argand_fft_workspace(const argand_fft *plan, argand_direction direction)
{
    if (!plan) return 0;
    const fft_serving now = plan_serving(plan, direction);
    const int64_t half = plan->half_packed ? half_bytes(plan) : 0;
    return half + (now.engine->workspace
                       ? now.engine->workspace(now.state, &plan->problem, plan->compute_device, direction)
                       : 0);
}

int argand_fft_candidate_count(const argand_fft *plan)
{
    return plan ? plan->candidates.count : 0;
}

argand_status argand_fft_candidate_describe(const argand_fft *plan, int index,
                                            argand_fft_candidate *candidate)
{
    CHECK(plan && candidate, ARGAND_ARGUMENT, "argand_fft_candidate_describe: no %s",
          plan ? "place for the answer" : "plan");
    CHECK(index >= 0 && index < plan->candidates.count, ARGAND_ARGUMENT,
          "argand_fft_candidate_describe: candidate %d of %d", index, plan->candidates.count);
    const fft_candidate *c = &plan->candidates.list[index];
    const bool taken = index == plan_serving(plan, ARGAND_FORWARD).candidate,
               taken_inverse = index == plan_serving(plan, ARGAND_INVERSE).candidate;
    *candidate =
        (argand_fft_candidate){.possible = c->possible,
                               .taken = taken,
                               .taken_inverse = taken_inverse,
                               .predicted = c->is_alike && !taken && !taken_inverse ? 0 : c->predicted,
                               .measured = c->measured,
                               .measured_inverse = c->measured_inverse};
    snprintf(candidate->engine, sizeof candidate->engine, "%s", c->engine->name);
    snprintf(candidate->variant, sizeof candidate->variant, "%s", c->variant);
    snprintf(candidate->reason, sizeof candidate->reason, "%s", c->reason);
    interim_explain(plan, index, candidate->reason, sizeof candidate->reason);
    return ARGAND_OK;
}
