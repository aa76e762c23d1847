/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges ghost planes between ranks that hold slabs of an array: NUFFTs and convolutions call it. */
#include "dist/halo.h"

#include "base/memory.h"
#include "dist/moved.h"

int64_t halo_periodic(int64_t plane, int64_t total, const void *context)
{
    (void)context;
    const int64_t rest = plane % total;
    return rest < 0 ? rest + total : rest;
}

/* ---- which planes ---- */

/* Planes that follow each other at both ends */
typedef struct passage {
    int from, to;
    int64_t source, ghost, count; /* planes of the whole; in the array of the receiver */
} passage;

typedef void visit(halo *h, const passage *p);

/* The slabs, and the function that says what ghosts are copies of */
typedef struct slabs {
    int64_t total;
    int ranks;
    halo_source source;
    const void *context;
} slabs;

/* Adds the plane to the passage if it follows it; otherwise begins the next one. */
static void extend(halo *h, passage *p, int from, int64_t source, int64_t ghost, visit *v)
{
    if (p->count && p->from == from && p->source + p->count == source && p->ghost + p->count == ghost) {
        p->count++;
        return;
    }
    if (p->count) v(h, p);
    *p = (passage){from, p->to, source, ghost, 1};
}

/* Visits all passages to a rank, in an order that sender and receiver find alike. */
static void visit_ghosts(halo *h, const slabs *s, int to, visit *v)
{
    int64_t first, own;
    passage p = {.to = to};
    comm_share(s->total, s->ranks, to, &first, &own);
    for (int64_t i = 0; own && i < h->before + own + h->after; i++) {
        if (i == h->before) i += own;
        if (i >= h->before + own + h->after) break;
        const int64_t source = s->source(first - h->before + i, s->total, s->context);
        if (source >= 0) extend(h, &p, comm_owner(s->total, s->ranks, source), source, i, v);
    }
    if (p.count) v(h, &p);
}

static void count_run(halo *h, const passage *p)
{
    const int me = argand_comm_rank(h->comm);
    if (p->to == p->from) {
        h->self_count += p->to == me;
        return;
    }
    h->ghost_count += p->to == me;
    h->edge_count += p->from == me;
}

static void keep_run(halo *h, const passage *p)
{
    const int me = argand_comm_rank(h->comm);
    const int64_t own = p->source - h->first + h->before;
    if (p->to == p->from) {
        if (p->to == me) h->self[h->self_count++] = (halo_self){p->ghost, own, p->count};
    } else if (p->to == me) {
        h->ghosts[h->ghost_count++] = (halo_run){p->from, p->ghost, p->count};
        h->ghost_planes += p->count;
    } else if (p->from == me) {
        h->edges[h->edge_count++] = (halo_run){p->to, own, p->count};
        h->edge_planes += p->count;
    }
}

argand_status halo_create(halo **out, argand_comm *comm, int64_t total, int64_t before, int64_t after,
                          halo_source source, const void *context)
{
    halo *h;
    argand_status status;
    const slabs s = {total, argand_comm_size(comm), source, context};
    *out = NULL;
    TRY(NEW(h, 1));
    h->comm = comm;
    h->before = before;
    h->after = after;
    comm_share(total, s.ranks, argand_comm_rank(comm), &h->first, &h->own);
    for (int to = 0; to < s.ranks; to++) visit_ghosts(h, &s, to, count_run);
    TRY_OR_DONE(NEW(h->ghosts, h->ghost_count));
    TRY_OR_DONE(NEW(h->edges, h->edge_count));
    TRY_OR_DONE(NEW(h->self, h->self_count));
    h->ghost_count = h->edge_count = h->self_count = 0;
    for (int to = 0; to < s.ranks; to++) visit_ghosts(h, &s, to, keep_run);
    *out = h;
    return ARGAND_OK;
done:
    halo_destroy(h);
    return status;
}

void halo_destroy(halo *h)
{
    if (!h) return;
    memory_free(h->self);
    memory_free(h->edges);
    memory_free(h->ghosts);
    memory_free(h);
}

/* ---- exchange ---- */

static int64_t most_planes(const halo_run *runs, int count)
{
    int64_t most = 0;
    for (int i = 0; i < count; i++) most = runs[i].count > most ? runs[i].count : most;
    return most;
}

/* Memory that the communicator reads: on the array's device or on the host */
static argand_status take_buffers(halo_call *c)
{
    const halo *h = c->h;
    argand_device *device = argand_array_device(c->array), *where = device;
    if (!comm_is_on_device(h->comm, c->array)) TRY(device_host(&where, device));
    const int64_t edges = h->edge_planes * c->plane, ghosts = h->ghost_planes * c->plane,
                  terms = most_planes(h->edges, h->edge_count) * c->plane;
    if (edges) TRY(argand_array_create(&c->edges, where, c->array->type, 1, &edges));
    if (ghosts) TRY(argand_array_create(&c->ghosts, where, c->array->type, 1, &ghosts));
    if (where != device && terms) TRY(argand_array_create(&c->terms, device, c->array->type, 1, &terms));
    return ARGAND_OK;
}

argand_status halo_prepare(halo_call *c, const halo *h, argand_array *array, int axis)
{
    *c = (halo_call){.h = h, .array = array, .axis = axis};
    TRY(NEW(c->blocks, h->ghost_count + h->edge_count + 1));
    TRY(comm_reserve(h->comm, h->ghost_count + h->edge_count, 1));
    if (!array) return ARGAND_OK;
    c->plane = array->count / array->dims[axis];
    return take_buffers(c);
}

