/* SPDX-License-Identifier: BSD-3-Clause */
/* An orthonormal set of arrays of one shape that remains on the device, for iterations that must not lose the
 * orthogonality which they have without rounding. */
#ifndef ARRAY_BASIS_H
#define ARRAY_BASIS_H

#include "array/scalars.h"

typedef struct basis {
    argand_array *vectors; /* {elements, capacity}; NULL without any */
    argand_array *sums;    /* on the device: real and imaginary parts of the last inner products */
    int count, capacity;
    bool reals; /* inner products are real parts: of spaces over the real numbers */
} basis;

/* Space for so many vectors of so many elements; 0 is allowed, and then the others do nothing. */
argand_status basis_make(basis *b, argand_device *device, argand_type type, int64_t elements, int capacity,
                         bool reals);
void basis_release(basis *b);
/* One more, x / sqrt(numbers[at]), while there is space. x is contiguous here and below. */
argand_status basis_keep(basis *b, const argand_array *x, const argand_array *numbers, int at);
/* sums_j = <v_j, x> for all of them, in one launch and one that adds; the same bits whenever it is repeated.
 */
argand_status basis_dot(basis *b, const argand_array *x);
/* x -= sum_j sums_j v_j, in one launch. */
argand_status basis_subtract(const basis *b, argand_array *x);

#endif
