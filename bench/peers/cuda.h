/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream and memory of our own on a CUDA device, so that another library may work on the same data
 * and be timed by the same events. */
#ifndef CLI_CUDA_PEER_H
#define CLI_CUDA_PEER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cuda_peer cuda_peer;

/* Of "cuda:1" it is 1, of any other name that led to a CUDA device 0; NULL is the default's name. */
int cuda_peer_index(const char *name);

/* NULL where the driver is not there, and then says why. */
cuda_peer *cuda_peer_open(int index, char *why, size_t size);
void *cuda_peer_stream(const cuda_peer *c);
void *cuda_peer_allocate(cuda_peer *c, size_t bytes); /* NULL where there is not as much */
void cuda_peer_free(cuda_peer *c, void *memory);
size_t cuda_peer_free_bytes(const cuda_peer *c); /* bytes that are free */
void cuda_peer_close(cuda_peer *c);              /* NULL is allowed */

#endif
