/* SPDX-License-Identifier: BSD-3-Clause */
/* What a cluster of groups holds goes through memory once (kernels/fft/cluster/cluster.krn): lines of U V points and
 * planes of U x V. In a line j = j1 V + j2 and k = k1 + U k2: each group transforms some of the columns j2
 * (first half, of U points), and then some of the rows k1 (second half, of V points). In a plane the first
 * half has rows, the second one columns. */
#include "fft/gpu/box.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory.h"

enum { CROSS_STORE, CROSS_LOAD, CROSS_SEND, CROSS_SEND_LATE, CROSS_ANY };
/* Operations a point that an exchange and its turns cost; and memory, with the way to another group. */
enum { CLUSTER_EXCHANGE = 46, CLUSTER_MEMORY = 100 };
/* Points that an item may hold, and radices. */
enum { MOST_HELD = 27 };

int cluster_tile(int n, int groups)
{
    return (n + groups - 1) / groups;
}

int cluster_points(const box_halves *h)
{
    const int first = h->u * cluster_tile(h->v, h->groups), second = h->v * cluster_tile(h->u, h->groups);
    return first > second ? first : second;
}

/* Whether what comes from other groups lies apart from what a group's own stages use. */
static bool apart(const box_halves *h)
{
    return h->way != CROSS_LOAD && h->way != CROSS_SEND_LATE;
}

/* Groups of a multiprocessor with that many words an item (64K in four parts, all of Hopper's and of
 * Blackwell's data center chips). */
static int groups_with(int words, int items, int64_t bytes)
{
    const int room = (words + 7) / 8 * 8, warps = (items + 31) / 32;
    int groups = (int)(228 * 1024 / (bytes + 1024));
    while (groups > 1 && (groups * warps > 64 || (groups * warps + 3) / 4 * 32 * room > 16384)) groups--;
    return groups < 1 ? 1 : groups;
}

/* The compiler is told, or it would take more registers: those for the points and some more, or a few more
 * where a group would be alone. */
static int resident(int items, int held, int64_t bytes, bool is_double)
{
    const int points = (is_double ? 4 : 2) * held,
              groups = groups_with(points + (is_double ? 56 : 24), items, bytes);
    return groups > 1 ? groups : groups_with(points + (is_double ? 40 : 16), items, bytes);
}

/* The share of the groups that there is room for which clusters of that many fill: a cluster lies in one of
 * the parts that the device's multiprocessors are in, 14 to 18 of them each. */
static double filled_by(int groups, int resident)
{
    double filled = 0;
    for (int units = 14; units <= 18; units += 2)
        filled += (double)(units * resident / groups * groups) / (units * resident) / 3;
    return filled;
}

/* The ways to make n of two or three radices, the largest first. */
enum { MOST_WAYS = 32 }; /* 720 has 16, and no number of radices up to 27 has more */
typedef struct half_ways {
    int count;
    struct {
        int count, radix[3];
        double least; /* operations a point, an exchange counted as some more, if no item is idle */
    } way[MOST_WAYS];
} half_ways;

static void find_ways(half_ways *w, int rest, int largest, int count, int *radix, double least)
{
    if (rest == 1 && count > 1 && w->count < MOST_WAYS) {
        w->way[w->count].count = count;
        w->way[w->count].least = least;
        for (int i = 0; i < count; i++) w->way[w->count].radix[i] = radix[i];
        w->count++;
    }
    for (int r = largest < rest ? largest : rest; r > 1 && count < 3; r--)
        if (rest % r == 0 && radix_operations(r) > 0) {
            radix[count] = r;
            find_ways(w, rest / r, r, count + 1, radix, least + radix_operations(r) + CLUSTER_EXCHANGE);
        }
}

static void ways_of(half_ways *w, int n)
{
    int radix[3];
    w->count = 0;
    find_ways(w, n, MOST_HELD, 0, radix, 0);
}

/* Huge where there are none. */
static double least_of(const half_ways *w)
{
    double least = HUGE_VAL;
    for (int i = 0; i < w->count; i++)
        if (w->way[i].least < least) least = w->way[i].least;
    return least * (1 - 1e-9); /* whatever roundings */
}

