/* SPDX-License-Identifier: BSD-3-Clause */
/* A kind of trajectory is one value of this type: one file of kinds/ and one line of kinds.inc. make.c, the
 * tool and the messages read the table and name no kind. */
#ifndef MRI_TRAJECTORY_KIND_H
#define MRI_TRAJECTORY_KIND_H

#include <argand/mri.h>
#include "mri/host.h"

/* The options of the shots in a plane, with their defaults filled in. */
typedef struct plan_2d {
    bool golden;
    int64_t nx, ny;
    int64_t shots,
        samples; /* shots 0: the kind chooses; samples 0: the kind chooses, if it has no `samples` */
    double readout, acceleration;
    double gradient, slew; /* limits in cycles per field of view and s, s^2 */
} plan_2d;

typedef struct trajectory_kind {
    argand_trajectory id;
    const char *name;    /* "stack-of-spirals" */
    const char *summary; /* one sentence for help */
    const char *paper;   /* (optional) where the method comes from */
    const char *shot;    /* what the header of a scan calls it: "cartesian", "radial", "spiral" or "other" */
    bool is_flat;        /* meant for one plane */
    bool is_volume;      /* takes partitions, each of which has the same shots */
    bool is_centre_out;  /* a shot begins at k = 0; otherwise sample floor(samples / 2) is there */
    double readout;      /* seconds, where none is given */
    int64_t (*samples)(
        const plan_2d *plan); /* of a shot, where none are given; needed unless is_centre_out */
    /* Allocates and fills x and y, {samples, shots} in cycles per field of view; chooses plan->shots and, if
     * it is 0, plan->samples. */
    argand_status (*points)(plan_2d *plan, double **x, double **y);
} trajectory_kind;

/* For kinds/. Allocates x and y for the plan's samples and shots. */
argand_status plan_allocate(const plan_2d *plan, double **x, double **y);
/* The size N of the matrix along its longer axis: kinds that rotate their shots make them for N x N. */
double plan_longest(const plan_2d *plan);
/* Scales positions for N x N to the matrix: voxels stay square, so that the axis with fewer of them has fewer
 * cycles per its own field of view. */
void plan_fit(const plan_2d *plan, double *x, double *y);
/* Allocates x and y, and fills them with `leaf`, one shot, shot s rotated by range * s / shots radians. */
argand_status plan_rotate(const plan_2d *plan, const double *leaf_x, const double *leaf_y, double range,
                          double **x, double **y);

#endif
