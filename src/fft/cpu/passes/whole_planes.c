/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs planes and volumes with short axes, each whole. */
#include "fft/cpu/passes/whole_planes.h"

#include <string.h>
#include "base/memory.h"
#include "fft/cpu/short_axes/short_axes.h"

struct whole_planes {
    short_axes *axes;
    bool reals;
    int64_t n[ARGAND_MAX_RANK], batch;
    fft_geometry geometry[2];       /* of contiguous memory, forward and inverse */
    size_t out_element, in_element; /* of a forward transform, bytes */
    double factor[2];
};

argand_status whole_planes_make(whole_planes **planes, const fft_problem *p)
{
    short_axes *axes;
    *planes = NULL;
    TRY(short_axes_make(&axes, p));
    if (!axes) return ARGAND_OK;
    const argand_status status = NEW(*planes, 1);
    if (status != ARGAND_OK) {
        memory_free(axes);
        return status;
    }
    const size_t number = type_is_double(p->type) ? 8 : 4;
    whole_planes *w = *planes;
    *w = (whole_planes){.axes = axes,
                        .reals = problem_is_real(p),
                        .batch = p->batch,
                        .out_element = 2 * number,
                        .in_element = problem_is_real(p) ? number : 2 * number,
                        .factor = {p->forward_factor, p->inverse_factor}};
    memcpy(w->n, p->n, (size_t)p->rank * sizeof *w->n);
    problem_contiguous(&w->geometry[0], p, ARGAND_FORWARD);
    problem_contiguous(&w->geometry[1], p, ARGAND_INVERSE);
    return ARGAND_OK;
}

void whole_planes_free(whole_planes *w)
{
    if (w) memory_free(w->axes);
    memory_free(w);
}

/* Whether axes have the strides of contiguous memory, but for rows along axis 0, whose stride is `row`. */
static bool has_rows(const fft_geometry *g, bool is_out, const int64_t *n, int64_t row)
{
    int64_t stride = 1;
    for (int i = 0; i < g->rank; i++) {
        if (n[i] > 1 && (is_out ? g->axes[i].out_stride : g->axes[i].in_stride) != stride) return false;
        stride *= i ? n[i] : row;
    }
    return true;
}

bool whole_planes_serve(const whole_planes *w, const fft_call *call, int64_t *row)
{
    if (!w) return false;
    const bool inverse = call->direction == ARGAND_INVERSE;
    const fft_geometry *g = call->geometry;
    *row = w->n[0];
    for (int i = g->rank - 1; i > 0 && w->reals; i--)
        if (w->n[i] > 1) *row = inverse ? g->axes[i].out_stride : g->axes[i].in_stride;
    return *row >= w->n[0] && has_rows(g, inverse, w->n, *row) &&
           has_rows(g, !inverse, w->n, w->reals ? w->n[0] / 2 + 1 : w->n[0]);
}

/* Where a plane of the batch is, in elements. */
static void find_plane(int64_t *to, int64_t *from, const fft_geometry *g, int64_t plane)
{
    *to = *from = 0;
    for (int i = 0; i < g->loops; plane /= g->loop[i++].n) {
        *to += plane % g->loop[i].n * g->loop[i].out_stride;
        *from += plane % g->loop[i].n * g->loop[i].in_stride;
    }
}

/* What is common to all planes of a call. */
typedef struct plane_call {
    const fft_geometry *geometry;
    char *out;
    const char *in;
    int inverse;
    double factor;
    int64_t row;
} plane_call;

/* Planes from `first` to before `end`. */
static void run_planes(const whole_planes *w, const plane_call *c, int64_t first, int64_t end)
{
    _Alignas(64) char work[SHORT_AXES_WORK];
    const size_t out_size = c->inverse ? w->in_element : w->out_element,
                 in_size = c->inverse ? w->out_element : w->in_element;
    for (int64_t plane = first; plane < end; plane++) {
        int64_t to, from;
        find_plane(&to, &from, c->geometry, plane);
        short_axes_run(w->axes, c->out + to * (int64_t)out_size, c->in + from * (int64_t)in_size, work,
                       c->inverse, c->factor, c->row);
    }
}

void whole_planes_apply(const whole_planes *w, const fft_call *call, int64_t row, int threads)
{
    const plane_call c = {.geometry = call->geometry,
                          .out = argand_array_data(call->out),
                          .in = argand_array_data(call->in),
                          .inverse = call->direction == ARGAND_INVERSE,
                          .factor = call->factor,
                          .row = row};
    if (threads > w->batch) threads = (int)w->batch;
    if (threads <= 1) {
        run_planes(w, &c, 0, w->batch);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int part = 0; part < threads; part++)
        run_planes(w, &c, w->batch * part / threads, w->batch * (part + 1) / threads);
}

static void run_contiguous(const void *state, void *out, const void *in, void *work, int inverse,
                           double factor)
{
    const whole_planes *w = state;
    const plane_call c = {&w->geometry[inverse], out, in, inverse, factor, w->n[0]};
    (void)work;
    run_planes(w, &c, 0, w->batch);
}

fft_brief whole_planes_brief(const whole_planes *w, argand_direction direction)
{
    const int inverse = direction == ARGAND_INVERSE;
    return (fft_brief){.run = run_contiguous,
                       .state = w,
                       .inverse = inverse,
                       .factor = w->factor[inverse],
                       .on_stack = true};
}

void whole_planes_print(const whole_planes *w, text *t)
{
    short_axes_print(w->axes, t);
}
