/* SPDX-License-Identifier: BSD-3-Clause */
/* Arranges k-space of a Cartesian scan as a grid, in the layout of BART and own arrays: {nx, ny, nz,
 * coils} with zeros for points that were not measured, then each counter with several values. */
#include "convert/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTERS = 6, PHASE = 4 };

/* Limit of grid points for each measured one: a larger grid is useless, and a header may claim any matrix. */
enum { MOST_EMPTY = 256 };

static const char *const counter_names[COUNTERS] = {"slice", "contrast", "repetition",
                                                    "set",   "phase",    "average"};

static int counter_of(const argand_acquisition *a, int counter)
{
    const argand_counters *c = &a->counters;
    const int values[COUNTERS] = {c->slice, c->contrast, c->repetition, c->set, c->phase, c->average};
    return values[counter];
}

/* Returns the grid point of a sample; -1: none. */
static int64_t point_of(const kspace_grid *g, const argand_acquisition *a, int64_t sample)
{
    int64_t point = 0, stride = 1;
    for (int d = 0; d < 3; d++) {
        const double k = (double)a->k[d][sample], at = round(k) + (double)(g->dims[d] / 2);
        if (!(fabs(k - round(k)) < 1e-3) || at < 0 || at >= (double)g->dims[d]) return -1;
        point += stride * (int64_t)at;
        stride *= g->dims[d];
    }
    for (int d = 4; d < g->rank; d++) {
        point += stride * counter_of(a, g->counter[d]);
        stride *= g->dims[d];
    }
    return point;
}

static const char *find_dims(kspace_grid *g, const kspace_lines *lines)
{
    const argand_acquisition *first = lines->at[0];
    const argand_encoding *e = &lines->scan->encodings[first->encoding];
    int64_t measured = 0;
    *g = (kspace_grid){.rank = 4, .dims = {e->matrix[0], e->matrix[1], e->matrix[2], first->channels}};
    for (int counter = 0; counter < COUNTERS; counter++) {
        int64_t length = 1;
        for (int64_t i = 0; i < lines->count; i++)
            if (counter_of(lines->at[i], counter) >= length) length = counter_of(lines->at[i], counter) + 1;
        if (length == 1) continue;
        if (g->rank == ARGAND_MAX_RANK) return "more than four counters have several values";
        g->counter[g->rank] = counter;
        g->dims[g->rank++] = length;
    }
    for (int64_t i = 0; i < lines->count; i++) measured += lines->at[i]->samples;
    g->points = 1;
    for (int d = 0; d < g->rank; d++)
        if (d != 3 && __builtin_mul_overflow(g->points, g->dims[d], &g->points)) g->points = INT64_MAX;
    return g->points / MOST_EMPTY > measured ? "less than 1/256 of the grid was measured" : NULL;
}

/* Returns the reason why samples do not fit on the grid, or NULL if each has a point of its own. */
static const char *check_points(const kspace_grid *g, const kspace_lines *lines, bool *taken)
{
    for (int64_t i = 0; i < lines->count; i++)
        for (int64_t j = 0; j < lines->at[i]->samples; j++) {
            const int64_t point = point_of(g, lines->at[i], j);
            if (point < 0) return "samples lie between the points of the matrix";
            if (taken[point]) return "points were measured several times";
            taken[point] = true;
        }
    return NULL;
}

argand_status kspace_grid_find(kspace_grid *grid, const char **reason, const kspace_lines *lines)
{
    const int encoding = lines->at[0]->encoding;
    *reason = NULL;
    for (int64_t i = 0; i < lines->count; i++)
        if (lines->at[i]->encoding != encoding) *reason = "acquisitions are of several encodings";
    if (lines->scan->encodings[encoding].bands.count > 1) *reason = "slices were excited together";
    if (!*reason) *reason = find_dims(grid, lines);
    if (*reason) return ARGAND_OK;
    bool *taken = calloc((size_t)grid->points, sizeof *taken);
    if (!taken) return report_error(ARGAND_MEMORY, "%s: no memory for its grid", lines->scan->path);
    *reason = check_points(grid, lines, taken);
    free(taken);
    return ARGAND_OK;
}

void kspace_grid_fill(float *to, const kspace_grid *grid, const kspace_lines *lines)
{
    const int64_t volume = grid->dims[0] * grid->dims[1] * grid->dims[2];
    for (int64_t i = 0; i < lines->count; i++) {
        const argand_acquisition *a = lines->at[i];
        for (int64_t j = 0; j < a->samples; j++) {
            const int64_t point = point_of(grid, a, j), place = point % volume,
                          rest = point / volume * volume * a->channels;
            for (int c = 0; c < a->channels; c++)
                memcpy(to + 2 * (rest + c * volume + place), a->data + 2 * (a->samples * c + j),
                       2 * sizeof *to);
        }
    }
}

static const char *axis_name(const kspace_grid *grid, int d)
{
    static const char *const names[4] = {"sample", "shot", "partition", "coil"};
    return d < 4 ? names[d] : counter_names[grid->counter[d]];
}

const char *kspace_grid_axes(char *text, size_t size, const kspace_grid *grid, bool reversed)
{
    size_t used = 0;
    text[0] = 0;
    for (int d = 0; d < grid->rank && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", d ? "," : "",
                                 axis_name(grid, reversed ? grid->rank - 1 - d : d));
    return text;
}

bool kspace_grid_is_named(const kspace_grid *grid)
{
    for (int d = 4; d < grid->rank; d++)
        if (grid->counter[d] == PHASE) return false;
    return true;
}
