/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators whose ranks are threads of one process, for several devices of one machine and for tests. A
 * sender offers its blocks, numbered for each pair of ranks; the receiver copies them and marks them as
 * taken. One rank alone is a job of one thread. */
#include "dist/comm/comm.h"

#include <pthread.h>
#include <string.h>
#include "base/memory.h"
#include "dist/comm/spares.h"

/* A block that waits for its receiver. */
typedef struct offer {
    struct offer *next;
    comm_block block;
    int from;
    int64_t number; /* of the blocks between these two ranks */
    bool taken;
} offer;

typedef struct letter {
    struct letter *next;
    int from;
    size_t count;
    char *bytes;
} letter;

typedef struct place {
    offer *offers; /* to this rank, in any order */
    letter *first, **last;
    bool left;                /* its handle was destroyed */
    int64_t *sent, *received; /* numbers of the next blocks to and from each rank */
} place;

typedef struct job {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int ranks, present;
    bool aborted;
    place *places;
} job;

/* A started exchange. */
typedef struct exchange {
    comm_spare spare;
    int send_count, receive_count;
    offer *receives; /* `from` and `number` of what is expected: entries behind `sends` */
    offer sends[];
} exchange;

typedef struct thread_rank {
    job *job;
    int rank;
    comm_spares spares;
} thread_rank;

/* Copies between two lists of pieces of the same total size. */
static void copy_pieces(const comm_block *to, const comm_block *from)
{
    size_t to_at = 0, from_at = 0, left = comm_block_bytes(to);
    char *t = to->memory;
    const char *f = from->memory;
    while (left) {
        const size_t to_left = to->length - to_at, from_left = from->length - from_at;
        const size_t n = to_left < from_left ? to_left : from_left;
        memmove(t + to_at, f + from_at, n);
        left -= n;
        to_at += n;
        from_at += n;
        if (to_at == to->length) t += to->stride, to_at = 0;
        if (from_at == from->length) f += from->stride, from_at = 0;
    }
}

static argand_status threads_start(void *context, const comm_block *sends, int send_count,
                                   const comm_block *receives, int receive_count, void **pending)
{
    thread_rank *me = context;
    job *j = me->job;
    place *mine = &j->places[me->rank];
    void *taken;
    TRY(spares_take(&me->spares, send_count + receive_count, &taken));
    exchange *e = taken;
    e->send_count = send_count;
    e->receive_count = receive_count;
    e->receives = e->sends + send_count;
    pthread_mutex_lock(&j->lock);
    for (int i = 0; i < receive_count; i++)
        e->receives[i] =
            (offer){NULL, receives[i], receives[i].rank, mine->received[receives[i].rank]++, false};
    for (int i = 0; i < send_count; i++) {
        place *to = &j->places[sends[i].rank];
        e->sends[i] = (offer){to->offers, sends[i], me->rank, mine->sent[sends[i].rank]++, false};
        to->offers = &e->sends[i];
    }
    pthread_cond_broadcast(&j->changed);
    pthread_mutex_unlock(&j->lock);
    *pending = e;
    return ARGAND_OK;
}

static offer **find(place *mine, const offer *wanted)
{
    offer **at = &mine->offers;
    while (*at && ((*at)->from != wanted->from || (*at)->number != wanted->number)) at = &(*at)->next;
    return at;
}

static argand_status ended(int rank)
{
    return status_set(ARGAND_DEVICE, "rank %d has ended, and this rank waits for its data", rank);
}

/* Takes the block that belongs to `wanted`. Called with the lock; copies without it. */
static argand_status take(job *j, int rank, const offer *wanted)
{
    offer **at, *found;
    while (at = find(&j->places[rank], wanted), !(found = *at)) {
        if (j->aborted || j->places[wanted->from].left) return ended(wanted->from);
        pthread_cond_wait(&j->changed, &j->lock);
    }
    *at = found->next;
    const bool fits = comm_block_bytes(&found->block) == comm_block_bytes(&wanted->block);
    pthread_mutex_unlock(&j->lock);
    if (fits) copy_pieces(&wanted->block, &found->block);
    pthread_mutex_lock(&j->lock);
    found->taken = true;
    pthread_cond_broadcast(&j->changed);
    CHECK(fits, ARGAND_INTERNAL, "rank %d sends %zu bytes, rank %d expects %zu", wanted->from,
          comm_block_bytes(&found->block), rank, comm_block_bytes(&wanted->block));
    return ARGAND_OK;
}

