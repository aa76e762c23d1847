/* SPDX-License-Identifier: BSD-3-Clause */
/* The general kernels: a group of items owns FIELD_BLOCK outputs. On CUDA the terms of all outputs are dealt
 * out evenly to as many groups as have room at a time, so that all end together; elsewhere sums are cut into
 * parts where outputs are too few to fill the device. Parts are added in order; how many there are depends on
 * the problem and the device alone. */
#include <math.h>
#include <stdio.h>
#include "field/device_way.h"

enum { MOST_PARTS = 64, LEAST_TERMS = 64 };
/* What a group costs beside its terms, and a part of an output. */
enum { GROUP_TERMS = 8, PART_TERMS = 4 };
/* Samples that stay together where sums are cut (STEP of field_direct.krn; of pixels, a spot), and the least
 * terms of a group. */
enum { STEP = 4, LEAST_DEALT = 128 };

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

static int blocks_of(const field_run *run)
{
    return run->forward ? run->device->blocks : run->device->pairs.blocks;
}

/* The pieces of a sum's terms. */
static int units_of(const field_run *run)
{
    const int64_t samples = run->plan->samples.count;
    return run->forward ? run->device->direct.spots : (int)((samples + STEP - 1) / STEP);
}

static int64_t terms_of(const field_run *run)
{
    return run->forward ? run->plan->pixels.unmasked : run->plan->samples.count;
}

/* Outputs in blocks, and how full the last one is. */
static double full_blocks(const field_run *run)
{
    const double outputs =
        run->forward ? (double)run->plan->samples.count : (double)run->device->pairs.count * 2;
    return outputs / FIELD_BLOCK;
}

/* Spots of a block of outputs for which there is room in the adjoint kernel: few kinds of kernel. */
static int near_of(const field_run *run)
{
    static const int rooms[] = {16, 20, 24, 32, 48, 64, 128};
    int i = 0;
    while (rooms[i] < run->device->pairs.most_spots) i++;
    return rooms[i];
}

/* Every how many pairs go by multiply-adds instead of the chip's sine; 0: none. Gradients have enough of
 * those. */
static int mix_of(const field_run *run)
{
    int mix = 0;
    field_shape_word("mix", &mix);
    return run->device->native == 1 && !run->device->gradients ? mix : 0;
}

static void make_key(char *key, size_t size, const field_run *run, int coils, bool dealt)
{
    const field_device *d = run->device;
    char common[96];
    field_run_defines(common, sizeof common, run);
    snprintf(
        key, size,
        "field_%s REAL=%s LAST=%d DEALT=%d NATIVE=%d WIDE=%d TERMS=%d CAREFUL=%d COILS=%d NEAR=%d MIX=%d%s",
        run->forward ? "forward" : "adjoint", field_is_double(run->plan) ? "double" : "float",
        d->arrived != NULL, dealt, d->native, d->wide, run->plan->terms, d->careful, coils, near_of(run),
        mix_of(run), common);
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
    char key[400];
    make_key(key, sizeof key, run, coils, p->groups > 0);
    const field_layout *l = run->layout;
    storage *const memory[] = {run->out->storage,
                               or_any(partial, d),
                               or_any(d->arrived, d),
                               run->in->storage,
                               d->samples,
                               or_any(d->shapes, d),
                               d->block_centres,
                               d->sample_source,
                               or_any(d->weights, d),
                               l->pixels,
                               or_any(l->slopes, d),
                               l->places,
                               run->forward ? l->pixel_source : d->pairs.pixel_source,
                               run->forward ? or_any(d->term_time, d) : d->pairs.slot,
                               run->forward ? or_any(l->term_space, d) : or_any(d->term_time, d),
                               or_any(l->term_space, d)};
    return kernel_start(run->plan->device, &(kernel_run){.key = key,
                                                         .groups = groups,
                                                         .memory = memory,
                                                         .memory_count = run->forward ? 15 : 16,
                                                         .params = p,
                                                         .params_bytes = sizeof *p,
                                                         .overlaps = field_run_overlaps(),
                                                         .items = items_of(run, coils)});
}

