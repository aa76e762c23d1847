/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TOEPLITZ_CIRCULANT_H
#define TOEPLITZ_CIRCULANT_H

#include "toeplitz/plan.h"

/* Computes the eigenvalues of the circulant matrix nearest to sum_c conj(S_c) T S_c: real {n...} in FFT
 * order, on the host's device. maps: contiguous {n..., coils}; NULL: one coil that is 1. */
argand_status toeplitz_circulant(argand_array **out, const argand_toeplitz *t, const argand_array *maps);

#endif
