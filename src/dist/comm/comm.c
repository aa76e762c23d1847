/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles of communicators, and the functions that pass a call on to the kind's table. */
#include "dist/comm/comm.h"

#include "base/memory.h"

argand_status comm_new(argand_comm **comm, const comm_engine *engine, void *context, int rank, int size)
{
    argand_comm *c;
    *comm = NULL;
    TRY(NEW(c, 1));
    *c = (argand_comm){.engine = engine,
                       .context = context,
                       .rank = rank,
                       .size = size,
                       .references = 1,
                       .work_bytes = memory_product(COMM_FEW, (size_t)size)};
    argand_status status = memory_take(&c->work, c->work_bytes);
    if (status == ARGAND_OK) status = NEW(c->blocks, 2 * (size_t)size);
    if (status != ARGAND_OK) {
        memory_free(c->work);
        memory_free(c);
        return status;
    }
    *comm = c;
    return ARGAND_OK;
}

void *comm_memory(const argand_array *array)
{
    char *host = argand_array_data(array), *native = storage_native(array->storage);
    return host ? host : native + array->offset * (int64_t)argand_type_size(array->type);
}

argand_comm *argand_comm_keep(argand_comm *comm)
{
    if (comm) comm->references++;
    return comm;
}

void argand_comm_destroy(argand_comm *comm)
{
    if (!comm || --comm->references) return;
    comm->engine->free(comm->context);
    memory_free(comm->blocks);
    memory_free(comm->work);
    memory_free(comm);
}

int argand_comm_rank(const argand_comm *comm)
{
    return comm ? comm->rank : 0;
}

int argand_comm_size(const argand_comm *comm)
{
    return comm ? comm->size : 1;
}

argand_status argand_comm_split(argand_comm **part, argand_comm *comm, int colour, int key)
{
    CHECK(part, ARGAND_ARGUMENT, "argand_comm_split: part is NULL");
    *part = NULL;
    CHECK(comm, ARGAND_ARGUMENT, "argand_comm_split: comm is NULL");
    CHECK(colour >= 0, ARGAND_ARGUMENT, "argand_comm_split: colour is %d; give 0 or more", colour);
    return comm->engine->split(comm, colour, key, part);
}

static argand_status check_blocks(const argand_comm *comm, const comm_block *blocks, int count)
{
    for (int i = 0; i < count; i++)
        CHECK(blocks[i].rank >= 0 && blocks[i].rank < comm->size, ARGAND_INTERNAL,
              "a block of rank %d in a communicator of %d ranks", blocks[i].rank, comm->size);
    return ARGAND_OK;
}

static argand_status start(argand_comm *comm, bool aside, const comm_block *sends, int send_count,
                           const comm_block *receives, int receive_count, void **pending)
{
    const comm_engine *e = comm->engine;
    *pending = NULL;
    TRY(check_blocks(comm, sends, send_count));
    TRY(check_blocks(comm, receives, receive_count));
    return (aside && e->start_aside ? e->start_aside : e->start)(comm->context, sends, send_count, receives,
                                                                 receive_count, pending);
}

argand_status comm_reserve(argand_comm *comm, int64_t blocks, int at_once)
{
    CHECK(blocks < INT32_MAX, ARGAND_UNSUPPORTED, "an exchange of %lld blocks is too large",
          (long long)blocks);
    return comm->engine->reserve(comm->context, (int)blocks, at_once);
}

argand_status comm_start(argand_comm *comm, const comm_block *sends, int send_count,
                         const comm_block *receives, int receive_count, void **pending)
{
    return start(comm, false, sends, send_count, receives, receive_count, pending);
}

argand_status comm_start_aside(argand_comm *comm, const comm_block *sends, int send_count,
                               const comm_block *receives, int receive_count, void **pending)
{
    return start(comm, true, sends, send_count, receives, receive_count, pending);
}

argand_status comm_finish(argand_comm *comm, void *pending)
{
    return comm->engine->finish(comm->context, pending);
}

argand_status comm_exchange(argand_comm *comm, const comm_block *sends, int send_count,
                            const comm_block *receives, int receive_count)
{
    void *pending;
    TRY(comm_start(comm, sends, send_count, receives, receive_count, &pending));
    return comm_finish(comm, pending);
}

argand_status argand_comm_post(argand_comm *comm, int to, const void *bytes, size_t count)
{
    CHECK(comm, ARGAND_ARGUMENT, "argand_comm_post: comm is NULL");
    CHECK(to >= 0 && to < comm->size, ARGAND_ARGUMENT, "argand_comm_post: there is no rank %d, only 0 to %d",
          to, comm->size - 1);
    CHECK(bytes || !count, ARGAND_ARGUMENT, "argand_comm_post: bytes is NULL");
    comm = comm_host(comm);
    return comm->engine->post(comm->context, to, bytes, count);
}

argand_status argand_comm_collect(argand_comm *comm, int *from, void **bytes, size_t *count)
{
    CHECK(comm && from && bytes && count, ARGAND_ARGUMENT, "argand_comm_collect: a pointer is NULL");
    *from = -1;
    *bytes = NULL;
    *count = 0;
    comm = comm_host(comm);
    return comm->engine->collect(comm->context, from, bytes, count);
}

void argand_comm_free(void *bytes)
{
    memory_free(bytes);
}

void argand_comm_abort(argand_comm *comm, int exit_code)
{
    if (comm && comm->engine->abort) comm->engine->abort(comm->context, exit_code);
}
