/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills in the parameters of a pass: strides, loops, and the strides that are constants of its kernel. */
#include "fft/gpu/codegen/access.h"
#include "fft/gpu/codegen/finish.h"

#include <stdlib.h>

static bool reaches_far(const tile_pass *pass)
{
    for (int operand = 0; operand < 2; operand++) {
        int64_t reach = 0;
        for (int d = 0; d < 3; d++) {
            const bool folded = tile_fold(&pass->shape) > 1 && d == pass->shape.lines;
            const int64_t size = folded ? pass->params.lines : pass->shape.size[d];
            reach += llabs(pass->params.stride[operand][d]) * (size + 1);
        }
        const pass_access *a = &pass->shape.access[operand];
        for (int i = 0; i < a->windows; i++) reach += llabs(a->window[i].stride) * a->window[i].count;
        if (reach > INT32_MAX) return true;
    }
    return false;
}

/* Returns bits: stride 1 along dimension 0, and rows without gaps, for input and output. */
static int constant_strides(const tile_pass *pass)
{
    const tile_shape *s = &pass->shape;
    const int row = s->convolution.kind && s->convolution_axis == 0 ? s->convolution.points : s->size[0];
    int unit = 0;
    for (int operand = 0; operand < 2; operand++) {
        const int64_t *stride = pass->params.stride[operand];
        if (stride[0] != 1) continue;
        unit |= 1 << operand;
        if (stride[1] == row && s->size[1] > 1) unit |= 4 << operand;
    }
    return unit;
}

/* Returns true if all points of a column are within the immediate offset of an instruction. */
static bool is_near(int64_t stride, int64_t count, const block_limits *l)
{
    const int64_t reach = 1 << 23;
    return l->persistent && l->tuning.constant_strides && stride > (l->tuning.constant_strides == 1) &&
           stride * count * l->element_bytes <= reach;
}

void params_near_strides(tile_pass *pass, const block_limits *l)
{
    tile_shape *s = &pass->shape;
    const bool plain = s->in_kind == IN_COMPLEX && s->out_kind == OUT_COMPLEX;
    for (int operand = 0; operand < 2; operand++) {
        const int64_t stride = pass->params.stride[operand][1];
        pass_access *a = &s->access[operand];
        if (plain && s->size[1] > 1 && is_near(stride, s->size[1], l) && !(s->unit & 4 << operand))
            s->constant_stride[operand] = (int)stride;
        for (int i = 0; i < a->windows && a->on; i++)
            if (a->window[i].stride == 1 ||
                (l->persistent && l->tuning.constant_strides && a->window[i].stride > 1 &&
                 a->window[i].stride * a->window[i].count < INT32_MAX))
                a->window[i].constant_stride = (int)a->window[i].stride;
    }
}

/* Reverses the loops, so that tiles come in falling order, except loops whose index the kernel uses.
 * Kernels with accessors use every index and count down by themselves. */
static void reverse_loops(struct tile_params *q, tile_shape *s, const line_job *job)
{
    s->falling = tile_has_access(s) && !s->mirrored;
    if (s->mirrored || tile_has_access(s) || s->in_kind != IN_COMPLEX || s->out_kind != OUT_COMPLEX ||
        s->chirp)
        return;
    for (int i = s->ragged ? 1 : 0; i < job->loops; i++)
        for (int operand = 0; operand < 2 && i != job->counted_loop; operand++) {
            q->at[operand] += (q->n[i] - 1) * q->loop[operand][i];
            q->loop[operand][i] = -q->loop[operand][i];
        }
}

/* Returns the loop whose indices k only need one half, because tiles also have the lines at -k: the last
 * loop along an axis of the transform, or the loop over lines if there is no other. */
static int halved_loop(const line_job *job, int rank)
{
    int halved = 0;
    for (int i = 1; i < job->loops; i++)
        if (job->loop[i].dim && job->loop[i].dim <= rank) halved = i;
    return halved;
}

/* Returns the number of lines, or tiles, along loop i. */
static int64_t loop_points(const tile_shape *s, const line_job *job, int i)
{
    const int64_t n = job->loop[i].n;
    if (tile_has_images(s)) return i == s->halved ? n / 2 + 1 : n;
    return i == 0 ? n / tile_fold(s) : n;
}

void params_fill(tile_pass *pass, const line_job *job, const job_axis dims[3], const int shift[2][3])
{
    struct tile_params *q = &pass->params;
    tile_shape *s = &pass->shape;
    const int64_t lines = s->lines < 3 ? s->size[s->lines] / tile_fold(s) : 1;
    q->at[0] = job->from_at;
    q->at[1] = job->to_at;
    q->pair[0] = job->in_pair;
    q->pair[1] = job->out_pair;
    for (int d = 0; d < 3; d++) {
        q->stride[0][d] = dims[d].in;
        q->stride[1][d] = dims[d].out;
        q->real[d] = (int)dims[d].number;
        q->shift[0][d] = shift[0][d];
        q->shift[1][d] = shift[1][d];
        s->shift[0][d] = shift[0][d];
        s->shift[1][d] = shift[1][d];
        s->rotate |= shift[0][d] || shift[1][d];
    }
    s->loops = job->loops;
    if (tile_has_images(s)) s->halved = halved_loop(job, s->access[2].image.rank);
    pass->blocks = 1;
    for (int i = 0; i < job->loops; i++) {
        const int64_t step = i == 0                                             ? lines
                             : i == 1 && s->lines < 2 && !tile_has_stages(s, 2) ? s->size[2]
                                                                                : 1;
        q->n[i] = (loop_points(s, job, i) + step - 1) / step;
        q->real_loop[i] = (int)(job->loop[i].number * step);
        q->loop[0][i] = job->loop[i].in * step;
        q->loop[1][i] = job->loop[i].out * step;
        pass->blocks *= q->n[i];
    }
    q->lines = job->loop[0].n;
    s->ragged = !tile_has_images(s) && loop_points(s, job, 0) % lines != 0;
    if (job->order == 2) reverse_loops(q, s, job);
    if (tile_has_access(s)) access_places(pass, job, dims);
    s->wide = reaches_far(pass);
    s->unit = constant_strides(pass);
}
