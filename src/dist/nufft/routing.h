/* SPDX-License-Identifier: BSD-3-Clause */
/* Where points go: each rank gives points in any order, and each point is kept by the rank that owns its
 * place on the grid. The same routing takes values to the points and back, so that the caller's order is
 * kept. */
#ifndef DIST_NUFFT_ROUTING_H
#define DIST_NUFFT_ROUTING_H

#include "dist/moved.h"
#include "device/device.h"

typedef struct routing {
    argand_comm *comm;
    int64_t given, held; /* points that this rank gave, and keeps */
    int64_t *to,
        *from;       /* of each rank: the first point that goes there, or came from there; size + 1 of them */
    uint32_t *order; /* of each point, sorted by ranks: its place in the caller's order; NULL on one rank */
    comm_block *blocks;
    storage *on_device; /* order, where the communicator exchanges memory of a device */
} routing;

/* to[i]: the rank of point i. comm: from comm_choose for the device. All ranks call it, and all fail if one
 * does. */
argand_status routing_create(routing **out, argand_comm *comm, argand_device *device, int64_t given,
                             const int32_t *to);
void routing_destroy(routing *r); /* NULL is allowed */

/* One vector of values from the caller's order to that of the ranks, or back. bytes: of a value, 8 or 16 */
void routing_pack(const routing *r, void *packed, const void *values, size_t bytes, int threads);
void routing_unpack(const routing *r, void *values, const void *packed, size_t bytes, int threads);
/* The same of vectors of complex numbers on the device, if routing.on_device is there */
argand_status routing_permute(const routing *r, argand_array *to, const argand_array *from, bool back);
/* Exchange, by this communicator, packed values {given, vectors} for values {held, vectors} on the ranks that
 * keep the points. */
argand_status routing_send(const routing *r, argand_comm *comm, void *held, const void *packed, size_t bytes,
                           int64_t vectors);
argand_status routing_return(const routing *r, argand_comm *comm, void *packed, const void *held,
                             size_t bytes, int64_t vectors);

#endif
