/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares coil maps by how well they explain the samples: a few iterations with each, judged by the
 * residual and by how much of the noise the image follows. */
#ifndef RECON_TRIAL_H
#define RECON_TRIAL_H

#include "recon/calibrate/calibrate.h"

enum { TRIAL_SHELLS = 8, TRIAL_SAMPLES = 200 };

/* Data shared by the trials of a volume. */
typedef struct recon_trial {
    const argand_sense *s;
    const recon_samples *data;
    argand_op *transform;
    int iterations;
    argand_array *each, *weights; /* density weights {samples}; the same as {samples, coils} */
    argand_array *noise;          /* {samples, coils}, E |n|^2 = 1 */
    double added;                 /* amplitude of the added noise */
    unsigned char *shell;         /* shell of k-space of each sample */
    double *w, *y, *n;            /* weights, samples and noise on the host */
} recon_trial;

/* The result of a trial. Sums are over samples and coils, r = y - A x. */
typedef struct recon_verdict {
    double left;                      /* |W^1/2 r| / |W^1/2 y| */
    double rest, weighted_rest, all;  /* sums of |r|^2, w |r|^2, w |y|^2 */
    double *image, *predicted;        /* complex {grid}, {samples, coils}: x, A x */
    double follows, weighted_follows; /* traces of the matrix H from y to A x, and of W H */
    double variance;                  /* variance of a sample's noise, from shells that the maps explain */
    /* Sum of |r|^2, and number of samples, per shell of k-space. */
    double shell_rest[TRIAL_SHELLS], shell_count[TRIAL_SHELLS];
    double *moved; /* complex {grid}: change of the image by noise of variance 1 */
} recon_verdict;

/* Prepares trials with the first transform. */
argand_status trial_open(recon_trial *t, const argand_sense *s, const recon_source *from, int iterations);
void trial_close(recon_trial *t);
argand_status trial_run(const recon_trial *t, const argand_array *maps, recon_verdict *v);
/* Repeats the run with noise added, and fills in the members from `follows` on. */
argand_status trial_noise(const recon_trial *t, const argand_array *maps, recon_verdict *v);
void verdict_free(recon_verdict *v);
/* Returns an unbiased estimate, up to a constant, of E |W^1/2 (A x - A x_true)|^2 (Mallows 1973; Stein
 * 1981). */
double verdict_risk(const recon_verdict *v, double variance);

/* Returns the part of |W^1/2 y|^2 in the residual that is not white, unlike noise; 0 if all of the
 * residual is white. */
double verdict_excess(const recon_trial *t, const recon_verdict *v);

#endif
