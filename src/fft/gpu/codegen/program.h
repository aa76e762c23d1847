/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes, each of which moves the data through tiles of one shape, and the list of passes of a transform. */
#ifndef FFT_GPU_CODEGEN_PROGRAM_H
#define FFT_GPU_CODEGEN_PROGRAM_H

#include "fft/gpu/codegen/job.h"

enum { PROGRAM_PASSES = 4 * ARGAND_MAX_RANK };

/* Passes of a cluster's convolution whose forward and inverse stages share one loop in the kernel. */
typedef enum cluster_loop_kind { LOOP_NONE, LOOP_ALL, LOOP_COLUMNS } cluster_loop_kind;

typedef struct pass_exchange {
    int blocks; /* blocks of a cluster; 0: a pass of its own launch */
    int passes; /* 2, or 3 for a convolution */
    int min_blocks, shared_elements;
    int u, v, u_tile, v_tile, row, row_inverse, order, algorithm;
    cluster_loop_kind round;
} pass_exchange;

typedef struct tile_pass {
    tile_shape shape;
    struct tile_params params; /* all but direction and factor; `at` counts from the memory's start */
    pass_memory from, to;
    bool scaled; /* the pass applies the plan's factor */
    bool back;   /* opposite direction to the call's: the pass follows a chain at the spectrum */
    int axis;    /* axis of the problem along the lines; the first one of a plane */
    char *key;   /* name of the kernel, with all defines */
    int64_t blocks, bytes;
    size_t shared_bytes;
    pass_exchange exchange;
} tile_pass;

/* Passes that process the data chunk by chunk in one launch (kernels/fft/persistent/passes.krn). */
enum { PERSISTENT_MOST = 3 }; /* passes in one launch */
typedef struct persistent_launch {
    int begin, count; /* index of the first pass, and number of passes; count 0: none */
    struct passes_params params;
    int threads;
    int min_blocks;       /* blocks requested on each multiprocessor; 0: chosen by the compiler */
    int prefetch_next;    /* see kernels/fft/persistent/tickets.krn */
    int64_t blocks, work; /* total thread blocks; complex elements of a slot of work memory */
    int64_t first[PERSISTENT_MOST][3]; /* for accessors: coordinates and elements from chunk to chunk */
    char *key;
    size_t shared_bytes;
} persistent_launch;

typedef struct pass_program {
    int count;
    tile_pass pass[PROGRAM_PASSES];
    persistent_launch persistent;
    twiddle_tables tables;
    unsigned folded[3]; /* scalars of chains that are merged into the factor, as in access_plan */
    /* complex elements of work memory that hold data between passes; temporary data comes after them */
    int64_t kept;
    int64_t work;      /* complex elements of work memory in all */
    bool adjacent;     /* pairs of reals must start at even positions */
    bool out_of_place; /* the first pass does not work in place */
} pass_program;

void program_release(pass_program *p);

#endif
