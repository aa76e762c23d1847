/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolves arrays: 1 to 3 axes, real or complex, single or double precision, any batch. */
#ifndef CLI_CONVOLVE_ARRAYS_H
#define CLI_CONVOLVE_ARRAYS_H

#include "convolve/filter.h"

/* Convolves IN with KERNEL and writes OUT, pictures or arrays. */
argand_status convolve_files(const filter_settings *s, report *out);
/* memory: maximum of bytes; 0: no limit. */
argand_status convolve_arrays(const filter_settings *s, argand_device *device, double memory, report *out);

#endif
