/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves points, and values at points, to the ranks that own their places on the grid, and back. */
#include "dist/nufft/routing.h"

#include "array/array.h"
#include "base/memory.h"
#include "kernels/array/permute_params.h"

static argand_status allocate(routing *r)
{
    const int ranks = argand_comm_size(r->comm);
    CHECK(r->given <= UINT32_MAX, ARGAND_UNSUPPORTED,
          "dist nufft: %lld points on one rank: give 2^32 - 1 at most", (long long)r->given);
    TRY(NEW(r->to, ranks + 1));
    TRY(NEW(r->from, ranks + 1));
    TRY(NEW(r->blocks, 2 * ranks));
    if (ranks == 1) return ARGAND_OK; /* nothing moves */
    return memory_take_pages(&r->order, memory_product((size_t)r->given, sizeof *r->order));
}

/* Tells each rank how many points it gets from this one. counts[r + 1] become offsets. */
static argand_status exchange_counts(routing *r)
{
    const int ranks = argand_comm_size(r->comm);
    for (int q = 0; q < ranks; q++) {
        r->blocks[q] = (comm_block){q, &r->to[q + 1], sizeof *r->to, 0, 1};
        r->blocks[ranks + q] = (comm_block){q, &r->from[q + 1], sizeof *r->from, 0, 1};
    }
    TRY(comm_exchange(r->comm, r->blocks, ranks, r->blocks + ranks, ranks));
    for (int q = 0; q < ranks; q++) {
        r->to[q + 1] += r->to[q];
        r->from[q + 1] += r->from[q];
    }
    r->held = r->from[ranks];
    return ARGAND_OK;
}

/* The order is stable: points of one rank keep the caller's order. */
static void sort_points(routing *r, const int32_t *to)
{
    const int ranks = argand_comm_size(r->comm);
    for (int64_t i = 0; i < r->given; i++) r->order[r->to[to[i]]++] = (uint32_t)i;
    for (int q = ranks; q > 0; q--) r->to[q] = r->to[q - 1];
    r->to[0] = 0;
}

/* The order in the device's memory, if the communicator exchanges that. */
static argand_status upload_order(routing *r, const argand_comm *comm, argand_device *device)
{
    const size_t bytes = (size_t)r->given * sizeof *r->order;
    if (!comm->device || !r->given) return ARGAND_OK;
    TRY(storage_new(&r->on_device, device, bytes));
    return storage_upload(r->on_device, 0, r->order, bytes);
}

argand_status routing_create(routing **out, argand_comm *comm, argand_device *device, int64_t given,
                             const int32_t *to)
{
    routing *r = NULL;
    *out = NULL;
    argand_status status = NEW(r, 1);
    if (r) {
        r->comm = comm_host(comm);
        r->given = given;
        status = allocate(r);
    }
    status = argand_comm_agree(comm, status);
    const bool is_alone = argand_comm_size(comm) == 1;
    if (!status && is_alone) r->to[1] = given;
    for (int64_t i = 0; i < given && !status && !is_alone; i++) r->to[to[i] + 1]++;
    if (!status) status = exchange_counts(r);
    if (!status && !is_alone) {
        sort_points(r, to);
        status = argand_comm_agree(comm, upload_order(r, comm, device));
    }
    if (status)
        routing_destroy(r);
    else
        *out = r;
    return status;
}

void routing_destroy(routing *r)
{
    if (!r) return;
    storage_release(r->on_device);
    memory_free(r->order);
    memory_free(r->blocks);
    memory_free(r->from);
    memory_free(r->to);
    memory_free(r);
}

typedef struct double_complex {
    double re, im;
} double_complex;

void routing_pack(const routing *r, void *packed, const void *values, size_t bytes, int threads)
{
    const uint32_t *order = r->order;
    if (bytes == sizeof(double)) {
        const double *in = values;
        double *out = packed;
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int64_t i = 0; i < r->given; i++) out[i] = in[order[i]];
    } else {
        const double_complex *in = values;
        double_complex *out = packed;
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int64_t i = 0; i < r->given; i++) out[i] = in[order[i]];
    }
}

void routing_unpack(const routing *r, void *values, const void *packed, size_t bytes, int threads)
{
    const uint32_t *order = r->order;
    if (bytes == sizeof(double)) {
        const double *in = packed;
        double *out = values;
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int64_t i = 0; i < r->given; i++) out[order[i]] = in[i];
    } else {
        const double_complex *in = packed;
        double_complex *out = values;
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int64_t i = 0; i < r->given; i++) out[order[i]] = in[i];
    }
}

/* Lists the blocks of values that lie in the order of the ranks, {count, vectors}. */
static int list(const routing *r, comm_block *blocks, const int64_t *first, void *values, size_t bytes,
                int64_t vectors)
{
    const int ranks = argand_comm_size(r->comm);
    int count = 0;
    for (int q = 0; q < ranks; q++)
        if (first[q + 1] > first[q])
            block_add(blocks, &count,
                      (comm_block){q, (char *)values + bytes * (size_t)first[q],
                                   bytes * (size_t)(first[q + 1] - first[q]), bytes * (size_t)first[ranks],
                                   vectors});
    return count;
}

argand_status routing_permute(const routing *r, argand_array *to, const argand_array *from, bool back)
{
    enum { CHUNK = 4096 };
    const struct permute_params params = {.count = r->given,
                                          .vectors = to->count / r->given,
                                          .chunk = CHUNK,
                                          .out = 2 * to->offset,
                                          .in = 2 * from->offset,
                                          .back = back};
    storage *const memory[3] = {to->storage, from->storage, r->on_device};
    return kernel_start(
        argand_array_device(to),
        &(kernel_run){.key = type_is_double(to->type) ? "permute REAL=double" : "permute REAL=float",
                      .groups = (to->count + CHUNK - 1) / CHUNK,
                      .memory = memory,
                      .memory_count = 3,
                      .params = &params,
                      .params_bytes = sizeof params});
}

argand_status routing_send(const routing *r, argand_comm *comm, void *held, const void *packed, size_t bytes,
                           int64_t vectors)
{
    const int sends = list(r, r->blocks, r->to, (void *)(uintptr_t)packed, bytes, vectors);
    const int receives = list(r, r->blocks + sends, r->from, held, bytes, vectors);
    return comm_exchange(comm, r->blocks, sends, r->blocks + sends, receives);
}

argand_status routing_return(const routing *r, argand_comm *comm, void *packed, const void *held,
                             size_t bytes, int64_t vectors)
{
    const int sends = list(r, r->blocks, r->from, (void *)(uintptr_t)held, bytes, vectors);
    const int receives = list(r, r->blocks + sends, r->to, packed, bytes, vectors);
    return comm_exchange(comm, r->blocks, sends, r->blocks + sends, receives);
}
