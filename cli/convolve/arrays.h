/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays convolved: 1 to 3 axes, real or complex, single or double, any batch. */
#ifndef CLI_CONVOLVE_ARRAYS_H
#define CLI_CONVOLVE_ARRAYS_H

#include "convolve/filter.h"

/* IN, KERNEL and OUT of the settings, pictures or arrays. */
argand_status convolve_files(const filter_settings *s, report *out);
/* memory: most bytes; 0: as many as it takes. */
argand_status convolve_arrays(const filter_settings *s, argand_device *device, double memory, report *out);

#endif
