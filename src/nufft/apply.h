/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps that all calls on arrays share: checks, and groups of vectors. */
#ifndef NUFFT_APPLY_H
#define NUFFT_APPLY_H

#include "nufft/on_host.h"

/* One group of vectors: job has the image or the grid, samples the rest. */
typedef void group_function(const argand_nufft *, workspace *, const pass_job *, const sample_view *);

/* A transform between samples and what lies on a grid: the image, or the oversampled grid itself. */
typedef struct transform {
    const char *gridded;  /* "image", "grid" */
    const int64_t *sizes; /* of its axes */
    bool adjoint;         /* from samples */
    group_function *group;
    bool window_alone; /* no FFT and no correction: the grid itself */
} transform;

argand_status transform_check(const argand_nufft *plan, const transform *t, const argand_array *samples,
                              const argand_array *gridded);
/* out and in are samples and what lies on a grid, or the other way round. */
argand_status transform_run(const argand_nufft *plan, const transform *t, argand_array *out,
                            const argand_array *in);

#endif
