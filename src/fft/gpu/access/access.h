/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the passes of a problem with accessors. */
#ifndef FFT_GPU_ACCESS_ACCESS_H
#define FFT_GPU_ACCESS_ACCESS_H

#include "fft/engine/engine.h"
#include "fft/gpu/codegen/program.h"

/* program.c: plans a problem with accessors. No accessor needs a pass of its own. */
typedef struct access_plan {
    const fft_problem *problem;
    bool swapped; /* complex to real: the layouts of input and output are exchanged */
    /* pairs of reals may be one access, because arrays start at even positions */
    bool adjacent;
    /* properties of the arrays of the load, spectrum and store chains, as in pass_access */
    unsigned reals[3];
    unsigned folded[3];     /* bits: scalars of these chains that are merged into the factor */
    bool factor;            /* the factor is complex */
    const char *const *own; /* kernel text of each set of user chains (bits), by name */
    int part;               /* the coordinate along which calls are done in parts; -1: none */
} access_plan;
argand_status program_access(pass_program *p, const access_plan *a, const fft_geometry *g,
                             const block_limits *l, bool dry);
/* factor.c: factor_find sets `folded`; factor_is_any returns true if a scalar is merged. factor_planned
 * and factor_of return the product of these scalars, as planned and in a call. */
void factor_find(access_plan *a);
bool factor_is_any(const access_plan *a);
argand_scalar factor_planned(const access_plan *a);
argand_scalar factor_of(const unsigned folded[3], const access_call *call);

/* variant.c: the tuning that wisdom has for these accessors, whatever user functions they call; false: none.
 * The tuning of the plain transform, by wisdom or estimate. */
bool access_variant_known(char variant_text[FFT_VARIANT_CHARS], const fft_problem *p, argand_device *device);
void access_variant_plain(char variant_text[FFT_VARIANT_CHARS], const fft_problem *p, argand_device *device);

#endif
