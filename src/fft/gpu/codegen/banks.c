/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the layout of points in shared memory between two stages. A warp's 32 elements of 4 bytes take
 * one access if they fall on 32 banks, 16 elements of 8 bytes if on 16, 8 pairs of those if on 8. Each
 * stage has its own layout: rows with a pitch a few elements above their length, and padding after a fixed
 * interval along the stage's axis.
 *
 * The points of a butterfly must have a constant stride, both when written and when read, because an
 * address then costs one addition. The cost of a layout is the number of accesses that its warps make. */
#include "fft/gpu/codegen/shared_memory.h"

#include <limits.h>

/* Same as box_split of the kernel. */
static void split(int c[3], int b, const tile_shape *s, const tile_stage *stage, int fast)
{
    int n[3] = {s->size[0], s->size[1], s->size[2]};
    n[stage->axis] /= stage->radix;
    const int order[3] = {fast, fast == 0 ? 1 : 0, fast == 2 ? 1 : 2};
    for (int i = 0; i < 3; i++) {
        c[order[i]] = b % n[order[i]];
        b /= n[order[i]];
    }
}

/* Returns the distance from one plane of the tile to the next, after stage `from`. */
static int plane_of(const tile_shape *s, const tile_stage *from)
{
    return from->pitch * s->size[1] +
           (from->axis == 1 ? (s->size[1] - 1) / from->padding_interval * from->padding : 0);
}

/* Same as box_place of the kernel, after stage `from`. */
static int place(const tile_shape *s, const tile_stage *from, const int c[3])
{
    return c[0] + from->pitch * c[1] + plane_of(s, from) * c[2] +
           c[from->axis] / from->padding_interval * from->padding;
}

/* Returns the dimension along which consecutive threads are neighbours, for a forward or inverse stage. */
static int fast_of(const tile_shape *s, int stage, bool back)
{
    const bool first = stage == 0, last = stage == s->stages - 1,
               unpacked = s->out_kind == OUT_HALF_PACKED && !s->mirrored;
    if (s->convolution.kind == CONVOLUTION_RADER) return s->mid_fast;
    if (tile_convolves(s)) return first && !back ? s->in_fast : last && back ? s->out_fast : s->mid_fast;
    return first ? s->in_fast : last && !unpacked ? s->out_fast : s->mid_fast;
}

/* Same as box_butterfly of the kernel. If butterflies are in pairs, the second ones have as many conflicts
 * as the first. */
static void split_stage(int c[3], int b, const tile_shape *s, const tile_stage *stage, int fast)
{
    tile_stage t = *stage;
    tile_shape half = *s;
    const bool paired =
        s->mirrored && (stage == tile_paired_stage(s) || (tile_convolves(s) && stage == s->back));
    if (paired && s->mirrored == 1) t.radix *= 2;
    if (paired && s->mirrored == 2) half.size[0] /= 2;
    split(c, b, &half, &t, fast);
}

/* Elements that one instruction accesses, for at most five warps. The points of a butterfly have a
 * constant stride, so that one of them stands for all. */
enum { WARPS = 5, LANES = 32 * WARPS };
typedef struct accessed {
    int count, c[LANES][3]; /* coordinates */
    int part[LANES];        /* index of the part between two paddings */
} accessed;

static void find_accessed(accessed *a, const tile_shape *s, const tile_stage *t, int fast, bool put,
                          int banks)
{
    const int butterflies = tile_points(s) / t->radix,
              all = s->threads < butterflies ? s->threads : butterflies;
    a->count = all < WARPS * banks ? all : WARPS * banks;
    for (int i = 0; i < a->count; i++) {
        int *c = a->c[i];
        split_stage(c, i, s, t, fast);
        if (put) c[t->axis] = c[t->axis] / t->length * t->length * t->radix + c[t->axis] % t->length;
    }
}

static void find_parts(accessed *a, const tile_stage *from)
{
    for (int i = 0; i < a->count; i++) a->part[i] = a->c[i][from->axis] / from->padding_interval;
}

/* Returns the mean number of accesses per warp, in units of 1/32. */
static int accesses(const accessed *a, const tile_shape *s, const tile_stage *from, int banks)
{
    const int plane = plane_of(s, from);
    int sum = 0, warps = 0;
    for (int first = 0; first < a->count; first += banks, warps++) {
        int worst = 1, seen[32] = {0};
        for (int i = first; i < first + banks && i < a->count; i++) {
            const int *c = a->c[i],
                      bank = (c[0] + from->pitch * c[1] + plane * c[2] + a->part[i] * from->padding) % banks;
            if (++seen[bank] > worst) worst = seen[bank];
        }
        sum += worst;
    }
    return warps ? 32 * sum / warps : 0;
}

static int elements_of(const tile_shape *s, const tile_stage *from)
{
    const int last[3] = {s->size[0] - 1, s->size[1] - 1, s->size[2] - 1};
    return place(s, from, last) + 1;
}

/* Returns true if all points of a butterfly have a constant stride, as the kernel requires. */
static bool is_even(const tile_shape *s, const tile_stage *from, const tile_stage *to, int every)
{
    const int block = from->length * from->radix;
    const bool put =
        every % block == 0 || from->length % every == 0 || (every % from->length == 0 && block % every == 0);
    return put && (!to || to->axis != from->axis || s->size[to->axis] / to->radix % every == 0);
}

/* cost at which the search stops: one access each for writing and reading, and little padding */
enum { GOOD = 32 + 32 + 36 };

/* An exchange: the stage that writes, the stage that reads (NULL: unknown), and the dimensions along which
 * their threads are neighbours. */
typedef struct exchange {
    tile_stage *from;
    const tile_stage *to;
    int fast_from, fast_to;
    accessed put, get;
} exchange;

