/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of `argand bench nufft`: a problem with its arrays, the exact sums to compare with, and cuFINUFFT
 * on the same arrays. */
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

/* An array that a peer can use too. On CUDA devices the benchmark allocates its memory, so that its
 * address is known. */
typedef struct nufft_array {
    argand_array *array;
    void *memory; /* NULL: the library owns the memory */
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
    cuda_peer *cuda; /* NULL: no peer runs there */
    nufft_array k[3], image, samples, image_out, samples_out;
    double *at[3];        /* positions of `k` on the host, radians per pixel */
    nufft_exact exact[2]; /* of type 2, type 1 */
    double copy_rate;     /* of large copies on the device; bytes read plus written per second */
    argand_nufft *plan;
    double points_seconds, error[2]; /* error: of type 2, type 1 */
} nufft_case;

/* Makes points, images and samples. Call nufft_case_free also after a failure. */
argand_status nufft_case_make(nufft_case *c);
void nufft_case_free(nufft_case *c);
argand_status nufft_fetch_first(double **out, const argand_array *array); /* first vector as doubles */

/* Computes the error of the first vector at some outputs, corners included, against exact sums. It is
 * relative to the mean of all outputs, because a few random numbers may happen to be small. */
argand_status nufft_error(nufft_case *c, bool adjoint, double *error);

/* Measures the seconds of run(context, adjoint): the shortest of several runs; on devices each run is
 * several calls. */
typedef argand_status nufft_call(void *context, bool adjoint);
argand_status nufft_time(const nufft_case *c, nufft_call *run, void *context, bool adjoint, double *seconds);

typedef struct nufft_line {
    const char *who;
    int type;
    double tolerance, seconds, error; /* requested tolerance; seconds per call; error reached */
} nufft_line;

void nufft_print_line(const nufft_case *c, report *out, const nufft_line *line);

/* Measures each method of cuFINUFFT at the requested tolerance, and at one that reaches Argand's error. If
 * cuFINUFFT cannot be used, says why. */
void nufft_bench_cufinufft(nufft_case *c, report *out, int device);

#endif
