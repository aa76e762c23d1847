/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups acquisitions into volumes by their counters. Each of several slices that were excited together is
 * a volume; these volumes share their acquisitions. */
#include "recon/samples/samples.h"

#include <stdlib.h>
#include "base/memory.h"

/* Compares the counters that distinguish volumes, slowest first. */
static int compare(const argand_counters *x, const argand_counters *y)
{
    const int differences[] = {
        x->set - y->set,         x->phase - y->phase,           x->contrast - y->contrast,
        x->average - y->average, x->repetition - y->repetition, x->slice - y->slice};
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i]) return differences[i];
    return 0;
}

/* Compares rows by volume, then by position in the file, so that a volume's acquisitions stay in the
 * file's order. */
static int compare_rows(const void *left, const void *right)
{
    const argand_acquisition *a = ((const recon_row *)left)->acquisition,
                             *b = ((const recon_row *)right)->acquisition;
    const int by_counters = compare(&((const recon_row *)left)->volume, &((const recon_row *)right)->volume);
    if (by_counters) return by_counters;
    return a->row != b->row ? (a->row > b->row) - (a->row < b->row) : (a > b) - (a < b);
}

static recon_volume describe(recon_row *first, int64_t count)
{
    recon_volume v = {.rows = first, .count = count, .counters = first[0].volume};
    v.counters.shot = v.counters.partition = v.counters.segment = 0;
    for (int64_t i = 0; i < count; i++) {
        first[i].offset = v.samples;
        v.samples += first[i].acquisition->samples;
    }
    return v;
}

static void add_rows(argand_sense *s, const argand_acquisition *all, int64_t all_count, bool calibration,
                     int64_t *count)
{
    for (int64_t i = 0; i < all_count; i++) {
        recon_row row = {.acquisition = &all[i], .calibration = calibration, .volume = all[i].counters};
        if (all[i].encoding != s->options.encoding || !all[i].k[0]) continue;
        if (s->time_counter) {
            uint16_t *counter = times_counter(&row.volume, s->time_counter);
            row.time = *counter;
            *counter = 0;
        }
        s->rows[(*count)++] = row;
    }
}

/* Collects the acquisitions of the encoding space in the order of the volumes. */
static argand_status sort_rows(argand_sense *s, int64_t *count)
{
    const argand_scan *scan = s->scan;
    *count = 0;
    TRY(NEW(s->rows, scan->acquisition_count + scan->calibration_count));
    add_rows(s, scan->acquisitions, scan->acquisition_count, false, count);
    CHECK(*count, ARGAND_FORMAT, "%s: no acquisitions of encoding space %d", scan->path, s->options.encoding);
    if (*count < scan->acquisition_count)
        note_once(s, "%lld acquisition%s of other encoding spaces %s left out.",
                  (long long)(scan->acquisition_count - *count), plural_s(scan->acquisition_count - *count),
                  scan->acquisition_count - *count == 1 ? "is" : "are");
    if (s->embedded) add_rows(s, scan->calibrations, scan->calibration_count, true, count);
    /* calibration lines, and scans after the first, may have counters that were not looked at before */
    for (int64_t i = 0; i < *count && s->time_counter; i++)
        CHECK(s->rows[i].time < s->basis_rows, ARGAND_ARGUMENT,
              "%s: acquisition %lld is at point %d in time (from 0), but the temporal basis has %lld rows",
              scan->path, (long long)s->rows[i].acquisition->row, (int)s->rows[i].time,
              (long long)s->basis_rows);
    qsort(s->rows, (size_t)*count, sizeof *s->rows, compare_rows);
    return ARGAND_OK;
}

/* Returns true if the rows contain image data; calibration lines alone make no image. */
static bool has_image(const recon_row *rows, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!rows[i].calibration) return true;
    return false;
}

/* Adds a volume for each image whose coefficients are solved for from the rows of v. */
static argand_status add_coefficients(argand_sense *s, recon_volume v)
{
    const int64_t first = v.counters.repetition * s->basis_count;
    CHECK(first + s->basis_count <= UINT16_MAX, ARGAND_FORMAT, "%s: too many repetitions", s->scan->path);
    for (int64_t k = 0; k < s->basis_count; k++) {
        v.counters.repetition = (uint16_t)(first + k);
        s->volumes[s->volume_count++] = v;
    }
    return ARGAND_OK;
}

/* Adds a volume for each band of a group: band b of group g is slice g + b groups. */
static void add_bands(argand_sense *s, recon_volume v, int groups)
{
    const int group = v.counters.slice;
    for (v.band = 0; v.band < s->bands; v.band++) {
        v.counters.slice = (uint16_t)(group + v.band * groups);
        s->volumes[s->volume_count++] = v;
    }
}

argand_status volumes_find(argand_sense *s)
{
    int64_t count;
    int groups = 0;
    s->bands = s->encoding->bands.count > 1 ? s->encoding->bands.count : 1;
    TRY(embedded_find(s));
    calibrations_find(s);
    TRY(sort_rows(s, &count));
    zeros_find(s, count);
    for (int64_t i = 0; i < count; i++)
        if (!s->rows[i].calibration && s->rows[i].acquisition->counters.slice >= groups)
            groups = s->rows[i].acquisition->counters.slice + 1;
    CHECK(groups * s->bands <= UINT16_MAX, ARGAND_FORMAT, "%s: %d slices, %d of them at a time, are too many",
          s->scan->path, groups * s->bands, s->bands);
    s->slices = groups * s->bands;
    TRY(NEW(s->volumes, count * (s->time_counter ? s->basis_count : s->bands)));
    for (int64_t first = 0, next; first < count; first = next) {
        const argand_counters *c = &s->rows[first].volume;
        for (next = first + 1; next < count && !compare(c, &s->rows[next].volume);) next++;
        if (!has_image(s->rows + first, next - first)) continue;
        const recon_volume v = describe(s->rows + first, next - first);
        if (s->time_counter)
            TRY(add_coefficients(s, v));
        else
            add_bands(s, v, groups);
    }
    embedded_note(s);
    s->channels = s->coils = s->rows[0].acquisition->channels;
    return ARGAND_OK;
}
