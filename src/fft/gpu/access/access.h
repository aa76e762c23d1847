/* SPDX-License-Identifier: BSD-3-Clause */
/* The passes of a problem with accessors. */
#ifndef FFT_GPU_ACCESS_ACCESS_H
#define FFT_GPU_ACCESS_ACCESS_H

#include "fft/engine/engine.h"
#include "fft/gpu/codegen/program.h"

/* program.c: the passes of a problem with accessors, none of which needs a pass of its own. */
typedef struct access_plan {
    const fft_problem *problem;
    bool swapped;           /* complex to real: what is the input's layout is the output's */
    bool adjacent;          /* pairs of reals may be one access, as arrays begin at even places */
    unsigned reals[3];      /* of the chains at load, spectrum and store, as in pass_access */
    unsigned folded[3];     /* scalars of these that are factors of the results: bits */
    bool factor;            /* which are complex */
    const char *const *own; /* texts of the user's own of each set of chains (bits), by name */
    int part;               /* the coordinate along which calls are done in parts; -1: none */
} access_plan;
argand_status program_access(pass_program *p, const access_plan *a, const fft_geometry *g,
                             const block_limits *l, bool dry);
/* factor.c: sets `folded`; whether there are such; their product as planned, and in a call. */
void factor_find(access_plan *a);
bool factor_is_any(const access_plan *a);
argand_scalar factor_planned(const access_plan *a);
argand_scalar factor_of(const unsigned folded[3], const access_call *call);

#endif
