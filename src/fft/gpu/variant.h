/* SPDX-License-Identifier: BSD-3-Clause */
/* What the engines of our own kernels, without accessors and with them, keep of a plan: its variants, which
 * variants.c makes and keeps and run.c runs. */
#ifndef FFT_GPU_VARIANT_H
#define FFT_GPU_VARIANT_H

#include <pthread.h>
#include "fft/gpu/schedule/program.h"
#include "fft/engine/engine.h"

/* What distinguishes variants. */
typedef struct variant_key {
    fft_geometry geometry;
    argand_direction direction; /* real plans differ between them */
    bool out_of_place;          /* in and out are two pieces of memory */
    /* of calls with accessors, as access_plan has them */
    bool swapped, adjacent, factor;
    unsigned reals[3];
    int part;
} variant_key;

/* Passes for one geometry. */
typedef struct variant {
    struct variant *next;
    variant_key key;
    pass_program program;
    storage *tables;
    storage *counters;             /* of persistent passes, or of persistent blocks: zeros between launches */
    void *kernels[PROGRAM_PASSES]; /* by the pass; persistent passes' is its first pass's */
    kernel_replay *replay;         /* of all launches; NULL: one by one */
} variant;

/* The program that a key asks for. plan: the engine's own. */
typedef argand_status (*variant_maker)(pass_program *program, const void *plan, const variant_key *key,
                                       const block_limits *l);

typedef struct native_state {
    block_limits limits;
    variant_maker make;
    int64_t scrambled;    /* see scrambled_part */
    bool tells_shared;    /* the driver must know how much shared memory a launch has */
    pthread_mutex_t lock; /* of the list */
    variant *variants;
    const variant *first; /* that of the plan's own arrays, which is printed */
} native_state;

/* variants.c. limits and the maker are the state's before a variant is asked for. */
argand_status variants_begin(native_state *s, argand_device *device, variant_maker make);
void variants_end(native_state *s);
/* One more at the head of the list, without its kernels; */
argand_status variant_add(native_state *s, const void *plan, const variant_key *key);
/* the kernels of all, of which each is made once, several at a time. */
argand_status variants_build(native_state *s);
/* The one for the key, made where there is none. */
argand_status variant_get(native_state *s, const void *plan, const variant_key *key, const variant **out);

/* Where a part of a call begins in its arrays, and along its loop. */
typedef struct part {
    int64_t in, out, first;
} part;

/* run.c */
argand_status variant_run(const native_state *s, const variant *v, const fft_call *call, part first);
/* All of a call, in parts along its longest loop where that is asked for. v: the one for the key. */
argand_status variant_run_all(native_state *s, const void *plan, const variant_key *key, const variant *v,
                              const fft_call *call);
bool call_is_out_of_place(const fft_call *call);
/* Small ones get launches that start together. */
argand_status variant_prepare_replay(const native_state *s, variant *v);

#endif