/* Takes back the offers that no rank has taken or begun to take. */
static void withdraw(job *j, exchange *e)
{
    for (int i = 0; i < e->send_count; i++) {
        offer **at = &j->places[e->sends[i].block.rank].offers;
        while (*at && *at != &e->sends[i]) at = &(*at)->next;
        if (!*at) continue;
        *at = e->sends[i].next;
        e->sends[i].taken = true;
    }
}

/* Waits until the block was taken. */
static argand_status wait_taken(job *j, const offer *sent)
{
    while (!sent->taken) {
        if (j->aborted || j->places[sent->block.rank].left) return ended(sent->block.rank);
        pthread_cond_wait(&j->changed, &j->lock);
    }
    return ARGAND_OK;
}

static argand_status threads_finish(void *context, void *pending)
{
    thread_rank *me = context;
    job *j = me->job;
    exchange *e = pending;
    argand_status status = ARGAND_OK;
    pthread_mutex_lock(&j->lock);
    for (int i = 0; i < e->receive_count && !status; i++) status = take(j, me->rank, &e->receives[i]);
    for (int i = 0; i < e->send_count && !status; i++) status = wait_taken(j, &e->sends[i]);
    if (status) withdraw(j, e);
    for (int i = 0; i < e->send_count && status; i++)
        while (!e->sends[i].taken) pthread_cond_wait(&j->changed, &j->lock); /* it is being copied now */
    pthread_mutex_unlock(&j->lock);
    spares_give_back(&me->spares, e);
    return status;
}

static argand_status threads_post(void *context, int to, const void *bytes, size_t count)
{
    const thread_rank *me = context;
    job *j = me->job;
    letter *l;
    TRY(NEW(l, 1));
    *l = (letter){.from = me->rank, .count = count};
    const argand_status status = memory_take(&l->bytes, count + 1);
    if (status != ARGAND_OK) {
        memory_free(l);
        return status;
    }
    if (count) memcpy(l->bytes, bytes, count);
    pthread_mutex_lock(&j->lock);
    *j->places[to].last = l;
    j->places[to].last = &l->next;
    pthread_mutex_unlock(&j->lock);
    return ARGAND_OK;
}

static argand_status threads_collect(void *context, int *from, void **bytes, size_t *count)
{
    const thread_rank *me = context;
    job *j = me->job;
    place *mine = &j->places[me->rank];
    pthread_mutex_lock(&j->lock);
    letter *l = mine->first;
    const bool aborted = j->aborted;
    if (l) mine->first = l->next;
    if (l && !l->next) mine->last = &mine->first;
    pthread_mutex_unlock(&j->lock);
    CHECK(l || !aborted, ARGAND_DEVICE, "another rank has ended the job");
    if (!l) return ARGAND_OK;
    *from = l->from;
    *count = l->count;
    *bytes = l->bytes;
    memory_free(l);
    return ARGAND_OK;
}

static void threads_abort(void *context, int exit_code)
{
    job *j = ((thread_rank *)context)->job;
    (void)exit_code;
    pthread_mutex_lock(&j->lock);
    j->aborted = true;
    pthread_cond_broadcast(&j->changed);
    pthread_mutex_unlock(&j->lock);
}

static void job_free(job *j)
{
    for (int r = 0; r < j->ranks && j->places; r++) {
        while (j->places[r].first) {
            letter *l = j->places[r].first;
            j->places[r].first = l->next;
            memory_free(l->bytes);
            memory_free(l);
        }
        memory_free(j->places[r].sent);
    }
    memory_free(j->places);
    pthread_cond_destroy(&j->changed);
    pthread_mutex_destroy(&j->lock);
    memory_free(j);
}

static void leave(job *j)
{
    pthread_mutex_lock(&j->lock);
    const bool last = --j->present == 0;
    pthread_cond_broadcast(&j->changed);
    pthread_mutex_unlock(&j->lock);
    if (last) job_free(j);
}

static void threads_free(void *context)
{
    thread_rank *me = context;
    pthread_mutex_lock(&me->job->lock);
    me->job->places[me->rank].left = true;
    pthread_mutex_unlock(&me->job->lock);
    leave(me->job);
    spares_free(&me->spares);
    memory_free(me);
}

