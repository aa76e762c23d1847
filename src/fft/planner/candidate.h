/* SPDX-License-Identifier: BSD-3-Clause */
/* The candidates for a problem: each engine with each of its variants, the reason against it, and its
 * time. */
#ifndef FFT_PLANNER_CANDIDATE_H
#define FFT_PLANNER_CANDIDATE_H

#include "fft/engine/engine.h"

enum { FFT_MOST_CANDIDATES = 96 };

typedef struct fft_candidate {
    const fft_engine *engine;
    char variant[FFT_VARIANT_CHARS];
    bool possible, low_priority;
    bool is_alike; /* predicted is its engine's first variant's: the model cannot tell it from that one */
    /* seconds, for real transforms forward and inverse together; 0: unknown */
    double predicted, measured;
    double measured_inverse; /* the inverse's part of it */
    void *state;             /* made for measuring, and kept while it may still be chosen */
    argand_status failure;   /* status of making it */
    char reason[192];
} fft_candidate;

typedef struct fft_candidates {
    int count, taken;  /* taken: index of the chosen candidate; -1 before the choice */
    int taken_inverse; /* the same for the inverse of a real plan; other plans have one candidate */
    fft_candidate *list;
} fft_candidates;

/* Appends the candidates of all engines on that device, with predictions; at least one entry for each
 * engine. */
argand_status candidates_add(fft_candidates *all, const fft_problem *problem, argand_device *device);
/* Appends the candidates of a plan with accessors: the device's engines in the order of preference, each
 * with its first variant. */
argand_status candidates_add_access(fft_candidates *all, const fft_problem *problem, argand_device *device);
/* Appends an engine's other variants. */
void candidates_add_variants(fft_candidates *all, const fft_engine *engine, const fft_problem *problem,
                             argand_device *device);
void candidates_release(fft_candidates *all);

/* Lists the passes of a variant, each with its predicted time, including copies by plan.c; the list is
 * empty if the engine does not report its passes. */
void candidate_passes(fft_passes *list, const fft_engine *engine, const char *variant,
                      const fft_problem *problem, argand_device *device, argand_direction direction);

/* Makes the engine's state. */
argand_status candidate_create(void **state, const fft_candidate *c, const fft_problem *problem,
                               argand_device *device);

/* Results of the first candidate that was measured, with which the others are compared. */
typedef struct fft_reference {
    argand_array *result[2]; /* forward and inverse; NULL: none yet, or only the norms are compared */
    double norm[2];          /* 0: none yet */
    const char *engine[2];   /* engine that computed them */
    char variant[2][FFT_VARIANT_CHARS];
} fft_reference;
void reference_release(fft_reference *r);

/* measure.c: measures the seconds of one call in each direction, as medians of several calls on random
 * values. Complex transforms, and plans with accessors, are measured forward only: the other value is 0.
 * Sets *differs if the results differ from the reference, and explains it in the candidate. */
argand_status candidate_measure(double seconds[2], bool *differs, fft_reference *r, fft_candidate *c,
                                const void *state, const fft_problem *problem, argand_device *device);

void candidate_explain(fft_candidate *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
