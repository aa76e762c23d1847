/* SPDX-License-Identifier: BSD-3-Clause */
/* ARGAND_MEASURE: makes and times direct sums and transforms on temporary arrays; keeps the faster one. */
#include <math.h>
#include "conv/plan.h"

enum { RUNS = 3, LEAST_MILLISECONDS = 1, MOST_CALLS = 64 };

static argand_status new_images(argand_array **array, const argand_conv *c, bool is_out)
{
    const argand_conv_options *o = &c->options;
    int64_t dims[5];
    for (int d = 0; d < o->rank; d++) dims[d] = is_out ? c->axis[d].out : c->axis[d].n;
    dims[o->rank] = o->channels;
    dims[o->rank + 1] = o->batch;
    return array_scratch(array, c->device, is_out ? o->out_type : o->in_type, o->rank + 2, dims);
}

typedef struct trial {
    const argand_conv *c;
    argand_array *in, *out;
    argand_timer *timer;
} trial;

static argand_status run(const trial *t, bool direct, int calls)
{
    for (int i = 0; i < calls; i++)
        TRY(direct ? conv_direct_apply(t->c, t->out, t->in) : conv_transform_apply(t->c, t->out, t->in));
    return ARGAND_OK;
}

static argand_status time_calls(double *milliseconds, const trial *t, bool direct, int calls)
{
    TRY(argand_timer_start(t->timer));
    TRY(run(t, direct, calls));
    TRY(argand_timer_stop(t->timer));
    return argand_timer_milliseconds(t->timer, milliseconds);
}

/* Returns the shortest time of a call over a few runs; each run repeats the call for about a millisecond. */
static argand_status time_engine(double *milliseconds, const trial *t, bool direct)
{
    double once;
    TRY(run(t, direct, 1)); /* the first call may compile kernels */
    TRY(time_calls(&once, t, direct, 1));
    const int calls =
        once * MOST_CALLS < LEAST_MILLISECONDS ? MOST_CALLS : (int)(LEAST_MILLISECONDS / once) + 1;
    *milliseconds = INFINITY;
    for (int i = 0; i < RUNS; i++) {
        double all;
        TRY(time_calls(&all, t, direct, calls));
        *milliseconds = fmin(*milliseconds, all / calls);
    }
    return ARGAND_OK;
}

static argand_status compare(bool *direct_is_faster, trial *t)
{
    double sums, transforms;
    TRY(new_images(&t->in, t->c, false));
    TRY(new_images(&t->out, t->c, true));
    TRY(argand_timer_create(&t->timer, t->c->device));
    TRY(time_engine(&transforms, t, false));
    TRY(time_engine(&sums, t, true));
    *direct_is_faster = sums < transforms;
    return ARGAND_OK;
}

argand_status conv_measure(argand_conv *c)
{
    trial t = {.c = c};
    bool direct_is_faster = false;
    TRY(conv_fft_engine.make(c));
    TRY(conv_direct_engine.make(c));
    const argand_status status = compare(&direct_is_faster, &t);
    argand_timer_destroy(t.timer);
    argand_array_destroy(t.out);
    argand_array_destroy(t.in);
    c->engine = direct_is_faster ? &conv_direct_engine : &conv_fft_engine;
    (direct_is_faster ? &conv_fft_engine : &conv_direct_engine)->release(c);
    return status;
}
