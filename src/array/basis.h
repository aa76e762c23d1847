/* SPDX-License-Identifier: BSD-3-Clause */
/* An orthonormal set of arrays of one shape on the device, for iterations whose orthogonality rounding
 * errors would destroy. */
#ifndef ARRAY_BASIS_H
#define ARRAY_BASIS_H

#include "array/scalars.h"

typedef struct basis {
    argand_array *vectors; /* {elements, capacity}; NULL if the capacity is 0 */
    argand_array *sums;    /* real and imaginary parts of the last inner products, on the device */
    int count, capacity;
    bool reals; /* use real parts of inner products, for spaces over the reals */
} basis;

/* Allocates `capacity` vectors of `elements` elements. With a capacity of 0 the other functions do
 * nothing. */
argand_status basis_make(basis *b, argand_device *device, argand_type type, int64_t elements, int capacity,
                         bool reals);
void basis_release(basis *b);
/* Adds the vector x / sqrt(numbers[at]) if the capacity allows. x is contiguous, here and below. */
argand_status basis_keep(basis *b, const argand_array *x, const argand_array *numbers, int at);
/* Computes sums_j = <v_j, x> for all vectors, by two launches; reproducible bit for bit. */
argand_status basis_dot(basis *b, const argand_array *x);
/* Computes x -= sum_j sums_j v_j, by one launch. */
argand_status basis_subtract(const basis *b, argand_array *x);

#endif
