/* SPDX-License-Identifier: BSD-3-Clause */
/* The general kernels: a group of items owns FIELD_BLOCK outputs. On CUDA the terms of all outputs are dealt
 * out evenly to as many groups as have room at a time, so that all end together; elsewhere sums are cut into
 * parts where outputs are too few to fill the device. Parts are added in order; how many there are depends on
 * the problem and the device alone. */
#include <stdio.h>
#include "field/device_way.h"

/* Groups for each multiprocessor: enough of them that the last ones to finish cost little. */
enum { GROUPS_WANTED = 48, MOST_PARTS = 64, LEAST_TERMS = 256 };
/* Samples that are dealt out together (STEP of field_direct.krn; of pixels, a spot), and the least of a
 * group.
 */
enum { STEP = 16, LEAST_DEALT = 128 };

/* Vectors at a time: few kinds of kernel where each must be compiled by a slow compiler. */
static int coils_of(const field_run *run)
{
    if (run->vectors == 2 && run->device->native) return 2;
    return run->vectors == 1 ? 1 : 4;
}

/* FIELD_BLOCK / items outputs an item: more share each load, fewer leave registers for what they need, and
 * compile sooner. */
static int items_of(const field_run *run, int coils)
{
    if (run->plan->terms || !run->device->native) return 256;
    return run->device->gradients && coils == 1 ? 64 : 128;
}

static int smaller(int64_t a, int64_t b)
{
    return (int)(a < b ? a : b);
}

/* Groups that are not dealt to. */
static int parts_of(const field_run *run, int64_t groups)
{
    const field_device *d = run->device;
    const int64_t terms =
        run->forward ? (int64_t)d->segments * FIELD_SEGMENT : (int64_t)d->blocks * FIELD_BLOCK;
    const int64_t wanted = ((int64_t)d->units * GROUPS_WANTED + groups - 1) / groups;
    const int most = smaller(MOST_PARTS, terms / LEAST_TERMS);
    const int parts = smaller(wanted, most);
    return parts < 1 ? 1 : parts;
}

static void make_key(char *key, size_t size, const field_run *run, int coils, bool dealt)
{
    const field_device *d = run->device;
    char common[96];
    field_run_defines(common, sizeof common, run);
    snprintf(key, size, "field_%s REAL=%s LAST=%d DEALT=%d NATIVE=%d WIDE=%d TERMS=%d CAREFUL=%d COILS=%d%s",
             run->forward ? "forward" : "adjoint", field_is_double(run->plan) ? "double" : "float",
             d->arrived != NULL, dealt, d->native, d->wide, run->plan->terms, d->careful, coils, common);
}

/* A table that is there, for the place of one that the kernel will not read. */
static storage *or_any(storage *table, const field_device *d)
{
    return table ? table : d->samples;
}

static argand_status start(const field_run *run, const struct field_params *p, storage *partial,
                           int64_t groups, int coils)
{
    const field_device *d = run->device;
    char key[256];
    make_key(key, sizeof key, run, coils, p->groups > 0);
    storage *const memory[] = {run->out->storage,
                               or_any(partial, d),
                               or_any(d->arrived, d),
                               run->in->storage,
                               d->samples,
                               or_any(d->shapes, d),
                               d->block_centres,
                               d->sample_source,
                               or_any(d->weights, d),
                               d->pixels,
                               or_any(d->slopes, d),
                               d->places,
                               d->pixel_source,
                               or_any(d->term_time, d),
                               or_any(d->term_space, d)};
    return kernel_start(run->plan->device, &(kernel_run){.key = key,
                                                         .groups = groups,
                                                         .memory = memory,
                                                         .memory_count = 15,
                                                         .params = p,
                                                         .params_bytes = sizeof *p,
                                                         .items = items_of(run, coils)});
}

/* ---- terms dealt out evenly ---- */

/* Gradients inside the voxel gain 2 % by it; what has fewer instructions a pair loses 4 to 6 %
 * (docs/performance/field.md). ARGAND_FIELD_SHAPE="dealt 1" or "dealt 0" for experiments. */
static bool may_deal(const field_run *run, int64_t tiles)
{
    int wanted = run->device->gradients;
    field_shape_word("dealt", &wanted);
    return wanted && run->device->arrived && tiles <= run->device->arrived_count;
}

/* How many groups: as have room, with LEAST_DEALT terms each at least, and no sum in more than MOST_PARTS.
 * The parts of a sum are those groups that its terms can touch. */
static argand_status deal(const field_run *run, struct field_params *p, int64_t tiles, int coils)
{
    const field_device *d = run->device;
    const int of_unit = run->forward ? d->spot : STEP;
    const int64_t each =
        (run->forward ? (int64_t)d->segments * FIELD_SEGMENT : (int64_t)d->blocks * FIELD_BLOCK) / of_unit;
    const int64_t most = tiles * each * of_unit / LEAST_DEALT;
    char key[256];
    int room = 0;
    make_key(key, sizeof key, run, coils, true);
    TRY(kernel_room(run->plan->device, &(kernel_run){.key = key, .items = items_of(run, coils)}, &room));
    field_shape_word("room", &room);
    p->groups = smaller((int64_t)room * d->units, smaller(most, (MOST_PARTS - 2) * tiles));
    if (p->groups < 1) return ARGAND_OK;
    const int64_t least = tiles * each / p->groups; /* units of a group */
    p->parts = p->groups == tiles ? 1 : (int)((each + least - 2) / least + 1);
    p->last = 1;
    return ARGAND_OK;
}

argand_status field_run_direct(const field_run *run)
{
    const int coils = coils_of(run);
    const int64_t tiles = field_run_places(run) / FIELD_BLOCK * ((run->vectors + coils - 1) / coils);
    struct field_params p = run->params;
    storage *partial = NULL;
    if (may_deal(run, tiles)) TRY(deal(run, &p, tiles, coils));
    if (!p.groups) {
        p.parts = parts_of(run, tiles);
        p.last = p.parts > 1 && tiles <= run->device->arrived_count;
    }
    const int64_t groups = p.groups ? p.groups : tiles * p.parts;
    if (p.parts == 1) return start(run, &p, NULL, groups, coils);
    argand_status status;
    TRY_OR_DONE(storage_scratch(&partial, run->plan->device,
                                (size_t)p.parts * (size_t)p.part_stride * 2 * field_real_size(run->plan)));
    TRY_OR_DONE(start(run, &p, partial, groups, coils));
    if (!p.last) status = field_run_finish(run, &p, partial);
done:
    storage_release(partial);
    return status;
}
