/* SPDX-License-Identifier: BSD-3-Clause */
/* When CG has taken out of the data what is more signal than noise, by generalised cross-validation (Golub,
 * Heath, Wahba, Technometrics 21:215, 1979): the iterate with the least |W^1/2 (y - A x_k)|^2 / (sum W -
 * trace of W times what maps y to A x_k)^2 . The trace comes from a quadrature (noise.c), so no noise level
 * need be known; no number in it has a unit.
 *
 * That function judges the data, not the image. In strong noise it is least at the first iterate of an
 * undersampled scan, which is all aliasing. So an iterate must also have come to rest: what later iterations
 * change in it, less the noise that they bring, is aliasing or blur that it still has. That must be small
 * compared with its own noise. Both follow from CG's numbers: x_K - x_k is a sum of steps along directions
 * whose products are known (Hestenes and Stiefel, J. Res. NBS 49:409, 1952, theorem 6:1). */
#ifndef SOLVE_STOPPING_H
#define SOLVE_STOPPING_H

#include <argand/solve.h>
#include "base/status.h"

/* Returns the distance of the current iterate from an earlier one. */
typedef struct stopping_path {
    double square; /* |x_K - x_k|^2 */
    double lean;   /* <x_K - x_k, p>, p: the next direction */
} stopping_path;

/* An iterate that may be the best. */
typedef struct stopping_candidate {
    argand_outcome outcome;            /* iteration 0: there is none */
    double value;                      /* of the function above */
    double norm;                       /* |x_k|^2 */
    double filter[ARGAND_NOISE_NODES]; /* P_k, bounded */
    stopping_path since;
} stopping_candidate;

typedef struct stopping {
    const argand_noise_spectrum *noise;                                 /* NULL: nothing is judged */
    double residual[ARGAND_NOISE_NODES], direction[ARGAND_NOISE_NODES]; /* CG's polynomials at the nodes */
    double filter[ARGAND_NOISE_NODES];                                  /* P_k */
    double length;                                                      /* |p|^2 */
    double gradient;                                                    /* |gradient|^2 */
    double floor; /* an energy of residuals below this is rounding */
    int iteration;
    stopping_path walked; /* from x = 0 */
    stopping_candidate best;
    argand_array *image; /* a copy of the best iterate */
} stopping;

/* energy: |W^1/2 y|^2; exact: the part of it to which energies are right; gradient: |A^H W y|^2. */
argand_status stopping_make(stopping *s, const argand_noise_spectrum *noise, const argand_array *x);
void stopping_begin(stopping *s, double energy, double exact, double gradient);
void stopping_release(stopping *s);
/* After each iteration: its step length, the ratio of the gradients' energies after and before it, the data's
 * energy, the image. *over: the best iterate was some iterations ago, and has come to rest. */
argand_status stopping_look(stopping *s, double alpha, double beta, double energy, const argand_array *x,
                            bool *over);
/* In the end: the best image instead of the last, where iterations ended because of noise; what there is to
 * tell of noise. */
argand_status stopping_end(const stopping *s, argand_array *x, argand_outcome *outcome);

#endif
