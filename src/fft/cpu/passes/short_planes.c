/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares and runs short calls of several axes or blocks (short_planes.h). */
#include "fft/cpu/passes/short_planes.h"

#include "base/memory.h"

enum { ON_STACK = 65536 }; /* bytes of work memory: a thread's stack has 512 KiB or more */

struct short_planes {
    struct {
        passes_schedule schedule;
        size_t buffer, bytes; /* of the passes; these, and the half spectrum behind them */
        double factor;
    } of[2];
};

bool passes_are_short(const fft_problem *p)
{
    return !p->axes_given && passes_threads_worth(p) < 2;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Work memory of one thread, with what it keeps of its tile */
static size_t buffer_bytes(const passes_schedule *d)
{
    size_t bytes = 0;
    for (int i = 0; i < d->tile.passes; i++) bytes = larger(bytes, pass_work_bytes(&d->tile.pass[i]));
    for (int i = 0; i < d->count; i++) bytes = larger(bytes, pass_work_bytes(&d->list[i]));
    return (bytes + 63) / 64 * 64 + d->tile.own;
}

static void prepare(short_planes *planes, const passes *s, const fft_problem *p, argand_direction direction)
{
    const int inverse = direction == ARGAND_INVERSE;
    const size_t size = type_is_double(p->type) ? 16 : 8;
    fft_geometry g;
    region middle = {.place = PASS_MIDDLE};
    size_t half = 0;
    problem_contiguous(&g, p, direction);
    if (passes_to_real(p, direction)) {
        const bool own = passes_tile_own(p, direction);
        half = passes_half_region(&middle, &g, own ? g.rank : g.rank + g.loops, size);
        if (own) half = 0;
    }
    planes->of[inverse].factor = inverse ? p->inverse_factor : p->forward_factor;
    passes_schedule *d = &planes->of[inverse].schedule;
    passes_make_schedule(d, s, p, &g, direction, planes->of[inverse].factor, &middle);
    planes->of[inverse].buffer = buffer_bytes(d);
    planes->of[inverse].bytes = planes->of[inverse].buffer + half;
}

argand_status short_planes_make(short_planes **out, const passes *s, const fft_problem *p)
{
    short_planes *planes;
    TRY(NEW(planes, 1));
    prepare(planes, s, p, ARGAND_FORWARD);
    prepare(planes, s, p, ARGAND_INVERSE);
    if (planes->of[0].bytes <= ON_STACK && planes->of[1].bytes <= ON_STACK)
        *out = planes;
    else
        memory_free(planes);
    return ARGAND_OK;
}

static void run(const void *state, void *out, const void *in, void *work, int inverse, double factor)
{
    (void)work, (void)factor; /* the schedule has it */
    _Alignas(64) char near[ON_STACK];
    const short_planes *planes = state;
    const size_t buffer = planes->of[inverse].buffer;
    const pass_memory memory = {{(char *)(uintptr_t)in, out, near + buffer}};
    passes_run_schedule(&planes->of[inverse].schedule, &memory, 1, near, buffer);
}

fft_brief short_planes_brief(const short_planes *planes, argand_direction direction)
{
    const int inverse = direction == ARGAND_INVERSE;
    return (fft_brief){.run = run,
                       .state = planes,
                       .inverse = inverse,
                       .factor = planes->of[inverse].factor,
                       .on_stack = true};
}
