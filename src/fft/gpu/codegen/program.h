/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes, each of which takes the data through one shape of tile, and the list of a transform. */
#ifndef FFT_GPU_CODEGEN_PROGRAM_H
#define FFT_GPU_CODEGEN_PROGRAM_H

#include "fft/gpu/codegen/job.h"

enum { PROGRAM_PASSES = 4 * ARGAND_MAX_RANK };

/* A pass that leaves its results in the shared memory of the next one, in one launch
 * (kernels/fft/cluster/cluster.krn): how. */
/* Of a convolution's passes in a cluster: which have their stages but once in the kernel. */
typedef enum cluster_loop_kind { LOOP_NONE, LOOP_ALL, LOOP_COLUMNS } cluster_loop_kind;

typedef struct pass_exchange {
    int blocks; /* of a cluster; 0: a pass by itself */
    int passes; /* two, or the three of a convolution */
    int min_blocks, shared_elements;
    int u, v, u_tile, v_tile, row, row_inverse, order, algorithm;
    cluster_loop_kind round;
} pass_exchange;

typedef struct tile_pass {
    tile_shape shape;
    struct tile_params params; /* all but direction and factor; `at` counts from the memory's start */
    pass_memory from, to;
    bool scaled; /* the plan's factor is applied here */
    bool back;   /* goes the other way than the call: after a chain at the spectrum */
    int axis;    /* of the problem, that its lines run along; the first of a plane's */
    char *key;   /* the kernel's name, with all defines */
    int64_t blocks, bytes;
    size_t shared_bytes;
    pass_exchange exchange;
} tile_pass;

/* Passes that go over chunks of the data in one launch (kernels/fft/persistent/passes.krn). */
enum { PERSISTENT_MOST = 3 }; /* passes */
typedef struct persistent_launch {
    int begin, count; /* passes, and which is the first of them; count 0: none */
    struct passes_params params;
    int threads;
    int min_blocks;                    /* blocks that a multiprocessor is asked to hold; 0: as it comes */
    int prefetch_next;                 /* see kernels/fft/persistent/tickets.krn */
    int64_t blocks, work;              /* all of them; complex elements of a slot of work memory */
    int64_t first[PERSISTENT_MOST][3]; /* of accessors: coordinates and elements from chunk to chunk */
    char *key;
    size_t shared_bytes;
} persistent_launch;

typedef struct pass_program {
    int count;
    tile_pass pass[PROGRAM_PASSES];
    persistent_launch persistent;
    twiddle_tables tables;
    unsigned folded[3]; /* scalars of chains that are factors of the results, as in access_plan */
    int64_t kept;       /* complex elements of scratch that hold what passes go through before and after */
    int64_t work;       /* and all of it */
    bool adjacent;      /* reals must begin at even places */
    bool out_of_place;  /* the first pass does not work in place */
} pass_program;

void program_release(pass_program *p);

#endif
