/* SPDX-License-Identifier: BSD-3-Clause */
/* cuFINUFFT as the peer of `argand bench nufft` on CUDA devices. Its library is opened at run time and
 * works on the same arrays and in the same stream. */
#ifndef CLI_CUFINUFFT_PEER_H
#define CLI_CUFINUFFT_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cufinufft_peer cufinufft_peer;

typedef struct cufinufft_job {
    int rank;
    const int64_t *n;
    int64_t points, vectors;
    double tolerance;
    bool is_double;
    int device;       /* index of the device */
    void *stream;     /* a CUstream */
    void *k[3];       /* device memory: radians per pixel */
    void *samples[2]; /* written by type 2, read by type 1 */
    void *image[2];   /* read by type 2, written by type 1 */
} cufinufft_job;

/* Values of cuFINUFFT's gpu_method, with the names of its documentation. */
enum { CUFINUFFT_GM = 1, CUFINUFFT_SM, CUFINUFFT_OD, CUFINUFFT_GATHER, CUFINUFFT_METHODS };
extern const char *const cufinufft_method_names[CUFINUFFT_METHODS];
bool cufinufft_serves(int rank, int type, int method);

/* Returns NULL if there is no such library; `why` then holds the reason. */
cufinufft_peer *cufinufft_peer_open(char *why, size_t size);
void cufinufft_peer_close(cufinufft_peer *p); /* NULL is allowed */

/* Returns false if the method cannot do the problem. There is one plan at a time: a new one replaces the
 * old one. */
bool cufinufft_peer_plan(cufinufft_peer *p, const cufinufft_job *job, int type, int method);
bool cufinufft_peer_set_points(cufinufft_peer *p);
bool cufinufft_peer_execute(cufinufft_peer *p);

#endif
