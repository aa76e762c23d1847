/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the kernels of filled volumes. Volumes with the same weights share one. */
#include "recon/fill/fill.h"

#include <string.h>
#include "base/memory.h"

argand_status fill_kernels_new(fill_kernels *k, const fill_lines *l)
{
    k->volumes = l->volumes;
    TRY(NEW(k->of, l->volumes));
    TRY(NEW(k->counters, l->volumes));
    for (int64_t v = 0; v < l->volumes; v++) {
        k->of[v] = -1;
        k->counters[v] = l->line[l->first[v]]->counters;
    }
    return ARGAND_OK;
}

static argand_status find_lattice(fill_lattice *lattice, const fill_lines *l, int64_t volume)
{
    const argand_scan *scan = l->scan;
    const int64_t first = l->first[volume], most = l->first[volume + 1] - first;
    int32_t(*lines)[2];
    int64_t count = 0, calibrating = 0;
    argand_status status;
    TRY(NEW(lines, most));
    for (int64_t i = 0; i < most; i++) {
        const argand_acquisition *a = l->line[first + i];
        fill_place at;
        TRY_OR_DONE(fill_place_of(&at, l, a));
        if (a >= scan->acquisitions && a < scan->acquisitions + scan->acquisition_count) {
            lines[count][0] = (int32_t)at.y;
            lines[count++][1] = (int32_t)at.z;
        } else {
            calibrating++;
        }
    }
    TRY_OR_DONE(fill_lattice_find(lattice, scan->path, (const int32_t(*)[2])lines, count));
    lattice->others += calibrating;
    status = ARGAND_OK;
done:
    memory_free(lines);
    return status;
}

argand_status fill_kernels_add(fill_kernels *k, const fill_lines *l, int64_t volume,
                               const argand_grappa *plan, bool again)
{
    fill_kernel *to;
    if (!again || !k->count) {
        TRY(GROW(k->list, k->count, k->capacity));
        to = &k->list[k->count];
        *to = (fill_kernel){0};
        TRY(find_lattice(&to->lattice, l, volume));
        TRY(argand_grappa_kernel(&to->kernel, plan, &to->lattice.u));
        k->count++;
    }
    k->of[volume] = k->count - 1;
    return ARGAND_OK;
}

argand_status fill_kernel_of(const fill_kernel **kernel, const fill_kernels *k, const argand_counters *volume)
{
    *kernel = NULL;
    CHECK(k->volumes, ARGAND_ARGUMENT, "g-factor: the filled scan was made without keep_kernels");
    for (int64_t v = 0; v < k->volumes; v++) {
        if (!fill_same_volume(&k->counters[v], volume)) continue;
        *kernel = k->of[v] < 0 ? NULL : &k->list[k->of[v]];
        return ARGAND_OK;
    }
    return status_set(ARGAND_ARGUMENT, "g-factor: slice %d, repetition %d is no volume of the filled scan",
                      volume->slice, volume->repetition);
}

void fill_kernels_free(fill_kernels *k)
{
    for (int64_t i = 0; i < k->count; i++) argand_array_destroy(k->list[i].kernel);
    memory_free(k->list);
    memory_free(k->of);
    memory_free(k->counters);
    *k = (fill_kernels){0};
}
