/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors evaluated at every sample or pixel, as arrays on a device. */
#ifndef SEGMENTS_TABLE_H
#define SEGMENTS_TABLE_H

#include "segments/factor.h"
#include "segments/problem.h"

/* Makes {samples, terms}, complex or, with `real`, their real parts. */
argand_status table_of_time(argand_array **array, argand_device *device, const problem *p, const factor *f,
                            bool real);
/* Makes complex {pixels, terms}, 0 outside the mask. */
argand_status table_of_space(argand_array **array, argand_device *device, const problem *p, const factor *f);

#endif