void halo_release(halo_call *c)
{
    argand_array_destroy(c->terms);
    argand_array_destroy(c->ghosts);
    argand_array_destroy(c->edges);
    memory_free(c->blocks);
    *c = (halo_call){NULL};
}

/* A run's planes of the array, and the same elements, contiguous, in a buffer */
typedef argand_status move_run(const halo_call *c, argand_array *planes, argand_array *buffer);

static argand_status pack(const halo_call *c, argand_array *planes, argand_array *buffer)
{
    (void)c;
    return argand_array_copy(buffer, planes);
}

static argand_status unpack(const halo_call *c, argand_array *planes, argand_array *buffer)
{
    (void)c;
    return argand_array_copy(planes, buffer);
}

static argand_status contiguous(argand_array **view, const argand_array *memory, const argand_array *shape,
                                int64_t at)
{
    int64_t strides[ARGAND_MAX_RANK], step = 1;
    for (int d = 0; d < shape->rank; step *= shape->dims[d++]) strides[d] = step;
    return argand_array_view(view, memory, shape->rank, shape->dims, strides, at);
}

static argand_status add(const halo_call *c, argand_array *planes, argand_array *buffer)
{
    argand_array *terms = NULL;
    const argand_scalar one = {1, 0};
    if (!c->terms) return argand_array_axpby(planes, one, buffer, one);
    argand_status status = contiguous(&terms, c->terms, planes, 0);
    if (!status) status = argand_array_copy(terms, buffer);
    if (!status) status = argand_array_axpby(planes, one, terms, one);
    argand_array_destroy(terms);
    return status;
}

static argand_status move_runs(const halo_call *c, const halo_run *runs, int count,
                               const argand_array *memory, move_run *move)
{
    argand_status status = ARGAND_OK;
    int64_t at = 0;
    for (int i = 0; i < count && status == ARGAND_OK; i++) {
        argand_array *planes = NULL, *buffer = NULL;
        status = argand_array_part(&planes, c->array, c->axis, runs[i].at, runs[i].count);
        if (!status) status = contiguous(&buffer, memory, planes, at);
        if (!status) status = move(c, planes, buffer);
        argand_array_destroy(buffer);
        argand_array_destroy(planes);
        at += runs[i].count * c->plane;
    }
    return status;
}

/* Ghosts that are copies of this rank's own planes */
static argand_status move_own(const halo_call *c, bool adds)
{
    argand_status status = ARGAND_OK;
    for (int i = 0; i < c->h->self_count && status == ARGAND_OK; i++) {
        const halo_self *s = &c->h->self[i];
        argand_array *ghosts = NULL, *planes = NULL;
        status = argand_array_part(&ghosts, c->array, c->axis, s->ghost, s->count);
        if (!status) status = argand_array_part(&planes, c->array, c->axis, s->plane, s->count);
        if (!status)
            status = adds ? argand_array_axpby(planes, (argand_scalar){1, 0}, ghosts, (argand_scalar){1, 0})
                          : argand_array_copy(ghosts, planes);
        argand_array_destroy(planes);
        argand_array_destroy(ghosts);
    }
    return status;
}

static int list_blocks(const halo_call *c, comm_block *blocks, const halo_run *runs, int count,
                       const argand_array *memory)
{
    int listed = 0;
    char *at = memory ? comm_memory(memory) : NULL;
    for (int i = 0; i < count; i++) {
        const size_t bytes = (size_t)(runs[i].count * c->plane) * argand_type_size(memory->type);
        block_add(blocks, &listed, (comm_block){runs[i].rank, at, bytes, 0, 1});
        at += bytes;
    }
    return listed;
}

/* Work on the host ends before its memory is sent. */
static argand_status wait_for(const halo_call *c)
{
    return c->array && argand_array_data(c->array) ? argand_device_wait(argand_array_device(c->array))
                                                   : ARGAND_OK;
}

argand_status halo_fill(const halo_call *c)
{
    const halo *h = c->h;
    argand_status status = move_runs(c, h->edges, h->edge_count, c->edges, pack);
    if (!status) status = wait_for(c);
    const int sends = list_blocks(c, c->blocks, h->edges, h->edge_count, c->edges);
    const int receives = list_blocks(c, c->blocks + sends, h->ghosts, h->ghost_count, c->ghosts);
    TRY(comm_exchange(h->comm, c->blocks, sends, c->blocks + sends, receives));
    if (!status) status = move_own(c, false);
    if (!status) status = move_runs(c, h->ghosts, h->ghost_count, c->ghosts, unpack);
    return status;
}

argand_status halo_add(const halo_call *c)
{
    const halo *h = c->h;
    argand_status status = move_runs(c, h->ghosts, h->ghost_count, c->ghosts, pack);
    if (!status) status = wait_for(c);
    const int sends = list_blocks(c, c->blocks, h->ghosts, h->ghost_count, c->ghosts);
    const int receives = list_blocks(c, c->blocks + sends, h->edges, h->edge_count, c->edges);
    TRY(comm_exchange(h->comm, c->blocks, sends, c->blocks + sends, receives));
    if (!status) status = move_own(c, true);
    if (!status) status = move_runs(c, h->edges, h->edge_count, c->edges, add);
    return status;
}
