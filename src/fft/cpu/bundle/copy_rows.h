/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a grid are transformed in bundles, whose rows are copied to contiguous memory and back: by NUFFT
 * and Toeplitz kernels alike. */
#ifndef FFT_CPU_BUNDLE_COPY_ROWS_H
#define FFT_CPU_BUNDLE_COPY_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { ROW_BYTES = 64 }; /* of a whole row, one cell of the grid; at the grid's end there may be fewer */

static inline void copy_rows(char *to, int64_t to_stride, const char *from, int64_t from_stride,
                             int64_t count, size_t bytes)
{
    if (bytes == ROW_BYTES)
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_stride, from + i * from_stride, ROW_BYTES);
    else
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_stride, from + i * from_stride, bytes);
}

#endif
