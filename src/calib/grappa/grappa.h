/* SPDX-License-Identifier: BSD-3-Clause */
/* GRAPPA step by step: the mask of acquired samples and their distances (mask.c) -> patterns of acquired
 * neighbours (patterns.c) -> the Gram matrix of the calibration region and weights of patterns (weights.c)
 * -> missing samples (fill.c, steps.c). */
#ifndef CALIB_GRAPPA_H
#define CALIB_GRAPPA_H

#include <argand/calib.h>
#include "calib/patches.h"

/* Acquired samples. */
typedef struct grappa_mask {
    int64_t n[3];
    unsigned char *there; /* 1: acquired */
    bool lines;           /* samples of a line are acquired together */
    int64_t gap[3];       /* distance of acquired samples along each axis, at most GRAPPA_MOST_GAP */
} grappa_mask;
enum { GRAPPA_MOST_GAP = 8, GRAPPA_MOST_TAPS = 2047 };
argand_status grappa_mask_find(grappa_mask *mask, const argand_array *kspace, const int64_t n[3],
                               int64_t coils);

/* Different sets of acquired neighbours in a window of 2 half + 1 samples along each axis. */
typedef struct grappa_patterns {
    int64_t half[3], taps; /* taps: positions in the window */
    int64_t count, capacity, most;
    unsigned char *bits; /* {taps} of each pattern: 1 for a source */
    int64_t *sources;    /* positions that are sources, of each pattern */
    int32_t *of;         /* pattern of each position of k-space, -1: acquired, or stays 0 */
    int64_t missing, filled;
} grappa_patterns;
argand_status grappa_patterns_find(grappa_patterns *p, const grappa_mask *mask, const int64_t half[3]);
void grappa_patterns_free(grappa_patterns *p);

struct argand_grappa {
    int64_t coils, region[3], equations;
    grappa_mask mask;
    grappa_patterns patterns;
    hermitian_planes gram; /* of all patches, {taps coils}^2 */
    double regularization;
    double *covariance; /* complex {coils, coils}, mean diagonal 1; NULL: the unit matrix */
    int threads;
    /* Weights of patterns first ... first + count - 1, float planes {coils, sources, 2}: target fastest,
     * then re and im, then source (coil fastest, then tap). */
    int64_t first, count;
    float **weights;
};

/* Computes the weights of patterns from `first` on: as many as a batch holds. */
argand_status grappa_weights_make(argand_grappa *g, int64_t first);
void grappa_weights_free(argand_grappa *g);
/* Computes the weights of a pattern, its bits {taps} and their number; the caller frees them. */
argand_status grappa_weights_of(const argand_grappa *g, const unsigned char *bits, int64_t sources,
                                float **weights);
/* Computes the Gram matrix of calibration data, double complex {region..., coils}, the region with `half`
 * zeros at either end of y and z. */
argand_status grappa_gram_make(argand_grappa *g, const double *data);

enum { GRAPPA_BLOCK = 32 };
/* Sums of products for a block of positions: out[target][2][BLOCK] = sum over sources of weights[source][2]
 * [target] in[source][2][BLOCK]. */
CPU_DECLARE(void, grappa_block, float *out, const float *weights, const float *in, int64_t targets,
            int64_t sources);

#endif