double cluster_half_least(int n)
{
    half_ways w;
    ways_of(&w, n);
    return least_of(&w);
}

/* Operations a point for groups of `items` that have `points` and hold at most `most` each; huge where an
 * item would hold too much. */
static double half_cost(const int *radix, int count, int points, int items, int most)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const int butterflies = points / radix[i], each = (butterflies + items - 1) / items;
        if (each * radix[i] > most) return HUGE_VAL;
        sum += (radix_operations(radix[i]) + CLUSTER_EXCHANGE) * each * items / butterflies;
    }
    return sum;
}

/* The cheapest of the ways. */
static bool half_radices(box_radices *r, const half_ways *w, int points, int items, int most)
{
    *r = (box_radices){.cost = HUGE_VAL};
    for (int i = 0; i < w->count; i++) {
        const int *const radix = w->way[i].radix, count = w->way[i].count;
        if (radix[0] > most || w->way[i].least * (1 - 1e-9) >= r->cost) continue;
        const double cost = half_cost(radix, count, points, items, most);
        if (cost >= r->cost) continue;
        *r = (box_radices){.count = count, .cost = cost};
        for (int k = 0; k < count; k++) r->radix[k] = radix[k];
    }
    return r->count > 1;
}

/* Shared memory that a group will ask for: a sixteenth is left free against conflicts. */
static int64_t bytes_of(const box_halves *h, const box_limits *l)
{
    return (apart(h) ? 3 : 2) * (int64_t)cluster_points(h) * l->item_bytes / 2 * 17 / 16;
}

/* How much of what a multiprocessor can do it does: what one group waits for, others hide; what they have of
 * its memory, the first cache has not. To send late costs a little. */
static double worth_of(const box_halves *h, const box_limits *l)
{
    static const double alone[] = {0.8, 0.95, 0.98, 1};
    const int groups = h->resident;
    const double wanted = l->is_double ? 8192 : 16384,
                 share = filled_by(h->groups, groups) * groups * cluster_points(h) / wanted,
                 crowd = (double)(groups * bytes_of(h, l)) / (228 * 1024) - 0.85,
                 late = h->way == CROSS_SEND_LATE ? (groups < 3 ? 0.92 : 0.97) : 1;
    return (0.3 + 0.7 * (share < 1 ? share : 1)) * alone[groups < 4 ? groups - 1 : 3] * late *
           (crowd > 0 ? 1 - crowd : 1);
}

static bool is_wanted(int way, const box_limits *l)
{
    return l->tuning.cross_way == CROSS_ANY ? way >= CROSS_SEND : way == l->tuning.cross_way;
}

/* The best way for these items, of those that are wanted. */
static void try_ways(box_halves *best, box_halves *more, int most, const box_limits *l)
{
    for (more->way = CROSS_STORE; more->way <= CROSS_SEND_LATE; more->way++) {
        if (!is_wanted(more->way, l)) continue;
        more->resident = resident(more->items, most, bytes_of(more, l), l->is_double);
        more->cost = (CLUSTER_MEMORY + more->radices[0].cost + more->radices[1].cost) / worth_of(more, l);
        if (more->cost < best->cost) *best = *more;
    }
}

/* What both halves are worth with those items at most. */
static double most_worth(const box_halves *h, int items, int most, const box_limits *l)
{
    box_halves more = *h;
    double best = 0;
    for (more.way = CROSS_STORE; more.way <= CROSS_SEND_LATE; more.way++) {
        if (!is_wanted(more.way, l)) continue;
        more.resident = resident(items, most, bytes_of(&more, l), l->is_double);
        const double worth = worth_of(&more, l);
        if (worth > best) best = worth;
    }
    return best * (1 + 1e-9);
}

/* For that many items; least: what each of the ways costs at least. */
static void try_items(box_halves *best, const box_halves *h, const half_ways *ways, const double *least,
                      int items, int most, const box_limits *l)
{
    box_halves more = *h;
    const int points[2] = {h->u * cluster_tile(h->v, h->groups), h->v * cluster_tile(h->u, h->groups)};
    const double below = best->cost * most_worth(h, items, most, l) - CLUSTER_MEMORY;
    if (least[0] + least[1] >= below || !half_radices(&more.radices[0], &ways[0], points[0], items, most) ||
        more.radices[0].cost + least[1] >= below ||
        !half_radices(&more.radices[1], &ways[1], points[1], items, most))
        return;
    more.items = items;
    try_ways(best, &more, most, l);
}

