/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between devices of one process (peers.h). A rank that sends records an event behind the work that
 * wrote its blocks and sends tickets; the receiver makes its stream wait for the event, copies, records an
 * event of its own and sends that back. Copy engines move 385 GB/s in each direction between two H200, where
 * NCCL moves 290, and take no multiprocessors from the transforms. */
#include "dist/comm/peers.h"

#include <stdatomic.h>
#include <string.h>
#include "array/array.h"
#include "base/memory.h"

/* Exchanges under way at the same time have events of their own, up to this number. With more, one waits for
 * a later one too. */
enum { EVENTS = 16 };
/* Below this, two agreements between the hosts cost more than copies save. */
static size_t least_bytes = (size_t)4 << 20;

/* Events of one rank. The others wait for them, so the last rank that leaves destroys them. */
struct peer_events {
    atomic_int users;
    argand_device *device;
    void *ready[EVENTS], *done[EVENTS];
};

typedef struct seat {
    int32_t device;
    peer_events *events;
} seat;

void argand_test_peer_bytes(size_t bytes)
{
    least_bytes = bytes;
}

static void events_release(peer_events *events)
{
    void *stream;
    if (!events || atomic_fetch_sub(&events->users, 1) != 1) return;
    if (!device_enter(events->device, &stream)) {
        for (int i = 0; i < EVENTS; i++) {
            if (events->ready[i]) cuda_copies.event_destroy(events->ready[i]);
            if (events->done[i]) cuda_copies.event_destroy(events->done[i]);
        }
        device_leave(events->device);
    }
    argand_device_close(events->device);
    memory_free(events);
}

/* Makes the events in the current context. */
static argand_status events_fill(peer_events *events)
{
    enum { WITHOUT_TIME = 2 };
    for (int i = 0; i < EVENTS; i++) {
        TRY(cuda_check_event(cuda_copies.event_create(&events->ready[i], WITHOUT_TIME)));
        TRY(cuda_check_event(cuda_copies.event_create(&events->done[i], WITHOUT_TIME)));
    }
    return ARGAND_OK;
}

static argand_status events_new(peer_events **events, argand_device *device, int ranks)
{
    void *stream;
    TRY(NEW(*events, 1));
    (*events)->device = device_keep(device);
    (*events)->users = 1;
    argand_status status = device_enter(device, &stream);
    if (!status) {
        status = events_fill(*events);
        device_leave(device);
    }
    if (status) {
        events_release(*events);
        *events = NULL;
    } else {
        (*events)->users = ranks;
    }
    return status;
}

/* The driver's number of the device and the pool of its memory, where it has one. */
static argand_status find_pool(argand_device *device, int *number, void **pool)
{
    void *stream;
    *number = -1;
    *pool = NULL;
    TRY(device_enter(device, &stream));
    if (!cuda_copies.device || !cuda_copies.pool || !cuda_copies.pool_access || cuda_copies.device(number))
        *number = -1;
    if (*number >= 0 && cuda_copies.pool(pool, *number)) *pool = NULL;
    device_leave(device);
    return ARGAND_OK;
}

/* Lets the devices of the other ranks use the memory that the driver gives out in stream order, which is
 * otherwise for its own device alone. Returns true if all may. */
static bool share(const seat *all, int ranks, int own_device, int own_rank, void *pool)
{
    enum { ON_DEVICE = 1, READ_AND_WRITE = 3 };
    bool shared = pool != NULL && ranks > 1;
    for (int r = 0; r < ranks; r++) {
        const cuda_pool_access who = {ON_DEVICE, all[r].device, READ_AND_WRITE};
        if (pool && all[r].device >= 0 && all[r].device != own_device)
            shared &= !cuda_copies.pool_access(pool, &who, 1);
        else
            shared &= r == own_rank;
    }
    return shared;
}

/* Keeps the events of all ranks, if each of them shares its memory; otherwise forgets its own. */
static argand_status keep_events(peers *p, const seat *all, peer_events *own, bool shared)
{
    const int ranks = p->host->size;
    bool *each = p->host->work;
    for (int r = 0; r < ranks; r++) p->events[r] = all[r].events;
    TRY(argand_comm_gather(p->host, each, &shared, sizeof shared));
    for (int r = 0; r < ranks; r++) shared &= each[r];
    if (shared) return ARGAND_OK;
    own->users = 1;
    events_release(own);
    memory_free(p->events);
    p->events = NULL;
    return ARGAND_OK;
}

argand_status peers_join(peers *p, argand_comm *host, argand_device *device)
{
    seat mine = {-1, NULL}, *all = host->work;
    const int ranks = host->size;
    int number = -1;
    void *pool = NULL;
    p->host = host;
    /* processes cannot use each other's addresses */
    if (strcmp(host->engine->kind, "threads") != 0) return ARGAND_OK;
    argand_status status = find_pool(device, &number, &pool);
    if (!status) status = events_new(&mine.events, device, ranks);
    if (!status) status = NEW(p->events, ranks);
    if (!status) status = NEW(p->bytes, 2 * ranks);
    status = argand_comm_agree(host, status);
    mine.device = number;
    if (!status) status = argand_comm_gather(host, all, &mine, sizeof mine);
    if (!status) {
        const bool shared = share(all, ranks, number, host->rank, pool);
        return keep_events(p, all, mine.events, shared);
    }
    if (mine.events) mine.events->users = 1;
    events_release(mine.events);
    memory_free(p->events);
    p->events = NULL;
    return status;
}

