/* SPDX-License-Identifier: BSD-3-Clause */
/* The passes of a cluster, and how they become one launch. */
#include "fft/gpu/cluster/split.h"

#include <stdlib.h>
#include "base/memory.h"
#include "fft/gpu/codegen/key.h"

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
    together.tuning.exchange_mode = half || !cluster_lies_apart(h) ? 2 : 1;
    together.tuning.persistent_blocks = together.tuning.bulk_copy = 0;
    if (l->tuning.constant_strides) together.tuning.constant_strides = 2;
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
    return l->tuning.send_order || few ? l->tuning.send_order : CROSS_HALF;
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
    c->row = choose_row(h, c->way == EXCHANGE_LOAD ? c->v_tile : c->v, l->is_double);
    c->shared_numbers = 2 * c->row * (c->way == EXCHANGE_LOAD ? c->u : c->u_tile);
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
    c->resident = l->tuning.min_blocks
                      ? l->tuning.min_blocks
                      : cluster_resident(h->items, held, (int64_t)pass->shared_bytes, l->is_double);
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
        const int numbers = s->shared_numbers + (i == 0 && cluster_lies_apart(h) ? c->shared_numbers : 0);
        if (numbers > c->shared_numbers) c->shared_numbers = numbers;
    }
    return cluster_launch(half, h, l);
}
