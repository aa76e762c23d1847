/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals on the host, for basis and match. */
#ifndef CALIB_SUBSPACE_H
#define CALIB_SUBSPACE_H

#include <complex.h>
#include "calib/calib.h"
#include "mri/host.h"

typedef struct signals_view {
    int64_t times, atoms;
    bool is_complex;
    double complex *values; /* {times, atoms}; free with memory_free() */
} signals_view;

/* Copies signals {times, atoms}, or a basis {times, columns}, to complex doubles. */
argand_status signals_read(signals_view *s, const argand_array *array);

#endif
