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

/* s = A^H W (y - A x): the term of the previous image is 0 there. */
static argand_status start(argand_frames *f, frames_model *m)
{
    TRY(argand_op_apply(m->op, m->product, f->image));
    TRY(argand_array_axpby(m->data, minus_one, m->product, one));
    TRY(argand_array_multiply(m->weighted, m->weights, m->data, ARGAND_PRODUCT));
    TRY(argand_op_adjoint(m->op, f->s, m->weighted));
    TRY(argand_array_copy(f->p, f->s));
    return scalars_dot(f->numbers, GAMMA, 1, f->s, f->s, false);
}

/* beta: weight of |x - previous|^2 */
static argand_status step(argand_frames *f, frames_model *m, double beta, int gamma)
{
    const int next = GAMMA + GAMMA_OTHER - gamma;
    TRY(argand_op_apply(m->op, m->product, f->p));
    TRY(argand_array_multiply(m->weighted, m->weights, m->product, ARGAND_PRODUCT));
    TRY(scalars_dot(f->numbers, DELTA, 1, m->product, m->weighted, false));
    if (beta > 0) TRY(scalars_dot(f->numbers, DELTA, beta, f->p, f->p, true));
    TRY(scalars_add_ratio(f->image, 1, f->numbers, gamma, DELTA, f->p));
    TRY(argand_op_adjoint(m->op, f->work, m->weighted));
    if (beta > 0) TRY(argand_array_axpby(f->work, (argand_scalar){beta, 0}, f->p, one));
    TRY(scalars_add_ratio(f->s, -1, f->numbers, gamma, DELTA, f->work));
    TRY(scalars_dot(f->numbers, next, 1, f->s, f->s, false));
    return scalars_scale_ratio(f->p, f->numbers, next, gamma, f->s);
}

argand_status frames_solve(argand_frames *f, frames_model *m, int iterations, double previous)
{
    const double beta = previous * f->diagonal * (double)m->readouts / (double)f->options.window;
    if (!f->numbers) TRY(scalars_create(&f->numbers, f->device, NUMBERS));
    TRY(nufft_set_points_again(m->plan, m->k));
    f->set = clock_seconds();
    TRY(start(f, m));
    for (int i = 0; i < iterations; i++) TRY(step(f, m, beta, i % 2 ? GAMMA_OTHER : GAMMA));
    return ARGAND_OK;
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
