/* SPDX-License-Identifier: BSD-3-Clause */
/* The candidates for a problem: each engine with each of its variants, what speaks against it, and its
 * time. */
#ifndef FFT_PLANNER_CANDIDATE_H
#define FFT_PLANNER_CANDIDATE_H

#include "fft/engine/engine.h"

enum { FFT_MOST_CANDIDATES = 96 };

typedef struct fft_candidate {
    const fft_engine *engine;
    char variant[FFT_VARIANT_CHARS];
    bool possible, low_priority;
    double predicted, measured; /* seconds, of real transforms forward and inverse; 0: not known */
    double measured_inverse;    /* of these, the inverse's */
    void *state;                /* where it was made to be measured, and may yet be taken */
    argand_status failure;      /* of making it */
    char reason[192];
} fft_candidate;

typedef struct fft_candidates {
    int count, taken;  /* taken: -1 before the choice */
    int taken_inverse; /* for the inverse of a real plan; elsewhere the same one */
    fft_candidate *list;
} fft_candidates;

/* Appends what the engines can do on that device, with predictions; at least one entry for each engine. */
argand_status candidates_add(fft_candidates *all, const fft_problem *problem, argand_device *device);
/* Those of a plan with accessors: the device's engines in the order in which they are tried, each with its
 * first variant. */
argand_status candidates_add_access(fft_candidates *all, const fft_problem *problem, argand_device *device);
/* Appends an engine's other variants. */
void candidates_add_variants(fft_candidates *all, const fft_engine *engine, const fft_problem *problem,
                             argand_device *device);
void candidates_release(fft_candidates *all);

/* The passes of a variant, each with its predicted time, those of copies that plan.c makes included; none
 * where the engine does not report it. */
void candidate_passes(fft_passes *list, const fft_engine *engine, const char *variant,
                      const fft_problem *problem, argand_device *device, argand_direction direction);

/* Makes the engine's state. */
argand_status candidate_create(void **state, const fft_candidate *c, const fft_problem *problem,
                               argand_device *device);

/* What the candidates of a problem are compared with: the results of the first one that was measured. */
typedef struct fft_reference {
    argand_array *result[2]; /* forward and inverse; NULL: none yet, or only the norms are compared */
    double norm[2];          /* 0: none yet */
    const char *engine[2];   /* whose they are */
    char variant[2][FFT_VARIANT_CHARS];
} fft_reference;
void reference_release(fft_reference *r);

/* measure.c: seconds of one call in either direction (of complex transforms, and with accessors, forward
 * alone: the other one is 0), medians of several on random values; or that it differs from the reference,
 * which the candidate then says. */
argand_status candidate_measure(double seconds[2], bool *differs, fft_reference *r, fft_candidate *c,
                                const void *state, const fft_problem *problem, argand_device *device);

void candidate_explain(fft_candidate *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
