/* SPDX-License-Identifier: BSD-3-Clause */
/* Which passes a call makes, from which memory to which, and which of them tile by tile (engine.c says
 * why). */
#include "fft/cpu/passes/schedule.h"

#include "base/memory.h"
#include "fft/cpu/passes/pass_list.h"

region passes_region(const fft_problem *p, const fft_geometry *g, argand_direction direction, bool is_output)
{
    const bool real = problem_is_real(p) && is_output == (direction == ARGAND_INVERSE);
    region r = {.place = is_output ? PASS_OUT : PASS_IN,
                .real = real,
                .size = (type_is_double(p->type) ? 8U : 4U) * (real ? 1U : 2U)};
    for (int i = 0; i < g->rank + g->loops; i++) {
        const argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
        r.stride[i] = is_output ? axis->out_stride : axis->in_stride;
    }
    return r;
}

/* Length of axis or loop i as passes count it: axis 0 of a real plan is a half spectrum in all passes but its
 * own. */
static int64_t length(const fft_geometry *g, int i, bool real)
{
    return i == 0 && real ? g->axes[0].n / 2 + 1 : i < g->rank ? g->axes[i].n : g->loop[i - g->rank].n;
}

/* A contiguous copy's place for the half spectrum of a complex-to-real transform: of its first `all` axes and
 * loops, while the others are left where they are. */
size_t passes_half_region(region *r, const fft_geometry *g, int all, size_t size)
{
    int64_t count = 1;
    *r = (region){.place = PASS_MIDDLE, .size = size};
    for (int i = 0; i < all; i++) {
        r->stride[i] = count;
        count *= length(g, i, true);
    }
    return memory_product((size_t)count, size);
}

static pass_layout layout_of(const region *r, int axis, int all)
{
    pass_layout layout = {.place = r->place, .real = r->real, .size = r->size, .stride = r->stride[axis]};
    for (int i = 0, loop = 0; i < all; i++)
        if (i != axis) layout.loop[loop++] = r->stride[i];
    return layout;
}

/* The pass along `axis`, from region to region, looping over the other ones of the first `all` axes and
 * loops. */
static fft_pass make_pass(const passes *s, const fft_problem *p, const fft_geometry *g, bool inverse,
                          int axis, int all, const region *out, const region *in)
{
    const int64_t shift = p->centred ? p->n[axis] / 2 : 0;
    fft_pass pass = {.line = &s->lines[s->line_of[axis]],
                     .inverse = inverse,
                     .far = p->points * p->batch > PASS_FAR_BYTES / (int64_t)(in->size + out->size) &&
                            (axis == 0 || all == g->rank + g->loops),
                     .ops = {.rotate_in = shift, .rotate_out = shift, .factor = 1},
                     .loops = all - 1,
                     .out = layout_of(out, axis, all),
                     .in = layout_of(in, axis, all)};
    for (int i = 0, loop = 0; i < all; i++)
        if (i != axis) pass.n[loop++] = length(g, i, problem_is_real(p));
    pass_order_loops(&pass);
    return pass;
}

enum { TILE_BYTES = 1 << 18, TILES_LEAST = 16 };

/* Returns how many leading axes are done tile by tile: as many as fit the second-level cache together with
 * their source, if these are more than one and leave enough tiles for threads. The rule must not use the
 * number of threads: it decides the block of a line, and so the last bit of results. */
int passes_tiled_axes(const fft_problem *p)
{
    const int64_t most = TILE_BYTES / (type_is_double(p->type) ? 16 : 8) * (problem_is_real(p) ? 2 : 1);
    int64_t points = 1;
    int axes = 0;
    while (axes < p->rank && points * p->n[axes] <= most) points *= p->n[axes++];
    return axes >= 2 && p->points * p->batch / points >= TILES_LEAST ? axes : 0;
}

int64_t passes_threads_worth(const fft_problem *p)
{
    return p->points / 8192 * p->batch + p->points % 8192 * p->batch / 8192;
}

bool passes_to_real(const fft_problem *p, argand_direction direction)
{
    return problem_is_real(p) && direction == ARGAND_INVERSE;
}

