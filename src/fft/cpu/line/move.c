/* SPDX-License-Identifier: BSD-3-Clause */
/* Between memory and a block's buffer: gather and scatter of lines, rotated and scaled on the way. Compiled
 * for each precision and instruction set. Neighbouring columns are transposed into lines four by four in
 * registers: without that, moving single-precision columns took as long as their transforms. */
#include <stdint.h>
#include <string.h>
#include "base/cpu.h"
#include "fft/cpu/line/line.h"
#include "fft/cpu/line/move.h"
#include "fft/cpu/line/transpose.h"

typedef struct point_pair {
    REAL re, im;
} point_pair;

#if REAL_BITS == 32
typedef REAL eight __attribute__((vector_size(32)));

/* to[j][i] = f from[i][j], 4 x 4, strides between rows. */
static inline __attribute__((always_inline)) void
transpose_block(point_pair *to, int64_t to_stride, const point_pair *from, int64_t from_stride, REAL f)
{
    four r[4];
    for (int i = 0; i < 4; i++) r[i] = *(const four_anywhere *)(from + i * from_stride);
    transpose(r);
    for (int i = 0; i < 4; i++) *(four_anywhere *)(to + i * to_stride) = (four)((eight)r[i] * f);
}
#endif

/* to[j * to_line + i] = f from[i * from_row + j * from_line] for i < count, j < lines: rows into lines, or
 * back. */
static void transpose_all(point_pair *restrict to, int64_t to_row, int64_t to_line,
                          const point_pair *restrict from, int64_t from_row, int64_t from_line, int64_t count,
                          int64_t lines, REAL f)
{
    int64_t whole_count = 0, whole_lines = 0;
#if REAL_BITS == 32
    const bool to_lines = to_row == 1 && from_line == 1, to_rows = to_line == 1 && from_row == 1;
    if (to_lines || to_rows) {
        whole_count = count / 4 * 4;
        whole_lines = lines / 4 * 4;
    }
    for (int64_t i = 0; i < whole_count; i += 4)
        for (int64_t j = 0; j < whole_lines; j += 4) {
            point_pair *block = to + i * to_row + j * to_line;
            const point_pair *source = from + i * from_row + j * from_line;
            if (to_lines)
                transpose_block(block, to_line, source, from_row, f);
            else
                transpose_block(block, to_row, source, from_line, f);
        }
#endif
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = i < whole_count ? whole_lines : 0; j < lines; j++) {
            const point_pair x = from[i * from_row + j * from_line];
            to[i * to_row + j * to_line] = (point_pair){x.re * f, x.im * f};
        }
}

/* Elements first .. last-1 of each line into buffer places to, to + 1, ... */
static void gather_run(point_pair *buffer, int64_t pitch, const line_memory *in, int64_t lines, int64_t first,
                       int64_t last, int64_t to)
{
    const point_pair *from = (const point_pair *)in->at + first * in->stride;
    if (in->stride != 1) {
        transpose_all(buffer + to, 1, pitch, from, in->stride, in->line_stride, last - first, lines, 1);
        return;
    }
    for (int64_t l = 0; l < lines; l++)
        memcpy(buffer + l * pitch + to, from + l * in->line_stride, (size_t)(last - first) * sizeof *buffer);
}

static void scatter_run(const line_memory *out, const point_pair *buffer, int64_t pitch, int64_t lines,
                        int64_t first, int64_t last, int64_t from, REAL f)
{
    point_pair *to = (point_pair *)out->at + first * out->stride;
    if (out->stride != 1) {
        transpose_all(to, out->stride, out->line_stride, buffer + from, 1, pitch, last - first, lines, f);
        return;
    }
    for (int64_t l = 0; l < lines; l++) {
        REAL *restrict line = (REAL *)(to + l * out->line_stride);
        const REAL *restrict source = (const REAL *)(buffer + l * pitch + from);
        for (int64_t i = 0; i < 2 * (last - first); i++) line[i] = source[i] * f;
    }
}

static void gather_real(REAL *restrict buffer, int64_t pitch, const line_memory *in, int64_t lines, int64_t n)
{
    const REAL *restrict from = (const REAL *)in->at;
    for (int64_t l = 0; l < lines; l++)
        for (int64_t i = 0; i < n; i++) buffer[l * pitch + i] = from[l * in->line_stride + i * in->stride];
}

static void scatter_real(const line_memory *out, const REAL *restrict buffer, int64_t pitch, int64_t lines,
                         int64_t n, REAL f)
{
    REAL *restrict to = (REAL *)out->at;
    for (int64_t l = 0; l < lines; l++)
        for (int64_t i = 0; i < n; i++)
            to[l * out->line_stride + i * out->stride] = buffer[l * pitch + i] * f;
}

/* A rotation is two runs: memory from `rotate` on comes first. */
void VARIANT(line_gather)(const move_shape *shape, void *buffer, const line_memory *in, int64_t count,
                          int64_t lines, int64_t rotate)
{
    if (in->real) {
        gather_real(buffer, 2 * shape->pitch, in, lines, count);
        return;
    }
    gather_run(buffer, shape->pitch, in, lines, rotate, count, 0);
    if (rotate) gather_run(buffer, shape->pitch, in, lines, 0, rotate, count - rotate);
}

void VARIANT(line_scatter)(const move_shape *shape, const line_memory *out, const void *buffer, int64_t count,
                           int64_t lines, int64_t rotate, double factor)
{
    const REAL f = (REAL)factor;
    if (out->real) {
        scatter_real(out, buffer, 2 * shape->pitch, lines, count, f);
        return;
    }
    scatter_run(out, buffer, shape->pitch, lines, rotate, count, 0, f);
    if (rotate) scatter_run(out, buffer, shape->pitch, lines, 0, rotate, count - rotate, f);
}

void VARIANT(line_scale)(void *data, int64_t reals, double factor)
{
    const REAL f = (REAL)factor;
    REAL *x = data;
    for (int64_t i = 0; i < reals; i++) x[i] *= f;
}
