/* SPDX-License-Identifier: BSD-3-Clause */
/* The passes of a call of the engine, in their order, and the memory that they go through. */
#ifndef FFT_CPU_PASSES_SCHEDULE_H
#define FFT_CPU_PASSES_SCHEDULE_H

#include "fft/cpu/passes/scratch.h"
#include "fft/cpu/passes/short_call.h"
#include "fft/cpu/passes/split.h"
#include "fft/cpu/passes/tile.h"
#include "fft/engine/engine.h"

/* The state of the engine. */
typedef struct passes {
    int line_count;
    fft_line lines[ARGAND_MAX_RANK]; /* one for each different length */
    int line_of[ARGAND_MAX_RANK];    /* which of them axis i uses */
    fft_split split;                 /* of the one long axis; then there are no lines */
    scratch_pool pool;
    short_call brief;
    struct short_planes *planes; /* other short calls (short_planes.h); NULL: none */
    struct whole_planes *whole;  /* contiguous planes with short axes (whole_planes.h); NULL: none */
    bool whole_is_short;         /* and all of a call by one thread */
} passes;

/* A block of memory with the strides of every axis and loop in it. */
typedef struct region {
    pass_place place;
    bool real;
    size_t size;
    int64_t stride[PASS_LOOPS]; /* axes, then loops */
} region;

/* All passes of a call: those of the tile, then those over everything; towards reals, where axis 0 comes
 * last, the other way round. */
typedef struct passes_schedule {
    fft_tile tile; /* no passes: none */
    int count;
    fft_pass list[ARGAND_MAX_RANK + 1];
    bool tile_last;
} passes_schedule;

/* Returns how many threads a call is worth: a small transform is done before a second one has woken up. */
int64_t passes_threads_worth(const fft_problem *problem);
/* Whether axis 0 comes last, as reals. */
bool passes_to_real(const fft_problem *problem, argand_direction direction);
/* The memory of a call's output or input. */
region passes_region(const fft_problem *p, const fft_geometry *g, argand_direction direction, bool is_output);
/* A contiguous copy's place for the half spectrum of a complex-to-real transform: of its first `all` axes and
 * loops, while the others are left where they are. Returns its bytes. */
size_t passes_half_region(region *r, const fft_geometry *g, int all, size_t size);
/* Returns the bytes of the half spectrum that a thread keeps between the passes towards reals, if all axes
 * are in its tile. */
size_t passes_tile_own(const fft_problem *problem, argand_direction direction);
/* middle: for a half spectrum that ends as reals. */
void passes_make_schedule(passes_schedule *d, const passes *s, const fft_problem *p, const fft_geometry *g,
                          argand_direction direction, double factor, const region *middle);
void passes_run_schedule(const passes_schedule *d, const pass_memory *memory, int threads, void *buffers,
                         size_t bytes);

#endif
