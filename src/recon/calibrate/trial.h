/* SPDX-License-Identifier: BSD-3-Clause */
/* Which coil maps explain the samples best: a few iterations through each, judged by what is left over and by
 * how much of the noise the image follows. */
#ifndef RECON_TRIAL_H
#define RECON_TRIAL_H

#include "recon/calibrate/calibrate.h"

enum { TRIAL_SHELLS = 8, TRIAL_SAMPLES = 200 };

/* Shared by the trials of a volume. */
typedef struct recon_trial {
    const argand_sense *s;
    const recon_samples *data;
    argand_op *transform;
    int iterations;
    argand_array *each, *weights; /* density {samples}; the same {samples, coils} */
    argand_array *noise;          /* {samples, coils}, E |n|^2 = 1 */
    double added;                 /* factor of the noise that is added */
    unsigned char *shell;         /* of k-space, that a sample lies in */
    double *w, *y, *n;            /* weights, samples, noise on the host */
} recon_trial;

/* The result of a trial. Sums are over samples and coils, r = y - A x. */
typedef struct recon_verdict {
    double left;                      /* |W^1/2 r| / |W^1/2 y| */
    double rest, weighted_rest, all;  /* sums of |r|^2, w |r|^2, w |y|^2 */
    double *image, *predicted;        /* complex {grid}, {samples, coils}: x, A x */
    double follows, weighted_follows; /* traces of the matrix H from y to A x, and of W H */
    double variance;                  /* of a sample's noise, where the maps explain the samples */
    double shell_rest[TRIAL_SHELLS], shell_count[TRIAL_SHELLS]; /* |r|^2 over shells of k-space; samples */
    double *moved; /* complex {grid}: what noise of variance 1 adds to the image */
} recon_verdict;

/* By the first transform. */
argand_status trial_open(recon_trial *t, const argand_sense *s, const recon_source *from, int iterations);
void trial_close(recon_trial *t);
argand_status trial_run(const recon_trial *t, const argand_array *maps, recon_verdict *v);
/* The same maps with noise added: what was found lacks this before, from follows on. */
argand_status trial_noise(const recon_trial *t, const argand_array *maps, recon_verdict *v);
void verdict_free(recon_verdict *v);
/* An unbiased estimate, but for a constant, of E |W^1/2 (A x - A x_true)|^2 (Mallows 1973; Stein 1981). */
double verdict_risk(const recon_verdict *v, double variance);

/* The part of |W^1/2 y|^2 that is left over and is not white, as noise would be; 0 where all of it is. */
double verdict_excess(const recon_trial *t, const recon_verdict *v);

#endif
