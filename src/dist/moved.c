/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of arrays whose elements are exchanged with other ranks, and numbers that must be the same on all.
 * */
#include "dist/moved.h"

#include <string.h>
#include "base/memory.h"

argand_status moved_take(moved *m, const argand_comm *comm, argand_array *array)
{
    *m = (moved){.array = array};
    if (!array) return ARGAND_OK;
    m->base = comm_is_on_device(comm, array) ? comm_memory(array) : argand_array_data(array);
    if (m->base) return ARGAND_OK;
    TRY(memory_take(&m->copy, memory_product((size_t)array->count, argand_type_size(array->type))));
    m->base = m->copy;
    return ARGAND_OK;
}

argand_status moved_before(const moved *m)
{
    if (!m->array) return ARGAND_OK;
    if (m->copy) return argand_array_download(m->array, m->copy);
    /* communicators of devices work in the device's stream */
    return argand_array_data(m->array) ? argand_device_wait(argand_array_device(m->array)) : ARGAND_OK;
}

argand_status moved_after(const moved *m)
{
    return m->copy ? argand_array_upload(m->array, m->copy) : ARGAND_OK;
}

void moved_release(moved *m)
{
    memory_free(m->copy);
    *m = (moved){NULL};
}

argand_status moved_same(argand_comm *comm, const double *numbers, int count, const char *what)
{
    if (argand_comm_size(comm) == 1) return ARGAND_OK;
    const size_t bytes = (size_t)count * sizeof *numbers;
    double *all = comm->work; /* COMM_FEW bytes for each rank */
    CHECK(count <= MOVED_SAME, ARGAND_INTERNAL, "%d numbers to compare", count);
    TRY(argand_comm_gather(comm, all, numbers, bytes));
    for (int r = 1; r < comm->size; r++)
        CHECK(!memcmp(all, all + (size_t)r * (size_t)count, bytes), ARGAND_ARGUMENT,
              "rank %d gave other %s than rank 0: give the same on all ranks", r, what);
    return ARGAND_OK;
}
