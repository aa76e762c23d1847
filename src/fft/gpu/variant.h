/* SPDX-License-Identifier: BSD-3-Clause */
/* What the engines of our own kernels, without accessors and with them, keep of a plan: its variants, which
 * variants.c makes and keeps and run.c runs. */
#ifndef FFT_GPU_VARIANT_H
#define FFT_GPU_VARIANT_H

#include <pthread.h>
#include "fft/gpu/schedule/program.h"
#include "fft/engine/engine.h"

/* What tells variants apart. */
typedef struct variant_key {
    fft_geometry geometry;
    argand_direction direction; /* real plans differ between them */
    bool apart;                 /* in and out are two pieces of memory */
    /* of calls with accessors, as access_plan has them */
    bool turned, together, factor;
    unsigned reals[3];
    int part;
} variant_key;

/* Passes for one geometry. */
typedef struct variant {
    struct variant *next;
    variant_key key;
    box_program program;
    storage *tables;
    storage *counters;         /* of a wave, or of groups that stay: zeros between launches */
    void *kernels[BOX_PASSES]; /* by the pass; a wave's is its first pass's */
    kernel_replay *replay;     /* of all launches; NULL: one by one */
} variant;

/* The program that a key asks for. plan: the engine's own. */
typedef argand_status (*variant_maker)(box_program *program, const void *plan, const variant_key *key,
                                       const box_limits *l);

typedef struct box_state {
    box_limits limits;
    variant_maker make;
    int64_t scrambled;    /* see scrambled_factor */
    bool tells_shared;    /* the driver is told how much shared memory a launch has */
    pthread_mutex_t lock; /* of the list */
    variant *variants;
    const variant *usual; /* the one to print */
} box_state;

/* variants.c. limits and the maker are the state's before a variant is asked for. */
argand_status variants_begin(box_state *s, argand_device *device, variant_maker make);
void variants_end(box_state *s);
/* One more at the head of the list, without its kernels; */
argand_status variant_add(box_state *s, const void *plan, const variant_key *key);
/* the kernels of all, of which each is made once, several at a time. */
argand_status variants_build(box_state *s);
/* The one for the key, made where there is none. */
argand_status variant_get(box_state *s, const void *plan, const variant_key *key, const variant **out);

/* Where a part of a call begins in its arrays, and along its loop. */
typedef struct part {
    int64_t in, out, first;
} part;

/* run.c */
argand_status variant_run(const box_state *s, const variant *v, const fft_call *call, part first);
/* All of a call, in parts along its longest loop where that is asked for. v: the one for the key. */
argand_status variant_run_all(box_state *s, const void *plan, const variant_key *key, const variant *v,
                              const fft_call *call);
bool call_is_apart(const fft_call *call);
/* Small ones get launches that start together. */
argand_status variant_prepare_replay(const box_state *s, variant *v);

#endif
