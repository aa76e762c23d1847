/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides where the distributions between the steps lie. The first step reads the caller's input and writes
 * work memory; only then is the output written. Therefore the output may be the input's memory. (A plan that
 * overwrites its input uses the input as work memory instead.) The output
 * serves as work memory where it is large enough, so that most transforms need work memory for one part
 * only. */
#include "dist/fft/plan.h"

bool dist_is_in_place(const argand_dist_fft *plan, int step)
{
    const int me = argand_comm_rank(plan->comm);
    const dist_node *a = &plan->node[step], *b = a + 1;
    return plan->step[step].axes && a->type == b->type &&
           box_same_strides(&a->parts[me].box, &b->parts[me].box, plan->dims);
}

/* A walk along the steps of one direction. */
typedef struct walk {
    const argand_dist_fft *plan;
    int direction;
} walk;

static int step_at(const walk *w, int i)
{
    return w->direction == DIST_FORWARD ? i : w->plan->steps - 1 - i;
}

static int node_at(const walk *w, int i)
{
    return w->direction == DIST_FORWARD ? i : w->plan->steps - i;
}

/* True if all steps from the i-th on are transforms in place. */
static bool rest_is_in_place(const walk *w, int i)
{
    for (; i < w->plan->steps; i++)
        if (!dist_is_in_place(w->plan, step_at(w, i))) return false;
    return true;
}

/* True if the node fits into the output without touching other memory. */
static bool fits_output(const walk *w, const dist_node *node)
{
    const argand_dist_fft *plan = w->plan;
    const dist_node *out = &plan->node[node_at(w, plan->steps)];
    const argand_box *box = &out->parts[argand_comm_rank(plan->comm)].box;
    return out->type == node->type && out->span >= node->span &&
           out->span == argand_box_count(box, plan->dims);
}

static dist_place place_after(const walk *w, int i, dist_place now)
{
    const int steps = w->plan->steps;
    if (i == steps - 1) return PLACE_OUT;
    if (now == PLACE_OUT) return rest_is_in_place(w, i) ? PLACE_OUT : PLACE_FIRST;
    if (now == PLACE_IN && !w->plan->options.overwrite) return PLACE_FIRST;
    if (dist_is_in_place(w->plan, step_at(w, i))) return now;
    if (rest_is_in_place(w, i + 1)) return PLACE_OUT;
    /* the output as work memory, which the step after leaves */
    if (i + 1 < steps - 1 && fits_output(w, &w->plan->node[node_at(w, i + 1)])) return PLACE_OUT;
    return now == PLACE_FIRST ? PLACE_SECOND : PLACE_FIRST;
}

/* Complex elements that hold the node. */
static int64_t elements(const argand_dist_fft *plan, const dist_node *node)
{
    return node->type == dist_complex(plan) ? node->span : (node->span + 1) / 2;
}

static void need(int64_t *most, int64_t wanted)
{
    if (wanted > *most) *most = wanted;
}

void dist_places_choose(argand_dist_fft *plan)
{
    enum { ALIGNED = 16 }; /* complex elements: the second part begins at a cache line */
    plan->first = plan->second = 0;
    for (int direction = 0; direction < 2; direction++) {
        const walk w = {plan, direction};
        dist_place now = PLACE_IN;
        plan->node[node_at(&w, 0)].place[direction] = now;
        for (int i = 0; i < plan->steps; i++) {
            dist_node *node = &plan->node[node_at(&w, i + 1)];
            node->place[direction] = now = place_after(&w, i, now);
            if (now == PLACE_FIRST) need(&plan->first, elements(plan, node));
            if (now == PLACE_SECOND) need(&plan->second, elements(plan, node));
        }
    }
    plan->first = (plan->first + ALIGNED - 1) / ALIGNED * ALIGNED;
}
