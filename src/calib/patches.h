/* SPDX-License-Identifier: BSD-3-Clause */
/* All patches of a calibration region, as ESPIRiT and GRAPPA learn from them. */
#ifndef CALIB_PATCHES_H
#define CALIB_PATCHES_H

#include "calib/calib.h"
#include "calib/hermitian.h"

typedef struct patch_set {
    int64_t coils, region[3], kernel[3]; /* kernel: size of a patch */
    const double *data;                  /* complex {region..., coils} */
    int threads;
} patch_set;

int64_t patches_count(const patch_set *set);
/* Returns true if a patch has no more elements (of all coils) than there are patches. */
bool patches_by_taps(const patch_set *set);
/* Computes a Gram matrix as planes. by_taps: {taps coils}^2, x_c(r + p) conj(x_d(r + q)) summed over patches
 * r; row and column are p + taps c. Otherwise {patches}^2, x_c(r + p) conj(x_c(s + p)) summed over c, p. */
argand_status patches_gram(const patch_set *set, bool by_taps, hermitian_planes gram);

#endif
