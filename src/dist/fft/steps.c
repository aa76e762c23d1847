/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the FFTs and exchanges of a plan's steps. An FFT reads and writes with the strides of the
 * distributions on both sides, so that it packs and transposes while it transforms. */
#include "dist/fft/plan.h"

#include "base/memory.h"
#include "fft/plan/waiting.h"

/* A step in one direction: from one node to another. */
typedef struct passage {
    argand_dist_fft *plan;
    int direction, step;
    const dist_node *from, *to;
    dist_work *work;
} passage;

static passage passage_of(argand_dist_fft *plan, int step, int direction)
{
    const bool forward = direction == DIST_FORWARD;
    return (passage){plan,
                     direction,
                     step,
                     &plan->node[forward ? step : step + 1],
                     &plan->node[forward ? step + 1 : step],
                     &plan->step[step].work[direction]};
}

/* Options of an FFT from one box to another; `to` has the strides. */
static argand_fft_options fft_options(const passage *p, const argand_box *from, const argand_box *to)
{
    const argand_dist_fft *plan = p->plan;
    const argand_dist_fft_options *o = &plan->options;
    const bool changes_type = p->from->type != p->to->type;
    /* plans of reals have the strides of the reals first, in both directions */
    const bool backwards = changes_type && p->direction == DIST_INVERSE;
    const argand_box *in = backwards ? to : from, *out = backwards ? from : to;
    argand_fft_options f = {.type = changes_type ? o->type : dist_complex(plan),
                            .centred = o->centred,
                            .scale = o->scale,
                            .effort = o->effort,
                            .preserve_input = plan->steps == 1,
                            .axes_given = true};
    for (int d = 0; d < plan->dims; d++) {
        const argand_axis axis = {box_extent(in, d), in->strides[d], out->strides[d]};
        if (plan->step[p->step].axes >> d & 1)
            f.axes[f.rank++] = axis;
        else if (axis.n > 1)
            f.loop[f.loops++] = axis;
    }
    return f;
}

static argand_status make_fft(const passage *p, int64_t planes, argand_fft **fft)
{
    const int me = argand_comm_rank(p->plan->comm), axis = p->work->axis;
    argand_box from = p->from->parts[me].box, to = p->to->parts[me].box;
    if (p->work->groups > 1) {
        from.upper[axis] = from.lower[axis] + planes;
        to.upper[axis] = to.lower[axis] + planes;
    }
    const argand_fft_options f = fft_options(p, &from, &to);
    return fft_create_waiting(fft, p->plan->device, &f);
}

static argand_status make_ffts(const passage *p)
{
    const argand_box *box = &p->from->parts[argand_comm_rank(p->plan->comm)].box;
    int64_t first, most, least;
    if (!p->from->span) return ARGAND_OK;
    dist_group(p->work, box, 0, &first, &most);
    dist_group(p->work, box, p->work->groups - 1, &first, &least);
    TRY(make_fft(p, most, &p->work->fft));
    return least && least < most ? make_fft(p, least, &p->work->smaller) : ARGAND_OK;
}

/* The part of a box that belongs to a group. */
static dist_part group_part(const dist_work *work, const dist_part *whole, int group)
{
    dist_part part = *whole;
    int64_t first, own;
    if (work->groups == 1) return part;
    dist_group(work, &whole->box, group, &first, &own);
    part.box.lower[work->axis] += first;
    part.box.upper[work->axis] = part.box.lower[work->axis] + own;
    part.origin += first * part.box.strides[work->axis];
    return part;
}

static argand_status make_moves(const passage *p)
{
    const argand_dist_fft *plan = p->plan;
    const int ranks = argand_comm_size(plan->comm);
    dist_part *parts;
    TRY(NEW(p->work->moves, p->work->groups));
    TRY(NEW(parts, ranks));
    argand_status status = ARGAND_OK;
    for (int g = 0; g < p->work->groups && !status; g++) {
        for (int r = 0; r < ranks; r++) parts[r] = group_part(p->work, &p->from->parts[r], g);
        status = dist_move_make(&p->work->moves[g], plan->comm, plan->dims, parts, p->to->parts,
                                argand_type_size(p->from->type));
        p->work->moves[g].aside = p->work->groups > 1;
        const int64_t blocks = (int64_t)p->work->moves[g].sends + p->work->moves[g].receives;
        if (!status) status = comm_reserve(plan->comm, blocks, p->work->groups);
    }
    memory_free(parts);
    return status;
}

