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

static int owner_of(const slabs *s, int64_t plane)
{
    const int64_t each = s->total / s->ranks, more = s->total % s->ranks, larger = more * (each + 1);
    return (int)(plane < larger ? plane / (each + 1) : more + (plane - larger) / each);
}

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
        if (source >= 0) extend(h, &p, owner_of(s, source), source, i, v);
    }
    if (p.count) v(h, &p);
}

static void count_run(halo *h, const passage *p)
{
    h->ghost_count += p->to == argand_comm_rank(h->comm);
    h->edge_count += p->from == argand_comm_rank(h->comm);
}

static void keep_run(halo *h, const passage *p)
{
    if (p->to == argand_comm_rank(h->comm)) {
        h->ghosts[h->ghost_count++] = (halo_run){p->from, p->ghost, p->count};
        h->ghost_planes += p->count;
    }
    if (p->from == argand_comm_rank(h->comm)) {
        h->edges[h->edge_count++] = (halo_run){p->to, p->source - h->first + h->before, p->count};
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
    h->comm = comm_host(comm);
    h->before = before;
    h->after = after;
    comm_share(total, s.ranks, argand_comm_rank(comm), &h->first, &h->own);
    for (int to = 0; to < s.ranks; to++) visit_ghosts(h, &s, to, count_run);
    TRY_OR_DONE(NEW(h->ghosts, h->ghost_count));
    TRY_OR_DONE(NEW(h->edges, h->edge_count));
    h->ghost_count = h->edge_count = 0;
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
    memory_free(h->edges);
    memory_free(h->ghosts);
    memory_free(h);
}

/* ---- exchange ---- */

static size_t run_bytes(const halo_call *c, int64_t planes)
{
    return memory_product((size_t)(planes * c->plane), argand_type_size(c->array->type));
}

static int64_t most_planes(const halo *h)
{
    int64_t most = 1;
    for (int i = 0; i < h->edge_count; i++) most = h->edges[i].count > most ? h->edges[i].count : most;
    return most;
}

argand_status halo_prepare(halo_call *c, const halo *h, argand_array *array, int axis)
{
    *c = (halo_call){.h = h, .array = array, .axis = axis};
    TRY(NEW(c->blocks, h->ghost_count + h->edge_count + 1));
    if (!array) return ARGAND_OK;
    c->plane = array->count / array->dims[axis];
    TRY(memory_take(&c->edges, run_bytes(c, h->edge_planes)));
    TRY(memory_take(&c->ghosts, run_bytes(c, h->ghost_planes)));
    const int64_t most = c->plane * most_planes(h);
    return h->edge_count ? argand_array_create(&c->terms, argand_array_device(array), array->type, 1, &most)
                         : ARGAND_OK;
}

void halo_release(halo_call *c)
{
    argand_array_destroy(c->terms);
    memory_free(c->ghosts);
    memory_free(c->edges);
    memory_free(c->blocks);
    *c = (halo_call){NULL};
}

typedef argand_status move_run(const halo_call *c, argand_array *planes, char *memory);

static argand_status pack(const halo_call *c, argand_array *planes, char *memory)
{
    (void)c;
    return argand_array_download(planes, memory);
}

static argand_status unpack(const halo_call *c, argand_array *planes, char *memory)
{
    (void)c;
    return argand_array_upload(planes, memory);
}

static argand_status add(const halo_call *c, argand_array *planes, char *memory)
{
    argand_array *terms = NULL;
    int64_t strides[ARGAND_MAX_RANK], step = 1;
    for (int d = 0; d < planes->rank; step *= planes->dims[d++]) strides[d] = step;
    argand_status status = argand_array_view(&terms, c->terms, planes->rank, planes->dims, strides, 0);
    if (!status) status = argand_array_upload(terms, memory);
    if (!status) status = argand_array_axpby(planes, (argand_scalar){1, 0}, terms, (argand_scalar){1, 0});
    argand_array_destroy(terms);
    return status;
}

static argand_status move_runs(const halo_call *c, const halo_run *runs, int count, char *memory,
                               move_run *move)
{
    argand_status status = ARGAND_OK;
    for (int i = 0; i < count && status == ARGAND_OK; i++) {
        argand_array *planes = NULL;
        status = argand_array_part(&planes, c->array, c->axis, runs[i].at, runs[i].count);
        if (!status) status = move(c, planes, memory);
        argand_array_destroy(planes);
        memory += run_bytes(c, runs[i].count);
    }
    return status;
}

static int list_blocks(const halo_call *c, comm_block *blocks, const halo_run *runs, int count, char *memory)
{
    int listed = 0;
    for (int i = 0; i < count; i++) {
        const size_t bytes = run_bytes(c, runs[i].count);
        block_add(blocks, &listed, (comm_block){runs[i].rank, memory, bytes, 0, 1});
        memory += bytes;
    }
    return listed;
}

argand_status halo_fill(const halo_call *c)
{
    const halo *h = c->h;
    argand_status status = move_runs(c, h->edges, h->edge_count, c->edges, pack);
    const int sends = list_blocks(c, c->blocks, h->edges, h->edge_count, c->edges);
    const int receives = list_blocks(c, c->blocks + sends, h->ghosts, h->ghost_count, c->ghosts);
    TRY(comm_exchange(h->comm, c->blocks, sends, c->blocks + sends, receives));
    if (!status) status = move_runs(c, h->ghosts, h->ghost_count, c->ghosts, unpack);
    return status;
}

argand_status halo_add(const halo_call *c)
{
    const halo *h = c->h;
    argand_status status = move_runs(c, h->ghosts, h->ghost_count, c->ghosts, pack);
    const int sends = list_blocks(c, c->blocks, h->ghosts, h->ghost_count, c->ghosts);
    const int receives = list_blocks(c, c->blocks + sends, h->edges, h->edge_count, c->edges);
    TRY(comm_exchange(h->comm, c->blocks, sends, c->blocks + sends, receives));
    if (!status) status = move_runs(c, h->edges, h->edge_count, c->edges, add);
    return status;
}
