/* SPDX-License-Identifier: BSD-3-Clause */
/* The iterations of a frame: conjugate gradients on the normal equations, from the image before. Their number
 * is fixed and no number comes to the host, so that a frame takes the same time whatever its samples are. */
#include "frames/frames.h"

#include "array/scalars.h"
#include "base/clock.h"
#include "device/device.h"
#include "nufft/again.h"

enum { GAMMA, GAMMA_OTHER, DELTA, NUMBERS };

static const argand_scalar one = {1, 0}, minus_one = {-1, 0};

/* The penalty that ties a frame to earlier ones: beta |x - previous|^2, and after the first steps total
 * variation, whose weights and target are arrays. */
typedef struct hold {
    double beta;
    const frames_tv *tv; /* NULL: the first steps */
} hold;

/* s = A^H W (y - A x) of the image where steps begin, where the term of the previous image is 0, or with
 * total variation target - weight x. */
static argand_status start(argand_frames *f, frames_model *m, const hold *h)
{
    TRY(argand_op_apply(m->op, m->product, f->image));
    TRY(argand_array_axpby(m->product, one, m->data, minus_one));
    TRY(argand_array_multiply(m->weighted, m->weights, m->product, ARGAND_PRODUCT));
    TRY(argand_op_adjoint(m->op, f->s, m->weighted));
    if (h->tv) {
        TRY(argand_array_axpby(f->s, one, h->tv->target, one));
        TRY(argand_array_multiply(h->tv->difference, h->tv->weight, f->image, ARGAND_PRODUCT));
        TRY(argand_array_axpby(f->s, minus_one, h->tv->difference, one));
    }
    TRY(argand_array_copy(f->p, f->s));
    return scalars_dot(f->numbers, GAMMA, 1, f->s, f->s, false);
}

/* The part of the holding term in the step's length. */
static argand_status hold_length(argand_frames *f, const hold *h)
{
    if (!h->tv) return h->beta > 0 ? scalars_dot(f->numbers, DELTA, h->beta, f->p, f->p, true) : ARGAND_OK;
    TRY(argand_array_multiply(h->tv->difference, h->tv->weight, f->p, ARGAND_PRODUCT));
    return scalars_dot(f->numbers, DELTA, 1, f->p, h->tv->difference, true);
}

static argand_status hold_gradient(argand_frames *f, const hold *h)
{
    if (h->tv) return argand_array_axpby(f->work, one, h->tv->difference, one);
    return h->beta > 0 ? argand_array_axpby(f->work, (argand_scalar){h->beta, 0}, f->p, one) : ARGAND_OK;
}

static argand_status step(argand_frames *f, frames_model *m, const hold *h, int gamma)
{
    const int next = GAMMA + GAMMA_OTHER - gamma;
    TRY(argand_op_apply(m->op, m->product, f->p));
    TRY(argand_array_multiply(m->weighted, m->weights, m->product, ARGAND_PRODUCT));
    TRY(scalars_dot(f->numbers, DELTA, 1, m->product, m->weighted, false));
    TRY(hold_length(f, h));
    TRY(scalars_add_ratio(f->image, 1, f->numbers, gamma, DELTA, f->p));
    TRY(argand_op_adjoint(m->op, f->work, m->weighted));
    TRY(hold_gradient(f, h));
    TRY(scalars_add_ratio(f->s, -1, f->numbers, gamma, DELTA, f->work));
    TRY(scalars_dot(f->numbers, next, 1, f->s, f->s, false));
    return scalars_scale_ratio(f->p, f->numbers, next, gamma, f->s);
}

static argand_status steps(argand_frames *f, frames_model *m, const hold *h, int count)
{
    TRY(start(f, m, h));
    for (int i = 0; i < count; i++) TRY(step(f, m, h, i % 2 ? GAMMA_OTHER : GAMMA));
    return ARGAND_OK;
}

argand_status frames_solve(argand_frames *f, frames_model *m, int iterations, double previous)
{
    const double diagonal = f->diagonal * (double)m->readouts / (double)f->options.window;
    const bool with_tv = f->tv.weight && previous >= 0;
    const hold first = {.beta = previous > 0 ? previous * diagonal : 0}, second = {.tv = &f->tv};
    if (!f->numbers) TRY(scalars_create(&f->numbers, f->device, NUMBERS));
    TRY(nufft_set_points_again(m->plan, m->k));
    f->set = clock_seconds();
    if (with_tv) TRY(tv_remember(f));
    TRY(steps(f, m, &first, with_tv ? (iterations + 1) / 2 : iterations));
    if (!with_tv) return ARGAND_OK;
    TRY(tv_weigh(f, diagonal));
    return steps(f, m, &second, (iterations + 1) / 2);
}

/* What is recorded. */
typedef struct frame_work {
    argand_frames *frames;
    frames_model *model;
} frame_work;

static argand_status solve(void *context)
{
    const frame_work *w = context;
    const argand_frames_options *o = &w->frames->options;
    return frames_solve(w->frames, w->model, o->iterations, o->temporal);
}

argand_status frames_make(argand_frames *f, frames_model *m)
{
    f->set = clock_seconds();
    return m->graph ? device_graph_start(m->graph) : solve(&(frame_work){f, m});
}

argand_status frames_record(argand_frames *f, frames_model *m)
{
    device_graph_free(m->graph);
    m->graph = NULL;
    return f->options.alone ? device_record(&m->graph, f->device, solve, &(frame_work){f, m}) : ARGAND_OK;
}
