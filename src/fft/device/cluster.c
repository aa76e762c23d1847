/* SPDX-License-Identifier: BSD-3-Clause */
/* What a cluster of groups holds goes through memory once (kernels/fft_cluster.krn): lines of U V points and
 * planes of U x V. In a line j = j1 V + j2 and k = k1 + U k2: each group transforms some of the columns j2
 * (first half, of U points), and then some of the rows k1 (second half, of V points). In a plane the first
 * half has rows, the second one columns. */
#include "fft/device/box.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory.h"

enum { CROSS_STORE, CROSS_LOAD, CROSS_SEND };

int cluster_tile(int n, int groups)
{
    return (n + groups - 1) / groups;
}

static int points_of(const box_halves *h)
{
    const int first = h->u * cluster_tile(h->v, h->groups), second = h->v * cluster_tile(h->u, h->groups);
    return first > second ? first : second;
}

/* Points that an item of `items` holds at most, and the share of items that have something to do at all
 * stages. */
static int held_of(const box_halves *h, int items, double *busy)
{
    const box_radices *const all[] = {&h->radices[0], &h->radices[1], &h->along_rows};
    int held = 0;
    *busy = 1;
    for (int k = 0; k < 3; k++) {
        const box_radices *r = all[k];
        const int points =
            k == 1 ? h->v * cluster_tile(h->u, h->groups) : h->u * cluster_tile(h->v, h->groups);
        for (int i = 0; i < r->count; i++) {
            const int butterflies = points / r->radix[i], each = (butterflies + items - 1) / items;
            if (each * r->radix[i] > held) held = each * r->radix[i];
            if ((double)butterflies / ((double)each * items) < *busy)
                *busy = (double)butterflies / ((double)each * items);
        }
    }
    return held;
}

/* Few idle items, and no more registers than leave room for twice the items at once. */
bool cluster_items(box_halves *h, int wanted, const box_limits *l)
{
    const int least = points_of(h) / (wanted + 8) / 32 * 32;
    double best = 0;
    for (int items = least < 32 ? 32 : least; items <= l->items; items += 32) {
        double worth;
        const int held = held_of(h, items, &worth);
        if (held > wanted + 9) continue;
        if (held > wanted) worth /= 1 + 0.08 * (held - wanted);
        if (items > points_of(h) / wanted * 5 / 4) worth *= 0.8;
        if (worth <= best) continue;
        best = worth;
        h->items = items;
    }
    return best > 0;
}

/* Both halves for a cluster of that many. */
bool cluster_try(box_halves *h, int groups, int u, int v, int least_v, const box_limits *l)
{
    const int least_u = CLUSTER_SEGMENT / l->item_bytes, tile_u = cluster_tile(u, groups),
              tile_v = cluster_tile(v, groups);
    box_limits held = *l;
    held.tuning.values = CLUSTER_HELD;
    *h = (box_halves){.groups = groups, .u = u, .v = v};
    return tile_u >= least_u && tile_v >= least_v && cluster_tile(u, tile_u) == groups &&
           cluster_tile(v, tile_v) == groups && points_of(h) <= box_most_points(l) &&
           radices_choose(&h->radices[0], u, &held, 2) && radices_choose(&h->radices[1], v, &held, 2) &&
           h->radices[0].count > 1 && h->radices[1].count > 1 && cluster_items(h, CLUSTER_HELD, l);
}

/* Whether what a group has is as little as it should be. */
bool cluster_is_small(const box_halves *h, const box_limits *l)
{
    const int wanted = l->tuning.cluster_points ? l->tuning.cluster_points : 8192;
    return points_of(h) <= wanted / (l->is_double ? 2 : 1);
}

double cluster_cost(const box_halves *h)
{
    return points_of(h) * (1 + 0.02 * fabs(log2((double)h->u / h->v)) + 0.001 * (h->u > h->v)) +
           0.1 * fabs((double)h->items - points_of(h) / (double)CLUSTER_HELD);
}

static bool line_by(box_halves *best, int groups, const box_job *job, const box_limits *l)
{
    const int n = (int)job->axis.n, least = CLUSTER_SEGMENT / l->item_bytes;
    bool found = false;
    for (int u = groups * (least - 1) + 1; u <= n / groups; u++) {
        box_halves h;
        if (n % u || ((job->shift_in || job->shift_out) && (u % 2 || n / u % 2))) continue;
        if (!cluster_try(&h, groups, u, n / u, least, l) || (found && cluster_cost(&h) >= cluster_cost(best)))
            continue;
        *best = h;
        found = true;
    }
    return found;
}

