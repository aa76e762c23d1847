/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer of a line, which the choice of an algorithm counts. */
#ifndef FFT_CPU_LINE_RUN_H
#define FFT_CPU_LINE_RUN_H

#include "fft/cpu/line/line.h"

/* Returns the bytes of the buffer through which a plain algorithm's lines go; real lines go from one
 * buffer to another. */
size_t line_plain_bytes(const fft_line *line, int64_t block);

#endif
