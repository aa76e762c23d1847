/* SPDX-License-Identifier: BSD-3-Clause */
/* SPIRiT step by step: kernels of all coils from the calibration region (kernels.c) -> their matrices at
 * the pixels of an image, and the operator (spirit.c). */
#ifndef CALIB_SPIRIT_H
#define CALIB_SPIRIT_H

#include <argand/calib.h>
#include "calib/patches.h"

/* The kernels of G - I: the sample of a coil at k, predicted by those at k + tap in all coils, less the
 * sample itself. */
typedef struct spirit_kernels {
    int64_t coils, region[3], size[3], taps, equations;
    double *weights; /* complex {taps, source, target}, conjugated */
} spirit_kernels;

/* Computes the kernels of calibration data, complex {region..., coils}. */
argand_status spirit_learn(spirit_kernels *k, const double *data, double regularization, int threads);

#endif
