/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of GPUs: the plan's tables as the kernels want them (kernels/field/params.h), uploaded once, and
 * the launches. Up to two vectors, double precision and chips without matrix units are the affair of the
 * general kernels (device_direct.c), many vectors in single precision that of the tensor cores
 * (device_tensor.c). */
#ifndef FIELD_DEVICE_ENGINE_H
#define FIELD_DEVICE_ENGINE_H

#include "array/array.h"
#include "base/status.h"
#include "field/plan.h"
#include "kernels/field/params.h"

/* USUAL: the best that the chip has. */
typedef enum field_cores {
    FIELD_CORES_DEFAULT = -1,
    FIELD_CORES_NONE,
    FIELD_CORES_WARP,
    FIELD_CORES_WARPGROUP
} field_cores;

/* The pixels in slots: FIELD_SEGMENT neighbours along x, or tiles of 4 x 4, are a segment, which has one
 * place. */
typedef struct field_layout {
    bool tiled;
    int segments;
    int spots; /* segments that hold pixels; padded with empty ones to whole groups of outputs */
    /* of slots and of segments */
    storage *pixels, *slopes, *pixel_source, *places;
    storage *term_space, *term_records; /* for general kernels, for matrix kernels */
} field_layout;

/* Who computes which pixels (general kernels): pairs of neighbouring slots, without those that hold no pixel.
 */
typedef struct field_pairs {
    int count, blocks;     /* pairs; blocks of FIELD_BLOCK outputs */
    int most_spots;        /* of a block */
    storage *slot;         /* of each pair's first pixel */
    storage *pixel_source; /* of outputs; -1 for empty slots and padding */
} field_pairs;

/* Launches that were started together before. */
typedef struct field_replays field_replays;
argand_status field_replays_new(field_replays **out);
void field_replays_free(field_replays *replays); /* NULL is allowed */

typedef struct field_device {
    int blocks, centres;
    int most_vectors;    /* of a launch on matrix units */
    size_t group_memory; /* bytes of shared memory of a group */
    int units;           /* multiprocessors */
    field_cores cores;   /* which matrix units there are */
    int native;          /* PHASE_NATIVE of field/phase.krn */
    bool field, decay, gradients, wide;
    bool careful; /* terms of many turns */
    int sinc[3];  /* SINC_X, Y, Z of field/phase.krn */
    /* of samples, in their order */
    storage *samples, *courses, *shapes, *sample_source, *weights, *term_time, *term_records;
    /* of blocks: their centres in time; which of the different centres; those */
    storage *block_centres, *block_centre, *different_centres;
    storage *arrived; /* a counter of finished parts for each group of outputs; NULL: sums of parts take a
                         launch of their own */
    int arrived_count;
    field_layout direct, tensor; /* of the general kernels and of those for matrix units */
    field_pairs pairs;
    field_replays *replays;
} field_device;

argand_status field_device_samples(field_device *d, const argand_field *plan);
argand_status field_device_pixels(field_device *d, const argand_field *plan);

/* The launches of a set of vectors, which hold what they are given until they are started together. */
enum { FIELD_LAUNCHES = 4, FIELD_MEMORY = 15, FIELD_KEY = 640 };
typedef struct field_launches {
    int count;
    kernel_run run[FIELD_LAUNCHES];
    storage *memory[FIELD_LAUNCHES][FIELD_MEMORY];
    struct field_params params[FIELD_LAUNCHES];
    char key[FIELD_LAUNCHES][FIELD_KEY];
} field_launches;

/* One direction, from contiguous arrays on the plan's device. */
typedef struct field_run {
    const argand_field *plan;
    const field_device *device;
    const field_layout *layout;
    bool forward;
    const argand_array *in, *out;
    int vectors;
    struct field_params params; /* what both kinds of kernel share */
    int piece;                  /* matrix kernels: stages that are not separated where sums are cut */
    field_launches *together;   /* where launches are collected; NULL: they start at once */
} field_run;

/* Starts a kernel, or collects it; starts those that were collected. */
argand_status field_launch(const field_run *run, const kernel_run *launch);
argand_status field_launch_together(const field_run *run);

/* " PHASE_FIELD=1 PHASE_DECAY=0 ...": what keys have in common. */
void field_run_defines(char *text, size_t size, const field_run *run);
argand_status field_run_direct(const field_run *run);

/* float4 records of a row's factors of the phase terms in matrix kernels (TERM_PARTS); 0: no such tables. */
int field_term_records(const field_device *d, const argand_field *plan);

/* How a set of vectors is computed on matrix units: parameters of field/tensor.krn. */
typedef struct field_shape {
    int coils, items, resident, chunks, overlap, masked, joined, buffers, brief, unroll;
} field_shape;
field_shape field_shape_for(const field_run *run, int vectors);
/* Of matrix kernels: whether a problem is so small that it counts how evenly groups end; whether adjoint
 * sums count from a centre in time (TENSOR_CENTRED of field/tensor.krn); terms and outputs, padded; how
 * sums are cut: p->shares, or p->parts and p->taper. */
bool field_is_small(const field_run *run);
int field_rotates(const field_run *run);
int64_t field_terms(const field_run *run);
int64_t field_places(const field_run *run);
int field_blocks(const field_run *run,
                 const field_shape *s); /* of outputs, as many as a group has rows, that hold any */
void field_cut_sums(field_run *run, const field_shape *s);
/* For experiments: sets *value if ARGAND_FIELD_SHAPE has the key (docs/internals/field.md lists the keys). */
void field_tuning_value(const char *word, int *value);
/* Whether launches may begin before the one before has ended: all kernels here wait for what it wrote. */
bool field_run_overlaps(void);
/* Whether the tensor cores should do it. */
bool field_tensor_applies(const field_run *run);
argand_status field_run_tensor(const field_run *run);

/* Sums the parts into the caller's array, where the groups themselves do not; source: of outputs in the
 * plan's order. */
argand_status field_run_finish(const field_run *run, const struct field_params *params, storage *source,
                               storage *partial);

/* For tests: plans that are made from now on use these matrix units, if the chip has them. */
void argand_test_field_cores(field_cores wanted);

#endif
