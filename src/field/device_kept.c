/* SPDX-License-Identifier: BSD-3-Clause */
/* Small problems of one vector (field_kept.krn): a group on each multiprocessor keeps its share of the terms
 * in shared memory, and its warps take outputs as they become free. */
#include <stdio.h>
#include "field/device_way.h"

/* Of field_kept.krn: LANES, CHUNK, STEP, KEPT_NEAR. */
enum { LANES = 32, CHUNK = 64, STEP = 4, NEAR = 7 };
enum { ITEMS = 1024, WARPS = ITEMS / LANES, FINISH_ITEMS = 512 };

static int divided_up(int64_t a, int64_t b)
{
    return (int)((a + b - 1) / b);
}

/* Of outputs: samples, or pairs of pixels. */
static int chunks_of(const field_run *run)
{
    return run->forward ? divided_up(run->plan->samples.count, CHUNK)
                        : divided_up(run->device->pairs.count, LANES);
}

static int steps_of(const field_run *run)
{
    return run->forward ? run->device->pairs.fours : divided_up(run->plan->samples.count, STEP);
}

/* Whether there are terms for all groups, not too many, and outputs for all warps. */
static bool fits(const field_run *run)
{
    const field_device *d = run->device;
    const int steps = steps_of(run);
    return steps >= 2 * d->units && divided_up(steps, d->units) * STEP <= FIELD_KEPT &&
           (run->forward || d->pairs.near_spots <= NEAR) && chunks_of(run) >= 2 * WARPS;
}

bool field_kept_applies(const field_run *run)
{
    const field_device *d = run->device;
    int kept = 1;
    field_shape_word("kept", &kept);
    return kept && d->cores != FIELD_CORES_NONE && run->vectors == 1 && d->native == 1 && !d->gradients &&
           !d->decay && !d->wide && d->centres == 1 && fits(run);
}

static int room_of(const field_run *run)
{
    return divided_up(steps_of(run), run->device->units) * STEP <= 80 ? 80 : FIELD_KEPT;
}

static void make_key(char *key, size_t size, const field_run *run)
{
    char common[96];
    int mix = 8;
    field_shape_word("mix", &mix);
    field_run_defines(common, sizeof common, run);
    snprintf(key, size,
             "field_kept_%s REAL=float NATIVE=1 WIDE=0 CAREFUL=0 FORWARD=%d ROOM=%d RESIDENT=1 MIX=%d%s",
             run->forward ? "forward" : "adjoint", run->forward, room_of(run), mix, common);
}

static argand_status start(const field_run *run, const struct field_params *p, storage *partial)
{
    const field_device *d = run->device;
    const field_layout *l = run->layout;
    char key[320];
    make_key(key, sizeof key, run);
    storage *const forward[] = {partial,          run->in->storage,     d->samples,
                                d->block_centres, d->pairs.four_pixels, d->pairs.four_places};
    storage *const adjoint[] = {
        partial,   run->in->storage, d->samples,   d->sample_source, d->weights ? d->weights : d->samples,
        l->pixels, l->places,        d->pairs.slot};
    const size_t rows = (size_t)WARPS * NEAR * ((size_t)(room_of(run) + STEP) * sizeof(float) + 16);
    return kernel_start(run->plan->device, &(kernel_run){.key = key,
                                                         .groups = p->parts,
                                                         .memory = run->forward ? forward : adjoint,
                                                         .memory_count = run->forward ? 6 : 8,
                                                         .params = p,
                                                         .params_bytes = sizeof *p,
                                                         .overlaps = field_run_overlaps(),
                                                         .items = ITEMS,
                                                         .shared_bytes = run->forward ? 0 : rows});
}

static argand_status finish(const field_run *run, const struct field_params *params, storage *partial)
{
    const field_device *d = run->device;
    struct field_params p = *params;
    char key[128];
    p.weighted = run->forward && d->weights;
    snprintf(key, sizeof key,
             "field_kept_finish REAL=float NATIVE=1 WIDE=0 CAREFUL=0 SINC_X=0 SINC_Y=0 SINC_Z=0 FORWARD=%d "
             "FIELD=%d",
             run->forward, d->field);
    storage *const memory[] = {run->out->storage,
                               partial,
                               run->forward ? d->sample_source : d->pairs.pixel_source,
                               p.weighted ? d->weights : d->samples,
                               run->layout->pixels,
                               d->pairs.slot,
                               d->block_centres};
    return kernel_start(run->plan->device, &(kernel_run){.key = key,
                                                         .groups = p.outputs,
                                                         .memory = memory,
                                                         .memory_count = 7,
                                                         .params = &p,
                                                         .params_bytes = sizeof p,
                                                         .overlaps = field_run_overlaps(),
                                                         .items = FINISH_ITEMS});
}

argand_status field_run_kept(const field_run *given)
{
    field_run with_layout = *given;
    const field_run *run = &with_layout;
    with_layout.layout = &run->device->direct;
    struct field_params p = run->params;
    int halves = WARPS;
    storage *partial = NULL;
    p.parts = run->device->units;
    p.units = steps_of(run);
    p.outputs = chunks_of(run);
    field_shape_word("halves", &halves);
    p.whole = p.outputs > halves ? p.outputs - halves : 0;
    TRY(storage_scratch(&partial, run->plan->device,
                        2 * (size_t)p.parts * (size_t)p.outputs * CHUNK * 2 * sizeof(float)));
    argand_status status = start(run, &p, partial);
    if (status == ARGAND_OK) status = finish(run, &p, partial);
    storage_release(partial);
    return status;
}
