/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathering, broadcast, agreement and places after a split, made of exchanges. */
#include "dist/comm/comm.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"

argand_status argand_comm_gather(argand_comm *comm, void *all, const void *mine, size_t bytes)
{
    const int size = argand_comm_size(comm);
    CHECK((all && mine) || !bytes, ARGAND_ARGUMENT, "argand_comm_gather: a pointer is NULL");
    if (size == 1) {
        if (bytes) memmove(all, mine, bytes);
        return ARGAND_OK;
    }
    comm = comm_host(comm);
    comm_block *blocks = comm->blocks;
    for (int r = 0; r < size; r++) {
        blocks[r] = (comm_block){r, (void *)(uintptr_t)mine, bytes, 0, 1};
        blocks[size + r] = (comm_block){r, (char *)all + bytes * (size_t)r, bytes, 0, 1};
    }
    return comm_exchange(comm, blocks, size, blocks + size, size);
}

argand_status argand_comm_barrier(argand_comm *comm)
{
    const char mine = 0;
    return argand_comm_size(comm) == 1 ? ARGAND_OK : argand_comm_gather(comm, comm->work, &mine, 1);
}

argand_status comm_choose(argand_comm **chosen, argand_comm *comm, const argand_device *device)
{
    *chosen = comm;
    if (comm_host(comm) == comm) return ARGAND_OK;
    const char mine = !device || comm->device == device, *all = comm->work;
    TRY(argand_comm_gather(comm, comm->work, &mine, sizeof mine));
    for (int r = 0; r < comm->size; r++)
        if (!all[r]) *chosen = comm->host;
    return ARGAND_OK;
}

/* The lowest rank that failed sends its message to all others. */
static argand_status tell(argand_comm *comm, int failed, argand_status theirs)
{
    enum { MESSAGE = COMM_FEW / 2 };
    char *text = comm->work, mine[MESSAGE] = "";
    if (comm->rank == failed) snprintf(mine, sizeof mine, "%s", argand_message());
    argand_status status = argand_comm_gather(comm, text, mine, sizeof mine);
    text[MESSAGE * failed + MESSAGE - 1] = 0;
    const char *reason = text + MESSAGE * failed;
    int rank, size;
    TRY(status);
    if (sscanf(reason, "rank %d of %d:", &rank, &size) == 2) /* agreed upon before */
        return status_set(theirs, "%s", reason);
    return status_set(theirs, "rank %d of %d: %s", failed, comm->size, reason);
}

argand_status argand_comm_agree(argand_comm *comm, argand_status status)
{
    if (argand_comm_size(comm) == 1) return status;
    const int32_t mine = (int32_t)status, *all = comm->work;
    int failed = -1;
    TRY(argand_comm_gather(comm, comm->work, &mine, sizeof mine));
    for (int r = comm->size - 1; r >= 0; r--)
        if (all[r]) failed = r;
    return failed < 0 ? ARGAND_OK : tell(comm, failed, (argand_status)all[failed]);
}

argand_status comm_work(argand_comm *comm, size_t bytes)
{
    void *larger;
    if (bytes <= comm->work_bytes) return ARGAND_OK;
    const argand_status mine = memory_take(&larger, bytes), status = argand_comm_agree(comm, mine);
    if (status != ARGAND_OK) {
        if (mine == ARGAND_OK) memory_free(larger);
        return status;
    }
    memory_free(comm->work);
    comm->work = larger;
    comm->work_bytes = bytes;
    return ARGAND_OK;
}

/* Copies memory of the root to all ranks. */
static argand_status spread(argand_comm *comm, int root, void *memory, size_t bytes)
{
    const comm_block receive = {root, memory, bytes, 0, 1};
    int count = 0;
    for (int r = 0; r < comm->size && comm->rank == root; r++)
        if (r != root) comm->blocks[count++] = (comm_block){r, memory, bytes, 0, 1};
    return comm_exchange(comm, comm->blocks, count, &receive, comm->rank != root);
}

argand_status argand_comm_broadcast(argand_comm *comm, int root, argand_array *array)
{
    CHECK_ARRAY(array);
    CHECK(root >= 0 && root < argand_comm_size(comm), ARGAND_ARGUMENT,
          "argand_comm_broadcast: there is no rank %d, only 0 to %d", root, argand_comm_size(comm) - 1);
    CHECK(argand_array_is_contiguous(array), ARGAND_ARGUMENT,
          "argand_comm_broadcast: the array is not contiguous");
    if (argand_comm_size(comm) == 1) return ARGAND_OK;
    const size_t bytes = (size_t)argand_array_count(array) * argand_type_size(argand_array_type(array));
    if (comm_is_on_device(comm, array)) return spread(comm, root, comm_memory(array), bytes);
    comm = comm_host(comm);
    void *memory = argand_array_data(array), *copy = NULL;
    argand_status status = argand_device_wait(argand_array_device(array));
    if (!status && !memory) status = memory_take(&copy, bytes);
    if (!status && copy && comm->rank == root) status = argand_array_download(array, copy);
    status = argand_comm_agree(comm, status);
    if (!status) status = spread(comm, root, memory ? memory : copy, bytes);
    if (!status && copy && comm->rank != root) status = argand_array_upload(array, copy);
    memory_free(copy);
    return status;
}

argand_status argand_comm_describe(argand_comm *comm, argand_comm_info *info)
{
    CHECK(info, ARGAND_ARGUMENT, "argand_comm_describe: info is NULL");
    *info = (argand_comm_info){.kind = comm ? comm->engine->kind : "self", .local_size = 1, .hosts = 1};
    if (gethostname(info->host, sizeof info->host - 1)) snprintf(info->host, sizeof info->host, "?");
    if (comm && comm->engine->library)
        comm->engine->library(comm->context, info->library, sizeof info->library);
    if (argand_comm_size(comm) == 1) return ARGAND_OK;
    char(*names)[sizeof info->host] = comm->work; /* no rank may fail here alone */
    TRY(argand_comm_gather(comm, names, info->host, sizeof info->host));
    info->local_size = info->hosts = 0;
    for (int r = 0; r < comm->size; r++) {
        bool first = true;
        for (int q = 0; q < r && first; q++) first = strcmp(names[q], names[r]) != 0;
        info->hosts += first;
        if (strcmp(names[r], info->host)) continue;
        info->local_rank += r < comm->rank;
        info->local_size++;
    }
    return ARGAND_OK;
}

typedef struct split_wish {
    int32_t colour, key;
} split_wish;

/* True if the wish of rank a comes before that of rank b in their part. */
static bool before(const split_wish *wishes, int a, int b)
{
    return wishes[a].key != wishes[b].key ? wishes[a].key < wishes[b].key : a < b;
}

argand_status split_place_find(argand_comm *parent, int colour, int key, split_place *place)
{
    const split_wish mine = {colour, key}, *all = parent->work;
    TRY(argand_comm_gather(parent, parent->work, &mine, sizeof mine));
    *place = (split_place){.leader = parent->rank};
    for (int r = 0; r < parent->size; r++) {
        if (all[r].colour != colour) continue;
        place->size++;
        place->rank += before(all, r, parent->rank);
        if (before(all, r, place->leader)) place->leader = r;
    }
    place->leads = place->leader == parent->rank;
    return ARGAND_OK;
}
