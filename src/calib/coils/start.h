/* SPDX-License-Identifier: BSD-3-Clause */
/* First maps for the iteration of adaptive.c, with a phase without vortices. */
#ifndef CALIB_COILS_START_H
#define CALIB_COILS_START_H

#include <complex.h>
#include "calib/calib.h"
#include "calib/coils/smooth.h"

enum { START_COILS = 8 }; /* maximum number of virtual coils */

/* Computes first maps. images, maps: complex {task->n..., task->coils} on the host; sigma: the window in
 * pixels. maps have norm 1, or are 0 where the window has no signal. */
argand_status coils_start(const smooth_task *task, bool is_double, const void *images, double sigma,
                          void *maps);

/* Chooses the phases of unit vectors (complex {n[0] n[1] n[2], coils}, coil fastest) so that neighbours
 * differ least. The phases phi minimise the sum over neighbours a, b of weight_ab (phi_b - phi_a +
 * arg(v_a^H v_b))^2. energy: one per element; bright neighbours have larger weights. */
argand_status coils_align(double complex *vectors, const double *energy, const int64_t n[3], int64_t coils);

#endif