static int64_t most_planes(const argand_dist_fft *plan, const dist_node *node, int axis)
{
    int64_t most = 0;
    for (int r = 0; r < argand_comm_size(plan->comm); r++)
        if (argand_box_count(&node->parts[r].box, plan->dims) && box_extent(&node->parts[r].box, axis) > most)
            most = box_extent(&node->parts[r].box, axis);
    return most;
}

/* The number of groups that the caller asks for, or that is likely fastest, the same on all ranks. Several
 * groups are faster only if the communicator works on while the device computes, parts are large, and the
 * exchange writes other memory than the transform reads (docs/performance/dist.md). */
static int wanted_groups(const argand_dist_fft *plan, const dist_node *node)
{
    enum { GROUPS = 4, LARGE = 1 << 28 };
    int64_t most = 0;
    if (dist_memory_copies(plan->comm, plan->device)) return 1;
    if (plan->options.groups) return plan->options.groups;
    if (!plan->comm->engine->start_aside || !plan->options.transposed) return 1;
    for (int r = 0; r < argand_comm_size(plan->comm); r++) {
        const int64_t count = argand_box_count(&node->parts[r].box, plan->dims);
        if (count > most) most = count;
    }
    return most >= LARGE / (int64_t)argand_type_size(node->type) ? GROUPS : 1;
}

/* Chooses the groups of a transform and of the exchange after it. */
static void choose_groups(const passage *p, dist_work *exchange)
{
    const argand_dist_fft *plan = p->plan;
    const unsigned axes = plan->step[p->step].axes;
    const int wanted = wanted_groups(plan, p->to);
    int axis = plan->dims - 1;
    if (wanted <= 1) return;
    while (axis > 0 && (axes >> axis & 1 || most_planes(plan, p->to, axis) < 2)) axis--;
    if (axes >> axis & 1) return;
    const int64_t most = most_planes(plan, p->to, axis);
    exchange->groups = p->work->groups = most < 1 ? 1 : most < wanted ? (int)most : wanted;
    exchange->axis = p->work->axis = axis;
}

static void choose_all_groups(argand_dist_fft *plan)
{
    for (int i = 0; i < plan->steps; i++)
        for (int d = 0; d < 2; d++) plan->step[i].work[d].groups = 1;
    for (int i = 0; i < plan->steps; i++)
        for (int d = 0; d < 2; d++) {
            const int next = d == DIST_FORWARD ? i + 1 : i - 1;
            const passage p = passage_of(plan, i, d);
            if (plan->step[i].axes && next >= 0 && next < plan->steps && !plan->step[next].axes)
                choose_groups(&p, &plan->step[next].work[d]);
        }
}

/* Bytes of the largest part that an exchange sends or receives. */
static size_t largest(const argand_dist_fft *plan)
{
    size_t most = 0;
    for (int i = 0; i < plan->steps; i++)
        for (int end = 0; end < 2 && !plan->step[i].axes; end++) {
            const dist_node *node = &plan->node[i + end];
            const size_t bytes = (size_t)node->span * argand_type_size(node->type);
            if (bytes > most) most = bytes;
        }
    return most;
}

argand_status dist_steps_make(argand_dist_fft *plan)
{
    choose_all_groups(plan);
    for (int i = 0; i < plan->steps; i++)
        for (int d = 0; d < 2; d++) {
            const passage p = passage_of(plan, i, d);
            TRY(plan->step[i].axes ? make_ffts(&p) : make_moves(&p));
        }
    const size_t most = largest(plan);
    return dist_memory_make(&plan->memory, plan->comm, plan->device, most, most);
}

void dist_steps_free(argand_dist_fft *plan)
{
    for (int i = 0; i < DIST_STEPS; i++)
        for (int d = 0; d < 2; d++) {
            dist_work *w = &plan->step[i].work[d];
            argand_fft_destroy(w->fft);
            argand_fft_destroy(w->smaller);
            for (int g = 0; w->moves && g < w->groups; g++) dist_move_free(&w->moves[g]);
            memory_free(w->moves);
        }
}
