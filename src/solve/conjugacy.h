/* SPDX-License-Identifier: BSD-3-Clause */
/* The gradients of CG are orthogonal, without rounding. With it they are so only until the first large
 * singular values have converged (Paige, J. Inst. Math. Appl. 18:341, 1976): from there on rounding brings
 * back what was solved already, and iterates depend on the order of sums. Here each gradient loses what it
 * has in common with those before it. */
#ifndef SOLVE_CONJUGACY_H
#define SOLVE_CONJUGACY_H

#include <argand/solve.h>
#include "array/basis.h"
#include "base/status.h"

/* Space for as many gradients of the operator's domain as `options` and memory allow (solve.h). */
argand_status conjugacy_make(basis *b, const argand_op *op, const argand_cg_options *options);
/* s -= sum_j v_j <v_j, M s>; z (NULL without a preconditioner M) becomes M s where there is something to
 * subtract. */
argand_status conjugacy_restore(basis *b, const argand_op *preconditioner, argand_array *s, argand_array *z);

#endif
