/* SPDX-License-Identifier: BSD-3-Clause */
/* The variants that MEASURE compares, and what it changes of the fastest one. */
#ifndef FFT_GPU_TUNING_CANDIDATES_H
#define FFT_GPU_TUNING_CANDIDATES_H

#include "fft/gpu/tuning/tuning.h"

/* Which transforms a candidate can make a difference for. */
typedef enum candidate_scope {
    FOR_ALL,
    FOR_CONVOLUTIONS, /* lengths without radices */
    FOR_PLANES,       /* two axes that no cluster holds, or three */
    FOR_VOLUMES,      /* three axes */
    FOR_CLUSTERS,     /* what a cluster does */
    FOR_ANY_CLUSTER   /* what one does, or could */
} candidate_scope;

/* Candidate i; false: there are no more. Of a list that somebody gave (ARGAND_FFT_TUNING) all are compared.
 */
bool candidate_text(int i, char *variant, size_t size);
candidate_scope candidate_scope_of(int i);
int candidate_convolution(int i); /* only for lengths that a convolution of so many points might do; 0: any */
/* One choice that may be changed of any variant; NULL: there are no more. */
const char *candidate_change(int i);

#endif
