/* SPDX-License-Identifier: BSD-3-Clause */
/* Echo shift and phase of reversed lines: from each set of reference lines of a scan, or from the images of
 * its slices if there are none. */
#include "recon/epi/epi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/pi.h"

/* Reference lines that were acquired one after the other. */
typedef struct reference_run {
    int64_t first, count;
} reference_run;

static bool continues(const argand_acquisition *before, const argand_acquisition *a)
{
    return a->encoding == before->encoding && a->counters.slice == before->counters.slice &&
           a->row == before->row + 1;
}

static reference_run next_run(const argand_scan *scan, int encoding, int64_t from)
{
    const argand_acquisition *c = scan->corrections;
    while (from < scan->correction_count && c[from].encoding != encoding) from++;
    reference_run run = {from, from < scan->correction_count};
    while (run.count && from + run.count < scan->correction_count &&
           continues(&c[from + run.count - 1], &c[from + run.count]))
        run.count++;
    return run;
}

static bool has_both(const argand_acquisition *lines, int64_t count)
{
    bool found = false;
    for (int64_t i = 1; i < count; i++)
        found |= ((lines[i].flags ^ lines[i - 1].flags) & ARGAND_FLAG_REVERSE) != 0;
    return found;
}

/* Puts lines in the order {pixels, channels, lines} into {pixels, lines, channels}. */
static void reorder(const float *from, float *to, int64_t pixels, int64_t channels, int64_t lines)
{
    for (int64_t l = 0; l < lines; l++)
        for (int64_t c = 0; c < channels; c++)
            memcpy(to + 2 * (c * lines + l) * pixels, from + 2 * (l * channels + c) * pixels,
                   2 * (size_t)pixels * sizeof *to);
}

/* Estimates from regridded lines. */
static argand_status estimate(argand_epi_phase *phase, const line_plan *p, const argand_acquisition *lines,
                              int64_t count)
{
    const int64_t channels = lines[0].channels, dims[3] = {p->pixels, count, channels};
    const argand_acquisition **each = NULL;
    float *samples = NULL, *ordered = NULL;
    bool *reversed = NULL;
    argand_array *array = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(each, count));
    TRY_OR_DONE(NEW(reversed, count));
    TRY_OR_DONE(NEW(samples, 2 * p->pixels * count * channels));
    TRY_OR_DONE(NEW(ordered, 2 * p->pixels * count * channels));
    for (int64_t i = 0; i < count; i++) {
        each[i] = &lines[i];
        reversed[i] = lines[i].flags & ARGAND_FLAG_REVERSE;
    }
    TRY_OR_DONE(lines_apply(p, samples, each, count, NULL, LINE_COMMON_GRID));
    reorder(samples, ordered, p->pixels, channels, count);
    TRY_OR_DONE(argand_array_wrap(&array, p->device, ARGAND_C32, 3, dims, NULL, ordered));
    status = argand_epi_phase_estimate(phase, array, reversed);
done:
    argand_array_destroy(array);
    memory_free(ordered);
    memory_free(samples);
    memory_free(reversed);
    memory_free(each);
    return status;
}

/* Returns true if the ghost of this error is below 0.5 % everywhere: the image does not tell it from none. */
static bool is_negligible(const argand_epi_phase *phase)
{
    const double least = 0.005;
    return 0.5 * (fabs(phase->constant) + 0.5 * TWO_PI * fabs(phase->shift)) < least;
}

/* Estimates from the first volume of each slice. */
static argand_status find_by_image(ghosts *g, const line_plan *p, const argand_scan *scan)
{
    bool *seen;
    argand_status status;
    g->by_image = true;
    g->unusable = 0;
    memory_free(g->groups);
    TRY(NEW(g->groups, scan->acquisition_count));
    TRY(NEW(seen, UINT16_MAX + 1));
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        ghost_group *group = &g->groups[g->count];
        bool found;
        if (a->encoding != p->encoding || seen[a->counters.slice]) continue;
        seen[a->counters.slice] = true;
        *group = (ghost_group){.slice = a->counters.slice, .row = a->row};
        TRY_OR_DONE(entropy_estimate(&group->phase, &found, p, scan, a));
        if (is_negligible(&group->phase)) group->phase = (argand_epi_phase){0};
        g->count += found;
        g->unusable += !found;
    }
    status = ARGAND_OK;
done:
    memory_free(seen);
    return status;
}

static argand_status find_by_references(ghosts *g, const line_plan *p, const argand_scan *scan)
{
    TRY(NEW(g->groups, scan->correction_count));
    for (reference_run r = next_run(scan, p->encoding, 0); r.count;
         r = next_run(scan, p->encoding, r.first + r.count)) {
        const argand_acquisition *lines = &scan->corrections[r.first];
        ghost_group *group = &g->groups[g->count];
        const argand_status status =
            has_both(lines, r.count) ? estimate(&group->phase, p, lines, r.count) : ARGAND_NUMERIC;
        if (status == ARGAND_NUMERIC) { /* one direction alone, or no signal */
            g->unusable++;
            continue;
        }
        TRY(status);
        group->slice = lines->counters.slice;
        group->row = lines[r.count - 1].row;
        g->count++;
    }
    return ARGAND_OK;
}

static int by_slice(const void *first, const void *second)
{
    const ghost_group *a = first, *b = second;
    if (a->slice != b->slice) return a->slice < b->slice ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

argand_status ghosts_find(ghosts *g, const line_plan *p, const argand_scan *scan)
{
    *g = (ghosts){0};
    if (!p->mends) return ARGAND_OK;
    TRY(find_by_references(g, p, scan));
    if (!g->count) TRY(find_by_image(g, p, scan));
    if (g->count) qsort(g->groups, (size_t)g->count, sizeof *g->groups, by_slice);
    return ARGAND_OK;
}

/* Returns the number of groups that come before the line's slice and row, or are at the same place. */
static int64_t groups_before(const ghosts *g, int slice, int64_t row)
{
    const ghost_group line = {.slice = slice, .row = row};
    int64_t low = 0, high = g->count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (by_slice(&g->groups[middle], &line) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the group of a line: the last one of its slice before it, else the first of its slice, else the
 * neighbour in the order of slices whose slice is nearer. */
static int64_t group_of(const ghosts *g, const argand_acquisition *a)
{
    const int slice = a->counters.slice;
    const int64_t at = groups_before(g, slice, a->row);
    if (at == 0) return 0;
    if (at == g->count || g->groups[at - 1].slice == slice) return at - 1;
    return g->groups[at].slice - slice < slice - g->groups[at - 1].slice ? at : at - 1;
}

const argand_epi_phase *ghosts_phase(const ghosts *g, const argand_acquisition *a, bool *elsewhere)
{
    *elsewhere = false;
    if (!g->count) return NULL;
    const int64_t at = group_of(g, a);
    *elsewhere = g->groups[at].slice != a->counters.slice;
    const argand_epi_phase *phase = &g->groups[at].phase;
    return phase->constant != 0 || phase->shift != 0 ? phase : NULL;
}

void ghosts_free(ghosts *g)
{
    memory_free(g->groups);
    *g = (ghosts){0};
}
