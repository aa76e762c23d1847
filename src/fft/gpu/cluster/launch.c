/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the passes of a cluster, and joins them to one launch. */
#include "fft/gpu/cluster/split.h"

#include <stdlib.h>
#include "base/memory.h"
#include "fft/gpu/codegen/key.h"

argand_status cluster_begin(pass_program *p, const line_job *job, const cluster_split *h, int half,
                            tile_pass **pass)
{
    const radix_list *r = &h->radices[half];
    TRY(pass_begin(p, job, pass));
    tile_shape *s = &(*pass)->shape;
    s->size[0] = cluster_tile((int)job->loop[0].n, h->blocks);
    s->size[1] = (int)job->axis.n;
    s->lines = 0;
    s->threads = h->threads;
    s->twiddle_axis = 1;
    for (int i = 0; i < r->count; i++) s->stage[s->stages++] = (tile_stage){.radix = r->radix[i], .axis = 1};
    return ARGAND_OK;
}

argand_status cluster_half(pass_program *p, const line_job *job, const cluster_split *h, int half,
                           const int shift[2][3], const block_limits *l)
{
    const job_axis dims[3] = {job->loop[0], job->axis, {.n = 1}};
    block_limits own = *l;
    tile_pass *pass;
    own.tuning.exchange_mode = half || !cluster_is_disjoint(h) ? 2 : 1;
    own.tuning.persistent_blocks = own.tuning.bulk_copy = 0;
    if (l->tuning.constant_strides) own.tuning.constant_strides = 2;
    TRY(cluster_begin(p, job, h, half, &pass));
    /* loads run along the smaller stride, in memory or (V) in shared memory; stores likewise: V, then U */
    pass->shape.in_fast = llabs(job->axis.in) < llabs(job->loop[0].in);
    pass->shape.out_fast = 0;
    return pass_finish(p, pass, job, dims, shift, &own);
}

/* Returns the bank conflicts of half a warp with rows of that length, when elements arrive and when they
 * are read. */
static int conflicts(const cluster_split *h, int row, int banks)
{
    const int tile = cluster_tile(h->v, h->blocks), taken = h->v / h->radices[1].radix[0];
    int seen[2][16] = {{0}}, worst[2] = {0};
    for (int lane = 0; lane < banks; lane++) {
        const int at[2] = {lane % tile + row * (lane / tile), lane % taken + row * (lane / taken)};
        for (int i = 0; i < 2; i++)
            if (++seen[i][at[i] % banks] > worst[i]) worst[i] = seen[i][at[i] % banks];
    }
    return worst[0] + worst[1];
}

static int choose_row(const cluster_split *h, int least, bool is_double)
{
    const int banks = is_double ? 8 : 16;
    int best = least;
    for (int row = least; row < least + banks; row++)
        if (conflicts(h, row, banks) < conflicts(h, best, banks)) best = row;
    return best;
}

/* Returns the order in which blocks send. If each block begins with another receiver, the kernel repeats
 * the text for each. This is too much for the instruction cache if threads hold many points. */
static int order_of_sending(const cluster_split *h, const block_limits *l)
{
    const int held = (cluster_points(h) + h->threads - 1) / h->threads;
    const bool few = h->blocks * held <= 8 * CLUSTER_HELD && held <= CLUSTER_HELD;
    return l->tuning.send_order || few ? l->tuning.send_order : SEND_HALF;
}

static void choose_exchange(pass_exchange *c, const cluster_split *h, const block_limits *l)
{
    *c = (pass_exchange){.blocks = h->blocks,
                         .passes = 2,
                         .u = h->u,
                         .v = h->v,
                         .u_tile = cluster_tile(h->u, h->blocks),
                         .v_tile = cluster_tile(h->v, h->blocks),
                         .order = order_of_sending(h, l),
                         .algorithm = h->algorithm};
    c->row = choose_row(h, c->v, l->is_double);
    c->shared_elements = 2 * c->row * c->u_tile;
}

argand_status cluster_launch(tile_pass *pass, const cluster_split *h, const block_limits *l)
{
    pass_exchange *const c = &pass->exchange;
    int held = 0;
    for (int i = 0; i < c->passes; i++) {
        if (pass[i].shape.points_per_thread > held) held = pass[i].shape.points_per_thread;
        pass[i].shape.factors = false; /* slower there */
        memory_free(pass[i].key);
        pass[i].key = NULL;
    }
    pass->shared_bytes = (size_t)c->shared_elements * (size_t)(l->element_bytes / 2);
    CHECK((int64_t)pass->shared_bytes <= l->shared_bytes, ARGAND_UNSUPPORTED,
          "argand_fft_create: %zu bytes for a cluster's group", pass->shared_bytes);
    c->min_blocks = l->tuning.min_blocks
                        ? l->tuning.min_blocks
                        : cluster_resident(h->threads, held, (int64_t)pass->shared_bytes, l->is_double);
    return key_make_cluster(&pass->key, pass, c, l->is_double);
}

/* Joins the last two passes to one launch. */
argand_status cluster_join(pass_program *p, const cluster_split *h, const block_limits *l)
{
    tile_pass *const half = &p->pass[p->count - 2];
    pass_exchange *const c = &half->exchange;
    choose_exchange(c, h, l);
    for (int i = 0; i < 2; i++) {
        const tile_shape *s = &half[i].shape;
        /* the exchange area of the first half lies behind the area that other blocks may already store to */
        const int numbers = s->shared_elements + (i == 0 && cluster_is_disjoint(h) ? c->shared_elements : 0);
        if (numbers > c->shared_elements) c->shared_elements = numbers;
    }
    return cluster_launch(half, h, l);
}
