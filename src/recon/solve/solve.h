/* SPDX-License-Identifier: BSD-3-Clause */
/* The image from samples and model: of a volume, of bands, of sets of coil maps, of joint repetitions. */
#ifndef RECON_SOLVE_H
#define RECON_SOLVE_H

#include "recon/session/session.h"

/* Computes the image of the volume's band; the first requested band solves for all bands. */
argand_status bands_run(argand_sense *s, const recon_volume *v, argand_array *x, argand_monitor monitor,
                        void *context);
/* Solves for the images of all coils by SPIRiT, and combines them. spirit.c */
argand_status spirit_solve(argand_sense *s, const recon_samples *data, argand_array *x,
                           argand_monitor monitor, void *context);
/* one_sided.c: completes the image by POCS or homodyne reconstruction if the options want it; refuses, before
 * anything is solved, scans whose images cannot be completed. */
argand_status one_sided_complete(argand_sense *s, argand_array *x);
argand_status one_sided_check(argand_sense *s);
/* Computes the root of the sum of squares of images {grid, coils}. */
argand_status sum_of_squares(const argand_sense *s, const argand_array *images, argand_array *x);
argand_status sets_solve(argand_sense *s, const recon_samples *data, argand_array *x, argand_monitor monitor,
                         void *context);
/* A monitor that stores the last residual and calls the caller's monitor; misfit_note adds a note if the
 * residual is too large for noise. */
typedef struct recon_misfit {
    argand_monitor monitor;
    void *context;
    double residual;
} recon_misfit;
bool misfit_watch(void *context, const argand_progress *progress);
argand_status misfit_note(argand_sense *s, const recon_samples *data, const recon_misfit *m);
/* Computes samples, model and image of a volume (of all its bands). */
argand_status sense_solve(argand_sense *s, const recon_volume *v, argand_array *x, argand_monitor monitor,
                          void *context);
/* Input of a solver. */
typedef struct recon_problem {
    const argand_op *op;
    const argand_array *y;
    argand_array *weights;        /* NULL: 1 */
    argand_op *constraint;        /* penalty of partial Fourier or SPIRiT; NULL: none */
    argand_op *normal;            /* A^H W A; NULL: use op */
    argand_op *preconditioner;    /* NULL: none */
    const argand_array *spectrum; /* as in solve.h; NULL: none */
    double diagonal;              /* mean diagonal of A^H W A */
} recon_problem;
/* Makes the problem of a volume from the session's model. Free it with problem_free. */
argand_status problem_of_model(const argand_sense *s, const recon_samples *data, recon_problem *p);
void problem_free(recon_problem *p);
/* Measures the noise spectrum that the volume uses, if the session does not have it. The session's model is
 * then that of any volume. noise.c */
argand_status noise_prepare(argand_sense *s, const recon_volume *v, const recon_samples *data);
/* Sets *noise to the spectrum; NULL: noise does not end the iterations. */
argand_status noise_find(argand_sense *s, const recon_problem *p, const argand_noise_spectrum **noise);
/* Makes noise spectrum and model of a volume, unless all samples are 0. */
argand_status volume_prepare(argand_sense *s, const recon_volume *v);
argand_status solve_problem(argand_sense *s, const recon_problem *p, argand_array *x, argand_monitor monitor,
                            void *context);
/* Finds the temporal basis, and checks that repetitions can be solved together. */
argand_status joint_find(argand_sense *s, const argand_sense_options *given);
argand_status basis_take(argand_sense *s, const char *what, const argand_array *found);
argand_status joint_run(argand_sense *s, const recon_volume *v, argand_array *x, argand_monitor monitor,
                        void *context);
/* subspace.c: takes the basis and finds its times if the volumes are to be its coefficients; solves for
 * those of the volume's unit, into s->joint_images. */
argand_status subspace_find(argand_sense *s, const argand_sense_options *given);
argand_status subspace_solve(argand_sense *s, const recon_volume *v, argand_monitor monitor, void *context);
/* Estimates coil maps of the volume's unit from its strong times, unless the session has them. */
argand_status subspace_calibrate(argand_sense *s, const recon_volume *v);
/* Makes an array of images {grid, count}. */
argand_status images_new(const argand_sense *s, int64_t count, argand_array **images);
/* Spectra of images that are solved together: spectrum_new makes an array {grid, images} of zeros, with
 * the type and device of `like`; spectrum_add adds factor times `spectrum` to one image. */
argand_status spectrum_new(const argand_sense *s, const argand_array *like, int64_t images,
                           argand_array **all);
argand_status spectrum_add(argand_array *all, int64_t image, double factor, const argand_array *spectrum);
/* Reads the temporal basis of the options, if there is one. */
argand_status basis_find(argand_sense *s, const argand_sense_options *given);
/* Estimates the coil maps that the repetitions of a volume share, unless the session has them. */
argand_status joint_prepare(argand_sense *s, const recon_volume *v);
void joint_forget(argand_sense *s);
argand_status solve_volume(argand_sense *s, const recon_samples *data, argand_array *x,
                           argand_monitor monitor, void *context);

#endif
