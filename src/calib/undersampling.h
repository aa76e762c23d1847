/* SPDX-License-Identifier: BSD-3-Clause */
/* Regular undersampling, for the g-factors of SENSE (coils/gfactor.c) and GRAPPA (grappa/gfactor.c). */
#ifndef CALIB_UNDERSAMPLING_H
#define CALIB_UNDERSAMPLING_H

#include <argand/calib.h>
#include "base/status.h"

enum { UNDERSAMPLING_MOST = 64 };

/* Checked, with defaults. */
typedef struct undersampling {
    int factor[2], shift;
    double extent[3];
} undersampling;
argand_status undersampling_take(undersampling *u, const argand_undersampling *given);
/* Refuses results that are not real arrays of n pixels. */
argand_status undersampling_check_map(const argand_array *gfactor, const int64_t n[3]);

#endif
