/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs calls whose lines along one axis are one block, on work memory of the stack. */
#include "fft/cpu/passes/short_call.h"

#include "base/memory_guard.h"

enum { ON_STACK = 16384 }; /* bytes of work memory that need no pool and its lock */

/* Separate from others, as the stack's pages are met one by one. */
__attribute__((noinline)) static void run_on_stack(const fft_line *line, const line_use *use,
                                                   const line_job *job)
{
    _Alignas(64) char near[ON_STACK];
    line_run(line, use, job, near);
}

static void run_lines(const fft_line *line, const line_use *use, const line_job *job, size_t bytes)
{
    if (bytes)
        run_on_stack(line, use, job);
    else
        line_run(line, use, job, NULL);
}

bool short_call_line(const fft_line *line, const line_use *use, const line_job *job, size_t bytes)
{
    if (bytes > ON_STACK || memory_guards()) return false; /* tests guard what is allocated */
    run_lines(line, use, job, bytes);
    return true;
}

static line_job job_of(const fft_problem *p, bool inverse)
{
    const bool reals = problem_is_real(p);
    const int64_t shift = p->centred ? p->n[0] / 2 : 0, n = p->n[0], half = reals ? problem_half(p) : n;
    const line_memory signal = {.line_stride = n, .stride = 1, .real = reals},
                      spectrum = {.line_stride = half, .stride = 1};
    return (line_job){.out = inverse ? signal : spectrum,
                      .in = inverse ? spectrum : signal,
                      .lines = p->batch,
                      .inverse = inverse,
                      .ops = {.rotate_in = shift,
                              .rotate_out = shift,
                              .factor = inverse ? p->inverse_factor : p->forward_factor}};
}

void short_call_make(short_call *c, const fft_problem *p, const fft_line *line)
{
    const line_use *use = line_use_for(line, 1, 1);
    *c = (short_call){.use = use, .job = {job_of(p, false), job_of(p, true)}};
    const size_t forward = line_work_bytes(line, use, &c->job[0]),
                 inverse = line_work_bytes(line, use, &c->job[1]);
    c->bytes = forward > inverse ? forward : inverse;
    if (!p->axes_given && p->batch <= use->block && c->bytes <= ON_STACK) c->line = line;
}

/* ---- prepared calls: functions of fft_brief, whose state is the short call ---- */

static void run_job(const void *state, void *out, const void *in, void *work, int inverse, double factor)
{
    (void)work, (void)factor;
    const short_call *c = state;
    line_job job = c->job[inverse];
    job.out.at = out;
    job.in.at = (char *)(uintptr_t)in;
    run_lines(c->line, c->use, &job, c->bytes);
}

static void run_single_on_stack(const void *state, void *out, const void *in, void *work, int inverse,
                                double factor)
{
    (void)work;
    _Alignas(64) char near[ON_STACK];
    const line_use *use = ((const short_call *)state)->use;
    use->algorithm->single(use->state, out, in, near, inverse, factor);
}

fft_brief short_call_brief(const short_call *c, argand_direction direction)
{
    const int inverse = direction == ARGAND_INVERSE;
    const line_job *job = &c->job[inverse];
    fft_brief b = {.state = c, .inverse = inverse, .factor = job->ops.factor, .on_stack = c->bytes > 0};
    if (!c->line) return b;
    const bool single = job->lines == 1 && !job->ops.rotate_in && c->use->algorithm->single;
    b.run = !single ? run_job : c->bytes ? run_single_on_stack : c->use->algorithm->single;
    if (single && !c->bytes) b.state = c->use->state;
    return b;
}
