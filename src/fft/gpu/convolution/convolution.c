/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms lines of lengths without radices as convolutions inside a tile: by Rader's algorithm
 * (rader.c) if the length is a prime and one less has radices, otherwise by Bluestein's (bluestein.c).
 * This file also makes the spectrum by which both multiply. */
#include "fft/gpu/convolution/convolution.h"

#include "array/array.h"
#include "base/memory.h"

bool convolution_choose(line_convolution *f, radix_list *r, int64_t n, int most, const block_limits *limits)
{
    block_limits l = *limits;
    l.convolves = true;
    *f = (line_convolution){.points = (int)n};
    return rader_choose(f, r, n, most, &l) || bluestein_choose(f, r, n, most, &l);
}

argand_status convolution_conjugates(twiddle_tables *t, int table, int count, bool spectrum)
{
    int behind;
    TRY(tables_reserve(t, count, &behind));
    if (t->dry) return ARGAND_OK;
    const double *from = tables_at(t, table);
    double *to = tables_at(t, behind);
    for (int i = 0; i < count; i++) {
        const int of = spectrum && i ? count - i : i;
        to[2 * i] = from[2 * of];
        to[2 * i + 1] = -from[2 * of + 1];
    }
    return ARGAND_OK;
}

/* Transposes rows of `lines` elements into lines, some rows at a time, so that whole cache lines are
 * written. */
static void put_lines(double *to, const double *rows, int m, int lines)
{
    enum { TOGETHER = 16 };
    const int n = m / lines;
    for (int first = 0; first < n; first += TOGETHER)
        for (int line = 0; line < lines; line++)
            for (int i = first; i < n && i < first + TOGETHER; i++) {
                to[2 * ((int64_t)line * n + i)] = rows[2 * ((int64_t)i * lines + line)];
                to[2 * ((int64_t)line * n + i) + 1] = rows[2 * ((int64_t)i * lines + line) + 1];
            }
}

/* Sets the spectrum in natural order. Kernels are divided by m, because inverse transforms are not scaled. */
static argand_status fill(double *kernel, const line_convolution *f, argand_device *device)
{
    TRY(f->kind == CONVOLUTION_RADER ? rader_kernel(kernel, f) : bluestein_kernel(kernel, f));
    return spectrum_transform(kernel, f->convolution, 1, device);
}

static argand_status fill_lines(double *to, const line_convolution *f, int lines, argand_device *device)
{
    const int m = f->convolution;
    double *rows;
    TRY(memory_take_pages(&rows, 2 * (size_t)m * sizeof *rows));
    const argand_status status = fill(rows, f, device);
    if (status == ARGAND_OK) put_lines(to, rows, m, lines);
    memory_free(rows);
    return status;
}

argand_status convolution_spectrum(twiddle_tables *t, const line_convolution *f, int lines,
                                   argand_device *device, int *spectrum)
{
    TRY(tables_reserve(t, f->convolution, spectrum));
    if (t->dry) return ARGAND_OK;
    double *to = tables_at(t, *spectrum);
    if (lines <= 1) return fill(to, f, device);
    return f->kind == CONVOLUTION_RADER ? fill_lines(to, f, lines, device)
                                        : bluestein_spectrum(to, f, lines, device);
}
