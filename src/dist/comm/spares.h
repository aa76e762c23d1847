/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of exchanges that are under way. Ranks agree before they exchange; an exchange that failed for want
 * of memory after that would leave the others waiting, so that its memory is taken before (comm_reserve) and
 * used again and again. */
#ifndef DIST_COMM_SPARES_H
#define DIST_COMM_SPARES_H

#include <stddef.h>
#include "base/status.h"

/* First member of an engine's exchange, which ends with an array of entries. */
typedef struct comm_spare {
    struct comm_spare *next;
    int capacity; /* entries */
} comm_spare;

typedef struct comm_spares {
    comm_spare *first;  /* in no order */
    size_t head, entry; /* bytes of an exchange without entries, and of an entry */
} comm_spares;

/* Makes sure that `at_once` exchanges of so many entries can be taken without a further allocation. None may
 * be under way. */
argand_status spares_reserve(comm_spares *spares, int capacity, int at_once);
/* Takes the smallest spare that is large enough, or makes one. Its contents are of no value. */
argand_status spares_take(comm_spares *spares, int capacity, void **exchange);
void spares_give_back(comm_spares *spares, void *exchange);
void spares_free(comm_spares *spares);

#endif
