/* SPDX-License-Identifier: BSD-3-Clause */
/* State of a plan in both native engines, without and with accessors: its variants, which variants.c makes
 * and keeps and run.c runs. */
#ifndef FFT_GPU_VARIANT_H
#define FFT_GPU_VARIANT_H

#include <pthread.h>
#include "fft/gpu/schedule/program.h"
#include "fft/engine/engine.h"

/* Properties that distinguish variants. */
typedef struct variant_key {
    fft_geometry geometry;
    argand_direction direction; /* real plans differ between directions */
    bool out_of_place;          /* input and output are different memory */
    /* for calls with accessors, as in access_plan */
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
    /* counters of persistent passes or persistent blocks: zeros between launches */
    storage *counters;
    void *kernels[PROGRAM_PASSES]; /* by pass; persistent passes share that of their first pass */
    kernel_replay *replay;         /* replay of all launches; NULL: launches start one by one */
} variant;

/* Makes the program of a key. plan: the engine's own. */
typedef argand_status (*variant_maker)(pass_program *program, const void *plan, const variant_key *key,
                                       const block_limits *l);

typedef struct native_state {
    block_limits limits;
    variant_maker make;
    int64_t scrambled;    /* see scrambled_part */
    bool tells_shared;    /* launches must tell the driver the size of their shared memory */
    pthread_mutex_t lock; /* protects the list */
    variant *variants;
    const variant *first; /* the variant of the plan's own arrays, which is printed */
} native_state;

/* variants.c: sets limits and maker of the state, before any variant is made. */
argand_status variants_begin(native_state *s, argand_device *device, variant_maker make);
void variants_end(native_state *s);
/* Adds a variant at the head of the list, without its kernels. */
argand_status variant_add(native_state *s, const void *plan, const variant_key *key);
/* Builds the kernels of all variants, each of them once, several at a time. */
argand_status variants_build(native_state *s);
/* Returns the variant of the key, and makes it if there is none. */
argand_status variant_get(native_state *s, const void *plan, const variant_key *key, const variant **out);

/* Start of a part of a call in its arrays, and along its loop. */
typedef struct part {
    int64_t in, out, first;
} part;

/* run.c */
argand_status variant_run(const native_state *s, const variant *v, const fft_call *call, part first);
/* parts.c: runs all of a call, in parts along its longest loop if necessary. v: the variant of the key. */
argand_status variant_run_all(native_state *s, const void *plan, const variant_key *key, const variant *v,
                              const fft_call *call);
bool call_is_out_of_place(const fft_call *call);
/* run.c: records the launches of a small variant, so that they start together. */
argand_status variant_prepare_replay(const native_state *s, variant *v);

#endif
