/* SPDX-License-Identifier: BSD-3-Clause */
/* The shots of one partition, on the host: what trajectory.c repeats over partitions. */
#ifndef MRI_TRAJECTORY_H
#define MRI_TRAJECTORY_H

#include <argand/mri.h>

/* Options with their defaults put in. */
typedef struct plan_2d {
    argand_trajectory kind; /* Cartesian, radial or spiral */
    bool golden;
    int64_t nx, ny;
    int64_t shots, samples;
    double readout, acceleration;
    double gradient, slew; /* limits in cycles per field of view and s, s^2 */
} plan_2d;

/* One interleaf of a spiral that starts at k = 0 and reaches |k| = radius when the readout ends. Sample
 * positions are in cycles per field of view. Sets plan->shots and plan->samples where they are 0. x, y: to be
 * freed by the caller. */
argand_status spiral_design(plan_2d *plan, double **x, double **y);

#endif
