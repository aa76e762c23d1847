/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of exchanges: on the host, on a device that the communicator addresses, or through copies. */
#ifndef DIST_FFT_MEMORY_H
#define DIST_FFT_MEMORY_H

#include "array/array.h"
#include "dist/fft/move.h"

/* Copies in host memory of what a device sends and receives; empty where none are needed. */
typedef struct dist_memory {
    argand_device *device;
    void *sent, *received;
} dist_memory;

/* Returns true if exchanges of this device go through copies in host memory. */
bool dist_memory_copies(const argand_comm *comm, argand_device *device);
/* Makes the memory for exchanges of up to so many bytes at each end. */
argand_status dist_memory_make(dist_memory *memory, const argand_comm *comm, argand_device *device,
                               size_t sent_bytes, size_t received_bytes);
void dist_memory_free(dist_memory *memory);

/* Views `span` elements from the array's first on, whatever its shape, as plain memory; allocates nothing.
 * */
argand_array dist_view(const argand_array *array, argand_type type, int64_t span);
/* Starts and completes an exchange. The arrays are views, or NULL if this rank has an empty box. If `keeps`
 * is set, the exchange does not write all elements of `to`. Both return errors of the communication. Errors
 * of this rank alone go to *own, unless that has one already: the others wait for this rank's data, so that
 * the exchange goes on, and the ranks agree later. */
argand_status dist_memory_start(dist_memory *memory, dist_move *move, argand_comm *comm, argand_array *to,
                                const argand_array *from, bool keeps, argand_status *own);
argand_status dist_memory_finish(dist_memory *memory, dist_move *move, argand_comm *comm, argand_array *to,
                                 argand_status *own);

#endif
