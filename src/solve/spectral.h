/* SPDX-License-Identifier: BSD-3-Clause */
/* The inverse of C + a + b L as an operator, C a circulant matrix near A^H W A and L the periodic Laplacian:
 * what preconditions the image update of a splitting, whose weights a (of the identity) and b (of first
 * differences) change. */
#ifndef SOLVE_SPECTRAL_H
#define SOLVE_SPECTRAL_H

#include <argand/op.h>
#include "base/status.h"

/* eigenvalues: C's, real, of the first `space` axes of the image, on any device; axes behind them are
 * images of their own. a = b = 0 at first. */
argand_status spectral_make(argand_op **op, const argand_op *of, int space, const argand_array *eigenvalues);
argand_status spectral_set(argand_op *op, double identity, double laplacian);

#endif
