/* SPDX-License-Identifier: BSD-3-Clause */
/* FINUFFT as the peer of `argand bench nufft`, called through its Python package: unlike the C options,
 * Python's have the same layout in all versions. */
#ifndef CLI_FINUFFT_PEER_H
#define CLI_FINUFFT_PEER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct finufft_job {
    int rank;
    const int64_t *n;
    int64_t points, vectors;
    double tolerance;
    bool is_double, radial;
    int threads, repeat;
} finufft_job;

typedef struct finufft_result {
    char version[32];
    double seconds[2], error[2]; /* of type 2, type 1: execute alone, without planning and setting points */
    double points_seconds;
} finufft_result;

/* Returns false if python3, numpy or finufft is not installed, or if the run failed. */
bool finufft_measure(const finufft_job *job, finufft_result *result);

#endif