/* The items and radices with the least cost for what they are worth, if it is below h's. */
static bool choose_items(box_halves *h, const box_limits *l)
{
    static const int held[] = {12, CLUSTER_HELD, 20, MOST_HELD};
    const int points = cluster_points(h), given = l->tuning.cluster_items;
    const double below = h->cost;
    half_ways ways[2];
    box_halves best = *h;
    ways_of(&ways[0], h->u);
    ways_of(&ways[1], h->v);
    const double least[2] = {least_of(&ways[0]), least_of(&ways[1])};
    if (CLUSTER_MEMORY + least[0] + least[1] >= below) return false;
    for (int i = 0; i < 4; i++)
        for (int items = (points / held[i] + 31) / 32 * 32; items <= l->items && items <= points / 8 + 32;
             items += 32)
            if (!given || items == given) try_items(&best, h, ways, least, items, held[i], l);
    *h = best;
    return best.cost < below;
}

/* What lines that tiles do not fill, and groups that wait for each other, multiply costs by. */
static double spread_cost(const box_halves *h)
{
    const double filled = (double)cluster_points(h) * h->groups / ((double)h->u * h->v);
    return filled * (1 + 0.02 * fabs(log2((double)h->u / h->v)) + 0.001 * (h->u > h->v)) *
           (1 + 0.02 * log2(h->groups));
}

bool cluster_has_room(int groups, int u, int v, int least_v, const box_limits *l)
{
    const int least_u = CLUSTER_SEGMENT / l->item_bytes, tile_u = cluster_tile(u, groups),
              tile_v = cluster_tile(v, groups);
    const box_halves h = {.groups = groups, .u = u, .v = v};
    return tile_u >= least_u && tile_v >= least_v && cluster_tile(u, tile_u) == groups &&
           cluster_tile(v, tile_v) == groups && cluster_points(&h) <= box_most_points(l);
}

/* Both halves for a cluster of that many, if they cost less than that. */
static bool try_below(box_halves *h, int groups, int u, int v, int least_v, double cost, const box_limits *l)
{
    *h = (box_halves){.groups = groups, .u = u, .v = v};
    h->cost = cost / spread_cost(h) * (1 + 1e-9);
    return cluster_has_room(groups, u, v, least_v, l) && choose_items(h, l);
}

bool cluster_try(box_halves *h, int groups, int u, int v, int least_v, const box_limits *l)
{
    return try_below(h, groups, u, v, least_v, HUGE_VAL, l);
}

int cluster_small_points(const box_limits *l)
{
    return (l->tuning.cluster_points ? l->tuning.cluster_points : 8192) / (l->is_double ? 2 : 1);
}

bool cluster_is_small(const box_halves *h, const box_limits *l)
{
    return cluster_points(h) <= cluster_small_points(l);
}

double cluster_cost(const box_halves *h)
{
    return h->cost * spread_cost(h);
}

/* Whether two passes would not be faster: with few groups at a time they are, the larger the cluster, and
 * sooner for planes, whose passes do not turn their results; and where a half has more than two stages. */
static bool stands(const box_halves *h, bool plane, const box_limits *l)
{
    const int least = h->groups <= 8 || l->is_double ? 2 : plane ? 4 : 3;
    return (h->resident >= least && h->radices[0].count + h->radices[1].count <= 4) || !l->waves ||
           l->tuning.any_cluster;
}

/* Keeps the better one. */
static bool consider(box_halves *best, const box_halves *h, bool found, bool plane, const box_limits *l)
{
    if ((l->tuning.cluster_points && !cluster_is_small(h, l)) || !stands(h, plane, l) ||
        (found && cluster_cost(h) >= cluster_cost(best)))
        return found;
    *best = *h;
    return true;
}

