/* SPDX-License-Identifier: BSD-3-Clause */
/* First maps for the iteration of coils_adaptive.c, with a phase that has no vortices. */
#ifndef CALIB_COILS_START_H
#define CALIB_COILS_START_H

#include <complex.h>
#include "calib/calib.h"
#include "calib/coils/smooth.h"

enum { START_COILS = 8 }; /* virtual coils at the most */

/* images, maps: complex {task->n..., task->coils} on the host; sigma: the window in pixels. maps: of norm 1,
 * or 0 where there is nothing within the window. */
argand_status coils_start(const smooth_task *task, bool is_double, const void *images, double sigma,
                          void *maps);

/* Aligns the phases of the unit vectors (complex {n[0] n[1] n[2], coils}, coil fastest), each of any phase,
 * so that neighbours differ least: by the phases phi that minimise sum over neighbours a, b of weight_ab
 * (phi_b - phi_a + arg(v_a^H v_b))^2. energy: of each element; bright neighbours count more. */
argand_status coils_align(double complex *vectors, const double *energy, const int64_t n[3], int64_t coils);

#endif
