/* SPDX-License-Identifier: BSD-3-Clause */
/* The general kernels: a group of items owns FIELD_BLOCK outputs. Sums are cut into parts where outputs are
 * too few to fill the device evenly. Parts are added in order; how many there are depends on the problem and
 * the device alone. */
#include <math.h>
#include <stdio.h>
#include "field/device_engine.h"

enum { MOST_PARTS = 64, LEAST_TERMS = 64 };
/* The cost of a group besides its terms, and of a part of an output, in terms. */
enum { GROUP_TERMS = 5, PART_TERMS = 1 };
/* Samples that are not separated where sums are cut (STEP of field/direct.krn; of pixels, a spot). */
enum { STEP = 4 };
/* Groups that fit a multiprocessor where that is not known; how often they fill it, at most, where
 * sums are cut; by how many tenths the first part is longer than the mean, and the last shorter. */
enum { DEFAULT_OCCUPANCY = 8, MOST_ROUNDS = 6, TAPER = 7 };

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

/* Returns the number of pieces into which a sum's terms can be cut. */
static int units_of(const field_run *run)
{
    const int64_t samples = run->plan->samples.count;
    return run->forward ? run->device->direct.spots : (int)((samples + STEP - 1) / STEP);
}

static int64_t terms_of(const field_run *run)
{
    return run->forward ? run->plan->pixels.unmasked : run->plan->samples.count;
}

/* Spots of a block of outputs that fit the adjoint kernel: few kinds of kernel. */
static int near_of(const field_run *run)
{
    static const int capacities[] = {16, 20, 24, 32, 48, 64, 128};
    int i = 0;
    while (capacities[i] < run->device->pairs.most_spots) i++;
    return capacities[i];
}

/* Every how many pairs go by multiply-adds instead of the chip's sine; 0: none. Gradients have enough of
 * those. */
static int mix_of(const field_run *run)
{
    int mix = 8;
    field_tuning_value("mix", &mix);
    return run->device->native == 1 && !run->device->gradients ? mix : 0;
}

/* Groups that are to fit a multiprocessor at a time: registers are shared out so; 0: as the compiler
 * likes. */
static int resident_of(const field_run *run, int coils)
{
    const field_device *d = run->device;
    int resident = d->native == 1 && !d->gradients && coils == 1 ? run->forward ? 8 : 7 : 0;
    field_tuning_value("resident", &resident);
    return resident;
}

static void make_key(char *key, size_t size, const field_run *run, int coils)
{
    const field_device *d = run->device;
    const int resident = resident_of(run, coils);
    char common[160], bounds[24] = "";
    field_run_defines(common, sizeof common, run);
    if (resident) snprintf(bounds, sizeof bounds, " MIN_BLOCKS=%d", resident);
    snprintf(key, size,
             "field_%s REAL=%s SUM_LAST=%d PHASE_NATIVE=%d PHASE_WIDE=%d PHASE_TERMS=%d PHASE_CAREFUL=%d "
             "SUM_COILS=%d SUM_NEAR=%d PHASE_MIX=%d%s%s",
             run->forward ? "forward" : "adjoint", field_is_double(run->plan) ? "double" : "float",
             d->arrived != NULL, d->native, d->wide, run->plan->terms, d->careful, coils, near_of(run),
             mix_of(run), bounds, common);
}

/* Returns the table, or, if there is none, some other one: the kernel needs an argument, but does not read
 * it. */
static storage *or_any(storage *table, const field_device *d)
{
    return table ? table : d->samples;
}

static argand_status start(const field_run *run, const struct field_params *p, storage *partial,
                           int64_t groups, int coils)
{
    const field_device *d = run->device;
    char key[400];
    make_key(key, sizeof key, run, coils);
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

/* Groups that fit a multiprocessor; 0 where that is not known. */
static argand_status find_occupancy(const field_run *run, int coils, int *occupancy)
{
    char key[400];
    make_key(key, sizeof key, run, coils);
    *occupancy = 0;
    return kernel_occupancy(run->plan->device, &(kernel_run){.key = key, .items = items_of(run, coils)},
                            occupancy);
}

/* Into how many parts each sum is cut, so that groups fill the device and all end at one time. Groups get
 * places as they become free, and parts get shorter, so what is lost at the end goes with a part's length;
 * but a multiprocessor that has one group more than another from the begin takes longer by all of it. Each
 * group costs a little besides its terms, and every part is written and read once more. Costs count terms of
 * one block of outputs on one multiprocessor. */
static int parts_of(const field_run *run, int64_t tiles, int occupancy)
{
    const double each = (double)terms_of(run), units = run->device->units;
    const double places = units * (occupancy ? occupancy : DEFAULT_OCCUPANCY);
    const int most = smaller(smaller(MOST_PARTS, terms_of(run) / LEAST_TERMS),
                             1 + (int64_t)(MOST_ROUNDS * places / (double)tiles));
    double least = 0;
    int parts = 1;
    for (int p = 1; p <= most; p++) {
        const double groups = (double)tiles * p, of_unit = groups / units;
        const double uneven = groups < 1.25 * places ? ceil(of_unit) - of_unit : 0;
        const double cost = (0.6 + uneven) * each / p + of_unit * GROUP_TERMS + p * PART_TERMS;
        if (p > 1 && cost >= least) continue;
        least = cost;
        parts = p;
    }
    field_tuning_value("parts", &parts);
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
    int occupancy;
    TRY(find_occupancy(run, coils, &occupancy));
    p.parts = parts_of(run, tiles, occupancy);
    p.taper = TAPER;
    field_tuning_value("taper", &p.taper);
    p.last = p.parts > 1 && tiles <= run->device->arrived_count;
    const int64_t groups = tiles * p.parts;
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
