/* SPDX-License-Identifier: BSD-3-Clause */
/* How long an algorithm takes for lines, on memory of our own. */
#ifndef FFT_CPU_LINE_MEASURE_H
#define FFT_CPU_LINE_MEASURE_H

#include "fft/cpu/line/line.h"

/* Nanoseconds for one line of the request, the least of several rounds. */
argand_status line_measure(double *time, const fft_line *line, const line_use *use,
                           const line_request *request);

#endif
