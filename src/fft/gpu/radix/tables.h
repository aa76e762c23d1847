/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of twiddle factors. */
#ifndef FFT_GPU_RADIX_TABLES_H
#define FFT_GPU_RADIX_TABLES_H

#include "base/status.h"
#include "fft/engine/roots.h"

/* Twiddle factors: complex elements exp(-2 pi i m / n), collected while passes are made, then uploaded. */
typedef struct twiddle_tables {
    double *elements; /* pairs of real and imaginary part */
    int count, capacity;
    bool dry; /* elements are counted, but not filled in */
    int base; /* start of the tables of the present pass; tables_* return offsets from it */
    struct {
        int kind, a, b, at; /* tables made so far, so that none is made twice */
    } entry[96];
    int entries;
} twiddle_tables;
/* Begins the tables of a pass. Passes share no tables, so that equal passes of different plans have the
 * same kernel. */
void tables_begin(twiddle_tables *t);
/* Makes a stage's table: element (r - 1) length + k is exp(-2 pi i r k / (length radix)). */
argand_status tables_stage(twiddle_tables *t, int length, int radix, int *at);
/* Makes a table of exp(-2 pi i k step / n) for k < count. */
argand_status tables_twiddles(twiddle_tables *t, int64_t n, int64_t step, int count, int *at);
/* tables_reserve reserves space for `count` elements. tables_at returns the elements from index `at` on,
 * valid until more is reserved. */
argand_status tables_reserve(twiddle_tables *t, int count, int *at);
double *tables_at(const twiddle_tables *t, int at);
/* Stores exp(-2 pi i m / n). */
void tables_twiddle(double *to, int64_t m, int64_t n);
/* the same for m < r->n, for many m of one n */
void tables_root(double *to, const roots *r, int64_t m);
void tables_release(twiddle_tables *t);

#endif
