/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_DIST_NUFFT_H
#define BENCH_DIST_NUFFT_H

#include "common/report.h"

enum { DIST_NUFFT_REPEATS = 1000 };

typedef struct dist_nufft_settings {
    const common_options *common;
    int rank, repeat, vectors;
    int64_t n[3];
    argand_type type;
    int points; /* of all ranks, in thousands; 0: as many as pixels */
    double tolerance;
} dist_nufft_settings;

/* Times set-points, both types and the Toeplitz operator on the ranks of comm. Rank 0 prints. */
argand_status dist_nufft_bench(const dist_nufft_settings *s, argand_comm *comm, argand_device *device,
                               report *out);

#endif