int passes_tile_order(const fft_problem *p, argand_direction direction, int order[ARGAND_MAX_RANK])
{
    const int axes = passes_tiled_axes(p);
    int count = 0;
    if (!axes) return 0;
    if (!passes_to_real(p, direction)) order[count++] = 0;
    for (int axis = 1; axis < axes; axis++)
        if (p->n[axis] > 1) order[count++] = axis;
    if (passes_to_real(p, direction)) order[count++] = 0;
    return count;
}

/* Returns the bytes of the half spectrum that a thread keeps between the passes towards reals, if all axes
 * are in its tile. */
size_t passes_tile_own(const fft_problem *p, argand_direction direction)
{
    const size_t element = type_is_double(p->type) ? 16 : 8,
                 half = (size_t)(p->points / p->n[0] * (p->n[0] / 2 + 1));
    return passes_to_real(p, direction) && passes_tiled_axes(p) == p->rank ? (half * element + 63) / 64 * 64
                                                                           : 0;
}

/* Passes of the tile's axes: in -> between -> ... -> out. */
static void make_tile(passes_schedule *d, const passes *s, const fft_problem *p, const fft_geometry *g,
                      argand_direction direction, int axes, const region *const across[3])
{
    const region *in = across[0], *between = across[1], *out = across[2];
    fft_tile *tile = &d->tile;
    int order[ARGAND_MAX_RANK];
    const int count = passes_tile_order(p, direction, order);
    for (int k = 0; k < count; k++)
        tile->pass[k] = make_pass(s, p, g, direction == ARGAND_INVERSE, order[k], axes,
                                  k == count - 1 ? out : between, k ? between : in);
    tile->passes = count;
    for (int i = axes; i < g->rank + g->loops; i++) {
        const int loop = tile->loops++;
        tile->n[loop] = length(g, i, false);
        for (int place = 0; place < PASS_PLACES; place++) tile->step[place][loop] = 0;
        for (int k = 0; k < 3; k++)
            tile->step[across[k]->place][loop] = across[k]->stride[i] * (int64_t)across[k]->size;
    }
}

static void scale_last(passes_schedule *d, double factor)
{
    fft_pass *last = d->tile.passes && (d->tile_last || !d->count) ? &d->tile.pass[d->tile.passes - 1]
                                                                   : &d->list[d->count - 1];
    last->ops.factor = factor;
}

/* `middle`: for a half spectrum that ends as reals. */
void passes_make_schedule(passes_schedule *d, const passes *s, const fft_problem *p, const fft_geometry *g,
                          argand_direction direction, double factor, const region *middle)
{
    const int all = g->rank + g->loops, tiled = passes_tiled_axes(p);
    const region out = passes_region(p, g, direction, true), in = passes_region(p, g, direction, false);
    const bool to_real = passes_to_real(p, direction), inverse = direction == ARGAND_INVERSE;
    const region *const to = to_real ? middle : &out, *from = tiled && !to_real ? &out : &in;
    /* the rest is large, and written before it is read */
    d->count = d->tile.passes = d->tile.loops = 0;
    d->tile.own = passes_tile_own(p, direction);
    d->tile_last = to_real && tiled;
    for (int axis = tiled ? tiled : to_real; axis < p->rank; axis++) {
        if (p->n[axis] == 1 && axis > 0) continue;
        d->list[d->count++] = make_pass(s, p, g, inverse, axis, all, to, from);
        from = to;
    }
    if (tiled)
        make_tile(d, s, p, g, direction, tiled, (const region *const[3]){to_real ? from : &in, to, &out});
    if (to_real && !tiled) d->list[d->count++] = make_pass(s, p, g, inverse, 0, all, &out, from);
    scale_last(d, factor);
}

void passes_run_schedule(const passes_schedule *d, const pass_memory *memory, int threads, void *buffers,
                         size_t bytes)
{
    if (d->tile.passes && !d->tile_last) tile_run(&d->tile, memory, threads, buffers, bytes);
    for (int i = 0; i < d->count; i++) pass_run(&d->list[i], memory, threads, buffers, bytes);
    if (d->tile_last) tile_run(&d->tile, memory, threads, buffers, bytes);
}
