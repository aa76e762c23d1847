/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream and memory on a CUDA device for Argand and another library. Both then work on the same data and
 * are timed by the same events. */
#ifndef CLI_CUDA_PEER_H
#define CLI_CUDA_PEER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cuda_peer cuda_peer;

/* Returns 1 for "cuda:1", and 0 for any other name of a CUDA device. NULL is the default's name. */
int cuda_peer_index(const char *name);

/* Returns NULL if there is no driver; `why` then holds the reason. */
cuda_peer *cuda_peer_open(int index, char *why, size_t size);
void *cuda_peer_stream(const cuda_peer *c);
void *cuda_peer_allocate(cuda_peer *c, size_t bytes); /* NULL: not enough memory */
void cuda_peer_free(cuda_peer *c, void *memory);
size_t cuda_peer_free_bytes(const cuda_peer *c); /* free bytes */
void cuda_peer_close(cuda_peer *c);              /* NULL is allowed */

#endif
