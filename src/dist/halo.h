/* SPDX-License-Identifier: BSD-3-Clause */
/* Ghost planes. `total` planes are shared out to the ranks in slabs (comm_share). Each rank keeps its slab in
 * an array with `before` ghost planes ahead of it and `after` behind it: copies of other ranks' planes. A
 * slab may be thinner than that; then several ranks send. A rank without planes of its own has no ghosts. */
#ifndef DIST_HALO_H
#define DIST_HALO_H

#include "array/array.h"
#include "dist/comm/comm.h"

/* Planes that follow each other, in this rank's array, and the rank at the other end */
typedef struct halo_run {
    int rank;
    int64_t at, count;
} halo_run;

/* Ghosts that are copies of this rank's own planes: their places in its array */
typedef struct halo_self {
    int64_t ghost, plane, count;
} halo_self;

typedef struct halo {
    argand_comm *comm;
    int64_t first, own, before, after;
    halo_run *ghosts, *edges; /* ghost planes received; own planes sent */
    halo_self *self;
    int ghost_count, edge_count, self_count;
    int64_t ghost_planes, edge_planes; /* in all */
} halo;

/* Returns the plane of which the plane at this place, which may lie outside 0 to total - 1, is a copy; -1: of
 * none. All ranks give the same function. */
typedef int64_t (*halo_source)(int64_t plane, int64_t total, const void *context);
/* The source of periodic planes */
int64_t halo_periodic(int64_t plane, int64_t total, const void *context);

/* comm: from comm_choose for the arrays' device */
argand_status halo_create(halo **out, argand_comm *comm, int64_t total, int64_t before, int64_t after,
                          halo_source source, const void *context);
void halo_destroy(halo *h); /* NULL is allowed */

/* An array whose planes lie across `axis`: before + own + after of them, or more */
typedef struct halo_call {
    const halo *h;
    argand_array *array;
    int axis;
    int64_t plane;                /* elements */
    argand_array *edges, *ghosts; /* contiguous, where the communicator reads memory */
    argand_array *terms;          /* on the array's device, if those are on the host; otherwise NULL */
    comm_block *blocks;
} halo_call;

/* Takes the memory for calls, before the ranks agree. array: NULL on a rank without planes. */
argand_status halo_prepare(halo_call *c, const halo *h, argand_array *array, int axis);
/* Copies other ranks' planes to the ghosts. All ranks call it, also those that failed before. */
argand_status halo_fill(const halo_call *c);
/* Adds the ghosts to the planes that they are copies of, in the same order every time: the adjoint. */
argand_status halo_add(const halo_call *c);
void halo_release(halo_call *c);

#endif