static bool line_by(box_halves *best, int groups, bool found, const box_job *job, const box_limits *l)
{
    const int n = (int)job->axis.n, least = CLUSTER_SEGMENT / l->item_bytes;
    for (int u = groups * (least - 1) + 1; u <= n / groups; u++) {
        box_halves h;
        if (n % u || !job_may_divide(job, n, u, l)) continue;
        if (l->tuning.head && u != l->tuning.head) continue;
        const double below = found ? cluster_cost(best) : HUGE_VAL;
        if (try_below(&h, groups, u, n / u, least, below, l)) found = consider(best, &h, found, false, l);
    }
    return found;
}

bool cluster_line(box_halves *h, const box_job *job, const box_limits *l)
{
    bool found = false;
    if (l->tuning.no_cluster || job->in_kind != IN_COMPLEX || job->out_kind != OUT_COMPLEX ||
        job->chirp.part || job->access[0].image.rank || job->counted_loop >= 0 || job->twist_points ||
        llabs(job->axis.in) != 1 || llabs(job->axis.out) != 1 || job->loops >= BOX_LOOPS ||
        job->axis.n > (int64_t)l->cluster * box_most_points(l))
        return false;
    for (int groups = 2; groups <= l->cluster; groups *= 2)
        if (!l->tuning.groups || groups == l->tuning.groups) found = line_by(h, groups, found, job, l);
    return found;
}

bool cluster_plane(box_halves *h, const box_span *a, const box_span *b, const box_limits *l)
{
    bool found = false;
    if (l->tuning.no_cluster || a->n * b->n > (int64_t)l->cluster * box_most_points(l)) return false;
    if (l->tuning.groups)
        return l->tuning.groups > 1 && l->tuning.groups <= l->cluster &&
               cluster_try(h, l->tuning.groups, (int)a->n, (int)b->n, 1, l);
    for (int groups = 2; groups <= l->cluster; groups *= 2) {
        box_halves more;
        const double below = found ? cluster_cost(h) : HUGE_VAL;
        if (try_below(&more, groups, (int)a->n, (int)b->n, 1, below, l))
            found = consider(h, &more, found, true, l);
    }
    return found;
}

/* ---- the passes ---- */

argand_status cluster_begin(box_program *p, const box_job *job, const box_halves *h, int half,
                            box_pass **pass)
{
    const box_radices *r = &h->radices[half];
    TRY(pass_begin(p, job, pass));
    box_shape *s = &(*pass)->shape;
    s->size[0] = cluster_tile((int)job->loop[0].n, h->groups);
    s->size[1] = (int)job->axis.n;
    s->lines = 0;
    s->items = h->items;
    s->twist_axis = 1;
    for (int i = 0; i < r->count; i++) s->stage[s->stages++] = (box_stage){.radix = r->radix[i], .axis = 1};
    return ARGAND_OK;
}

