/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibration data of a volume: its separate calibration lines, else the centre of its k-space, else those
 * of the first volume of its slice that has either. */
#include "recon/fill/fill.h"

#include "base/memory.h"

/* Cuts the fully sampled block around the centre out of k-space. *data stays NULL if there is none. */
static argand_status cut_centre(argand_array **data, const argand_array *kspace)
{
    int64_t region[3], start[4] = {0}, dims[4];
    argand_array *view = NULL;
    argand_status status;
    if (argand_calibration_region(region, kspace, 0)) return ARGAND_OK; /* the centre has no sample */
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = argand_array_dim(kspace, axis);
        if (region[axis] < 3 && n > 2) return ARGAND_OK; /* a line next to missing ones */
        dims[axis] = region[axis];
        start[axis] = n / 2 - region[axis] / 2;
    }
    dims[3] = argand_array_dim(kspace, 3);
    const int64_t nx = argand_array_dim(kspace, 0), ny = argand_array_dim(kspace, 1);
    const int64_t strides[4] = {1, nx, nx * ny, nx * ny * argand_array_dim(kspace, 2)};
    const int64_t offset = start[0] + start[1] * strides[1] + start[2] * strides[2];
    TRY(argand_array_view(&view, kspace, 4, dims, strides, offset));
    TRY_OR_DONE(argand_array_create(data, argand_array_device(kspace), ARGAND_C32, 4, dims));
    status = argand_array_copy(*data, view);
done:
    argand_array_destroy(view);
    return status;
}

/* Collects separate calibration lines of the volume, or of its slice if there are none for it. */
static argand_status collect(const argand_acquisition ***list, int64_t *count, const fill_lines *l,
                             const argand_counters *counters)
{
    const argand_scan *scan = l->scan;
    const argand_acquisition *first = NULL;
    *count = 0;
    TRY(NEW(*list, scan->calibration_count));
    for (int64_t i = 0; i < scan->calibration_count && !l->embedded; i++) {
        const argand_acquisition *a = &scan->calibrations[i];
        if (a->encoding == l->calibrating && fill_same_volume(&a->counters, counters))
            (*list)[(*count)++] = a;
    }
    for (int64_t i = 0; i < scan->calibration_count && !l->embedded && (!*count || first); i++) {
        const argand_acquisition *a = &scan->calibrations[i];
        if (a->encoding != l->calibrating || a->counters.slice != counters->slice) continue;
        if (!first) first = a;
        if (fill_same_volume(&a->counters, &first->counters)) (*list)[(*count)++] = a;
    }
    return ARGAND_OK;
}

/* *found: there are separate lines, and c->data are theirs. */
static argand_status from_separate(fill_calibration *c, bool *found, const fill_lines *l,
                                   const argand_counters *counters)
{
    const argand_acquisition **list = NULL;
    argand_array *kspace = NULL;
    int64_t count;
    argand_status status;
    TRY_OR_DONE(collect(&list, &count, l, counters));
    *found = count > 0;
    if (!count || (c->source == list[0] && c->data)) goto done;
    argand_array_destroy(c->data);
    c->data = NULL;
    c->source = list[0];
    TRY_OR_DONE(fill_grid(&kspace, l, list, count));
    TRY_OR_DONE(cut_centre(&c->data, kspace));
    CHECK_OR_DONE(c->data, ARGAND_ARGUMENT,
                  "%s: the calibration lines of slice %d do not cover a block of at least 3 lines around the "
                  "centre of k-space",
                  l->scan->path, counters->slice);
done:
    argand_array_destroy(kspace);
    memory_free(list);
    return status;
}

/* Takes the centre of the first volume of the slice that has one. */
static argand_status from_slice(fill_calibration *c, const fill_lines *l, int slice)
{
    for (int64_t v = 0; v < l->volumes && !c->data; v++) {
        argand_array *kspace = NULL;
        const argand_acquisition *const *lines = l->line + l->first[v];
        if (lines[0]->counters.slice != slice) continue;
        argand_status status = fill_grid(&kspace, l, lines, l->first[v + 1] - l->first[v]);
        if (!status) status = cut_centre(&c->data, kspace);
        argand_array_destroy(kspace);
        TRY(status);
        c->source = lines[0];
    }
    return ARGAND_OK;
}

static bool has_separate(const fill_lines *l)
{
    for (int64_t i = 0; i < l->scan->calibration_count; i++)
        if (l->scan->calibrations[i].encoding == l->calibrating) return true;
    return false;
}

argand_status fill_calibrate(fill_calibration *c, const fill_lines *l, int64_t volume,
                             const argand_array *kspace)
{
    argand_array *own = NULL;
    const argand_acquisition *line = l->line[l->first[volume]];
    const int slice = line->counters.slice;
    bool separate;
    TRY(from_separate(c, &separate, l, &line->counters));
    if (separate) return ARGAND_OK;
    TRY(cut_centre(&own, kspace));
    if (own || (c->source && c->source->counters.slice != slice)) {
        argand_array_destroy(c->data);
        c->data = own;
        c->source = line;
    }
    if (!c->data) TRY(from_slice(c, l, slice));
    CHECK(c->data, ARGAND_ARGUMENT,
          "%s: slice %d, repetition %d has no calibration lines: neither separate ones nor a fully sampled "
          "block of at least 3 lines around the centre of k-space%s",
          l->scan->path, slice, line->counters.repetition,
          l->scan->calibration_count && !l->embedded && !has_separate(l)
              ? "; those of other encoding spaces have other steps of k, and argand sense takes them"
              : "");
    return ARGAND_OK;
}
