/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines read to and fro whose flags do not say so: their positions do, if the file or a sequence states them.
 * Lines that run backwards are put in forward order and get the flag; lines at the middle of k-space in front
 * of a train, which its own lines do not repeat, are its reference lines. */
#include "recon/epi/epi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

enum { LEAST_REFERENCES = 2, LEAST_TRAIN = 4 };

int line_order(const argand_acquisition *a)
{
    if (!a->k[0] || !a->k[1] || !a->k[2] || !a->t || a->samples < 2) return 0;
    if (!line_stays(a->k[1], a->samples) || !line_stays(a->k[2], a->samples)) return 0;
    const int sign = a->k[0][1] > a->k[0][0] ? 1 : -1;
    for (int64_t i = 1; i < a->samples; i++)
        if (!((float)sign * (a->k[0][i] - a->k[0][i - 1]) > 0)) return 0;
    return sign;
}

static bool is_back(const argand_acquisition *a)
{
    return (a->flags & ARGAND_FLAG_REVERSE) != 0;
}

/* Returns true if an encoding's image lines were read in both directions, or are those of EPI, and some do
 * not run forward in memory. */
static bool needs_reversals(const argand_scan *scan, int encoding)
{
    bool along[2] = {false, false}, falls = false;
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        if (a->encoding != encoding) continue;
        const int order = line_order(a);
        if (!order) return false;
        falls |= order < 0;
        along[(order < 0) != is_back(a)] = true;
    }
    return falls && ((along[0] && along[1]) || !strcmp(scan->encodings[encoding].trajectory, "epi"));
}

static bool needs_reversal(const argand_acquisition *a, int encoding)
{
    return a->encoding == encoding && line_order(a) < 0;
}

static void reverse(float *to, const float *from, int64_t count, int64_t width)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * width, from + (count - 1 - i) * width, (size_t)width * sizeof *to);
}

/* Reverses a line; its samples, k and t go to `to`. Returns their end. */
static float *reorder_line(argand_acquisition *a, float *to)
{
    const int64_t n = a->samples;
    for (int64_t c = 0; c < a->channels; c++) reverse(to + 2 * c * n, a->data + 2 * c * n, n, 2);
    a->data = to;
    to += 2 * n * a->channels;
    for (int d = 0; d < 3; d++, to += n) {
        reverse(to, a->k[d], n, 1);
        a->k[d] = to;
    }
    reverse(to, a->t, n, 1);
    a->t = to;
    a->flags ^= ARGAND_FLAG_REVERSE;
    a->centre_sample = (int)(n - 1) - a->centre_sample;
    return to + n;
}

argand_status lines_reorder(float **kept, int64_t *reordered, argand_acquisition *const lists[EPI_LISTS],
                            const argand_scan *scan, int encoding)
{
    const int64_t counts[EPI_LISTS] = {scan->acquisition_count, scan->calibration_count,
                                       scan->correction_count};
    int64_t numbers = 0;
    *reordered = 0;
    if (!needs_reversals(scan, encoding)) return ARGAND_OK;
    for (int l = 0; l < EPI_LISTS; l++)
        for (int64_t i = 0; i < counts[l]; i++)
            if (needs_reversal(&lists[l][i], encoding))
                numbers += lists[l][i].samples * (2 * lists[l][i].channels + 4);
    TRY(memory_take(kept, memory_product((size_t)numbers, sizeof **kept)));
    float *to = *kept;
    for (int l = 0; l < EPI_LISTS; l++)
        for (int64_t i = 0; i < counts[l]; i++) {
            if (!needs_reversal(&lists[l][i], encoding)) continue;
            to = reorder_line(&lists[l][i], to);
            *reordered += l == EPI_IMAGES;
        }
    return ARGAND_OK;
}

/* ---- reference lines */

/* Returns true if line b of the same slice was read after line a. */
static bool follows(const argand_acquisition *a, const argand_acquisition *b)
{
    return b->row == a->row + 1 && b->encoding == a->encoding && b->counters.slice == a->counters.slice;
}

static bool alternates(const argand_acquisition *a, const argand_acquisition *b)
{
    return follows(a, b) && is_back(a) != is_back(b);
}

static bool is_middle(const argand_acquisition *a)
{
    return fabsf(a->k[1][0]) < 0.5F && fabsf(a->k[2][0]) < 0.5F;
}

static float step(const argand_acquisition *a)
{
    return a[1].k[1][0] - a[0].k[1][0];
}

/* Returns the number of reference lines that begin at the first of `count` lines: two or more at the middle,
 * to and fro, and then a train whose lines go on in one direction of ky. */
static int64_t references_at(const argand_acquisition *a, int64_t count)
{
    int64_t n = 1, train = 1;
    if (!is_middle(a)) return 0;
    while (n < count && alternates(&a[n - 1], &a[n]) && is_middle(&a[n])) n++;
    if (n < LEAST_REFERENCES || n + LEAST_TRAIN > count || !follows(&a[n - 1], &a[n])) return 0;
    while (train < LEAST_TRAIN && alternates(&a[n + train - 1], &a[n + train]) &&
           step(&a[n]) * step(&a[n + train - 1]) > 0)
        train++;
    return train == LEAST_TRAIN ? n : 0;
}

static int by_row(const void *first, const void *second)
{
    const argand_acquisition *a = first, *b = second;
    return a->row < b->row ? -1 : a->row > b->row;
}

static int64_t count_references(const argand_scan *scan, int encoding)
{
    int64_t found = 0;
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        const int64_t n = a->encoding == encoding ? references_at(a, scan->acquisition_count - i) : 0;
        found += n;
        i += n ? n - 1 : 0;
    }
    return found;
}

argand_status lines_set_aside(int64_t *count, argand_acquisition *lists[EPI_LISTS], argand_scan *scan,
                              int encoding)
{
    const int64_t all = scan->acquisition_count, before = scan->correction_count;
    argand_acquisition *images = lists[EPI_IMAGES], *references;
    int64_t kept = 0;
    *count = 0;
    for (int64_t i = 0; i < before; i++)
        if (scan->corrections[i].encoding == encoding) return ARGAND_OK;
    const int64_t found = count_references(scan, encoding);
    if (!found) return ARGAND_OK;
    TRY(NEW(references, before + found));
    if (before) memcpy(references, scan->corrections, (size_t)before * sizeof *references);
    for (int64_t i = 0; i < all;) {
        const int64_t n = images[i].encoding == encoding ? references_at(&images[i], all - i) : 0;
        for (int64_t l = 0; l < n; l++) {
            references[before + *count] = images[i + l];
            references[before + (*count)++].flags |= ARGAND_FLAG_PHASE_CORRECTION;
        }
        i += n;
        if (!n) images[kept++] = images[i++];
    }
    qsort(references, (size_t)(before + found), sizeof *references, by_row);
    memory_free(lists[EPI_CORRECTIONS]);
    lists[EPI_CORRECTIONS] = references;
    scan->acquisition_count = kept;
    scan->corrections = references;
    scan->correction_count = before + found;
    return ARGAND_OK;
}