argand_status cluster_half(box_program *p, const box_job *job, const box_halves *h, int half,
                           const int shift[2][3], const box_limits *l)
{
    const box_span span[3] = {job->loop[0], job->axis, {.n = 1}};
    box_limits together = *l;
    box_pass *pass;
    together.tuning.planes = half || !apart(h) ? 2 : 1;
    together.tuning.stream = together.tuning.bulk = 0;
    if (l->tuning.near) together.tuning.near = 2;
    TRY(cluster_begin(p, job, h, half, &pass));
    /* loads run along what is fast in memory, or in shared memory along V; stores too: V, then U */
    pass->shape.in_fast = llabs(job->axis.in) < llabs(job->loop[0].in);
    pass->shape.out_fast = 0;
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

/* Where each group begins elsewhere the text is there as often: too much of it for the cache of instructions
 * where items hold many points. */
static int cross_order(const box_halves *h, const box_limits *l)
{
    const int held = (cluster_points(h) + h->items - 1) / h->items;
    const bool few = h->groups * held <= 8 * CLUSTER_HELD && held <= CLUSTER_HELD;
    return l->tuning.cross_order || few ? l->tuning.cross_order : CROSS_HALF;
}

static void choose_cross(box_cross *c, const box_halves *h, const box_limits *l)
{
    *c = (box_cross){.groups = h->groups,
                     .passes = 2,
                     .u = h->u,
                     .v = h->v,
                     .u_tile = cluster_tile(h->u, h->groups),
                     .v_tile = cluster_tile(h->v, h->groups),
                     .order = cross_order(h, l),
                     .way = h->way};
    c->row = choose_row(h, c->way == CROSS_LOAD ? c->v_tile : c->v, l->is_double);
    c->shared_numbers = 2 * c->row * (c->way == CROSS_LOAD ? c->u : c->u_tile);
}

argand_status cluster_launch(box_pass *pass, const box_halves *h, const box_limits *l)
{
    box_cross *const c = &pass->cross;
    int held = 0;
    for (int i = 0; i < c->passes; i++) {
        if (pass[i].shape.values > held) held = pass[i].shape.values;
        pass[i].shape.factors = false; /* slower there */
        memory_free(pass[i].key);
        pass[i].key = NULL;
    }
    pass->shared_bytes = (size_t)c->shared_numbers * (size_t)(l->item_bytes / 2);
    CHECK((int64_t)pass->shared_bytes <= l->shared_bytes, ARGAND_UNSUPPORTED,
          "argand_fft_create: %zu bytes for a cluster's group", pass->shared_bytes);
    c->resident = l->tuning.resident ? l->tuning.resident
                                     : resident(h->items, held, (int64_t)pass->shared_bytes, l->is_double);
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
        const int numbers = s->shared_numbers + (i == 0 && apart(h) ? c->shared_numbers : 0);
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
                              const int crossing[3], int turn, const box_halves *h, const box_limits *l)
{
    /* crossing: of u; of v, as it is stored in another group's memory, and as it is loaded from there */
    const int before[2][3] = {{0, first->shift_in, 0}, {crossing[1], crossing[0], 0}},
              after[2][3] = {{0, crossing[2], 0}, {0, second->shift_out, 0}};
    TRY(cluster_half(p, first, h, 0, before, l));
    TRY(cluster_half(p, second, h, 1, after, l));
    p->pass[p->count - 2].shape.crossed = turn;
    return cluster_join(p, h, l);
}

argand_status program_cluster_line(box_program *p, const box_job *job, const box_halves *h,
                                   const box_limits *l)
{
    box_job first = *job, second = *job;
    job_share_shift(&first, &second, h->u, h->v);
    const int crossing[3] = {first.shift_out, second.shift_in ? h->v - second.shift_in : 0, second.shift_in};
    /* between both, V is fast */
    first.axis = coordinate((box_span){.n = h->u, .in = h->v * job->axis.in, .out = h->v}, &job->axis, h->v);
    cluster_put_lines(&first, coordinate((box_span){.n = h->v, .in = job->axis.in, .out = 1}, &job->axis, 1));
    first.access[1] = second.access[0] = (box_access){0};
    first.twist_points = job->axis.n;
    first.scaled = false;
    second.axis = coordinate((box_span){.n = h->v, .in = 1, .out = h->u * job->axis.out}, &job->axis, h->u);
    cluster_put_lines(&second,
                      coordinate((box_span){.n = h->u, .in = h->v, .out = job->axis.out}, &job->axis, 1));
    return put_both(p, &first, &second, crossing, 0, h, l);
}

/* A centred plane's first half has rows as they lie in memory, its second one columns as they will. */
/* A span that only moves results of the first half's axis is left to their way to the second one, whose lines
 * then lie in whole lines of memory: how far. */
static int take_turn(box_access *a, int dim, const box_limits *l)
{
    for (int i = 0; i < a->spans; i++) {
        if (a->span[i].dim + 1 != dim || a->span[i].count != a->span[i].points) continue;
        const int turn = (a->span[i].points - a->span[i].first) % a->span[i].points;
        a->spans--;
        if (i == 0) a->span[0] = a->span[1];
        a->on = a->spans || a->links || a->factor || a->type != (l->is_double ? ARGAND_C64 : ARGAND_C32);
        return turn;
    }
    return 0;
}

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
    return put_both(p, &first, &second, crossing, take_turn(&second.access[1], job->axis.dim, l), h, l);
}
