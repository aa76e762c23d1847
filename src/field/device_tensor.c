/* SPDX-License-Identifier: BSD-3-Clause */
/* Many vectors on tensor cores: the largest input, the vectors packed into matrices, the product; vectors in
 * sets of at most 32. */
#include <stdio.h>
#include "field/device_engine.h"

enum {
    EXTENTS = 256,
    PACK_ITEMS = 256,
    STAGE = 64, /* of field/tensor.krn */
    LEAST_VECTORS = 3
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* One product serves tolerances that half precision reaches. */
static int products_for(const field_run *run)
{
    return run->plan->tolerance >= 1e-3 ? 1 : 3;
}

static void make_key(char *key, size_t size, const char *name, const field_run *run, const field_shape *s)
{
    char common[160];
    field_run_defines(common, sizeof common, run);
    snprintf(key, size,
             "%s%s REAL=float PHASE_NATIVE=1 PHASE_WIDE=0 PHASE_TERMS=%d PHASE_CAREFUL=%d SUM_FORWARD=%d "
             "SUM_COILS=%d MIN_BLOCKS=%d TENSOR_CHUNKS=%d TENSOR_OVERLAP=%d "
             "TENSOR_MASKED=%d TENSOR_JOINED=%d TENSOR_BUFFERS=%d TENSOR_BRIEF=%d TENSOR_PRODUCTS=%d "
             "TENSOR_CENTRED=%d TENSOR_PIECE=%d TENSOR_TILED=%d TENSOR_DEALT=%d TENSOR_UNROLL=%d%s",
             name, run->device->cores == FIELD_CORES_WARPGROUP ? "_warpgroup" : "_warp", run->plan->terms,
             run->plan->terms && run->device->careful, run->forward, s->coils, s->resident, s->chunks,
             s->overlap, s->masked, s->joined, s->buffers, s->brief && products_for(run) == 3,
             products_for(run), field_rotates(run), run->piece, run->layout->tiled,
             run->params.shares.places > 0, s->unroll, common);
}

/* ---- the largest input, and packing ---- */

static argand_status find_extent(const field_run *run, storage *extents)
{
    struct field_params p = run->params;
    p.places = p.in_stride * run->vectors;
    p.extents = EXTENTS;
    storage *const memory[] = {extents, run->in->storage};
    return field_launch(run, &(kernel_run){.key = "field_extent REAL=float",
                                           .groups = EXTENTS,
                                           .memory = memory,
                                           .memory_count = 2,
                                           .params = &p,
                                           .params_bytes = sizeof p,
                                           .overlaps = field_run_overlaps(),
                                           .items = PACK_ITEMS});
}

/* Forward, the pixels are rotated to each of the centres. */
static int64_t packings_of(const field_run *run)
{
    return run->forward ? run->device->centres : 1;
}

static argand_status pack(const field_run *run, const struct field_params *params, const field_shape *s,
                          storage *packed, storage *scale, storage *extents)
{
    const field_device *d = run->device;
    struct field_params p = *params;
    char key[256];
    p.places = field_terms(run);
    p.centres = (int)packings_of(run);
    p.extents = EXTENTS;
    snprintf(key, sizeof key,
             "field_pack REAL=float PHASE_NATIVE=1 PHASE_WIDE=0 PHASE_CAREFUL=0 PHASE_SINC_X=0 "
             "PHASE_SINC_Y=0 PHASE_SINC_Z=0 PHASE_FIELD=%d PHASE_DECAY=%d "
             "SUM_FORWARD=%d SUM_COILS=%d TENSOR_BRIEF=%d",
             d->field, d->decay, run->forward, s->coils, s->brief && products_for(run) == 3);
    const int64_t pieces = p.places / 8 * p.centres * 4 * s->coils;
    storage *const memory[] = {packed,
                               scale,
                               run->in->storage,
                               run->forward ? d->tensor.pixel_source : d->sample_source,
                               d->weights ? d->weights : d->samples,
                               d->tensor.pixels,
                               d->different_centres,
                               extents};
    return field_launch(run, &(kernel_run){.key = key,
                                           .groups = (pieces + PACK_ITEMS - 1) / PACK_ITEMS,
                                           .memory = memory,
                                           .memory_count = 8,
                                           .params = &p,
                                           .params_bytes = sizeof p,
                                           .overlaps = field_run_overlaps(),
                                           .items = PACK_ITEMS});
}

/* ---- the product ---- */

static storage *outputs_source(const field_run *run)
{
    return run->forward ? run->device->sample_source : run->layout->pixel_source;
}

static size_t matrix_bytes(const field_shape *s)
{
    return (size_t)(STAGE / 8 * s->coils * 128);
}

/* Returns the bytes of a struct field_stage, rounded up to its alignment. */
static size_t stage_bytes(const field_run *run, const field_shape *s)
{
    const size_t matrix = matrix_bytes(s), gradients = run->device->gradients ? STAGE * 16 : 0;
    const size_t rest = run->forward ? (size_t)(STAGE * 16 + STAGE / FIELD_SEGMENT * 16) : STAGE * 32;
    const size_t terms = (size_t)field_term_records(run->device, run->plan) * STAGE * 16;
    return (matrix + rest + gradients + terms + 127) / 128 * 128;
}

/* Returns the bytes of shared memory of a group: the buffers, and its outputs' factors of the terms. */
static size_t group_bytes(const field_run *run, const field_shape *s)
{
    return (size_t)s->buffers * stage_bytes(run, s) +
           (size_t)field_term_records(run->device, run->plan) * (size_t)(s->items / 2) * 16;
}

static int64_t groups_of(const struct field_params *p)
{
    return p->shares.places ? p->shares.places + p->shares.late_count : (int64_t)p->outputs * p->parts;
}

static argand_status multiply(const field_run *run, const struct field_params *p, const field_shape *s,
                              storage *out, storage *packed, storage *scale)
{
    const field_device *d = run->device;
    const bool terms = field_term_records(d, run->plan) > 0;
    char key[640];
    make_key(key, sizeof key, "field_tensor", run, s);
    storage *const memory[] = {out,
                               packed,
                               scale,
                               d->samples,
                               d->courses,
                               d->shapes ? d->shapes : d->samples,
                               d->block_centres,
                               d->block_centre,
                               d->tensor.pixels,
                               d->tensor.slopes ? d->tensor.slopes : d->samples,
                               d->tensor.places,
                               outputs_source(run),
                               d->weights ? d->weights : d->samples,
                               terms ? run->forward ? d->term_records : d->tensor.term_records : d->samples,
                               terms ? run->forward ? d->tensor.term_records : d->term_records : d->samples};
    return field_launch(run, &(kernel_run){.key = key,
                                           .groups = groups_of(p),
                                           .memory = memory,
                                           .memory_count = 15,
                                           .params = p,
                                           .params_bytes = sizeof *p,
                                           .overlaps = field_run_overlaps(),
                                           .items = s->items,
                                           .shared_bytes = group_bytes(run, s)});
}

typedef struct buffers {
    storage *packed, *partial, *extents, *scale;
} buffers;

static argand_status make_buffers(buffers *b, const field_run *run, const field_shape *s)
{
    argand_device *device = run->plan->device;
    TRY(storage_scratch(&b->extents, device, EXTENTS * sizeof(float)));
    TRY(storage_scratch(&b->scale, device, sizeof(float)));
    TRY(storage_scratch(&b->packed, device,
                        (size_t)(field_terms(run) / STAGE * packings_of(run)) * matrix_bytes(s)));
    if (run->params.parts == 1) return ARGAND_OK;
    return storage_scratch(&b->partial, device,
                           (size_t)run->params.parts * (size_t)run->params.part_stride * 2 * sizeof(float));
}

/* `count` vectors from `first` on. */
static argand_status run_set(const field_run *whole, int first, int count)
{
    field_run run = *whole;
    struct field_params *p = &run.params;
    field_launches together = {.count = 0};
    const field_shape s = field_shape_for(&run, count);
    buffers b = {0};
    argand_status status;
    run.together = &together;
    p->first_vector = first;
    p->vectors = first + count;
    p->part_stride = p->places * count;
    field_cut_sums(&run, &s);
    TRY_OR_DONE(make_buffers(&b, &run, &s));
    TRY_OR_DONE(find_extent(&run, b.extents));
    TRY_OR_DONE(pack(&run, p, &s, b.packed, b.scale, b.extents));
    TRY_OR_DONE(multiply(&run, p, &s, b.partial ? b.partial : run.out->storage, b.packed, b.scale));
    if (b.partial) TRY_OR_DONE(field_run_finish(&run, p, outputs_source(&run), b.partial));
    status = field_launch_together(&run);
done:
    storage_release(b.partial);
    storage_release(b.packed);
    storage_release(b.scale);
    storage_release(b.extents);
    return status;
}

/* Returns true if shared memory holds the phase terms besides the widest set of vectors. */
static bool terms_fit(const field_run *whole)
{
    enum { OF_ALL_KERNELS = 8 << 10 }; /* what kernels declare besides */
    field_run run = *whole;
    int wanted = 1;
    field_tuning_value("terms", &wanted);
    run.layout = &run.device->tensor;
    const field_shape s = field_shape_for(&run, smaller(run.vectors, run.device->most_vectors));
    return wanted && group_bytes(&run, &s) + OF_ALL_KERNELS <= run.device->group_memory;
}

bool field_tensor_applies(const field_run *run)
{
    const field_device *d = run->device;
    return d->cores != FIELD_CORES_NONE && !field_is_double(run->plan) && !d->wide &&
           run->vectors >= LEAST_VECTORS && d->native && (!run->plan->terms || terms_fit(run));
}

argand_status field_run_tensor(const field_run *whole)
{
    field_run run = *whole;
    const int most = run.device->most_vectors;
    run.layout = &run.device->tensor;
    run.params.segments = run.layout->segments;
    run.params.places = field_places(&run);
    for (int first = 0; first < run.vectors; first += most)
        TRY(run_set(&run, first, smaller(run.vectors - first, most)));
    return ARGAND_OK;
}
