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
    TRY(check_array(plan, out, &plan->node[is_forward ? plan->steps : 0], "output"));
    CHECK(!plan->options.overwrite || !in || !out || !storage_overlaps(in->storage, out->storage),
          ARGAND_ARGUMENT,
          "argand_dist_fft_apply: input and output share memory; give two arrays, or make the plan without "
          "overwrite");
    return ARGAND_OK;
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

static argand_status agree(const argand_dist_fft *plan, argand_status status)
{
    return plan->options.unchecked ? status : argand_comm_agree(plan->comm, status);
}

/* Transforms one group of planes of a step. */
static argand_status transform(call *c, int step, int group)
{
    const argand_dist_fft *plan = c->plan;
    const dist_work *work = &plan->step[step].work[c->direction];
    const bool forward = c->direction == DIST_FORWARD;
    const int from = forward ? step : step + 1, to = forward ? step + 1 : step;
    const int me = argand_comm_rank(plan->comm);
    const argand_box *in_box = &plan->node[from].parts[me].box, *out_box = &plan->node[to].parts[me].box;
    argand_array in = c->view[from], out = c->view[to];
    int64_t first = 0, own = 1, most = 1, none;
    if (!work->fft) return ARGAND_OK;
    if (work->groups > 1) {
        dist_group(work, in_box, 0, &none, &most);
        dist_group(work, in_box, group, &first, &own);
        in.offset += first * in_box->strides[work->axis];
        out.offset += first * out_box->strides[work->axis];
    }
    if (!own) return ARGAND_OK;
    return argand_fft_apply(own < most ? work->smaller : work->fft, &out, &in,
                            forward ? ARGAND_FORWARD : ARGAND_INVERSE);
}

/* Starts the exchange of a group, or completes it. */
static argand_status start(call *c, int step, int group, argand_status *status)
{
    argand_dist_fft *plan = c->plan;
    const bool forward = c->direction == DIST_FORWARD;
    const int from = forward ? step : step + 1, to = forward ? step + 1 : step;
    const argand_box *box = &plan->node[to].parts[argand_comm_rank(plan->comm)].box;
    const bool has_gaps = plan->node[to].span != argand_box_count(box, plan->dims);
    return dist_memory_start(&plan->memory, &plan->step[step].work[c->direction].moves[group], plan->comm,
                             present(&c->view[to]), present(&c->view[from]), has_gaps, status);
}

static argand_status finish(call *c, int step, int group, argand_status *status)
{
    argand_dist_fft *plan = c->plan;
    const int to = c->direction == DIST_FORWARD ? step + 1 : step;
    return dist_memory_finish(&plan->memory, &plan->step[step].work[c->direction].moves[group], plan->comm,
                              present(&c->view[to]), status);
}

/* True if the exchange writes memory that the transform before it reads: then no group may be received
 * before the last one is transformed. */
static bool is_serial(const call *c, int before, int step)
{
    const bool forward = c->direction == DIST_FORWARD;
    const argand_array *read = &c->view[forward ? before : before + 1],
                       *written = &c->view[forward ? step + 1 : step];
    return read->storage && written->storage && storage_overlaps(read->storage, written->storage);
}

static argand_status transform_groups(call *c, int step, int first, int last, argand_status status)
{
    for (int g = first; g < last && !status; g++) status = transform(c, step, g);
    return status;
}

/* Completes the groups that were started. */
static argand_status finish_groups(call *c, int step, int started, argand_status moved, argand_status *status)
{
    for (int g = 0; g < started; g++) {
        const argand_status finished = finish(c, step, g, status);
        if (!moved) moved = finished;
    }
    return moved;
}

/* An exchange with the transform before it (-1: none), group by group. Before the first exchange all ranks
 * agree on errors; a later error of this rank is kept in *status, and the exchanges go on. Returns errors of
 * the communication. */
static argand_status exchange(call *c, int before, int step, bool agrees, argand_status *status)
{
    const int groups = c->plan->step[step].work[c->direction].groups;
    const int at_once = before < 0 ? 0 : is_serial(c, before, step) ? groups : 1;
    argand_status moved = ARGAND_OK;
    int done = 0;
    for (int g = 0; g < groups; g++) {
        const int until = before < 0 ? 0 : g + at_once < groups ? g + at_once : groups;
        *status = transform_groups(c, before, done, until, *status);
        if (until > done) done = until;
        if (agrees && !g) TRY(*status = agree(c->plan, *status));
        moved = start(c, step, g, status);
        if (moved) return finish_groups(c, step, g, moved, status);
    }
    return finish_groups(c, step, groups, ARGAND_OK, status);
}

/* Does all steps in turn. Before the first exchange errors end the call on all ranks. */
static argand_status run(call *c, argand_status status)
{
    const int steps = c->plan->steps;
    int before = -1;
    bool agrees = true;
    for (int k = 0; k < steps; k++) {
        const int i = c->direction == DIST_FORWARD ? k : steps - 1 - k;
        if (c->plan->step[i].axes) {
            before = i;
            if (k == steps - 1 && !status) status = transform(c, i, 0);
            continue;
        }
        TRY(exchange(c, before, i, agrees, &status));
        agrees = false;
        before = -1;
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
