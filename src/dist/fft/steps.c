/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the FFTs and exchanges of a plan's steps. An FFT reads and writes with the strides of the
 * distributions on both sides, so that it packs and transposes while it transforms. */
#include "dist/fft/plan.h"

static argand_axis axis_of(const argand_box *in, const argand_box *out, int axis, int64_t n)
{
    return (argand_axis){n, in->strides[axis], out->strides[axis]};
}

/* Options of an FFT from one box to another. */
static argand_fft_options fft_options(const argand_dist_fft *plan, unsigned axes, const dist_node *from,
                                      const dist_node *to)
{
    const int me = argand_comm_rank(plan->comm);
    const argand_dist_fft_options *o = &plan->options;
    const argand_box *in = &from->parts[me].box, *out = &to->parts[me].box;
    argand_fft_options f = {.type = from->type == to->type ? dist_complex(plan) : o->type,
                            .centred = o->centred,
                            .scale = o->scale,
                            .effort = o->effort,
                            .preserve_input = plan->steps == 1,
                            .axes_given = true};
    for (int d = 0; d < plan->dims; d++) {
        const int64_t extent = box_extent(in, d);
        if (axes >> d & 1)
            f.axes[f.rank++] = axis_of(in, out, d, extent);
        else if (extent > 1)
            f.loop[f.loops++] = axis_of(in, out, d, extent);
    }
    return f;
}

static argand_status make_fft(argand_dist_fft *plan, int step)
{
    dist_step *s = &plan->step[step];
    const dist_node *in = &plan->node[step], *out = in + 1;
    if (!in->span) return ARGAND_OK;
    argand_fft_options f = fft_options(plan, s->axes, in, out);
    TRY(argand_fft_create(&s->fft[DIST_FORWARD], plan->device, &f));
    if (in->type != out->type || dist_is_in_place(plan, step))
        return ARGAND_OK; /* one plan, both directions */
    f = fft_options(plan, s->axes, out, in);
    return argand_fft_create(&s->fft[DIST_INVERSE], plan->device, &f);
}

static argand_status make_move(argand_dist_fft *plan, int step)
{
    dist_step *s = &plan->step[step];
    const dist_node *in = &plan->node[step], *out = in + 1;
    const size_t size = argand_type_size(in->type);
    TRY(dist_move_make(&s->move[DIST_FORWARD], plan->comm, plan->dims, in->parts, out->parts, size));
    return dist_move_make(&s->move[DIST_INVERSE], plan->comm, plan->dims, out->parts, in->parts, size);
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
    for (int i = 0; i < plan->steps; i++) TRY(plan->step[i].axes ? make_fft(plan, i) : make_move(plan, i));
    const size_t most = largest(plan);
    return dist_memory_make(&plan->memory, plan->comm, plan->device, most, most);
}