void peers_leave(peers *p)
{
    for (int r = 0; p->events && r < p->host->size; r++) events_release(p->events[r]);
    memory_free(p->events);
    memory_free(p->bytes);
    p->events = NULL;
    p->bytes = NULL;
}

void peers_weigh(peers *p, const comm_block *sends, int send_count, const comm_block *receives,
                 int receive_count)
{
    if (!p->events) return;
    memset(p->bytes, 0, 2 * (size_t)p->host->size * sizeof *p->bytes);
    for (int i = 0; i < send_count; i++) p->bytes[sends[i].rank] += comm_block_bytes(&sends[i]);
    for (int i = 0; i < receive_count; i++)
        p->bytes[p->host->size + receives[i].rank] += comm_block_bytes(&receives[i]);
}

bool peers_takes(const peers *p, const comm_block *block, bool is_send)
{
    if (!p->events || block->rank == p->host->rank) return false;
    const size_t all = p->bytes[(is_send ? 0 : p->host->size) + block->rank];
    return all && all >= least_bytes;
}

/* Adds the blocks of a list that go this way, behind `used` others. */
static int collect(const peers *p, peer_exchange *e, int used, const comm_block *blocks, int count,
                   bool are_sends)
{
    for (int i = 0; i < count; i++) {
        if (!peers_takes(p, &blocks[i], are_sends)) continue;
        peer_ticket *ticket = &e->tickets[used];
        *ticket = (peer_ticket){blocks[i], e->ready};
        e->wanted[used] = blocks[i];
        e->notes[used++] = (comm_block){blocks[i].rank, ticket, sizeof *ticket, sizeof *ticket, 1};
    }
    return used;
}

void peers_begin(peers *p, peer_exchange *e, void *memory, const comm_block *sends, int send_count,
                 const comm_block *receives, int receive_count)
{
    *e = (peer_exchange){0};
    if (!p->events) return;
    const peer_events *mine = p->events[p->host->rank];
    const unsigned slot = p->next++ % EVENTS;
    e->ready = mine->ready[slot];
    e->done = mine->done[slot];
    e->notes = memory;
    e->wanted = e->notes + send_count + receive_count;
    e->tickets = (peer_ticket *)(e->wanted + send_count + receive_count);
    peers_weigh(p, sends, send_count, receives, receive_count);
    e->sends = collect(p, e, 0, sends, send_count, true);
    e->receives = collect(p, e, e->sends, receives, receive_count, false) - e->sends;
}

/* True if cuda_copy_block can copy them. */
static bool can_copy(const comm_block *to, const comm_block *from)
{
    return comm_is_whole(to) || comm_is_whole(from) || to->length == from->length;
}

/* Takes memory for blocks whose pieces differ at both ends: they are copied whole, and then into pieces. */
static argand_status take_scratch(peer_exchange *e, argand_device *device)
{
    size_t most = 0;
    for (int i = e->sends; i < e->sends + e->receives; i++) {
        const size_t bytes = comm_block_bytes(&e->wanted[i]);
        if (!can_copy(&e->wanted[i], &e->tickets[i].block) && bytes > most) most = bytes;
    }
    return most ? storage_scratch(&e->scratch, device, most) : ARGAND_OK;
}

static argand_status copy(const peer_exchange *e, const comm_block *to, const comm_block *from, void *stream)
{
    const size_t bytes = comm_block_bytes(to);
    if (can_copy(to, from)) return cuda_copy_block(to, from, stream);
    const comm_block whole = {to->rank, storage_native(e->scratch), bytes, bytes, 1};
    TRY(cuda_copy_block(&whole, from, stream));
    return cuda_copy_block(to, &whole, stream);
}

static argand_status pull(peer_exchange *e, argand_device *device, void *stream)
{
    TRY(take_scratch(e, device));
    for (int i = e->sends; i < e->sends + e->receives; i++) {
        CHECK(e->tickets[i].event, ARGAND_DEVICE, "rank %d failed in an exchange", e->wanted[i].rank);
        TRY(cuda_check_event(cuda_copies.event_wait(stream, e->tickets[i].event, 0)));
        TRY(copy(e, &e->wanted[i], &e->tickets[i].block, stream));
    }
    return cuda_check_event(cuda_copies.event_record(e->done, stream));
}

bool peers_has(const peer_exchange *e)
{
    return e->sends || e->receives;
}

argand_status peers_start(const peers *p, peer_exchange *e, argand_device *device, void *stream,
                          argand_status status)
{
    if (!peers_has(e)) return status;
    if (!status) status = cuda_check_event(cuda_copies.event_record(e->ready, stream));
    for (int i = 0; i < e->sends && status; i++) e->tickets[i].event = NULL;
    const argand_status met = comm_exchange(p->host, e->notes, e->sends, e->notes + e->sends, e->receives);
    if (!status) status = met;
    if (!status) status = pull(e, device, stream);
    for (int i = e->sends; i < e->sends + e->receives; i++) e->tickets[i].event = status ? NULL : e->done;
    return status;
}

argand_status peers_finish(const peers *p, peer_exchange *e, void *stream, argand_status status)
{
    if (!peers_has(e)) return status;
    const argand_status met = comm_exchange(p->host, e->notes + e->sends, e->receives, e->notes, e->sends);
    if (!status) status = met;
    for (int i = 0; i < e->sends && !status; i++)
        status = e->tickets[i].event
                     ? cuda_check_event(cuda_copies.event_wait(stream, e->tickets[i].event, 0))
                     : status_set(ARGAND_DEVICE, "rank %d failed in an exchange", e->wanted[i].rank);
    return status;
}

void peers_end(peer_exchange *e)
{
    storage_release(e->scratch);
    e->scratch = NULL;
}
