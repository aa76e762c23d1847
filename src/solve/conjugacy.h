/* SPDX-License-Identifier: BSD-3-Clause */
/* In exact arithmetic the gradients of CG are orthogonal. Rounding destroys this when the first large
 * singular values have converged (Paige, J. Inst. Math. Appl. 18:341, 1976): errors along them come back,
 * and iterates depend on the order of sums. So each gradient is made orthogonal to the earlier ones. */
#ifndef SOLVE_CONJUGACY_H
#define SOLVE_CONJUGACY_H

#include <argand/solve.h>
#include "array/basis.h"
#include "base/status.h"

/* Allocates as many gradients of the operator's domain as `options` and memory allow (solve.h). */
argand_status conjugacy_make(basis *b, const argand_op *op, const argand_cg_options *options);
/* s -= sum_j v_j <v_j, M s>. z is NULL without a preconditioner M; otherwise, if any gradient is kept, z
 * becomes M s of the s before. */
argand_status conjugacy_restore(basis *b, const argand_op *preconditioner, argand_array *s, argand_array *z);

#endif
