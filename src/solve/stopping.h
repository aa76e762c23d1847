/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends CG when later iterations would add more noise than signal, by generalised cross-validation (Golub,
 * Heath, Wahba, Technometrics 21:215, 1979): the best iterate has the least |W^1/2 (y - A x_k)|^2 / (sum W -
 * trace of W times the map from y to A x_k)^2. The trace comes from a quadrature (noise.c), so no noise level
 * need be known, and no number has a unit.
 *
 * That function judges the data, not the image. In strong noise it is least at the first iterate of an
 * undersampled scan, which is all aliasing. So the best iterate must also have converged: the energy that
 * later iterations change in it, minus the noise that they add, is the aliasing or blur that it still has,
 * and must be small compared with its own noise. CG's scalars give both: x_K - x_k is a sum of steps along
 * directions whose products are known (Hestenes and Stiefel, J. Res. NBS 49:409, 1952, theorem 6:1). */
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
/* Replaces the last image by the best one if noise ended the iterations, and sets the outcome's noise. */
argand_status stopping_end(const stopping *s, argand_array *x, argand_outcome *outcome);

#endif