/* The fewest groups that have little to hold; else as many as there may be. */
bool cluster_line(box_halves *h, const box_job *job, const box_limits *l)
{
    bool found = false;
    if (l->tuning.no_cluster || job->in_kind != IN_COMPLEX || job->out_kind != OUT_COMPLEX ||
        job->chirp.part || job->counted_loop >= 0 || job->twist_points || llabs(job->axis.in) != 1 ||
        llabs(job->axis.out) != 1 || job->loops >= BOX_LOOPS ||
        job->axis.n > (int64_t)l->cluster * box_most_points(l))
        return false;
    for (int groups = 2; groups <= l->cluster && !(found && cluster_is_small(h, l)); groups *= 2) {
        box_halves more;
        if (!line_by(&more, groups, job, l)) continue;
        *h = more;
        found = true;
    }
    return found;
}

bool cluster_plane(box_halves *h, const box_span *a, const box_span *b, const box_limits *l)
{
    bool found = false;
    if (l->tuning.no_cluster || a->n * b->n > (int64_t)l->cluster * box_most_points(l)) return false;
    if (l->tuning.groups)
        return l->tuning.groups > 1 && l->tuning.groups <= l->cluster &&
               cluster_try(h, l->tuning.groups, (int)a->n, (int)b->n, 1, l);
    for (int groups = 2; groups <= l->cluster && !(found && cluster_is_small(h, l)); groups *= 2) {
        box_halves more;
        if (!cluster_try(&more, groups, (int)a->n, (int)b->n, 1, l)) continue;
        *h = more;
        found = true;
    }
    return found;
}

/* ---- the passes ---- */

argand_status cluster_half(box_program *p, const box_job *job, const box_halves *h, int half,
                           const int shift[2][3], const box_limits *l)
{
    box_limits together = *l;
    box_pass *pass;
    together.tuning.planes = half || l->tuning.cross_way == CROSS_LOAD ? 2 : 1;
    TRY(pass_begin(p, job, &pass));
    box_shape *s = &pass->shape;
    const box_radices *r = &h->radices[half];
    const box_span span[3] = {job->loop[0], job->axis, {.n = 1}};
    s->size[0] = cluster_tile((int)job->loop[0].n, h->groups);
    s->size[1] = (int)job->axis.n;
    s->lines = 0;
    s->items = h->items;
    /* loads run along what is fast in memory, or in shared memory along V; stores too: V, then U */
    s->in_fast = llabs(job->axis.in) < llabs(job->loop[0].in);
    s->out_fast = 0;
    s->twist_axis = 1;
    for (int i = 0; i < r->count; i++) s->stage[s->stages++] = (box_stage){.radix = r->radix[i], .axis = 1};
    return pass_finish(p, pass, job, span, shift, &together);
}

/* Conflicts that half a warp's numbers meet with rows of that length, as they come and as they are taken. */
static int conflicts(const box_halves *h, int row, int banks)
{
    const int tile = cluster_tile(h->v, h->groups), turn = h->v / h->radices[1].radix[0];
    int seen[2][16] = {{0}}, worst[2] = {0};
    for (int lane = 0; lane < banks; lane++) {
        const int at[2] = {lane % tile + row * (lane / tile), lane % turn + row * (lane / turn)};
        for (int i = 0; i < 2; i++)
            if (++seen[i][at[i] % banks] > worst[i]) worst[i] = seen[i][at[i] % banks];
    }
    return worst[0] + worst[1];
}

static int choose_row(const box_halves *h, int least, bool is_double)
{
    const int banks = is_double ? 8 : 16;
    int best = least;
    for (int row = least; row < least + banks; row++)
        if (conflicts(h, row, banks) < conflicts(h, best, banks)) best = row;
    return best;
}

static void choose_cross(box_cross *c, const box_halves *h, const box_limits *l)
{
    *c = (box_cross){.groups = h->groups,
                     .passes = 2,
                     .u = h->u,
                     .v = h->v,
                     .u_tile = cluster_tile(h->u, h->groups),
                     .v_tile = cluster_tile(h->v, h->groups),
                     .order = l->tuning.cross_order,
                     .way = l->tuning.cross_way};
    c->row = choose_row(h, c->way == CROSS_LOAD ? c->v_tile : c->v, l->is_double);
    c->shared_numbers = 2 * c->row * (c->way == CROSS_LOAD ? c->u : c->u_tile);
}

/* Groups of a multiprocessor, whose registers hold the points and some words more (64K of 32 bits, all of
 * Hopper's and of Blackwell's data center chips); the compiler is told, or it would take more of them. */
static int resident(const box_halves *h, int held, int64_t bytes, bool is_double)
{
    const int words = is_double ? 4 * held + 64 : 2 * held + 32, warps = (h->items + 31) / 32;
    const int64_t by_registers = 65536 / (32 * warps * words), by_shared = 228 * 1024 / (bytes + 1024),
                  least = by_registers < by_shared ? by_registers : by_shared;
    return least < 1 ? 1 : least > 2048 / (32 * warps) ? 2048 / (32 * warps) : (int)least;
}

