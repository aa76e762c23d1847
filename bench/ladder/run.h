/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a run. */
#ifndef BENCH_LADDER_RUN_H
#define BENCH_LADDER_RUN_H

#include "array/array.h"
#include "ladder.h"

struct ladder_run {
    argand_device *device;
    ladder_case c;
    bool is_cuda, has_kernels;
    float *host; /* input on the host */
    argand_array *in, *work[2], *table;
    argand_array *result; /* result of the last run: one of work */
    double *reference;    /* checked results in double: index, re, im of each */
    int references;
    argand_timer *timer;
    argand_fft *plan;
    ladder_peer peer;
};

/* Computes the relative l2 error of `checked` results against sums in double. scrambled: each row is in
 * bit-reversed order. */
argand_status ladder_error(ladder_run *run, bool scrambled, int checked, double *error);

#endif
