/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `argand bench nufft`: a problem with its arrays, the exact sums that results are compared
 * with, and cuFINUFFT on the same arrays. */
#ifndef CLI_BENCH_NUFFT_CASE_H
#define CLI_BENCH_NUFFT_CASE_H

#include <complex.h>
#include "common/report.h"
#include "peers/cuda.h"

enum { NUFFT_RANDOM, NUFFT_RADIAL, NUFFT_SPIRAL, NUFFT_CELL };

typedef struct nufft_settings {
    common_options common;
    option_sizes size;
    int points, vectors, precision, kind, repeat;
    double tolerance;
    bool alone;
} nufft_settings;

/* What a peer is to compute on, too: on CUDA devices memory of our own, with its address */
typedef struct nufft_array {
    argand_array *array;
    void *memory; /* NULL where the library has it */
} nufft_array;

enum { NUFFT_CHECKED = 16 };

typedef struct nufft_exact {
    int count; /* 0: not computed yet */
    int64_t output[NUFFT_CHECKED];
    double complex sum[NUFFT_CHECKED];
} nufft_exact;

typedef struct nufft_case {
    const nufft_settings *s;
    int rank;
    int64_t n[3], pixels, points, vectors;
    argand_type type;
    argand_device *device;
    cuda_peer *cuda; /* NULL unless a peer may compute there */
    nufft_array k[3], image, samples, image_out, samples_out;
    double *at[3];        /* positions as k has them, in radians per pixel */
    nufft_exact exact[2]; /* type 2's, type 1's */
    double copy_rate;     /* bytes read and written a second, of large copies on the device */
    argand_nufft *plan;
    double points_seconds, error[2]; /* type 2's, type 1's */
} nufft_case;

/* Points, images and samples; nufft_case_free also after a failure. */
argand_status nufft_case_make(nufft_case *c);
void nufft_case_free(nufft_case *c);
argand_status nufft_fetch_first(double **out, const argand_array *array); /* the first vector's numbers */

/* Of the first vector's results, at some outputs spread over all, corners included, against exact sums;
 * relative to the mean of all outputs, as a few of random numbers may happen to be small */
argand_status nufft_error(nufft_case *c, bool adjoint, double *error);

/* Seconds of run(context, adjoint): the shortest of several, on devices of several calls in a row */
typedef argand_status nufft_call(void *context, bool adjoint);
argand_status nufft_time(const nufft_case *c, nufft_call *run, void *context, bool adjoint, double *seconds);

typedef struct nufft_line {
    const char *who;
    int type;
    double tolerance, seconds, error; /* asked for; of a call; reached */
} nufft_line;

void nufft_print_line(const nufft_case *c, report *out, const nufft_line *line);

/* cuFINUFFT by each of its methods, at the tolerance asked for and at one that reaches our error;
 * says why not where it cannot be used. */
void nufft_bench_cufinufft(nufft_case *c, report *out, int device);

#endif
