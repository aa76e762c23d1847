/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures a candidate in the device's own time, on arrays that nothing else uses. Compares its results
 * with those of the first candidate: without this check, kernels that compute nothing would be the
 * fastest. */
#include "fft/planner/candidate.h"
#include "fft/planner/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/observe.h"
#include "base/memory.h"
#include "base/memory_available.h"
#include "base/size.h"
#include "device/device.h"

enum { ROUNDS = 9 };
static const double ROUND_SECONDS = 2e-3, MOST_SECONDS = 1.0; /* for one direction */

/* Sets the extent of the problem's input or output, in elements of that type. */
static argand_status reach(extent *e, argand_type *type, const fft_problem *p, bool is_output)
{
    if (p->access) {
        access_trial_reach(e, type, p, is_output);
        return ARGAND_OK;
    }
    const bool reals = problem_is_real(p) && !is_output;
    *type = reals ? p->type : type_is_double(p->type) ? ARGAND_C64 : ARGAND_C32;
    const int64_t n_0 = problem_is_real(p) && is_output ? p->n[0] / 2 + 1 : p->n[0];
    *e = (extent){0, p->points / p->n[0] * n_0 * p->batch - 1};
    return p->axes_given ? geometry_extent(e, &p->geometry, is_output, n_0) : ARGAND_OK;
}

/* Refuses a measurement if input and output do not fit in memory together; both are filled. */
static argand_status check_memory(const fft_problem *p, const argand_device *device)
{
    size_t all = 0;
    for (int is_output = 0; is_output < 2; is_output++) {
        extent e;
        argand_type type;
        TRY(reach(&e, &type, p, is_output));
        size_add(&all, all, memory_product((size_t)(e.high - e.low) + 1, argand_type_size(type)));
    }
    return device_is_host(device) ? memory_check_left(all, "argand_fft_create: arrays to measure with")
                                  : ARGAND_OK;
}

/* Makes memory for the problem's input or output, as large as its strides need, and a view with these
 * strides. */
static argand_status make_layout(argand_array **memory, argand_array **array, const fft_problem *p,
                                 argand_device *device, bool is_output)
{
    extent e;
    argand_type type;
    if (p->access) return access_trial_array(memory, array, p, device, is_output);
    TRY(reach(&e, &type, p, is_output));
    const int64_t count = e.high - e.low + 1, rest = e.high + 1;
    TRY(argand_array_create(memory, device, type, 1, &count));
    return argand_array_view(array, *memory, 1, &rest, NULL, -e.low);
}

/* Makes a call of a plan in one direction. */
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
    argand_array *memory[2]; /* memory of both arrays */
    access_trial access;
    argand_direction direction;
} job;

static argand_status call_access(const job *j, argand_array *out, argand_array *in,
                                 argand_direction direction)
{
    access_call bound;
    TRY(access_bind(&bound, j->p, out, in, direction, &j->access.chains));
    const fft_call call = {.out = out,
                           .in = in,
                           .direction = direction,
                           .factor = access_factor(j->p, direction),
                           .access = &bound};
    return j->c->engine->apply(j->state, j->p, j->device, &call);
}

static argand_status one_call(const job *j, argand_array *out, argand_array *in, argand_direction direction)
{
    fft_geometry g, contiguous;
    if (j->p->access) return call_access(j, out, in, direction);
    const fft_call call = make_call(&g, j->p, out, in, direction);
    problem_contiguous(&contiguous, j->p, direction);
    const bool as_is = !j->c->engine->contiguous || geometry_is(&g, &contiguous);
    return as_is ? j->c->engine->apply(j->state, j->p, j->device, &call)
                 : packed_apply(j->c->engine, j->state, j->p, j->device, &call);
}