/* Groups that a multiprocessor has room for; 0 where that is not known. */
static argand_status find_room(const field_run *run, int coils, bool dealt, int *room)
{
    char key[400];
    make_key(key, sizeof key, run, coils, dealt);
    *room = 0;
    return kernel_room(run->plan->device, &(kernel_run){.key = key, .items = items_of(run, coils)}, room);
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
    const int64_t most = tiles * terms_of(run) / LEAST_DEALT;
    int room;
    TRY(find_room(run, coils, true, &room));
    field_shape_word("room", &room);
    const int64_t groups = smaller((int64_t)room * d->units, smaller(most, (MOST_PARTS - 2) * tiles));
    const int64_t least = groups > 0 ? tiles * p->units / groups : 0; /* units of a group */
    if (least < 1) return ARGAND_OK;
    p->groups = (int)groups;
    p->parts = p->groups == tiles ? 1 : (int)((p->units + least - 2) / least + 1);
    p->last = 1;
    return ARGAND_OK;
}

/* Groups of the multiprocessor that has most. Where they do not fill all room, some have all that they have
 * room for: places are given as they become free, by the launch before too. */
static double most_groups(const field_run *run, double groups, int room)
{
    const double even = ceil(groups / run->device->units);
    return even > 1 && even < room ? fmin(even + 1, room) : even;
}

/* Into how many parts each sum is cut where groups are not dealt to. A multiprocessor does its groups' work
 * at one rate however many they are, so what counts is the one that has the most; at the end half of a
 * group's work is done by too few. Every part is written and read once more. Costs count terms of one
 * block. */
static int parts_of(const field_run *run, int64_t tiles, int room)
{
    const double each = (double)terms_of(run), sets = (double)(tiles / blocks_of(run));
    const int most = smaller(MOST_PARTS, terms_of(run) / LEAST_TERMS);
    double least = 0;
    int parts = 1;
    for (int p = 1; p <= most; p++) {
        const double groups = most_groups(run, full_blocks(run) * sets * p, room), longest = each / p;
        const double cost = groups * (longest + GROUP_TERMS) + longest / 2 + p * PART_TERMS;
        if (p > 1 && cost >= least) continue;
        least = cost;
        parts = p;
    }
    field_shape_word("parts", &parts);
    return parts;
}

argand_status field_run_direct(const field_run *given)
{
    field_run with_layout = *given;
    const field_run *run = &with_layout;
    with_layout.layout = &run->device->direct;
    const int coils = coils_of(run);
    struct field_params p = run->params;
    p.segments = run->layout->segments;
    p.outputs = blocks_of(run);
    p.units = units_of(run);
    p.places = (int64_t)p.outputs * FIELD_BLOCK;
    p.part_stride = p.places * run->vectors;
    const int64_t tiles = p.outputs * (int64_t)((run->vectors + coils - 1) / coils);
    storage *partial = NULL;
    if (may_deal(run, tiles)) TRY(deal(run, &p, tiles, coils));
    if (!p.groups) {
        int room;
        TRY(find_room(run, coils, false, &room));
        p.parts = parts_of(run, tiles, room);
        p.last = p.parts > 1 && tiles <= run->device->arrived_count;
    }
    const int64_t groups = p.groups ? p.groups : tiles * p.parts;
    if (p.parts == 1) return start(run, &p, NULL, groups, coils);
    argand_status status;
    TRY_OR_DONE(storage_scratch(&partial, run->plan->device,
                                (size_t)p.parts * (size_t)p.part_stride * 2 * field_real_size(run->plan)));
    TRY_OR_DONE(start(run, &p, partial, groups, coils));
    if (!p.last)
        status = field_run_finish(
            run, &p, run->forward ? run->device->sample_source : run->device->pairs.pixel_source, partial);
done:
    storage_release(partial);
    return status;
}
