/* SPDX-License-Identifier: BSD-3-Clause */
/* The ladder from a transform of 2012 to today's: what a step is, and how one is run, checked and measured.
 */
#ifndef BENCH_LADDER_H
#define BENCH_LADDER_H

#include <argand/argand.h>
#include "device/backend.h"

/* What is transformed, in single precision: rows of n points (rank 1), or a cube of them (rank 3). */
typedef struct ladder_case {
    int rank, n;
    int64_t rows; /* n^2 for a cube */
} ladder_case;

/* As the kernels know it. */
struct ladder_params {
    int n[4];
};

enum { LADDER_KEY = 320, LADDER_LAUNCHES = 7, LADDER_STEPS = 96 };

/* One launch. Where it cannot work in place, its output is another array. */
typedef struct ladder_launch {
    char key[LADDER_KEY];
    int64_t groups;
    size_t shared_bytes; /* of a group; a launch on CUDA asks for them */
    bool in_place;
    struct ladder_params params;
} ladder_launch;

typedef enum ladder_engine { LADDER_KERNELS, LADDER_ARGAND, LADDER_CUFFT } ladder_engine;

typedef struct ladder_step {
    char name[64];
    int row; /* of docs/performance/fft-ladder.md's table of what the document has */
    ladder_engine engine;
    bool scrambled; /* results of rows are left in bit-reversed order */
    bool in_place;  /* output is the input's array */
    int passes;     /* through memory; 0 where it is not ours to say */
    int launches;
    ladder_launch launch[LADDER_LAUNCHES];
} ladder_step;

/* All steps of a case; at most LADDER_STEPS. */
int ladder_steps(ladder_step *steps, const ladder_case *c);

/* A case on a device: its arrays, its random input also on the host. */
typedef struct ladder_run ladder_run;
argand_status ladder_begin(ladder_run **run, argand_device *device, const ladder_case *c);
void ladder_end(ladder_run *run); /* NULL is allowed */

typedef struct ladder_figures {
    double seconds, copy_seconds; /* medians of rounds, which alternate; of a copy of the data */
    double error;                 /* relative, l2, of some results against sums in double */
    kernel_needs needs;           /* of the first launch */
    int items;                    /* of its groups */
    int passes;                   /* of a plan that explains itself */
    char plan_text[96];           /* its own */
} ladder_figures;
/* Runs once and checks `checked` results, then, with rounds > 0, measures. */
argand_status ladder_measure(ladder_run *run, const ladder_step *step, int checked, int rounds,
                             ladder_figures *figures);

/* cuFFT itself, planned for the case; forward, unscaled. Addresses are the device's. */
typedef struct ladder_peer {
    const void *library;
    int plan;
    bool made;
} ladder_peer;
argand_status ladder_peer_make(ladder_peer *peer, argand_device *device, const ladder_case *c);
argand_status ladder_peer_run(const ladder_peer *peer, argand_device *device, argand_array *out,
                              argand_array *in);
void ladder_peer_free(ladder_peer *peer, argand_device *device);

/* The document's rule (2.2, 3.2): the twiddle of the point of index k after stage p of a decimation in
 * time of n = 2^bits points is exp(-2 pi i q / n), where the p highest bits of k, reversed, in bits - 1
 * bits, are q. */
int ladder_exponent(int k, int p, int bits);

#endif
