/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of twiddle factors. */
#ifndef FFT_GPU_RADIX_TABLES_H
#define FFT_GPU_RADIX_TABLES_H

#include "base/status.h"
#include "fft/engine/roots.h"

/* Twiddle factors: complex elements exp(-2 pi i m / n), gathered while passes are made, then uploaded. */
typedef struct twiddle_tables {
    double *elements; /* pairs */
    int count, capacity;
    bool dry; /* counted, but not filled */
    int base; /* where those of the pass in making begin: what tables_* return counts from here */
    struct {
        int kind, a, b, at; /* what lies where, so that nothing is there twice */
    } entry[96];
    int entries;
} twiddle_tables;
/* Passes share nothing, so that equal passes of different plans are one kernel. */
void tables_begin(twiddle_tables *t);
/* (r - 1) length + k: exp(-2 pi i r k / (length radix)) */
argand_status tables_stage(twiddle_tables *t, int length, int radix, int *at);
/* exp(-2 pi i k step / n) for k < count */
argand_status tables_twiddles(twiddle_tables *t, int64_t n, int64_t step, int count, int *at);
/* Space for that many; the pairs from index `at` on, until more is asked for. */
argand_status tables_reserve(twiddle_tables *t, int count, int *at);
double *tables_at(const twiddle_tables *t, int at);
/* exp(-2 pi i m / n) */
void tables_twiddle(double *to, int64_t m, int64_t n);
void tables_root(double *to, const roots *r, int64_t m); /* of the r->n, m < n: many of one n */
void tables_release(twiddle_tables *t);

#endif
