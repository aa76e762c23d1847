/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes, each of which takes the data through one shape of box, and the list of a transform. */
#ifndef FFT_GPU_CODEGEN_PROGRAM_H
#define FFT_GPU_CODEGEN_PROGRAM_H

#include "fft/gpu/codegen/job.h"

enum { BOX_PASSES = 4 * ARGAND_MAX_RANK };

/* A pass that leaves its results in the shared memory of the next one, in one launch
 * (kernels/fft/cluster/cluster.krn): how. */
/* Of a convolution's passes in a cluster: which have their stages but once in the kernel. */
typedef enum box_round { ROUND_NONE, ROUND_ALL, ROUND_COLUMNS } box_round;

typedef struct box_cross {
    int groups; /* of a cluster; 0: a pass by itself */
    int passes; /* two, or the three of a convolution */
    int resident, shared_numbers;
    int u, v, u_tile, v_tile, row, row_back, order, way;
    box_round round;
} box_cross;

typedef struct box_pass {
    box_shape shape;
    struct box_params params; /* all but direction and factor; `at` counts from the memory's start */
    box_memory from, to;
    bool scaled; /* the plan's factor is applied here */
    bool back;   /* goes the other way than the call: after a chain at the spectrum */
    int axis;    /* of the problem, that its lines run along; the first of a plane's */
    char *key;   /* the kernel's name, with all defines */
    int64_t groups, bytes;
    size_t shared_bytes;
    box_cross cross;
} box_pass;

/* Passes that go over chunks of the data in one launch (kernels/fft/persistent/passes.krn). */
enum { WAVE_MOST = 3 }; /* passes */
typedef struct box_wave {
    int begin, count; /* passes, and which is the first of them; count 0: none */
    struct wave_params params;
    int items;
    int resident;                /* groups that a multiprocessor is asked to hold; 0: as it comes */
    int early;                   /* see kernels/fft/persistent/turn.krn */
    int64_t groups, work;        /* all of them; complex numbers of a slot of work memory */
    int64_t first[WAVE_MOST][3]; /* of accessors: coordinates and elements from chunk to chunk */
    char *key;
    size_t shared_bytes;
} box_wave;

typedef struct box_program {
    int count;
    box_pass pass[BOX_PASSES];
    box_wave wave;
    box_tables tables;
    unsigned folded[3]; /* scalars of chains that are factors of the results, as in access_plan */
    int64_t kept;       /* complex numbers of scratch that hold what passes go through before and after */
    int64_t work;       /* and all of it */
    bool together;      /* reals must begin at even places */
    bool apart;         /* the first pass does not work in place */
} box_program;

void program_release(box_program *p);

#endif