argand_status cluster_launch(box_pass *pass, const box_halves *h, const box_limits *l)
{
    box_cross *const c = &pass->cross;
    int held = 0;
    for (int i = 0; i < c->passes; i++) {
        if (pass[i].shape.values > held) held = pass[i].shape.values;
        memory_free(pass[i].key);
        pass[i].key = NULL;
    }
    pass->shared_bytes = (size_t)c->shared_numbers * (size_t)(l->item_bytes / 2);
    CHECK((int64_t)pass->shared_bytes <= l->shared_bytes, ARGAND_UNSUPPORTED,
          "argand_fft_create: %zu bytes for a cluster's group", pass->shared_bytes);
    c->resident = resident(h, held, (int64_t)pass->shared_bytes, l->is_double);
    return key_make_cluster(&pass->key, pass, c, l->is_double);
}

/* The last two passes become one launch. */
argand_status cluster_join(box_program *p, const box_halves *h, const box_limits *l)
{
    box_pass *const half = &p->pass[p->count - 2];
    box_cross *const c = &half->cross;
    choose_cross(c, h, l);
    for (int i = 0; i < 2; i++) {
        const box_shape *s = &half[i].shape;
        /* what the first half's stages use lies behind what other groups may store already */
        const int numbers = s->shared_numbers + (i == 0 && c->way != CROSS_LOAD ? c->shared_numbers : 0);
        if (numbers > c->shared_numbers) c->shared_numbers = numbers;
    }
    return cluster_launch(half, h, l);
}

/* A part of an axis, `times` points of which are from one of its own to the next. */
static box_span coordinate(box_span part, const box_span *whole, int times)
{
    part.dim = whole->dim;
    part.step = times * whole->step;
    return part;
}

void cluster_put_lines(box_job *job, box_span lines)
{
    if (job->loops == 1 && job->loop[0].n == 1) job->loops = 0;
    for (int i = job->loops++; i > 0; i--) job->loop[i] = job->loop[i - 1];
    job->loop[0] = lines;
    job->counted_loop = 0;
}

static argand_status put_both(box_program *p, const box_job *first, const box_job *second,
                              const int crossing[3], const box_halves *h, const box_limits *l)
{
    /* crossing: of u; of v, as it is stored in another group's memory, and as it is loaded from there */
    const int before[2][3] = {{0, first->shift_in, 0}, {crossing[1], crossing[0], 0}},
              after[2][3] = {{0, crossing[2], 0}, {0, second->shift_out, 0}};
    TRY(cluster_half(p, first, h, 0, before, l));
    TRY(cluster_half(p, second, h, 1, after, l));
    return cluster_join(p, h, l);
}

argand_status program_cluster_line(box_program *p, const box_job *job, const box_halves *h,
                                   const box_limits *l)
{
    box_job first = *job, second = *job;
    const int none[3] = {0};
    /* between both, V is fast */
    first.axis = coordinate((box_span){.n = h->u, .in = h->v * job->axis.in, .out = h->v}, &job->axis, h->v);
    cluster_put_lines(&first, coordinate((box_span){.n = h->v, .in = job->axis.in, .out = 1}, &job->axis, 1));
    first.access[1] = second.access[0] = (box_access){0};
    first.twist_points = job->axis.n;
    first.scaled = false;
    first.shift_in = job->shift_in ? h->u / 2 : 0;
    second.axis = coordinate((box_span){.n = h->v, .in = 1, .out = h->u * job->axis.out}, &job->axis, h->u);
    cluster_put_lines(&second,
                      coordinate((box_span){.n = h->u, .in = h->v, .out = job->axis.out}, &job->axis, 1));
    second.shift_out = job->shift_out ? h->v / 2 : 0;
    return put_both(p, &first, &second, none, h, l);
}

/* A centred plane's first half has rows as they lie in memory, its second one columns as they will. */
argand_status program_cluster_plane(box_program *p, const box_job *job, const box_span *along,
                                    int second_shift, const box_halves *h, const box_limits *l)
{
    box_job first = *job, second = *job;
    const int crossing[3] = {job->shift_out, second_shift ? h->v - second_shift : 0, second_shift};
    first.axis.out = h->v;
    cluster_put_lines(&first, coordinate((box_span){.n = h->v, .in = along->in, .out = 1}, along, 1));
    first.access[1] = second.access[0] = (box_access){0};
    first.scaled = false;
    second.axis = coordinate((box_span){.n = h->v, .in = 1, .out = along->out}, along, 1);
    cluster_put_lines(&second,
                      coordinate((box_span){.n = h->u, .in = h->v, .out = job->axis.out}, &job->axis, 1));
    second.shift_out = second_shift;
    return put_both(p, &first, &second, crossing, h, l);
}
