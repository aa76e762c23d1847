/* SPDX-License-Identifier: BSD-3-Clause */
/* Scalars, arrays, storage types and windows as an end of lines (line/callback.h): between memory and a few
 * points in the nearest cache, all in one go. */
#ifndef FFT_CPU_ACCESS_CALLBACK_H
#define FFT_CPU_ACCESS_CALLBACK_H

#include "base/cpu.h"
#include "fft/access/access.h"
#include "fft/cpu/line/callback.h"

/* An array that multiplies points; steps in reals. */
typedef struct callback_array {
    const void *at; /* for element 0 of the first line */
    int64_t point, line;
    bool real, conjugate;
} callback_array;

typedef struct access_callback {
    line_callback callback;
    char *at; /* element 0 of the first line; steps in bytes */
    int64_t point, line;
    argand_type type;
    int64_t imaginary;    /* of real types: from a real part to its imaginary one; 0: none */
    argand_window window; /* outside of it points are 0, and not stored */
    int64_t n;
    argand_scalar scalar; /* the product of all, the transform's own factor too */
    int arrays;
    callback_array array[ARGAND_MAX_ACCESSORS];
    line_weights weights; /* where they say it all, with callback.weights */
    int64_t prefetch_lines,
        prefetch_points; /* from what is read or written to what will be; 0: not far (line/prefetch.h) */
} access_callback;

CPU_DECLARE(void, access_callback_load, const line_callback *callback, const line_piece *piece);
CPU_DECLARE(void, access_callback_store, const line_callback *callback, const line_piece *piece);

#endif
