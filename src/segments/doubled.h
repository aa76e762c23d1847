/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments for Toeplitz embedding with a field map. The normal operator sum_j W_j conj(E_jn) E_jm exp(2 pi
 * i k_j (r_n - r_m)) contains the exponential of two pixels, which has twice the range: exp(-(conj(z_n) +
 * z_m) t) ~ sum_l a_l(t) exp(-(conj(z_n) + z_m) tau_l) = sum_l a_l(t) conj(b_l(n)) b_l(m). The operator is
 * therefore sum_l D_l^H Q_l D_l with D_l = diag(b_l), b_l(n) = exp(-z_n tau_l), and Q_l the normal
 * operator without field and with weights W_j a_l(t_j): L kernels instead of L^2 (Fessler et al., IEEE
 * Trans. Signal Process. 53:3393, 2005). a_l is real, because pairs of pixels occur in both orders, so
 * that each Q_l is Hermitian; a_l may be negative. */
#ifndef SEGMENTS_DOUBLED_H
#define SEGMENTS_DOUBLED_H

#include <argand/segments.h>

typedef struct segments_doubled {
    int terms;
    double *tau;         /* {terms}: evenly from the first to the last time of a sample */
    argand_array *time;  /* a: real {samples, terms} in the precision of options.type */
    argand_array *space; /* b: complex {pixels, terms}, 0 outside the mask */
    double error;        /* relative rms over all pairs of pixels and all samples, from the histogram */
} segments_doubled;

/* options: as for argand_segments_create; always min-max over the histogram of pairs, with segments in
 * time. */
argand_status segments_doubled_make(segments_doubled *d, argand_device *device,
                                    const argand_segments_options *options);
void segments_doubled_release(segments_doubled *d);

#endif
