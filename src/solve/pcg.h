/* SPDX-License-Identifier: BSD-3-Clause */
/* Conjugate gradients on H x = b, H the Hessian of a smooth part, step by step; nothing comes to the host. */
#ifndef SOLVE_PCG_H
#define SOLVE_PCG_H

#include "array/basis.h"
#include "solve/smooth.h"

/* Counted from `at`. Behind each gamma is space for the inner products of scalars_four_dots. */
enum { PCG_GAMMA, PCG_GAMMA_OTHER = 4, PCG_DELTA = 8, PCG_NUMBERS };

typedef struct pcg {
    smooth *smooth;
    const argand_op *preconditioner;
    argand_array *r; /* b - H x: to be set before pcg_begin, kept by recurrence */
    argand_array *p, *hp, *z;
    argand_array *numbers;
    int at, gamma; /* where its numbers begin; where <r, M r> is */
    /* If set, and without preconditioner: with <r, r> come Re <x, b>, Re <x, r>, <x, x> behind it. */
    const argand_array *x;
    basis
        gradients; /* r of the steps so far; without space for any (as pcg_make leaves it) r is as it comes */
} pcg;

argand_status pcg_make(pcg *c, smooth *s, const argand_op *preconditioner, argand_array *numbers, int at);
void pcg_release(pcg *c);
argand_status pcg_begin(pcg *c);
argand_status pcg_step(pcg *c, argand_array *x);
argand_status pcg_steps(pcg *c, argand_array *x, int steps); /* begin, then so many */

#endif
