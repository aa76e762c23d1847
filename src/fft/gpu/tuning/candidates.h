/* SPDX-License-Identifier: BSD-3-Clause */
/* The variants that MEASURE compares, and the changes that it tries on the fastest one. */
#ifndef FFT_GPU_TUNING_CANDIDATES_H
#define FFT_GPU_TUNING_CANDIDATES_H

#include "fft/gpu/tuning/tuning.h"

/* Transforms for which a candidate can make a difference. */
typedef enum candidate_scope {
    FOR_ALL,
    FOR_CONVOLUTIONS, /* lengths without radices */
    FOR_PLANES,       /* two axes that no cluster holds, or three */
    FOR_VOLUMES,      /* three axes */
    FOR_CLUSTERS,     /* transforms that use a cluster */
    FOR_ANY_CLUSTER   /* transforms that use a cluster, or could */
} candidate_scope;

/* Writes candidate i; returns false if there is none. All variants of a list given by the user
 * (ARGAND_FFT_TUNING) are compared. */
bool candidate_text(int i, char *variant, size_t size);
candidate_scope candidate_scope_of(int i);
/* for lengths that a convolution of that many points might serve; 0: any */
int candidate_convolution(int i);
/* Returns change i that may be applied to any variant; NULL: there are no more. */
const char *candidate_change(int i);

#endif
