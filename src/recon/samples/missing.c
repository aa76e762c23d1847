/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes lines of a Cartesian scan that are missing: the scan was interrupted, or a converter or the scanner
 * rejected lines. */
#include "recon/samples/samples.h"

#include <stdlib.h>
#include "base/memory.h"

static int compare_steps(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Counts the different lines of a volume; steps: work memory for all of its rows. */
static int64_t count_lines(const recon_volume *v, uint32_t *steps)
{
    int64_t lines = v->count > 0;
    for (int64_t i = 0; i < v->count; i++) {
        const argand_counters *c = &v->rows[i].acquisition->counters;
        steps[i] = (uint32_t)c->partition << 16 | c->shot;
    }
    qsort(steps, (size_t)v->count, sizeof *steps, compare_steps);
    for (int64_t i = 1; i < v->count; i++) lines += steps[i] != steps[i - 1];
    return lines;
}

/* Returns the number of lines that the header announces for a slice; 0: it does not say. Scans in three
 * dimensions may leave out the corners of k-space. */
static int64_t announced(const argand_sense *s)
{
    const argand_encoding *e = s->encoding;
    const argand_limit *l = &e->limits.shot;
    if (e->limits.derived || e->acceleration[0] > 1 || e->matrix[2] > 1 || s->bands > 1) return 0;
    return l->lowest >= 0 && l->highest < e->matrix[1] ? l->highest - l->lowest + 1 : 0;
}

argand_status missing_note(argand_sense *s)
{
    int64_t most = 0, rows = 0, fewest = INT64_MAX, count;
    uint32_t *steps;
    int short_ones = 0;
    if (!s->cartesian || s->options.phases != ARGAND_PHASES_NONE) return ARGAND_OK;
    for (int v = 0; v < s->volume_count; v++) rows = rows > s->volumes[v].count ? rows : s->volumes[v].count;
    TRY(NEW(steps, rows));
    for (int v = 0; v < s->volume_count; v++) {
        count = count_lines(&s->volumes[v], steps);
        most = count > most ? count : most;
        fewest = count < fewest ? count : fewest;
    }
    for (int v = 0; v < s->volume_count && fewest < most; v++)
        short_ones += count_lines(&s->volumes[v], steps) < most;
    memory_free(steps);
    if (short_ones)
        text_add(
            &s->notes,
            "%d of %d volumes have fewer lines than the others (%lld instead of %lld at worst), as if the "
            "scan had been interrupted or lines rejected. Missing lines are not filled in.\n",
            short_ones, s->volume_count, (long long)fewest, (long long)most);
    if (most < announced(s))
        text_add(&s->notes,
                 "The header announces %lld lines for an image, but there are %lld: the others are not "
                 "filled in.\n",
                 (long long)announced(s), (long long)most);
    return s->notes.status;
}
