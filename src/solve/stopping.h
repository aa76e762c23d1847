/* SPDX-License-Identifier: BSD-3-Clause */
/* When CG has taken out of the data what is more signal than noise, by generalised cross-validation (Golub,
 * Heath, Wahba, Technometrics 21:215, 1979): the iterate with the least |W^1/2 (y - A x_k)|^2 / (sum W -
 * trace of W times what maps y to A x_k)^2 . The trace comes from a quadrature (noise.c), so no noise level
 * need be known; no number in it has a unit. */
#ifndef SOLVE_STOPPING_H
#define SOLVE_STOPPING_H

#include <argand/solve.h>
#include "base/status.h"

typedef struct stopping {
    const argand_noise_spectrum *noise;                                 /* NULL: nothing is judged */
    double residual[ARGAND_NOISE_NODES], direction[ARGAND_NOISE_NODES]; /* CG's polynomials at the nodes */
    double filter[ARGAND_NOISE_NODES];                                  /* P_k */
    double least;                                                       /* of the function above */
    double floor; /* an energy of residuals below this is rounding */
    int iteration;
    argand_outcome best; /* the iterate of it */
    argand_array *image; /* a copy of that */
} stopping;

/* energy: |W^1/2 y|^2; exact: the part of it to which energies are right. */
argand_status stopping_make(stopping *s, const argand_noise_spectrum *noise, const argand_array *x);
void stopping_begin(stopping *s, double energy, double exact);
void stopping_release(stopping *s);
/* After each iteration: its step length, the ratio of the gradients' energies after and before it, the data's
 * energy, the image. *over: the best iterate was some iterations ago. */
argand_status stopping_look(stopping *s, double alpha, double beta, double energy, const argand_array *x,
                            bool *over);
/* In the end: the best image instead of the last, where iterations ended because of noise; what there is to
 * tell of noise. */
argand_status stopping_end(const stopping *s, argand_array *x, argand_outcome *outcome);

#endif
