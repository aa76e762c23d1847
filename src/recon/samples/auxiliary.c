/* SPDX-License-Identifier: BSD-3-Clause */
/* Acquisitions that are not image data but belong to a volume. */
#include "recon/samples/samples.h"

#include <stdlib.h>
#include "base/memory.h"
#include "recon/maps/maps.h"

/* Returns true if two acquisitions belong to the same volume; their slices may differ. */
static bool same_volume(const argand_counters *a, const argand_counters *b)
{
    return a->average == b->average && a->contrast == b->contrast && a->phase == b->phase &&
           a->repetition == b->repetition && a->set == b->set;
}

static bool has_encoding(const argand_acquisition *all, int64_t count, int encoding)
{
    for (int64_t i = 0; i < count; i++)
        if (all[i].encoding == encoding && all[i].k[0]) return true;
    return false;
}

/* Finds the encoding of the calibration acquisitions: the one that the header names for simultaneous slices;
 * that of the image; otherwise the first one that has calibration acquisitions and no image data, as
 * converters write reference lines of another readout. */
static int find_encoding(const argand_sense *s)
{
    const argand_scan *scan = s->scan;
    const int named = s->encoding->bands.calibration_encoding, own = s->options.encoding;
    if (named >= 0 || has_encoding(scan->calibrations, scan->calibration_count, own))
        return named >= 0 ? named : own;
    for (int e = 0; e < scan->encoding_count; e++)
        if (has_encoding(scan->calibrations, scan->calibration_count, e) &&
            !has_encoding(scan->acquisitions, scan->acquisition_count, e))
            return e;
    return own;
}

static bool is_usable(const argand_sense *s, const argand_acquisition *a)
{
    return a->k[0] && (a->encoding == s->options.encoding || a->encoding == s->calibrations.encoding);
}

void calibrations_find(argand_sense *s)
{
    const argand_scan *scan = s->scan;
    s->calibrations = (recon_calibrations){.encoding = find_encoding(s)};
    for (int64_t i = 0; i < scan->calibration_count; i++)
        s->calibrations.count += is_usable(s, &scan->calibrations[i]);
}

void calibrations_note(argand_sense *s)
{
    const int64_t count = s->calibrations.count, others = s->scan->calibration_count - count;
    if (calibrations_are_apart(s) && s->calibrations.encoding != s->options.encoding)
        text_add(&s->notes,
                 "The coil maps are estimated from %lld calibration acquisition%s of encoding space %d.\n",
                 (long long)count, plural_s(count), s->calibrations.encoding);
    else if (calibrations_are_apart(s))
        text_add(&s->notes, "The coil maps are estimated from %lld calibration acquisition%s.\n",
                 (long long)count, plural_s(count));
    if (others > 0)
        text_add(&s->notes, "%lld calibration acquisition%s of other encoding spaces %s not used.\n",
                 (long long)others, plural_s(others), others == 1 ? "is" : "are");
}

static void collect(const argand_sense *s, const argand_acquisition *all, int64_t all_count, uint64_t flag,
                    int slice, recon_row *rows, int64_t *count)
{
    for (int64_t i = 0; i < all_count; i++) {
        const argand_acquisition *a = &all[i];
        if (a->counters.slice != slice || !is_usable(s, a)) continue;
        if (flag && !(a->flags & flag)) continue;
        if (*count && !same_volume(&a->counters, &rows[0].acquisition->counters)) continue;
        rows[(*count)++].acquisition = a;
    }
}

bool calibrations_are_apart(const argand_sense *s)
{
    return s->calibrations.count && !s->embedded;
}

/* Lists the acquisitions of a separate calibration scan, and image data flagged for calibration. Image
 * data of simultaneous slices are left out, because they mix slices. */
static argand_status from_apart(const argand_sense *s, int slice, recon_row **rows, int64_t *count)
{
    const argand_scan *scan = s->scan;
    TRY(NEW(*rows, scan->calibration_count + scan->acquisition_count));
    collect(s, scan->calibrations, scan->calibration_count, 0, slice, *rows, count);
    if (s->bands == 1 && *count)
        collect(s, scan->acquisitions, scan->acquisition_count, ARGAND_FLAG_CALIBRATION_AND_IMAGING, slice,
                *rows, count);
    return ARGAND_OK;
}

static bool calibrates(const recon_volume *v)
{
    for (int64_t i = 0; i < v->count; i++)
        if (v->rows[i].calibration || (v->rows[i].acquisition->flags & ARGAND_FLAG_CALIBRATION_AND_IMAGING))
            return true;
    return false;
}

/* Returns the first volume of the slice with calibration lines; v itself if it has some, or if no volume
 * has any. */
static const recon_volume *calibrating_volume(const argand_sense *s, const recon_volume *v)
{
    if (calibrates(v)) return v;
    for (int i = 0; i < s->volume_count; i++)
        if (s->volumes[i].counters.slice == v->counters.slice && calibrates(&s->volumes[i]))
            return &s->volumes[i];
    return v;
}

argand_status calibrations_of(const argand_sense *s, const recon_volume *v, int slice, recon_row **rows,
                              int64_t *count)
{
    *count = 0;
    *rows = NULL;
    if (calibrations_are_apart(s)) TRY(from_apart(s, slice, rows, count));
    if (*count || s->bands > 1) return ARGAND_OK;
    memory_free(*rows);
    *rows = NULL;
    const recon_volume *from = calibrating_volume(s, v);
    if (from == v) return ARGAND_OK;
    TRY(NEW(*rows, from->count));
    for (int64_t i = 0; i < from->count; i++)
        (*rows)[(*count)++] = (recon_row){.acquisition = from->rows[i].acquisition};
    return ARGAND_OK;
}

static int compare_rows(const void *left, const void *right)
{
    const recon_row *a = left, *b = right;
    if (a->map != b->map) return a->map < b->map ? -1 : 1;
    return (a->acquisition > b->acquisition) - (a->acquisition < b->acquisition);
}

argand_status navigators_of(const argand_sense *s, const recon_volume *v, recon_row **rows, int64_t *count)
{
    const argand_counters *of = &v->rows[0].acquisition->counters;
    *count = 0;
    TRY(NEW(*rows, s->scan->navigator_count));
    for (int64_t i = 0; i < s->scan->navigator_count; i++) {
        const argand_acquisition *a = &s->scan->navigators[i];
        argand_counters c = a->counters;
        c.contrast = of->contrast;
        if (!a->k[0] || c.slice != of->slice || !same_volume(&c, of)) continue;
        (*rows)[(*count)++] = (recon_row){.acquisition = a, .map = phases_index(s, &c)};
    }
    qsort(*rows, (size_t)*count, sizeof **rows, compare_rows);
    return ARGAND_OK;
}
