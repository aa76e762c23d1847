/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges between two distributions. The blocks are found once; a call only adds the addresses. What
 * stays on the rank is copied here and not sent, except on devices, whose memory only the communicator can
 * address. */
#include "dist/fft/move.h"

#include <string.h>
#include "base/memory.h"

/* Fills in a block of one end; returns the next entry. */
static comm_block block_of(const dist_pieces *p, int rank, size_t size)
{
    return (comm_block){rank, NULL, (size_t)p->length * size, (size_t)p->stride * size, p->count};
}

/* Counts the blocks of this rank, or also makes them if there is memory. */
typedef struct builder {
    const argand_comm *comm;
    const dist_part *from, *to;
    int rank;
    size_t size;
    dist_move *move;
    int64_t sends, receives, owns;
} builder;

static void add_send(builder *b, const dist_pair *pair, int to)
{
    dist_move *m = b->move;
    for (int64_t i = 0; m->blocks && i < pair->blocks; i++) {
        const dist_pieces p = dist_pair_block(pair, &b->from[b->comm->rank], i);
        m->blocks[b->sends + i] = block_of(&p, to, b->size);
        m->at[b->sends + i] = p.offset * (int64_t)b->size;
        if (to != b->comm->rank) m->sent_bytes += p.length * p.count * (int64_t)b->size;
    }
    b->sends += pair->blocks;
}

static void add_receive(builder *b, const dist_pair *pair, int from)
{
    dist_move *m = b->move;
    for (int64_t i = 0; m->blocks && i < pair->blocks; i++) {
        const dist_pieces p = dist_pair_block(pair, &b->to[b->comm->rank], i);
        m->blocks[m->sends + b->receives + i] = block_of(&p, from, b->size);
        m->at[m->sends + b->receives + i] = p.offset * (int64_t)b->size;
    }
    b->receives += pair->blocks;
}

static void add_own(builder *b, const dist_pair *pair)
{
    dist_move *m = b->move;
    const int me = b->comm->rank;
    for (int64_t i = 0; m->own && i < pair->blocks; i++) {
        const dist_pieces sent = dist_pair_block(pair, &b->from[me], i),
                          received = dist_pair_block(pair, &b->to[me], i);
        m->own[2 * i] = block_of(&sent, me, b->size);
        m->own[2 * i + 1] = block_of(&received, me, b->size);
        m->own_at[2 * i] = sent.offset * (int64_t)b->size;
        m->own_at[2 * i + 1] = received.offset * (int64_t)b->size;
    }
    b->owns += pair->blocks;
}

/* Returns true if the rank's own part need not be sent. */
static bool can_copy(const builder *b, const dist_pair *pair)
{
    const int me = b->comm->rank;
    if (!b->comm->engine->device_memory) return true;
    if (!b->comm->engine->copy || !pair->blocks) return false;
    const dist_pieces sent = dist_pair_block(pair, &b->from[me], 0),
                      received = dist_pair_block(pair, &b->to[me], 0);
    const comm_block out = block_of(&sent, me, b->size), in = block_of(&received, me, b->size);
    return comm_is_whole(&out) || comm_is_whole(&in);
}

/* Goes through the other ranks beginning with the next one, so that not all send to rank 0 first. */
static void walk(builder *b)
{
    const int me = b->comm->rank, size = b->comm->size;
    dist_pair pair;
    b->sends = b->receives = b->owns = 0;
    for (int step = 0; step < size; step++) {
        const int to = (me + step) % size, from = (me + size - step) % size;
        dist_pair_find(&pair, &b->from[me], &b->to[to], b->rank);
        if (!step && can_copy(b, &pair)) {
            add_own(b, &pair);
            continue;
        }
        add_send(b, &pair, to);
        dist_pair_find(&pair, &b->from[from], &b->to[me], b->rank);
        add_receive(b, &pair, from);
    }
}

argand_status dist_move_make(dist_move *move, argand_comm *comm, int rank, const dist_part *from,
                             const dist_part *to, size_t size)
{
    builder b = {.comm = comm, .from = from, .to = to, .rank = rank, .size = size, .move = move};
    *move = (dist_move){0};
    walk(&b);
    CHECK(b.sends < INT32_MAX && b.receives < INT32_MAX && b.owns < INT32_MAX, ARGAND_UNSUPPORTED,
          "an exchange of %lld blocks is too large", (long long)(b.sends + b.receives));
    move->sends = (int)b.sends;
    move->receives = (int)b.receives;
    move->owns = (int)b.owns;
    TRY(NEW(move->blocks, b.sends + b.receives));
    TRY(NEW(move->at, b.sends + b.receives));
    TRY(NEW(move->own, 2 * b.owns));
    TRY(NEW(move->own_at, 2 * b.owns));
    walk(&b);
    return comm_reserve(comm, b.sends + b.receives, 1);
}

void dist_move_free(dist_move *move)
{
    memory_free(move->own_at);
    memory_free(move->own);
    memory_free(move->at);
    memory_free(move->blocks);
    *move = (dist_move){0};
}

/* Copies pieces to pieces of the same number of bytes. */
static void copy_own(const comm_block *to, const comm_block *from)
{
    const size_t piece = to->length < from->length ? to->length : from->length;
    const char *f = from->memory;
    char *t = to->memory;
    size_t to_at = 0, from_at = 0;
    if (!piece) return;
    for (size_t left = from->length * (size_t)from->count; left;) {
        const size_t to_left = to->length - to_at, from_left = from->length - from_at;
        const size_t n = to_left < from_left ? to_left : from_left;
        memcpy(t + to_at, f + from_at, n);
        left -= n;
        if ((to_at += n) == to->length) t += to->stride, to_at = 0;
        if ((from_at += n) == from->length) f += from->stride, from_at = 0;
    }
}

static void *place(const void *base, int64_t at)
{
    return base ? (char *)(uintptr_t)base + at : NULL;
}

argand_status dist_move_start(dist_move *move, argand_comm *comm, void *to, const void *from,
                              argand_status *own)
{
    comm_block *b = move->blocks;
    for (int i = 0; i < move->sends + move->receives; i++)
        b[i].memory = place(i < move->sends ? from : to, move->at[i]);
    TRY((move->aside ? comm_start_aside : comm_start)(comm, b, move->sends, b + move->sends, move->receives,
                                                      &move->pending));
    for (int i = 0; i < 2 * move->owns; i += 2) {
        move->own[i].memory = place(from, move->own_at[i]);
        move->own[i + 1].memory = place(to, move->own_at[i + 1]);
        if (!comm->engine->device_memory)
            copy_own(&move->own[i + 1], &move->own[i]);
        else if (!*own)
            *own = comm->engine->copy(comm->context, &move->own[i + 1], &move->own[i]);
    }
    return ARGAND_OK;
}

argand_status dist_move_finish(dist_move *move, argand_comm *comm)
{
    return comm_finish(comm, move->pending);
}
