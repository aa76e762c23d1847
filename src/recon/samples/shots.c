/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups the acquisitions of a volume into shots, by phase map. Without phase correction a volume is a
 * single shot, however many interleaves it has. */
#include "recon/samples/samples.h"

#include <stdlib.h>
#include "recon/maps/maps.h"

/* Compares by shot, then by position in the file. */
static int compare_rows(const void *left, const void *right)
{
    const recon_row *a = left, *b = right;
    if (a->map != b->map) return a->map < b->map ? -1 : 1;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

argand_status shots_find(argand_sense *s)
{
    int most = 1;
    if (s->options.phases == ARGAND_PHASES_NONE) return ARGAND_OK;
    for (int i = 0; i < s->volume_count; i++) {
        const recon_volume *v = &s->volumes[i];
        int shots = 1;
        for (int64_t row = 0; row < v->count; row++)
            v->rows[row].map = phases_index(s, &v->rows[row].acquisition->counters);
        qsort(v->rows, (size_t)v->count, sizeof *v->rows, compare_rows);
        for (int64_t row = 1; row < v->count; row++) shots += v->rows[row].map != v->rows[row - 1].map;
        if (shots > most) most = shots;
    }
    text_add(&s->notes, "%d shot%s a volume with a phase map each.\n", most, most > 1 ? "s" : "");
    return ARGAND_OK;
}