/* Times that many calls. Input and output are different arrays, so that the same call may be repeated. */
static argand_status time_calls(const job *j, int64_t calls, double *seconds)
{
    double milliseconds;
    const bool back = j->direction == ARGAND_INVERSE;
    argand_array *in = back ? j->spectrum : j->signal, *out = back ? j->signal : j->spectrum;
    TRY(argand_timer_start(j->timer));
    for (int64_t i = 0; i < calls; i++) TRY(one_call(j, out, in, j->direction));
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

/* Returns the median time of a call. The first call fills caches and pools; the second one determines the
 * calls of a round. */
static argand_status median(const job *j, double *seconds)
{
    double rounds[ROUNDS], one;
    int count = 0;
    const double end = clock_seconds() + MOST_SECONDS;
    TRY(time_calls(j, 1, &one));
    TRY(time_calls(j, 1, &one));
    const int64_t calls = one >= ROUND_SECONDS ? 1 : (int64_t)(ROUND_SECONDS / (one + 1e-7)) + 1;
    while (count < ROUNDS && (!count || clock_seconds() < end)) {
        TRY(observe_again());
        TRY(time_calls(j, calls, &rounds[count++]));
    }
    qsort(rounds, (size_t)count, sizeof *rounds, by_size);
    *seconds = rounds[count / 2] > 0 ? rounds[count / 2] : 1e-9;
    return ARGAND_OK;
}

/* ---- results ---- */

/* Returns true if results may be kept and compared element by element. This is impossible if engines choose
 * the order of elements, or if another array would leave too little memory to candidates. */
static bool may_keep(const job *j, const argand_array *result)
{
    enum { PART = 16 };
    argand_device_info info;
    const size_t bytes = (size_t)argand_array_count(result) * argand_type_size(argand_array_type(result));
    return !j->p->scrambled_signal && !j->p->scrambled_spectrum &&
           argand_device_describe(j->device, &info) == ARGAND_OK && bytes <= info.memory / PART;
}

static argand_status find_norm(double *norm, const argand_array *result)
{
    double distance;
    return type_is_storage(result->type) ? access_trial_distance(&distance, norm, NULL, result)
                                         : argand_array_norm(norm, result);
}

static argand_status copy(argand_array *to, const argand_array *from)
{
    return type_is_storage(to->type) ? storage_copy(to->storage, 0, from->storage, 0,
                                                    (size_t)from->count * argand_type_size(from->type))
                                     : argand_array_copy(to, from);
}

/* Keeps the first results, unless memory is short or they may not be compared. */
static argand_status keep(fft_reference *r, const job *j, const argand_array *result, int back)
{
    const int64_t count = argand_array_count(result);
    TRY(find_norm(&r->norm[back], result));
    r->engine[back] = j->c->engine->name;
    snprintf(r->variant[back], sizeof r->variant[back], "%s", j->c->variant);
    if (!(r->norm[back] > 0) || !may_keep(j, result)) return ARGAND_OK;
    const argand_status status =
        argand_array_create(&r->result[back], j->device, argand_array_type(result), 1, &count);
    if (status == ARGAND_MEMORY) return ARGAND_OK;
    return status == ARGAND_OK ? copy(r->result[back], result) : status;
}

/* Returns the distance of the results from the first ones, which are subtracted in place. */
static argand_status find_distance(double *distance, const fft_reference *r, argand_array *result, int back)
{
    const argand_array *kept = r->result[back];
    double norm;
    if (kept && type_is_storage(result->type)) return access_trial_distance(distance, &norm, kept, result);
    if (!kept) {
        TRY(find_norm(distance, result));
        *distance = fabs(*distance - r->norm[back]);
        return ARGAND_OK;
    }
    TRY(argand_array_axpby(result, (argand_scalar){-1, 0}, kept, (argand_scalar){1, 0}));
    TRY(argand_array_norm(distance, result));
    return argand_array_axpby(result, (argand_scalar){1, 0}, kept, (argand_scalar){1, 0});
}

/* Returns the largest distance that rounding explains. The error of a transform is about u sqrt(log2 N) in
 * all engines, that of convolutions a few times larger; a round trip has two transforms. */
static double limit(const fft_problem *p, const argand_array *result, double norm)
{
    const int transforms = p->access && p->access->has_spectrum ? 2 : 1;
    return 8 * transforms * (type_is_double(p->type) ? 0x1p-53 : 0x1p-24) * log2(4 * (double)p->points) *
               norm +
           access_trial_rounding(result, norm);
}

/* Runs one call in the job's direction. Keeps the results of the first candidate, compares the others with
 * them, and explains differences in the candidate. */
static argand_status compare(bool *differs, fft_reference *r, fft_candidate *c, const job *j)
{
    const int back = j->direction == ARGAND_INVERSE;
    argand_array *result = j->memory[!back];
    const bool first = !(r->norm[back] > 0);
    double distance = 0;
    TRY(back ? one_call(j, j->signal, j->spectrum, j->direction)
             : one_call(j, j->spectrum, j->signal, j->direction));
    TRY(first ? keep(r, j, result, back) : find_distance(&distance, r, result, back));
    *differs = !(r->norm[back] > 0 && distance <= limit(j->p, result, r->norm[back]));
    if (*differs && first) candidate_explain(c, "left out: the norm of its result is %g", r->norm[back]);
    if (*differs && !first)
        candidate_explain(c, "left out: the result differs from that of %s %s by a relative %.1e",
                          r->engine[back], r->variant[back], distance / r->norm[back]);
    return ARGAND_OK;
}

void reference_release(fft_reference *r)
{
    for (int back = 0; back < 2; back++) argand_array_destroy(r->result[back]);
    *r = (fft_reference){0};
}

static argand_status one_way(double *seconds, bool *differs, fft_reference *r, fft_candidate *c, job *j,
                             argand_direction direction)
{
    j->direction = direction;
    TRY(compare(differs, r, c, j));
    return *differs ? ARGAND_OK : median(j, seconds);
}

argand_status candidate_measure(double seconds[2], bool *differs, fft_reference *r, fft_candidate *c,
                                const void *state, const fft_problem *p, argand_device *device)
{
    job j = {.c = c, .state = state, .p = p, .device = device};
    argand_status status;
    seconds[0] = seconds[1] = 0;
    TRY_OR_DONE(check_memory(p, device));
    TRY_OR_DONE(make_layout(&j.memory[0], &j.signal, p, device, false));
    TRY_OR_DONE(make_layout(&j.memory[1], &j.spectrum, p, device, true));
    TRY_OR_DONE(measure_fill(j.memory[0]));
    if (p->access) TRY_OR_DONE(access_trial_begin(&j.access, p, device));
    TRY_OR_DONE(argand_timer_create(&j.timer, device));
    TRY_OR_DONE(one_way(&seconds[0], differs, r, c, &j, ARGAND_FORWARD));
    if (problem_is_real(p) && !p->access && !*differs)
        TRY_OR_DONE(one_way(&seconds[1], differs, r, c, &j, ARGAND_INVERSE));
done:
    argand_timer_destroy(j.timer);
    access_trial_end(&j.access);
    argand_array_destroy(j.spectrum);
    argand_array_destroy(j.signal);
    for (int i = 0; i < 2; i++) argand_array_destroy(j.memory[i]);
    return status;
}