static void try_paddings(const tile_shape *s, exchange *x, int more, int every, int banks, int *least)
{
    tile_stage here = *x->from;
    here.padding_interval = every;
    find_parts(&x->put, &here);
    if (x->to) find_parts(&x->get, &here);
    for (here.padding = 0; here.padding < (every < s->size[here.axis] ? banks : 1); here.padding++) {
        here.pitch = s->size[0] + more + (here.axis == 0 ? (s->size[0] - 1) / every * here.padding : 0);
        const int size = elements_of(s, &here);
        if (here.padding && size > tile_points(s) / 8 * 9) break;
        /* a tenth more memory costs as much as a tenth of an access */
        int cost = accesses(&x->put, s, &here, banks) + 32 * size / tile_points(s);
        if (cost + 32 >= *least) continue;
        cost += x->to ? accesses(&x->get, s, &here, banks) : 32;
        if (cost >= *least) continue;
        *least = cost;
        *x->from = here;
        if (cost <= GOOD) return;
    }
}

/* Chooses the layout of an exchange and returns its cost in accesses and memory. */
static int choose(const tile_shape *s, exchange *x, int banks)
{
    const int n = s->size[x->from->axis], rows = s->size[1] * s->size[2];
    int least = INT_MAX;
    find_accessed(&x->put, s, x->from, x->fast_from, true, banks);
    if (x->to) find_accessed(&x->get, s, x->to, x->fast_to, false, banks);
    for (int more = 0; more < (rows > 1 ? banks : 1) && least > GOOD; more++) {
        if (more && more * rows > tile_points(s) / 8) break;
        try_paddings(s, x, more, n, banks, &least);
        for (int every = 2; more < 4 && every < n && least > GOOD; every++)
            if (n % every == 0 && is_even(s, x->from, x->to, every))
                try_paddings(s, x, more, every, banks, &least);
    }
    return least;
}

/* Chooses the layout after the last stage. Only Rader's lines, whose access order is irregular, spectra
 * for X[-k] and planes of pairs are stored there. */
static void choose_last(tile_shape *s, tile_stage *last)
{
    last->padding_interval = s->size[last->axis];
    last->padding = 0;
    if (rader_is_flat(s)) {
        last->pitch = s->spread ? 0 : s->convolution.points; /* each line has a layout of its own */
        return;
    }
    last->pitch = s->size[0] + (s->mid_fast == 1 && s->size[0] % 2 == 0);
}

static int used(const tile_shape *s, const tile_stage *from, bool last, int banks)
{
    return last && rader_is_flat(s) ? rader_elements(s, banks) : elements_of(s, from);
}

/* Chooses the layouts of a list of stages. Returns the largest number of elements for one part (real or
 * imaginary), and adds the cost of the exchanges to *cost. */
static int choose_list(tile_shape *s, tile_stage *stage, bool back, int banks, int *cost)
{
    int most = 0;
    for (int i = 0; i < s->stages; i++) {
        const bool last = i == s->stages - 1;
        exchange x;
        x.from = &stage[i];
        x.to = last ? NULL : &stage[i + 1];
        x.fast_from = fast_of(s, i, back);
        x.fast_to = last ? 0 : fast_of(s, i + 1, back);
        if (last && (tile_convolves(s) || s->plane))
            choose_last(s, &stage[i]);
        else
            *cost += choose(s, &x, banks);
        const bool kept = s->convolution.kind == CONVOLUTION_RADER || s->out_kind == OUT_HALF_PACKED ||
                          s->plane || (s->mirror && !back);
        if (last && !kept) break;
        const int more = used(s, &stage[i], last, banks);
        if (more > most) most = more;
    }
    return most;
}

int banks_choose(tile_shape *s, bool is_double)
{
    int cost = 0;
    const int banks = banks_of(s, is_double), most = choose_list(s, s->stage, false, banks, &cost),
              back = tile_convolves(s) ? choose_list(s, s->back, true, banks, &cost) : 0;
    s->shared_elements = most || back ? (most > back ? most : back) * (s->exchange_mode > 1 ? 2 : 1) : 1;
    return cost;
}

static void set_lengths(tile_shape *s)
{
    int there = 1, back = 1;
    for (int i = 0; i < s->stages; i++) {
        tile_stage *const t = &s->back[i];
        s->stage[i].length = there;
        there *= s->stage[i].radix;
        *t = s->stage[s->stages - 1 - i];
        t->length = back;
        back *= t->radix;
    }
}

/* Tries all orders of the radices from `first` on. */
static void try_orders(tile_shape *s, int first, bool is_double, tile_shape *best, int *least)
{
    if (first == s->stages) {
        set_lengths(s);
        const int cost = banks_choose(s, is_double);
        if (cost >= *least) return;
        *least = cost;
        *best = *s;
    }
    for (int i = first; i < s->stages; i++) {
        const int radix = s->stage[i].radix;
        s->stage[i].radix = s->stage[first].radix;
        s->stage[first].radix = radix;
        try_orders(s, first + 1, is_double, best, least);
        s->stage[first].radix = s->stage[i].radix;
        s->stage[i].radix = radix;
    }
}

void banks_order(tile_shape *s, bool is_double)
{
    enum { FEW = 3 };
    tile_shape tried = *s, best = *s;
    int least = INT_MAX;
    if (s->convolution.kind != CONVOLUTION_RADER || s->size[1] > 15 || s->stages > FEW) return;
    tried.exchange_mode = 3;
    try_orders(&tried, 0, is_double, &best, &least);
    for (int i = 0; i < s->stages; i++) s->stage[i].radix = best.stage[i].radix;
}
