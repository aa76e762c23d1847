/* SPDX-License-Identifier: BSD-3-Clause */
/* Between memory of any type and lines of a buffer in the transform's precision. */
#ifndef FFT_CPU_ACCESS_MOVE_H
#define FFT_CPU_ACCESS_MOVE_H

#include <argand/fft.h>
#include <stdbool.h>
#include "base/cpu.h"

/* Lines in memory; steps in bytes. */
typedef struct access_lines {
    char *at;
    argand_type type;
    int64_t imaginary; /* of real types: from a real part to its imaginary one; 0: none */
    int64_t stride, line_stride;
} access_lines;

/* Lines of a buffer: `width` reals a point (1 or 2), `pitch` reals from line to line. */
typedef struct access_buffer {
    void *at;
    int64_t pitch;
    int width, pad;
} access_buffer;

typedef struct access_product {
    const void *a;
    int64_t stride; /* elements; 0: one for all */
    bool real, conjugate;
} access_product;

/* `count` points of each line between memory (from its first on) and the buffer (from its place `at` on). */
CPU_DECLARE(void, access_read, const access_buffer *to, int64_t at, const access_lines *from, int64_t lines,
            int64_t count);
CPU_DECLARE(void, access_write, const access_lines *to, const access_buffer *from, int64_t at, int64_t lines,
            int64_t count, double factor);
/* x = a y, of `count` plain elements y in memory */
CPU_DECLARE(void, access_read_times, void *x, const void *y, int width, const access_product *a,
            int64_t count);
/* x = a x, x = s x + c, x += y, of points that lie one behind the other */
CPU_DECLARE(void, access_multiply, void *x, int width, const access_product *a, int64_t count);
CPU_DECLARE(void, access_scale, void *x, int width, argand_scalar s, argand_scalar c, int64_t count);
CPU_DECLARE(void, access_add, void *x, const void *y, int width, int64_t count);

#endif
