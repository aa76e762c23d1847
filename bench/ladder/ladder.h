/* SPDX-License-Identifier: BSD-3-Clause */
/* The FFT ladder, from a transform of 2012 to today's: steps, and how each is run, checked and measured. */
#ifndef BENCH_LADDER_H
#define BENCH_LADDER_H

#include <argand/argand.h>
#include "device/backend.h"

/* A problem in single precision: rows of n points (rank 1), or a cube of them (rank 3). */
typedef struct ladder_case {
    int rank, n;
    int64_t rows; /* n^2 for a cube */
} ladder_case;

/* Parameters of the kernels. */
struct ladder_params {
    int n[4];
};

enum { LADDER_KEY = 320, LADDER_LAUNCHES = 7, LADDER_STEPS = 96 };

/* One launch. If it cannot work in place, its output is another array. */
typedef struct ladder_launch {
    char key[LADDER_KEY];
    int64_t groups;
    size_t shared_bytes; /* of a group; a launch on CUDA requests them */
    bool in_place;
    struct ladder_params params;
} ladder_launch;

typedef enum ladder_engine { LADDER_KERNELS, LADDER_ARGAND, LADDER_CUFFT } ladder_engine;

typedef struct ladder_step {
    char name[64];
    int row; /* row of the document's table in docs/performance/fft-ladder.md */
    ladder_engine engine;
    bool scrambled; /* the results of rows are in bit-reversed order */
    bool in_place;  /* output and input are the same array */
    int passes;     /* passes through memory; 0: unknown (cuFFT) */
    int launches;
    ladder_launch launch[LADDER_LAUNCHES];
} ladder_step;

/* Makes all steps of a case, at most LADDER_STEPS. Returns their number. */
int ladder_steps(ladder_step *steps, const ladder_case *c);

/* A case on a device: its arrays, and its random input on the host. */
typedef struct ladder_run ladder_run;
argand_status ladder_begin(ladder_run **run, argand_device *device, const ladder_case *c);
void ladder_end(ladder_run *run); /* NULL is allowed */

typedef struct ladder_figures {
    double seconds, copy_seconds; /* medians of alternating rounds: of the step, of a copy of the data */
    double error;                 /* relative l2 error of some results against sums in double */
    kernel_needs needs;           /* of the first launch */
    int items;                    /* per group of the first launch */
    int passes;                   /* of Argand's plan */
    char plan_text[96];           /* Argand's description of its plan */
} ladder_figures;
/* Runs a step once and checks `checked` results. If rounds > 0, then measures it. */
argand_status ladder_measure(ladder_run *run, const ladder_step *step, int checked, int rounds,
                             ladder_figures *figures);

/* cuFFT without Argand, planned for the case; forward, unscaled. Arrays are on the device. */
typedef struct ladder_peer {
    const void *library;
    int plan;
    bool made;
} ladder_peer;
argand_status ladder_peer_make(ladder_peer *peer, argand_device *device, const ladder_case *c);
argand_status ladder_peer_run(const ladder_peer *peer, argand_device *device, argand_array *out,
                              argand_array *in);
void ladder_peer_free(ladder_peer *peer, argand_device *device);

/* Returns q by the document's rule (2.2, 3.2). The twiddle of point k after stage p of a decimation in
 * time of n = 2^bits points is exp(-2 pi i q / n). q is the p highest bits of k, reversed as a number of
 * bits - 1 bits. */
int ladder_exponent(int k, int p, int bits);

#endif