static argand_status threads_reserve(void *context, int blocks, int at_once)
{
    return spares_reserve(&((thread_rank *)context)->spares, blocks, at_once);
}

static argand_status threads_split(argand_comm *parent, int colour, int key, argand_comm **part);

static const comm_engine threads_engine = {.kind = "threads",
                                           .reserve = threads_reserve,
                                           .start = threads_start,
                                           .finish = threads_finish,
                                           .post = threads_post,
                                           .collect = threads_collect,
                                           .split = threads_split,
                                           .abort = threads_abort,
                                           .free = threads_free};
static const comm_engine self_engine = {.kind = "self",
                                        .reserve = threads_reserve,
                                        .start = threads_start,
                                        .finish = threads_finish,
                                        .post = threads_post,
                                        .collect = threads_collect,
                                        .split = threads_split,
                                        .free = threads_free};

static argand_status job_new(job **out, int ranks)
{
    job *j;
    TRY(NEW(j, 1));
    *j = (job){.ranks = ranks, .present = 1};
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->changed, NULL);
    argand_status status = NEW(j->places, ranks);
    for (int r = 0; r < ranks && !status; r++) {
        j->places[r].last = &j->places[r].first;
        status = NEW(j->places[r].sent, 2 * (size_t)ranks);
        if (!status) j->places[r].received = j->places[r].sent + ranks;
    }
    if (status)
        job_free(j);
    else
        *out = j;
    return status;
}

static argand_status rank_new(argand_comm **comm, job *j, int rank)
{
    thread_rank *me;
    *comm = NULL;
    TRY(NEW(me, 1));
    *me = (thread_rank){.job = j, .rank = rank, .spares = {NULL, sizeof(exchange), sizeof(offer)}};
    argand_status status = spares_reserve(&me->spares, 2 * j->ranks, 1);
    if (!status) status = comm_new(comm, j->ranks == 1 ? &self_engine : &threads_engine, me, rank, j->ranks);
    if (status) {
        spares_free(&me->spares);
        memory_free(me);
    } else {
        j->present++;
    }
    return status;
}

/* Makes all handles of a new job, or none. The maker counts as present meanwhile. */
static argand_status make(argand_comm **comms, int ranks)
{
    job *j;
    argand_status status = job_new(&j, ranks);
    if (status) return status;
    for (int r = 0; r < ranks; r++) comms[r] = NULL;
    for (int r = 0; r < ranks && !status; r++) status = rank_new(&comms[r], j, r);
    for (int r = 0; r < ranks && status; r++) {
        argand_comm_destroy(comms[r]);
        comms[r] = NULL;
    }
    leave(j);
    return status;
}

/* The lowest rank of each colour makes the handles, and all ranks of the colour read them from its memory. */
static argand_status threads_split(argand_comm *parent, int colour, int key, argand_comm **part)
{
    split_place mine;
    argand_comm **made = NULL, ***lists = parent->work;
    TRY(split_place_find(parent, colour, key, &mine));
    argand_status status = mine.leads ? NEW(made, mine.size) : ARGAND_OK;
    if (!status && mine.leads) status = make(made, mine.size);
    const bool is_made = !status && mine.leads;
    status = argand_comm_agree(parent, status);
    for (int r = 0; r < mine.size && status && is_made; r++) argand_comm_destroy(made[r]);
    if (!status) status = argand_comm_gather(parent, lists, &made, sizeof made);
    if (!status) *part = lists[mine.leader][mine.rank];
    if (!status) status = argand_comm_barrier(parent);
    memory_free(made);
    return status;
}

argand_status argand_comm_threads(argand_comm **comms, int ranks)
{
    enum { MOST_RANKS = 4096 };
    CHECK(comms, ARGAND_ARGUMENT, "argand_comm_threads: comms is NULL");
    CHECK(ranks >= 1 && ranks <= MOST_RANKS, ARGAND_ARGUMENT,
          "argand_comm_threads: ranks is %d; give 1 to %d", ranks, MOST_RANKS);
    return make(comms, ranks);
}

argand_status argand_comm_self(argand_comm **comm)
{
    CHECK(comm, ARGAND_ARGUMENT, "argand_comm_self: comm is NULL");
    return make(comm, 1);
}
