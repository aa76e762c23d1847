/* SPDX-License-Identifier: BSD-3-Clause */
/* The general kernels: a group of items owns FIELD_BLOCK outputs. Where these are too few to fill the device,
 * sums are cut into parts that are added in order afterwards; how many depends on the problem and the device
 * alone. */
#include <stdio.h>
#include "field/device_way.h"

/* Groups for each multiprocessor: enough of them that the last ones to finish cost little. */
enum { GROUPS_WANTED = 48, MOST_PARTS = 64, LEAST_TERMS = 256 };

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

static void make_key(char *key, size_t size, const field_run *run, int coils)
{
    const field_device *d = run->device;
    char common[96];
    field_run_defines(common, sizeof common, run);
    snprintf(key, size, "field_%s REAL=%s LAST=%d NATIVE=%d WIDE=%d TERMS=%d CAREFUL=%d COILS=%d%s",
             run->forward ? "forward" : "adjoint", field_is_double(run->plan) ? "double" : "float",
             d->arrived != NULL, d->native, d->wide, run->plan->terms, d->careful, coils, common);
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
    make_key(key, sizeof key, run, coils);
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

argand_status field_run_direct(const field_run *run)
{
    const int coils = coils_of(run);
    const int64_t groups = field_run_places(run) / FIELD_BLOCK * ((run->vectors + coils - 1) / coils);
    struct field_params p = run->params;
    storage *partial = NULL;
    p.parts = parts_of(run, groups);
    if (p.parts == 1) return start(run, &p, NULL, groups, coils);
    p.last = groups <= run->device->arrived_count;
    argand_status status;
    TRY_OR_DONE(storage_scratch(&partial, run->plan->device,
                                (size_t)p.parts * (size_t)p.part_stride * 2 * field_real_size(run->plan)));
    TRY_OR_DONE(start(run, &p, partial, groups * p.parts, coils));
    if (!p.last) status = field_run_finish(run, &p, partial);
done:
    storage_release(partial);
    return status;
}
