/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports of iterations to the caller's monitor, relative to residual and gradient at x = 0. */
#ifndef SOLVE_WATCH_H
#define SOLVE_WATCH_H

#include <argand/solve.h>
#include <float.h>
#include "base/status.h"

typedef struct watch {
    argand_monitor monitor;
    void *context;
    int iterations;
    double residual_unit, gradient_unit, started;
    struct op_spread *spread; /* of the data; NULL: one rank */
} watch;

/* Returns ARGAND_STOPPED if the monitor asks to stop, on any rank. */
argand_status watch_report(const watch *w, int iteration, double data_energy, double gradient,
                           double penalty);

static inline double watch_ratio(double value, double unit)
{
    return value == 0 ? 0 : value / unit;
}

static inline double type_rounding(argand_type type)
{
    return type == ARGAND_R64 || type == ARGAND_C64 ? DBL_EPSILON : (double)FLT_EPSILON;
}

#endif
