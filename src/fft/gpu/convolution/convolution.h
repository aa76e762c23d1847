/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of lengths without radices, as convolutions: which, and their tables. */
#ifndef FFT_GPU_CONVOLUTION_CONVOLUTION_H
#define FFT_GPU_CONVOLUTION_CONVOLUTION_H

#include "device/device.h"
#include "fft/gpu/radix/radices.h"
#include "fft/gpu/radix/tables.h"

/* A line whose length has no radices, as a convolution. */
typedef enum convolution_kind { CONVOLUTION_NONE, CONVOLUTION_BLUESTEIN, CONVOLUTION_RADER } convolution_kind;
typedef struct line_convolution {
    convolution_kind kind;
    int points, convolution; /* of the line, and of the convolution, which has radices */
    int wrapped; /* of Bluestein's: results that the convolution is too short for by itself; 0: none */
    int origin;  /* where the line has its point 0, in input and output */
} line_convolution;

/* convolution.c. Chooses a convolution of at most `most` points for n, and its radices; false: there is
 * none. */
bool convolution_choose(line_convolution *f, radix_list *r, int64_t n, int most, const block_limits *l);
bool is_prime(int64_t n);
/* Adds the table of the inverse behind a table: conjugates; those of a spectrum from the other end. */
argand_status convolution_conjugates(twiddle_tables *t, int table, int count, bool spectrum);
/* Makes the spectrum. lines > 1: spectrum point k lies with those of k mod lines. */
argand_status convolution_spectrum(twiddle_tables *t, const line_convolution *f, int lines,
                                   argand_device *device, int *spectrum);
/* spectrum.c: `count` rows of m are transformed in place. */
argand_status spectrum_transform(double *rows, int m, int count, argand_device *device);

/* bluestein.c */
bool bluestein_choose(line_convolution *f, radix_list *r, int64_t n, int most, const block_limits *l);
bool convolution_reaches(int64_t n, int64_t m); /* whether m points might do for n */
/* Whether its stages forward and inverse are to be a loop, if they are the same. */
bool convolution_may_loop(const line_convolution *f, const block_limits *l);
/* The chirp. */
argand_status convolution_chirp(twiddle_tables *t, const line_convolution *f, argand_device *device,
                                int *table);
/* The terms that a convolution too short lacks. */
argand_status convolution_wrapped(twiddle_tables *t, const line_convolution *f, int *table);
argand_status bluestein_kernel(double *kernel, const line_convolution *f);
/* The kernel's spectrum by lines. */
argand_status bluestein_spectrum(double *to, const line_convolution *f, int lines, argand_device *device);

/* rader.c */
bool rader_choose(line_convolution *f, radix_list *r, int64_t n, int most, const block_limits *l);
argand_status rader_kernel(double *kernel, const line_convolution *f);
/* point j of the convolution is point order[j] + 1 of the line, or, back, of its results; */
void rader_order(int *order, const line_convolution *f, bool back);
/* where the line has a point in memory. */
int rader_place(const line_convolution *f, int number);
/* A convolution of u v points that a cluster of so many blocks holds: of columns of u elements and rows of v.
 */
typedef struct convolution_split {
    int blocks, u, v; /* blocks 0: no cluster */
    int v_tile;       /* rows of a block */
} convolution_split;
/* The three lists of such a cluster's first part, or, back, of its last one. */
argand_status rader_route(twiddle_tables *t, const line_convolution *f, const convolution_split *c, bool back,
                          bool is_double, int *table);

#endif
