/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes lines of a Cartesian scan that are missing: the scan was interrupted, or a converter or the scanner
 * rejected lines. Also lines that were acquired several times, and that no counter separates. */
#include "recon/samples/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
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

/* Compares the places of lines in k-space, then counters that images may differ by. */
static int compare_lines(const void *left, const void *right)
{
    const argand_acquisition *a = *(const argand_acquisition *const *)left,
                             *b = *(const argand_acquisition *const *)right;
    for (int d = 1; d < 3; d++) {
        const long p = lrintf(a->k[d][0]), q = lrintf(b->k[d][0]);
        if (p != q) return p < q ? -1 : 1;
    }
    argand_counters c[2] = {a->counters, b->counters};
    for (int i = 0; i < 2; i++) c[i].shot = c[i].partition = 0;
    return memcmp(&c[0], &c[1], sizeof *c);
}

/* Notes volumes most of whose lines have a second one at the same place with the same counters. */
static argand_status note_doubled(argand_sense *s)
{
    int64_t rows = 0, most = 0, lines = 0;
    const argand_acquisition **all;
    for (int v = 0; v < s->volume_count; v++) rows = rows > s->volumes[v].count ? rows : s->volumes[v].count;
    TRY(NEW(all, rows));
    for (int v = 0; v < s->volume_count; v++) {
        const recon_volume *of = &s->volumes[v];
        int64_t different = of->count > 0;
        for (int64_t i = 0; i < of->count; i++) all[i] = of->rows[i].acquisition;
        qsort(all, (size_t)of->count, sizeof *all, compare_lines);
        for (int64_t i = 1; i < of->count; i++) different += compare_lines(&all[i - 1], &all[i]) != 0;
        if (of->count < 2 * different || of->count <= most) continue;
        most = of->count;
        lines = different;
    }
    memory_free(all);
    if (most)
        text_add(&s->notes,
                 "%lld acquisitions of an image are %lld different lines: the others have the same place in "
                 "k-space and the same counters, and the image is their mean. If they are slices or "
                 "repetitions, set the counters (labels SLC and REP of Pulseq).\n",
                 (long long)most, (long long)lines);
    return s->notes.status;
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
    return note_doubled(s);
}
