/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FFT_MOVE_H
#define FFT_MOVE_H

#include "base/cpu.h"
#include "fft/host/line.h"

/* Lines of memory into the buffer, and back times the factor; rotated as line_run_buffered says. */
CPU_DECLARE(void, line_gather, const fft_line *line, void *buffer, const line_memory *in, int64_t lines,
            int64_t rotate);
CPU_DECLARE(void, line_scatter, const fft_line *line, const line_memory *out, const void *buffer,
            int64_t lines, int64_t rotate, double factor);
CPU_DECLARE(void, line_scale, void *data, int64_t count, double factor); /* complex numbers */
CPU_DECLARE(void, line_twiddle, const fft_line *line, void *buffer, int64_t lines, const void *twiddles,
            int conjugate);

#endif
