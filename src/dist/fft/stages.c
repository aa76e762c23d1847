/* SPDX-License-Identifier: BSD-3-Clause */
/* The distributions of a transform by slabs or pencils. A stage transforms the axes that are whole on each
 * rank; between stages the array is exchanged. The rank's number is that of its part in each stage, so that
 * pencils are exchanged within the rows and columns of their grid. */
#include "dist/fft/plan.h"

#include <string.h>
#include "base/memory.h"

typedef struct stage {
    int parts[4]; /* ranks along each axis, with the batch */
    unsigned axes;
} stage;

static int slab_stages(const argand_dist_fft *plan, stage *s)
{
    const int last = plan->options.rank - 1, ranks = argand_comm_size(plan->comm);
    for (int k = 0; k < 2; k++) s[k] = (stage){.parts = {1, 1, 1, 1}};
    s[0].parts[last] = ranks;
    s[0].axes = (1U << last) - 1;
    s[1].parts[last - 1] = ranks;
    s[1].axes = 1U << last;
    return 2;
}

static int pencil_stages(const argand_dist_fft *plan, stage *s)
{
    for (int k = 0; k < 3; k++) {
        int next = 0;
        s[k] = (stage){.parts = {1, 1, 1, 1}, .axes = 1U << k};
        for (int d = 0; d < 3; d++)
            if (d != k) s[k].parts[d] = plan->grid[next++];
    }
    return 3;
}

static int whole_stage(const argand_dist_fft *plan, stage *s)
{
    s[0] = (stage){{1, 1, 1, 1}, (1U << plan->options.rank) - 1};
    return 1;
}

/* The lengths of the array before or after the transform along axis 0. */
static void lengths(const argand_dist_fft *plan, bool is_spectrum, int64_t n[4])
{
    const argand_dist_fft_options *o = &plan->options;
    for (int d = 0; d < o->rank; d++) n[d] = o->n[d];
    n[o->rank] = o->batch;
    if (is_spectrum && dist_is_real(plan)) n[0] = n[0] / 2 + 1;
}

static argand_status add_node(argand_dist_fft *plan, bool is_spectrum, dist_node **node)
{
    dist_node *v = *node = &plan->node[plan->steps];
    *v = (dist_node){.type = is_spectrum ? dist_complex(plan) : plan->options.type};
    return NEW(v->parts, argand_comm_size(plan->comm));
}

static argand_status add_stage_node(argand_dist_fft *plan, bool is_spectrum, const stage *s)
{
    int64_t n[4];
    dist_node *node;
    lengths(plan, is_spectrum, n);
    TRY(add_node(plan, is_spectrum, &node));
    for (int r = 0; r < argand_comm_size(plan->comm); r++)
        TRY(argand_box_grid(&node->parts[r].box, plan->dims, n, s->parts, r));
    return ARGAND_OK;
}

static argand_status add_given_node(argand_dist_fft *plan, bool is_spectrum, const argand_box *boxes)
{
    dist_node *node;
    TRY(add_node(plan, is_spectrum, &node));
    for (int r = 0; r < argand_comm_size(plan->comm); r++) node->parts[r].box = boxes[r];
    return ARGAND_OK;
}

/* Ends the present step at the next node. */
static void add_step(argand_dist_fft *plan, unsigned axes)
{
    plan->step[plan->steps++] = (dist_step){.axes = axes};
}

/* If the boxes are those of the last node, the node takes their strides: the transform reads or writes them
 * directly. Otherwise an exchange is needed. */
static bool take_strides(argand_dist_fft *plan, const argand_box *boxes)
{
    dist_node *node = &plan->node[plan->steps];
    const int ranks = argand_comm_size(plan->comm);
    for (int r = 0; r < ranks; r++)
        if (!box_same_part(&node->parts[r].box, &boxes[r], plan->dims)) return false;
    for (int r = 0; r < ranks; r++) node->parts[r].box = boxes[r];
    return true;
}

static argand_status add_input(argand_dist_fft *plan, const stage *s, const argand_box *given)
{
    TRY(add_stage_node(plan, false, s));
    if (!given || take_strides(plan, given)) return ARGAND_OK;
    memory_free(plan->node[0].parts);
    TRY(add_given_node(plan, false, given));
    add_step(plan, 0);
    return add_stage_node(plan, false, s);
}

/* The last transform works in place if its input has the strides of its output and these have no gaps. */
static void share_strides(argand_dist_fft *plan)
{
    const int last = plan->steps;
    const dist_part *out = plan->node[last].parts;
    if (last < 2 || plan->node[last - 1].type != plan->node[last].type) return;
    for (int r = 0; r < argand_comm_size(plan->comm); r++)
        if (box_span(&out[r].box, plan->dims) == argand_box_count(&out[r].box, plan->dims))
            plan->node[last - 1].parts[r].box = out[r].box;
}

static argand_status add_output(argand_dist_fft *plan, const stage *s, int stages, const argand_box *given)
{
    if (!given && plan->options.transposed) return ARGAND_OK;
    if (!given && stages == 1) return ARGAND_OK;
    if (given && take_strides(plan, given)) {
        share_strides(plan);
        return ARGAND_OK;
    }
    add_step(plan, 0);
    return given ? add_given_node(plan, true, given) : add_stage_node(plan, true, s);
}

static void find_spans(argand_dist_fft *plan)
{
    const int me = argand_comm_rank(plan->comm);
    for (int i = 0; i <= plan->steps; i++)
        plan->node[i].span = box_span(&plan->node[i].parts[me].box, plan->dims);
}

argand_status dist_stages_make(argand_dist_fft *plan, const dist_given *given)
{
    stage s[3];
    const int stages = argand_comm_size(plan->comm) == 1      ? whole_stage(plan, s)
                       : plan->division == ARGAND_DIST_PENCIL ? pencil_stages(plan, s)
                                                              : slab_stages(plan, s);
    TRY(add_input(plan, &s[0], given->in));
    for (int k = 0; k < stages; k++) {
        if (k) add_step(plan, 0);
        if (k) TRY(add_stage_node(plan, true, &s[k]));
        add_step(plan, s[k].axes);
        TRY(add_stage_node(plan, true, &s[k]));
    }
    TRY(add_output(plan, &s[0], stages, given->out));
    find_spans(plan);
    return ARGAND_OK;
}
