/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the ranks. Each rank adds one part of the numbers, in the order of the ranks, and sends the
 * sums to all others: 2 (P - 1)/P of the bytes go out and come in, as in a ring, and all ranks get the same
 * bits. A few numbers are gathered whole on every rank instead, which takes one message time instead of
 * two. */
#include "dist/comm/comm.h"

#include <string.h>
#include "base/memory.h"

/* Adds numbers of `terms` ranks, which follow each other in memory: the first gets the sum. */
static void add_floats(float *terms, int count, int64_t length)
{
    for (int r = 1; r < count; r++)
        for (int64_t i = 0; i < length; i++) terms[i] += terms[(int64_t)r * length + i];
}

static void add_doubles(double *terms, int count, int64_t length)
{
    for (int r = 1; r < count; r++)
        for (int64_t i = 0; i < length; i++) terms[i] += terms[(int64_t)r * length + i];
}

static void add(void *terms, size_t size, int count, int64_t length)
{
    if (size == sizeof(float))
        add_floats(terms, count, length);
    else
        add_doubles(terms, count, length);
}

static argand_status sum_few(argand_comm *comm, void *numbers, int64_t count, size_t size)
{
    const size_t bytes = (size_t)count * size;
    TRY(argand_comm_gather(comm, comm->work, numbers, bytes));
    add(comm->work, size, comm->size, count);
    memcpy(numbers, comm->work, bytes);
    return ARGAND_OK;
}

/* The block of a rank's part in an array of all numbers. */
static comm_block part_of(argand_comm *comm, int part, int rank, void *numbers, int64_t count, size_t size)
{
    int64_t first, own;
    comm_share(count, comm->size, part, &first, &own);
    return (comm_block){rank, (char *)numbers + (size_t)first * size, (size_t)own * size, 0, 1};
}

static argand_status sum_many(argand_comm *comm, void *numbers, int64_t count, size_t size)
{
    int64_t first, own;
    const int ranks = comm->size;
    const size_t most = (size_t)(count / ranks + 1) * size;
    comm_share(count, ranks, comm->rank, &first, &own);
    TRY(comm_work(comm, memory_product(most, (size_t)ranks)));
    comm_block *blocks = comm->blocks;
    char *terms = comm->work;
    const size_t bytes = (size_t)own * size;
    for (int r = 0; r < ranks; r++) {
        blocks[r] = part_of(comm, r, r, numbers, count, size);
        blocks[ranks + r] = (comm_block){r, terms + bytes * (size_t)r, bytes, 0, 1};
    }
    TRY(comm_exchange(comm, blocks, ranks, blocks + ranks, ranks));
    add(terms, size, ranks, own);
    for (int r = 0; r < ranks; r++) {
        blocks[r] = (comm_block){r, terms, bytes, 0, 1};
        blocks[ranks + r] = part_of(comm, r, r, numbers, count, size);
    }
    return comm_exchange(comm, blocks, ranks, blocks + ranks, ranks);
}

static argand_status sum_host(argand_comm *comm, void *numbers, int64_t count, size_t size)
{
    return (size_t)count * size <= COMM_FEW ? sum_few(comm, numbers, count, size)
                                            : sum_many(comm, numbers, count, size);
}

argand_status argand_comm_sum_doubles(argand_comm *comm, double *numbers, int64_t count)
{
    CHECK(numbers && count >= 0, ARGAND_ARGUMENT, "argand_comm_sum_doubles: no numbers given");
    return argand_comm_size(comm) == 1 ? ARGAND_OK
                                       : sum_host(comm_host(comm), numbers, count, sizeof *numbers);
}

/* Sums in host memory; arrays that the host cannot address are copied. A rank that has no memory, or whose
 * device fails, tells the others before they wait. All ranks agree, whatever their devices are. */
static argand_status sum_array(argand_comm *comm, argand_array *array, int64_t count, size_t size)
{
    void *copy = NULL, *memory = argand_array_data(array);
    argand_status status =
        memory ? argand_device_wait(argand_array_device(array)) : memory_take(&copy, (size_t)count * size);
    if (status == ARGAND_OK && copy) status = argand_array_download(array, copy);
    status = argand_comm_agree(comm, status);
    if (status == ARGAND_OK) status = sum_host(comm, memory ? memory : copy, count, size);
    if (status == ARGAND_OK && copy) status = argand_array_upload(array, copy);
    memory_free(copy);
    return status;
}

argand_status argand_comm_sum(argand_comm *comm, argand_array *array)
{
    CHECK_ARRAY(array);
    CHECK(!type_is_storage(array->type), ARGAND_UNSUPPORTED, "argand_comm_sum: %s are not added",
          argand_type_name(array->type));
    CHECK(argand_array_is_contiguous(array), ARGAND_ARGUMENT, "argand_comm_sum: the array is not contiguous");
    if (argand_comm_size(comm) == 1) return ARGAND_OK;
    if (comm_is_on_device(comm, array) && comm->engine->sum) return comm->engine->sum(comm->context, array);
    const size_t size = type_is_double(array->type) ? sizeof(double) : sizeof(float);
    const int64_t count = array->count * (type_is_complex(array->type) ? 2 : 1);
    return sum_array(comm_host(comm), array, count, size);
}
