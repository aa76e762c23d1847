/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of a filled volume as acquisitions: those that the scan lacks are copies of the nearest acquired
 * line with other samples and positions. */
#include "recon/fill/fill.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

/* Takes memory that lives as long as the new scan. */
static argand_status take(float **block, fill_added *added, int64_t floats)
{
    TRY(GROW(added->blocks, added->block_count, added->block_capacity));
    TRY(NEW(*block, floats));
    added->blocks[added->block_count++] = *block;
    return ARGAND_OK;
}

static argand_status append(fill_added *added, const argand_acquisition *line)
{
    TRY(GROW(added->lines, added->count, added->capacity));
    added->lines[added->count++] = *line;
    return ARGAND_OK;
}

/* Copies the grid's samples of a line; returns true if one of them is not 0. */
static bool read_line(float *to, const argand_array *kspace, fill_place at, int64_t samples)
{
    const float *data = argand_array_data(kspace);
    const int64_t nx = argand_array_dim(kspace, 0), ny = argand_array_dim(kspace, 1),
                  nz = argand_array_dim(kspace, 2);
    bool any = false;
    for (int64_t c = 0; c < argand_array_dim(kspace, 3); c++) {
        const float *from = data + 2 * (((c * nz + at.z) * ny + at.y) * nx + at.x);
        memcpy(to + 2 * c * samples, from, (size_t)(2 * samples) * sizeof *to);
        for (int64_t i = 0; i < 2 * samples && !any; i++) any = from[i] != 0;
    }
    return any;
}

/* Makes the line at y, z like `from`, which lies at `old`. Lines whose counters would be negative are left
 * out. */
static argand_status add_line(fill_added *added, const argand_acquisition *from, fill_place old, int64_t y,
                              int64_t z, const argand_array *kspace)
{
    float *data, *k;
    argand_acquisition a = *from;
    const int64_t shot = from->counters.shot + y - old.y, partition = from->counters.partition + z - old.z;
    if (shot < 0 || shot > 65535 || partition < 0 || partition > 65535) return ARGAND_OK;
    TRY(take(&data, added, 2 * a.samples * a.channels));
    if (!read_line(data, kspace, (fill_place){old.x, y, z}, a.samples)) return ARGAND_OK;
    TRY(take(&k, added, 2 * a.samples));
    for (int64_t i = 0; i < a.samples; i++) {
        k[i] = from->k[1][i] + (float)(y - old.y);
        k[a.samples + i] = from->k[2][i] + (float)(z - old.z);
    }
    a.counters.shot = (uint16_t)shot;
    a.counters.partition = (uint16_t)partition;
    a.flags = 0;
    a.data = data;
    a.k[1] = k;
    a.k[2] = k + a.samples;
    return append(added, &a);
}

/* Gives a line its computed samples if some were missing. */
static argand_status complete_line(fill_added *added, argand_acquisition *line, fill_place at,
                                   const argand_array *kspace)
{
    float *data;
    const int64_t samples = line->samples;
    bool missing = false;
    for (int64_t i = 0; i < samples && !missing; i++) {
        missing = true;
        for (int64_t c = 0; c < line->channels; c++) {
            const float *value = line->data + 2 * (c * samples + i);
            missing &= value[0] == 0 && value[1] == 0;
        }
    }
    if (!missing) return ARGAND_OK;
    TRY(take(&data, added, 2 * samples * line->channels));
    read_line(data, kspace, at, samples);
    line->data = data;
    return ARGAND_OK;
}

/* The volume's lines on the grid {ny, nz}: numbers from 1 on, 0: none. */
typedef struct line_table {
    int64_t n[3], *number;
    fill_place *places;
} line_table;

static argand_status make_table(line_table *t, const fill_lines *l, int64_t first, int64_t count)
{
    for (int axis = 0; axis < 3; axis++) t->n[axis] = l->encoding->matrix[axis];
    TRY(NEW(t->places, count));
    TRY(NEW(t->number, t->n[1] * t->n[2]));
    for (int64_t i = 0; i < count; i++) {
        TRY(fill_place_of(&t->places[i], l, l->line[first + i]));
        t->number[t->places[i].z * t->n[1] + t->places[i].y] = i + 1;
    }
    return ARGAND_OK;
}

/* Finds the acquired line nearest to a missing one; -1: there is none nearby. */
static int64_t nearest(const line_table *t, int64_t y, int64_t z)
{
    enum { FAR = 16 };
    int64_t best = -1, least = INT64_MAX;
    for (int64_t r = 1; r <= FAR && best < 0; r++)
        for (int64_t dz = -r; dz <= r; dz++)
            for (int64_t dy = -r; dy <= r; dy++) {
                const int64_t at_y = y + dy, at_z = z + dz, distance = dy * dy + dz * dz;
                if (at_y < 0 || at_y >= t->n[1] || at_z < 0 || at_z >= t->n[2] || distance >= least) continue;
                const int64_t number = t->number[at_z * t->n[1] + at_y];
                if (!number) continue;
                best = number - 1;
                least = distance;
            }
    return best;
}

static argand_status add_missing(fill_added *added, const fill_lines *l, int64_t first, const line_table *t,
                                 const argand_array *kspace)
{
    for (int64_t p = 0; p < t->n[1] * t->n[2]; p++) {
        if (t->number[p]) continue;
        const int64_t like = nearest(t, p % t->n[1], p / t->n[1]);
        if (like >= 0)
            TRY(add_line(added, l->line[first + like], t->places[like], p % t->n[1], p / t->n[1], kspace));
    }
    return ARGAND_OK;
}

argand_status fill_add(fill_added *added, const fill_lines *l, int64_t volume, const argand_array *kspace,
                       argand_acquisition *changed)
{
    const int64_t first = l->first[volume], count = l->first[volume + 1] - first;
    line_table table = {0};
    argand_status status;
    TRY_OR_DONE(make_table(&table, l, first, count));
    for (int64_t i = 0; i < count; i++) {
        const argand_acquisition *line = l->line[first + i], *list = l->scan->acquisitions;
        const bool of_image = line >= list && line < list + l->scan->acquisition_count;
        if (of_image) TRY_OR_DONE(complete_line(added, &changed[line - list], table.places[i], kspace));
    }
    status = add_missing(added, l, first, &table, kspace);
done:
    memory_free(table.number);
    memory_free(table.places);
    return status;
}

void fill_added_free(fill_added *added)
{
    for (int64_t i = 0; i < added->block_count; i++) memory_free(added->blocks[i]);
    memory_free(added->blocks);
    memory_free(added->lines);
    *added = (fill_added){0};
}
