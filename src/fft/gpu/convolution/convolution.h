/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions for lines of lengths without radices, and their tables. */
#ifndef FFT_GPU_CONVOLUTION_CONVOLUTION_H
#define FFT_GPU_CONVOLUTION_CONVOLUTION_H

#include "device/device.h"
#include "fft/gpu/radix/radices.h"
#include "fft/gpu/radix/tables.h"

/* A line whose length has no radices, as a convolution. */
typedef enum convolution_kind { CONVOLUTION_NONE, CONVOLUTION_BLUESTEIN, CONVOLUTION_RADER } convolution_kind;
typedef struct line_convolution {
    convolution_kind kind;
    int points, convolution; /* length of the line, and of the convolution, which has radices */
    /* for Bluestein's: results that need correction because the convolution is too short; 0: none */
    int wrapped;
    int origin; /* position of point 0 in input and output */
} line_convolution;

/* convolution.c: chooses a convolution of at most `most` points for n, and its radices; returns false if
 * there is none. */
bool convolution_choose(line_convolution *f, radix_list *r, int64_t n, int most, const block_limits *l);
/* Appends the table of the inverse to a table: its conjugates; for a spectrum, in reversed order. */
argand_status convolution_conjugates(twiddle_tables *t, int table, int count, bool spectrum);
/* Makes the spectrum. lines > 1: spectrum point k is in line k mod lines. */
argand_status convolution_spectrum(twiddle_tables *t, const line_convolution *f, int lines,
                                   argand_device *device, int *spectrum);
/* spectrum.c: transforms `count` rows of m in place. */
argand_status spectrum_transform(double *rows, int m, int count, argand_device *device);

/* bluestein.c */
bool bluestein_choose(line_convolution *f, radix_list *r, int64_t n, int most, const block_limits *l);
bool convolution_reaches(int64_t n, int64_t m); /* returns true if m points might serve for n */
/* Returns true if forward and inverse stages should be a loop, provided that they are equal. */
bool convolution_may_loop(const line_convolution *f, const block_limits *l);
/* Makes the table of the chirp. */
argand_status convolution_chirp(twiddle_tables *t, const line_convolution *f, argand_device *device,
                                int *table);
/* Makes the table of terms that correct a convolution that is too short. */
argand_status convolution_wrapped(twiddle_tables *t, const line_convolution *f, int *table);
argand_status bluestein_kernel(double *kernel, const line_convolution *f);
/* Makes the kernel's spectrum by lines. */
argand_status bluestein_spectrum(double *to, const line_convolution *f, int lines, argand_device *device);

/* rader.c */
bool rader_choose(line_convolution *f, radix_list *r, int64_t n, int most, const block_limits *l);
argand_status rader_kernel(double *kernel, const line_convolution *f);
/* Sets the order: point j of the convolution is point order[j] + 1 of the line, or, if back, of its
 * results. */
void rader_order(int *order, const line_convolution *f, bool back);
/* Returns the position of a line's point in memory. */
int rader_place(const line_convolution *f, int number);
/* A convolution of u v points that a cluster holds: columns of u elements and rows of v. */
typedef struct convolution_split {
    int blocks, u, v; /* blocks 0: no cluster */
    int v_tile;       /* rows of a block */
} convolution_split;
/* Makes the three index lists of such a cluster's first part, or, if back, of its last part. */
argand_status rader_route(twiddle_tables *t, const line_convolution *f, const convolution_split *c, bool back,
                          bool is_double, int *table);

#endif
