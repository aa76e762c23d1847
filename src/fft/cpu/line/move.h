/* SPDX-License-Identifier: BSD-3-Clause */
/* Between memory and a buffer of contiguous lines. */
#ifndef FFT_CPU_LINE_MOVE_H
#define FFT_CPU_LINE_MOVE_H

#include "base/cpu.h"
#include "fft/cpu/line/line.h"

/* Lines of n points; those of the buffer have stride `pitch` (complex elements). */
typedef struct move_shape {
    int64_t n, pitch;
} move_shape;

/* Lines of memory, `count` elements each, into the buffer, and back times the factor; rotated as
 * line_operations says. */
CPU_DECLARE(void, line_gather, const move_shape *shape, void *buffer, const line_memory *in, int64_t count,
            int64_t lines, int64_t rotate);
CPU_DECLARE(void, line_scatter, const move_shape *shape, const line_memory *out, const void *buffer,
            int64_t count, int64_t lines, int64_t rotate, double factor);
CPU_DECLARE(void, line_scale, void *data, int64_t reals, double factor);

typedef struct line_moves {
    void (*gather)(const move_shape *shape, void *buffer, const line_memory *in, int64_t count, int64_t lines,
                   int64_t rotate);
    void (*scatter)(const move_shape *shape, const line_memory *out, const void *buffer, int64_t count,
                    int64_t lines, int64_t rotate, double factor);
    void (*scale)(void *data, int64_t reals, double factor);
} line_moves;

/* Returns the functions for the processor at hand. */
const line_moves *moves_for(bool is_double);

#endif
