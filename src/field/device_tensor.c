/* SPDX-License-Identifier: BSD-3-Clause */
/* Many vectors on tensor cores: the largest input, the vectors packed into matrices, the product; vectors in
 * sets of at most 32. */
#include <limits.h>
#include <stdio.h>
#include "field/device_way.h"

enum {
    PACK_ITEMS = 256,
    EXTENTS = 256,
    STAGE = 64, /* of field_tensor.krn */
    LEAST_VECTORS = 3,
    MOST_PARTS = 32
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

bool field_tensor_applies(const field_run *run)
{
    return run->device->cores != FIELD_CORES_NONE && !field_is_double(run->plan) && !run->plan->terms &&
           !run->device->wide && run->vectors >= LEAST_VECTORS && run->device->native;
}

/* One product serves tolerances that half precision reaches. */
static int products_for(const field_run *run)
{
    return run->plan->tolerance >= 1e-3 ? 1 : 3;
}

/* Adjoint sums count from their block's centre in time: are turned to 0 at the end if there is but one. */
static int turned(const field_run *run)
{
    const field_device *d = run->device;
    int one_centre = 1;
    field_shape_word("one_centre", &one_centre);
    return run->forward || !(d->field || d->decay) ? 0 : one_centre && d->centres == 1 ? 1 : 2;
}

static void make_key(char *key, size_t size, const char *name, const field_run *run, const field_shape *s)
{
    char common[96];
    field_run_defines(common, sizeof common, run);
    snprintf(key, size,
             "%s%s REAL=float LAST=1 NATIVE=1 WIDE=0 CAREFUL=0 FORWARD=%d COILS=%d RESIDENT=%d CHUNKS=%d "
             "OVERLAP=%d "
             "MASKED=%d JOINED=%d BUFFERS=%d BRIEF=%d PRODUCTS=%d TURNED=%d%s",
             name, run->device->cores == FIELD_CORES_WARPGROUP ? "_warpgroup" : "_warp", run->forward,
             s->coils, s->resident, s->chunks, s->overlap, s->masked, s->joined, s->buffers,
             s->brief && products_for(run) == 3, products_for(run), turned(run), common);
}

/* ---- the largest input, and packing ---- */

static argand_status find_extent(const field_run *run, storage *extents)
{
    struct field_params p = run->params;
    p.places = 2 * p.in_stride * run->vectors;
    p.extents = EXTENTS;
    storage *const memory[] = {extents, run->in->storage};
    return kernel_start(run->plan->device, &(kernel_run){.key = "field_extent REAL=float",
                                                         .groups = EXTENTS,
                                                         .memory = memory,
                                                         .memory_count = 2,
                                                         .params = &p,
                                                         .params_bytes = sizeof p,
                                                         .overlaps = field_run_overlaps(),
                                                         .items = PACK_ITEMS});
}

static int64_t terms_of(const field_run *run)
{
    const field_device *d = run->device;
    return run->forward ? (int64_t)d->tensor.segments * FIELD_SEGMENT : (int64_t)d->blocks * FIELD_BLOCK;
}

/* Forward, the pixels are turned to each of the centres. */
static int64_t packings_of(const field_run *run)
{
    return run->forward ? run->device->centres : 1;
}

static argand_status pack(const field_run *run, const struct field_params *params, const field_shape *s,
                          storage *packed, storage *scale, storage *extents)
{
    const field_device *d = run->device;
    struct field_params p = *params;
    char key[160];
    p.places = terms_of(run);
    p.centres = (int)packings_of(run);
    p.extents = EXTENTS;
    snprintf(key, sizeof key,
             "field_pack REAL=float NATIVE=1 WIDE=0 CAREFUL=0 SINC_X=0 SINC_Y=0 SINC_Z=0 FIELD=%d DECAY=%d "
             "FORWARD=%d COILS=%d BRIEF=%d",
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
    return kernel_start(run->plan->device, &(kernel_run){.key = key,
                                                         .groups = (pieces + PACK_ITEMS - 1) / PACK_ITEMS,
                                                         .memory = memory,
                                                         .memory_count = 8,
                                                         .params = &p,
                                                         .params_bytes = sizeof p,
                                                         .overlaps = field_run_overlaps(),
                                                         .items = PACK_ITEMS});
}

/* ---- the product ---- */

/* Of the outputs in the plan's order, padded. */
static int64_t places_of(const field_run *run)
{
    return run->forward ? (int64_t)run->device->blocks * FIELD_BLOCK
                        : (int64_t)run->layout->segments * FIELD_SEGMENT;
}

static storage *outputs_source(const field_run *run)
{
    return run->forward ? run->device->sample_source : run->layout->pixel_source;
}

/* Those that hold anything: outputs and terms, without their padding. */
static int64_t held_outputs(const field_run *run)
{
    return run->forward ? run->plan->samples.count : (int64_t)run->layout->spots * run->layout->spot;
}

static int64_t held_terms(const field_run *run)
{
    return run->forward ? (int64_t)run->layout->spots * run->layout->spot : run->plan->samples.count;
}

static int64_t divided_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Blocks of as many outputs as a group has rows. */
static int row_blocks(const field_run *run, const field_shape *s)
{
    const int64_t blocks = divided_up(held_outputs(run), s->items / 2);
    return blocks ? (int)blocks : 1;
}

/* Stages that a group does together: where they go round all buffers, a block of terms. */
static int piece_of(const field_shape *s)
{
    return s->buffers == FIELD_BLOCK / STAGE ? s->buffers : 1;
}

/* Of one output's terms: stages, in whole pieces. */
static int stages_of(const field_run *run, const field_shape *s)
{
    const int piece = piece_of(s);
    const int64_t pieces = divided_up(held_terms(run), (int64_t)STAGE * piece);
    return (int)(pieces ? pieces : 1) * piece;
}

/* What a group costs beside its stages, and each of the parts of an output, in stages. */
static const double group_cost = 1.2, part_cost = 0.2;

/* Sums are cut so that groups fill the device: in rounds of as many as have room, each as long as its longest
 * part; every further part is written and read once more. */
static double cost_of_parts(const field_run *run, const field_shape *s, int parts)
{
    const int64_t room = (int64_t)run->device->units * s->resident;
    const int64_t rounds = divided_up((int64_t)row_blocks(run, s) * parts, room), piece = piece_of(s);
    const int64_t longest = divided_up(stages_of(run, s) / piece, parts) * piece;
    return (double)rounds * ((double)longest + group_cost) + (parts > 1 ? 2 + part_cost * parts : 0);
}

static int parts_of(const field_run *run, const field_shape *s)
{
    const int pieces = stages_of(run, s) / piece_of(s), most = pieces < MOST_PARTS ? pieces : MOST_PARTS;
    int parts = 1;
    for (int p = 2; p <= most; p++)
        if (cost_of_parts(run, s, p) < cost_of_parts(run, s, parts)) parts = p;
    return parts;
}

/* All stages of all outputs dealt out evenly to as many groups as have room, of which one may do the end of
 * an output's and the begin of the next's: where parts leave much of the room empty. Groups then read
 * different terms at a time, which must not be too many for the second cache. 0: parts are as good. */
static int groups_to_deal_to(const field_run *run, const field_shape *s, int parts)
{
    const int64_t room = (int64_t)run->device->units * s->resident;
    const int64_t pieces = (int64_t)row_blocks(run, s) * (stages_of(run, s) / piece_of(s));
    const int64_t groups = pieces < room ? pieces : room;
    const double longest = (double)(divided_up(pieces, groups) * piece_of(s));
    int wanted = longest + 2 * group_cost + 3 < 0.97 * cost_of_parts(run, s, parts);
    if (pieces > INT_MAX / 8) wanted = 0;
    field_shape_word("dealt", &wanted);
    return wanted ? (int)groups : 0;
}

/* How the sums are cut: p->groups or p->parts, and of how many parts an output can be. */
static int cut_sums(struct field_params *p, const field_run *run, const field_shape *s)
{
    p->outputs = row_blocks(run, s);
    p->units = stages_of(run, s);
    p->parts = parts_of(run, s);
    p->groups = groups_to_deal_to(run, s, p->parts);
    if (!p->groups) return p->parts;
    const int64_t each = p->units / piece_of(s), least = each * p->outputs / p->groups;
    return (int)((each + least - 2) / least + 1);
}

/* What struct field_stage holds, rounded up to its alignment. */
static size_t stage_bytes(const field_run *run, const field_shape *s)
{
    const size_t matrix = (size_t)(STAGE / 8 * s->coils * 128),
                 gradients = run->device->gradients ? STAGE * 16 : 0;
    const size_t rest = run->forward ? (size_t)(STAGE * 16 + STAGE / run->layout->spot * 16) : STAGE * 24;
    return (matrix + rest + gradients + 127) / 128 * 128;
}

typedef struct buffers {
    storage *extents, *scale, *packed, *partial;
} buffers;

static argand_status multiply(const field_run *run, const struct field_params *p, const field_shape *s,
                              const buffers *b)
{
    const field_device *d = run->device;
    char key[320];
    make_key(key, sizeof key, "field_tensor", run, s);
    storage *const memory[] = {run->out->storage,
                               b->partial ? b->partial : run->out->storage,
                               d->arrived,
                               b->packed,
                               b->scale,
                               d->samples,
                               d->courses,
                               d->shapes ? d->shapes : d->samples,
                               d->block_centres,
                               d->block_centre,
                               d->tensor.pixels,
                               d->tensor.slopes ? d->tensor.slopes : d->samples,
                               d->tensor.places,
                               outputs_source(run),
                               d->weights ? d->weights : d->samples};
    return kernel_start(run->plan->device,
                        &(kernel_run){.key = key,
                                      .groups = p->groups ? p->groups : (int64_t)p->outputs * p->parts,
                                      .memory = memory,
                                      .memory_count = 15,
                                      .params = p,
                                      .params_bytes = sizeof *p,
                                      .overlaps = field_run_overlaps(),
                                      .items = s->items,
                                      .shared_bytes = (size_t)s->buffers * stage_bytes(run, s)});
}

static field_shape shape_of_set(const field_run *run, int first)
{
    return field_shape_for(run, smaller(run->vectors - first, run->device->most_vectors));
}

static argand_status run_set(const field_run *run, int first, const buffers *b)
{
    const field_shape s = shape_of_set(run, first);
    struct field_params p = run->params;
    p.first_vector = first;
    cut_sums(&p, run, &s);
    TRY(pack(run, &p, &s, b->packed, b->scale, b->extents));
    return multiply(run, &p, &s, b);
}

/* Parts of an output in any set. */
static int most_parts(const field_run *run)
{
    int most = 1;
    for (int first = 0; first < run->vectors; first += run->device->most_vectors) {
        const field_shape s = shape_of_set(run, first);
        struct field_params p = run->params;
        const int parts = cut_sums(&p, run, &s);
        if (parts > most) most = parts;
    }
    return most;
}

static argand_status make_buffers(buffers *b, const field_run *run)
{
    argand_device *device = run->plan->device;
    const field_shape widest = shape_of_set(run, 0);
    const int parts = most_parts(run);
    TRY(storage_scratch(&b->extents, device, EXTENTS * sizeof(float)));
    TRY(storage_scratch(&b->scale, device, sizeof(float)));
    TRY(storage_scratch(&b->packed, device,
                        (size_t)(terms_of(run) / 8 * packings_of(run)) * (size_t)widest.coils * 128));
    if (parts == 1) return ARGAND_OK;
    return storage_scratch(&b->partial, device,
                           (size_t)parts * (size_t)run->params.part_stride * 2 * sizeof(float));
}

argand_status field_run_tensor(const field_run *whole)
{
    field_run cut = *whole;
    const field_run *run = &cut;
    cut.layout = &run->device->tensor;
    cut.params.segments = cut.layout->segments;
    cut.params.places = places_of(run);
    cut.params.part_stride = cut.params.places * run->vectors;
    buffers b = {0};
    argand_status status;
    TRY_OR_DONE(make_buffers(&b, run));
    TRY_OR_DONE(find_extent(run, b.extents));
    for (int first = 0; first < run->vectors; first += run->device->most_vectors)
        TRY_OR_DONE(run_set(run, first, &b));
done:
    storage_release(b.partial);
    storage_release(b.packed);
    storage_release(b.scale);
    storage_release(b.extents);
    return status;
}
