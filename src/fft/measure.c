/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a candidate takes: in the device's own time, on arrays of zeros that nobody else uses. */
#include "fft/candidate.h"

#include <stdlib.h>
#include "base/clock.h"
#include "device/device.h"

enum { ROUNDS = 9 };
static const double ROUND_SECONDS = 2e-3, MOST_SECONDS = 1.0; /* of one direction */

/* Memory for one side of the problem: as large as its strides reach, and a view from which these count. */
static argand_status make_side(argand_array **array, const fft_problem *p, argand_device *device,
                               bool out_side)
{
    const bool reals = problem_is_real(p) && !out_side;
    const argand_type type = reals ? p->type : type_is_double(p->type) ? ARGAND_C64 : ARGAND_C32;
    const int64_t n_0 = problem_is_real(p) && out_side ? p->n[0] / 2 + 1 : p->n[0];
    extent e = {0, p->points / p->n[0] * n_0 * p->batch - 1};
    argand_array *all;
    if (p->axes_given) TRY(geometry_extent(&e, &p->geometry, out_side, n_0));
    const int64_t count = e.high - e.low + 1, rest = e.high + 1;
    TRY(argand_array_create(&all, device, type, 1, &count));
    const argand_status status = argand_array_view(array, all, 1, &rest, NULL, -e.low);
    argand_array_destroy(all);
    return status;
}

/* What a plan's call is, in one direction. */
static fft_call make_call(fft_geometry *g, const fft_problem *p, argand_array *out, argand_array *in,
                          argand_direction direction)
{
    problem_contiguous(g, p, direction);
    if (p->axes_given) *g = p->geometry;
    for (int i = 0;
         p->axes_given && problem_is_real(p) && direction == ARGAND_INVERSE && i < g->rank + g->loops; i++) {
        argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
        *axis = (argand_axis){axis->n, axis->out_stride, axis->in_stride};
    }
    const double factor = direction == ARGAND_FORWARD ? p->forward_factor : p->inverse_factor;
    return (fft_call){.geometry = g, .out = out, .in = in, .direction = direction, .factor = factor};
}

typedef struct job {
    const fft_candidate *c;
    const void *state;
    const fft_problem *p;
    argand_device *device;
    argand_timer *timer;
    argand_array *signal, *spectrum;
    argand_direction direction;
} job;

static argand_status call_once(const job *j, argand_array *out, argand_array *in, argand_direction direction)
{
    fft_geometry g, contiguous;
    const fft_call call = make_call(&g, j->p, out, in, direction);
    problem_contiguous(&contiguous, j->p, direction);
    const bool as_is = !j->c->engine->contiguous || geometry_is(&g, &contiguous);
    return as_is ? j->c->engine->apply(j->state, j->p, j->device, &call)
                 : packed_apply(j->c->engine, j->state, j->p, j->device, &call);
}

/* Zeros stay zeros, so that the same call may be repeated any number of times. */
static argand_status time_calls(const job *j, int64_t calls, double *seconds)
{
    double milliseconds;
    const bool back = j->direction == ARGAND_INVERSE;
    argand_array *in = back ? j->spectrum : j->signal, *out = back ? j->signal : j->spectrum;
    TRY(argand_timer_start(j->timer));
    for (int64_t i = 0; i < calls; i++) TRY(call_once(j, out, in, j->direction));
    TRY(argand_timer_stop(j->timer));
    TRY(argand_timer_milliseconds(j->timer, &milliseconds));
    *seconds = 1e-3 * milliseconds / (double)calls;
    return ARGAND_OK;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The first call fills caches and pools; the second says how many make a round. */
static argand_status median(const job *j, double *seconds)
{
    double rounds[ROUNDS], one;
    int count = 0;
    const double end = clock_seconds() + MOST_SECONDS;
    TRY(time_calls(j, 1, &one));
    TRY(time_calls(j, 1, &one));
    const int64_t calls = one >= ROUND_SECONDS ? 1 : (int64_t)(ROUND_SECONDS / (one + 1e-7)) + 1;
    while (count < ROUNDS && (!count || clock_seconds() < end)) TRY(time_calls(j, calls, &rounds[count++]));
    qsort(rounds, (size_t)count, sizeof *rounds, by_size);
    *seconds = rounds[count / 2] > 0 ? rounds[count / 2] : 1e-9;
    return ARGAND_OK;
}

argand_status candidate_measure(double seconds[2], const fft_candidate *c, const void *state,
                                const fft_problem *p, argand_device *device)
{
    job j = {.c = c, .state = state, .p = p, .device = device, .direction = ARGAND_FORWARD};
    argand_status status;
    TRY_OR_DONE(make_side(&j.signal, p, device, false));
    TRY_OR_DONE(make_side(&j.spectrum, p, device, true));
    TRY_OR_DONE(argand_timer_create(&j.timer, device));
    TRY_OR_DONE(median(&j, &seconds[0]));
    seconds[1] = 0;
    j.direction = ARGAND_INVERSE;
    if (problem_is_real(p)) TRY_OR_DONE(median(&j, &seconds[1]));
done:
    argand_timer_destroy(j.timer);
    argand_array_destroy(j.spectrum);
    argand_array_destroy(j.signal);
    return status;
}
