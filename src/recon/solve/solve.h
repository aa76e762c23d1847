/* SPDX-License-Identifier: BSD-3-Clause */
/* The image from samples and model: of a volume, of bands, of sets of coil maps, of repetitions together. */
#ifndef RECON_SOLVE_H
#define RECON_SOLVE_H

#include "recon/session/session.h"

/* x = the volume's band; all bands are solved with the first that is asked for. */
argand_status bands_run(argand_sense *s, const recon_volume *v, argand_array *x, argand_monitor monitor,
                        void *context);
argand_status sets_solve(argand_sense *s, const recon_samples *data, argand_array *x, argand_monitor monitor,
                         void *context);
/* A monitor that keeps the last residual on the way to the caller's; a note where that is too large for
 * noise. */
typedef struct recon_misfit {
    argand_monitor monitor;
    void *context;
    double residual;
} recon_misfit;
bool misfit_watch(void *context, const argand_progress *progress);
argand_status misfit_note(argand_sense *s, const recon_samples *data, const recon_misfit *m);
/* Samples, model and image of a volume (of all its bands). */
argand_status sense_solve(argand_sense *s, const recon_volume *v, argand_array *x, argand_monitor monitor,
                          void *context);
/* What a solver gets. */
typedef struct recon_problem {
    const argand_op *op;
    const argand_array *y, *weights; /* weights NULL: 1 */
    argand_op *constraint;           /* of partial Fourier; NULL: none */
    argand_op *normal;               /* A^H W A; NULL: by op */
    argand_op *preconditioner;       /* NULL: none */
    const argand_array *spectrum;    /* of solve.h; NULL: none */
    double diagonal;                 /* mean of A^H W A's diagonal */
} recon_problem;
argand_status solve_problem(argand_sense *s, const recon_problem *p, argand_array *x, argand_monitor monitor,
                            void *context);
/* The temporal basis and whether repetitions can be solved together. */
argand_status joint_find(argand_sense *s, const argand_sense_options *given);
argand_status basis_take(argand_sense *s, const char *what, const argand_array *found);
argand_status joint_run(argand_sense *s, const recon_volume *v, argand_array *x, argand_monitor monitor,
                        void *context);
void joint_forget(argand_sense *s);
argand_status solve_volume(argand_sense *s, const recon_samples *data, argand_array *x,
                           argand_monitor monitor, void *context);

#endif
