/* SPDX-License-Identifier: BSD-3-Clause */
/* A distributed transform. A rank that fails still takes part in the exchanges, so that no other rank waits
 * for ever; before the first exchange and at the end all ranks agree on errors. */
#include "dist/fft/plan.h"

/* A call: the array of each distribution. */
typedef struct call {
    argand_dist_fft *plan;
    int direction;
    argand_array view[DIST_STEPS + 1];
} call;

/* The array must be this rank's box. */
static argand_status check_array(const argand_dist_fft *plan, const argand_array *array,
                                 const dist_node *node, const char *what)
{
    const argand_box *box = &node->parts[argand_comm_rank(plan->comm)].box;
    if (!node->span) return ARGAND_OK;
    CHECK(array, ARGAND_ARGUMENT, "argand_dist_fft_apply: %s is NULL, and the rank's box has elements", what);
    CHECK(array->type == node->type, ARGAND_ARGUMENT,
          "argand_dist_fft_apply: the %s is %s, but the plan was made for %s", what,
          argand_type_name(array->type), argand_type_name(node->type));
    CHECK(argand_array_device(array) == plan->device, ARGAND_ARGUMENT,
          "argand_dist_fft_apply: the %s is on another device", what);
    for (int d = 0; d < ARGAND_MAX_RANK; d++) {
        const int64_t n = d < plan->dims ? box_extent(box, d) : 1;
        CHECK(argand_array_dim(array, d) == n, ARGAND_ARGUMENT,
              "argand_dist_fft_apply: dimension %d of the %s is %lld, but the rank's box has %lld there", d,
              what, (long long)argand_array_dim(array, d), (long long)n);
        CHECK(n == 1 || argand_array_stride(array, d) == box->strides[d], ARGAND_ARGUMENT,
              "argand_dist_fft_apply: the %s has stride %lld along dimension %d, but the rank's box has %lld",
              what, (long long)argand_array_stride(array, d), d, (long long)box->strides[d]);
    }
    return ARGAND_OK;
}

static argand_status check_call(const argand_dist_fft *plan, const argand_array *out, const argand_array *in,
                                argand_direction direction)
{
    const bool is_forward = direction == ARGAND_FORWARD;
    const int64_t needed = plan->first + plan->second;
    CHECK(is_forward || direction == ARGAND_INVERSE, ARGAND_ARGUMENT,
          "argand_dist_fft_apply: direction is %d; give ARGAND_FORWARD or ARGAND_INVERSE", direction);
    CHECK(plan->work || !needed, ARGAND_ARGUMENT,
          "argand_dist_fft_apply: no work memory; give %lld elements with argand_dist_fft_set_work",
          (long long)needed);
    TRY(check_array(plan, in, &plan->node[is_forward ? 0 : plan->steps], "input"));
    return check_array(plan, out, &plan->node[is_forward ? plan->steps : 0], "output");
}

static argand_array view_of(const argand_dist_fft *plan, const dist_node *node, int direction,
                            const argand_array *out, const argand_array *in)
{
    const dist_place place = node->place[direction];
    const argand_array *array = place == PLACE_IN ? in : place == PLACE_OUT ? out : plan->work;
    if (!node->span) return (argand_array){0};
    argand_array view = dist_view(array, node->type, node->span);
    if (place == PLACE_SECOND) view.offset += plan->first * (node->type == dist_complex(plan) ? 1 : 2);
    return view;
}

static argand_array *present(argand_array *view)
{
    return view->storage ? view : NULL;
}

static argand_status transform(call *c, int i, int from, int to)
{
    const dist_step *s = &c->plan->step[i];
    const argand_fft *fft = s->fft[c->direction] ? s->fft[c->direction] : s->fft[DIST_FORWARD];
    if (!fft) return ARGAND_OK;
    return argand_fft_apply(fft, &c->view[to], &c->view[from],
                            c->direction == DIST_FORWARD ? ARGAND_FORWARD : ARGAND_INVERSE);
}

static argand_status move(call *c, int i, int from, int to)
{
    argand_dist_fft *plan = c->plan;
    dist_move *m = &plan->step[i].move[c->direction];
    const argand_box *box = &plan->node[to].parts[argand_comm_rank(plan->comm)].box;
    const bool has_gaps = plan->node[to].span != argand_box_count(box, plan->dims);
    TRY(dist_memory_start(&plan->memory, m, plan->comm, present(&c->view[to]), present(&c->view[from]),
                          has_gaps));
    return dist_memory_finish(&plan->memory, m, plan->comm, present(&c->view[to]));
}

static argand_status agree(const argand_dist_fft *plan, argand_status status)
{
    return plan->options.unchecked ? status : argand_comm_agree(plan->comm, status);
}

/* Does all steps in turn. Before the first exchange errors may end the call on all ranks. */
static argand_status run(call *c, argand_status status)
{
    const int steps = c->plan->steps;
    bool has_agreed = false;
    for (int k = 0; k < steps; k++) {
        const bool forward = c->direction == DIST_FORWARD;
        const int i = forward ? k : steps - 1 - k, from = forward ? i : i + 1, to = forward ? i + 1 : i;
        if (c->plan->step[i].axes) {
            if (!status) status = transform(c, i, from, to);
            continue;
        }
        if (!has_agreed) TRY(agree(c->plan, status));
        has_agreed = true;
        const argand_status moved = move(c, i, from, to);
        if (!status) status = moved;
    }
    return agree(c->plan, status);
}

argand_status argand_dist_fft_apply(argand_dist_fft *plan, argand_array *out, const argand_array *in,
                                    argand_direction direction)
{
    CHECK(plan, ARGAND_ARGUMENT, "argand_dist_fft_apply: plan is NULL");
    call c = {.plan = plan, .direction = direction == ARGAND_FORWARD ? DIST_FORWARD : DIST_INVERSE};
    const argand_status status = check_call(plan, out, in, direction);
    for (int i = 0; i <= plan->steps && !status; i++)
        c.view[i] = view_of(plan, &plan->node[i], c.direction, out, in);
    return run(&c, status);
}
