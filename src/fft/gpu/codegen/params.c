/* SPDX-License-Identifier: BSD-3-Clause */
/* The parameters of a pass: strides, loops, and which strides its kernel has as constants. */
#include "fft/gpu/codegen/access.h"
#include "fft/gpu/codegen/finish.h"

#include <stdlib.h>

static bool reaches_far(const box_pass *pass)
{
    for (int side = 0; side < 2; side++) {
        int64_t reach = 0;
        for (int d = 0; d < 3; d++) {
            const bool folded = box_fold(&pass->shape) > 1 && d == pass->shape.lines;
            const int64_t size = folded ? pass->params.lines : pass->shape.size[d];
            reach += llabs(pass->params.stride[side][d]) * (size + 1);
        }
        const box_access *a = &pass->shape.access[side];
        for (int i = 0; i < a->spans; i++) reach += llabs(a->span[i].stride) * a->span[i].count;
        if (reach > INT32_MAX) return true;
    }
    return false;
}

/* Strides of 1 along dimension 0, and rows without gaps. */
static int constant_strides(const box_pass *pass)
{
    const box_shape *s = &pass->shape;
    const int row = s->fused.kind && s->fused_axis == 0 ? s->fused.points : s->size[0];
    int unit = 0;
    for (int side = 0; side < 2; side++) {
        const int64_t *stride = pass->params.stride[side];
        if (stride[0] != 1) continue;
        unit |= 1 << side;
        if (stride[1] == row && s->size[1] > 1) unit |= 4 << side;
    }
    return unit;
}

/* Strides of columns whose points all lie within what an instruction can add to an address. */
static bool is_near(int64_t stride, int64_t count, const box_limits *l)
{
    const int64_t reach = 1 << 23;
    return l->waves && l->tuning.constant_strides && stride > (l->tuning.constant_strides == 1) &&
           stride * count * l->item_bytes <= reach;
}

void params_near_strides(box_pass *pass, const box_limits *l)
{
    box_shape *s = &pass->shape;
    const bool plain = s->in_kind == IN_COMPLEX && s->out_kind == OUT_COMPLEX;
    for (int side = 0; side < 2; side++) {
        const int64_t stride = pass->params.stride[side][1];
        box_access *a = &s->access[side];
        if (plain && s->size[1] > 1 && is_near(stride, s->size[1], l) && !(s->unit & 4 << side))
            s->near[side] = (int)stride;
        for (int i = 0; i < a->spans && a->on; i++)
            if (a->span[i].stride == 1 || (l->waves && l->tuning.constant_strides && a->span[i].stride > 1 &&
                                           a->span[i].stride * a->span[i].count < INT32_MAX))
                a->span[i].near = (int)a->span[i].stride;
    }
}

/* In falling order, but for loops whose numbers the kernel asks for; with accessors, which ask for all, it
 * counts so itself. */
static void reverse_loops(struct box_params *q, box_shape *s, const box_job *job)
{
    s->falling = box_has_access(s) && !s->mirrored;
    if (s->mirrored || box_has_access(s) || s->in_kind != IN_COMPLEX || s->out_kind != OUT_COMPLEX ||
        s->chirp)
        return;
    for (int i = s->ragged ? 1 : 0; i < job->loops; i++)
        for (int side = 0; side < 2 && i != job->counted_loop; side++) {
            q->at[side] += (q->n[i] - 1) * q->loop[side][i];
            q->loop[side][i] = -q->loop[side][i];
        }
}

/* The last loop along an axis: of its numbers k half are enough where boxes have what is at -k, too. That of
 * lines where there is no other. */
static int halved_loop(const box_job *job, int rank)
{
    int halved = 0;
    for (int i = 1; i < job->loops; i++)
        if (job->loop[i].dim && job->loop[i].dim <= rank) halved = i;
    return halved;
}

/* Lines, or boxes, along loop i. */
static int64_t loop_points(const box_shape *s, const box_job *job, int i)
{
    const int64_t n = job->loop[i].n;
    if (box_has_images(s)) return i == s->halved ? n / 2 + 1 : n;
    return i == 0 ? n / box_fold(s) : n;
}

void params_fill(box_pass *pass, const box_job *job, const box_span span[3], const int shift[2][3])
{
    struct box_params *q = &pass->params;
    box_shape *s = &pass->shape;
    const int64_t lines = s->lines < 3 ? s->size[s->lines] / box_fold(s) : 1;
    q->at[0] = job->from_at;
    q->at[1] = job->to_at;
    q->pair[0] = job->in_pair;
    q->pair[1] = job->out_pair;
    for (int d = 0; d < 3; d++) {
        q->stride[0][d] = span[d].in;
        q->stride[1][d] = span[d].out;
        q->real[d] = (int)span[d].number;
        q->shift[0][d] = shift[0][d];
        q->shift[1][d] = shift[1][d];
        s->shift[0][d] = shift[0][d];
        s->shift[1][d] = shift[1][d];
        s->rotate |= shift[0][d] || shift[1][d];
    }
    s->loops = job->loops;
    if (box_has_images(s)) s->halved = halved_loop(job, s->access[2].image.rank);
    pass->groups = 1;
    for (int i = 0; i < job->loops; i++) {
        const int64_t step = i == 0                                            ? lines
                             : i == 1 && s->lines < 2 && !box_has_stages(s, 2) ? s->size[2]
                                                                               : 1;
        q->n[i] = (loop_points(s, job, i) + step - 1) / step;
        q->real_loop[i] = (int)(job->loop[i].number * step);
        q->loop[0][i] = job->loop[i].in * step;
        q->loop[1][i] = job->loop[i].out * step;
        pass->groups *= q->n[i];
    }
    q->lines = job->loop[0].n;
    s->ragged = !box_has_images(s) && loop_points(s, job, 0) % lines != 0;
    if (job->order == 2) reverse_loops(q, s, job);
    if (box_has_access(s)) access_places(pass, job, span);
    s->wide = reaches_far(pass);
    s->unit = constant_strides(pass);
}
