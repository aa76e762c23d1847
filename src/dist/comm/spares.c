/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the memory of exchanges (spares.h) for the engines in this folder. The list is short: as many as
 * exchanges were under way at once. */
#include "dist/comm/spares.h"

#include "base/memory.h"

static argand_status make(const comm_spares *spares, int capacity, comm_spare **spare)
{
    const size_t entries = memory_product(spares->entry, (size_t)capacity);
    *spare = NULL;
    TRY(memory_new(spare, 1, entries > SIZE_MAX - spares->head ? SIZE_MAX : entries + spares->head));
    (*spare)->capacity = capacity;
    return ARGAND_OK;
}

/* A larger one replaces a smaller one, so that the list does not grow with the sizes that were asked for. */
static void drop_smaller(comm_spares *spares, int capacity)
{
    comm_spare **at = &spares->first;
    while (*at && (*at)->capacity >= capacity) at = &(*at)->next;
    comm_spare *smaller = *at;
    if (smaller) *at = smaller->next;
    memory_free(smaller);
}

argand_status spares_reserve(comm_spares *spares, int capacity, int at_once)
{
    for (const comm_spare *r = spares->first; r; r = r->next) at_once -= r->capacity >= capacity;
    for (; at_once > 0; at_once--) {
        comm_spare *spare;
        TRY(make(spares, capacity, &spare));
        drop_smaller(spares, capacity);
        spares_give_back(spares, spare);
    }
    return ARGAND_OK;
}

argand_status spares_take(comm_spares *spares, int capacity, void **exchange)
{
    comm_spare **best = NULL, *made;
    for (comm_spare **at = &spares->first; *at; at = &(*at)->next)
        if ((*at)->capacity >= capacity && (!best || (*at)->capacity < (*best)->capacity)) best = at;
    if (best) {
        *exchange = *best;
        *best = (*best)->next;
        return ARGAND_OK;
    }
    TRY(make(spares, capacity, &made));
    drop_smaller(spares, capacity);
    *exchange = made;
    return ARGAND_OK;
}

void spares_give_back(comm_spares *spares, void *exchange)
{
    comm_spare *spare = exchange;
    spare->next = spares->first;
    spares->first = spare;
}

void spares_free(comm_spares *spares)
{
    while (spares->first) {
        comm_spare *spare = spares->first;
        spares->first = spare->next;
        memory_free(spare);
    }
}
