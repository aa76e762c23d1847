/* SPDX-License-Identifier: BSD-3-Clause */
/* Acquisitions that are not image data but belong to a volume. */
#include "recon/samples/samples.h"

#include <math.h>
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

/* ---- repetitions whose lines complete each other */

/* Returns the place of a Cartesian line among those of the grid; -1: outside. */
static int64_t line_at(const argand_sense *s, const argand_acquisition *a)
{
    const int64_t ny = s->grid.n[1], nz = s->grid.n[2];
    const int64_t y = llrint((double)a->k[1][0] * s->grid.k_scale[1]) + ny / 2,
                  z = nz > 1 ? llrint((double)a->k[2][0] * s->grid.k_scale[2]) + nz / 2 : 0;
    return y < 0 || y >= ny || z < 0 || z >= nz ? -1 : y + ny * z;
}

/* Marks the lines of a volume and returns how many are new. */
static int64_t mark_lines(const argand_sense *s, const recon_volume *v, bool *marked)
{
    int64_t count = 0;
    for (int64_t i = 0; i < v->count; i++) {
        const int64_t at = line_at(s, v->rows[i].acquisition);
        if (at < 0 || marked[at]) continue;
        marked[at] = true;
        count++;
    }
    return count;
}

/* Returns how many marked lines are next to each other around the centre, `step` apart, of at most `n`. */
static int64_t block_of(const bool *marked, int64_t centre, int64_t step, int64_t n)
{
    int64_t below = 0, above = 0;
    while (below < n / 2 && marked[centre - (below + 1) * step]) below++;
    while (above < n - n / 2 && marked[centre + above * step]) above++;
    return below + above;
}

/* Returns true if the marked lines have a block in the centre that is enough for ESPIRiT. */
static bool has_block(const argand_sense *s, const bool *marked)
{
    enum { ENOUGH = 12 };
    const int64_t ny = s->grid.n[1], nz = s->grid.n[2], centre = ny / 2 + ny * (nz / 2);
    return block_of(marked, centre, 1, ny) >= (ny < ENOUGH ? ny : ENOUGH) &&
           block_of(marked, centre, ny, nz) >= (nz < ENOUGH ? nz : ENOUGH);
}

/* Lists the acquisitions of the first repetitions that together have all lines of the slice; none if the
 * volume itself has them, or a block in the centre. Real-time scans leave out other lines in each
 * repetition. */
static argand_status from_repetitions(const argand_sense *s, const recon_volume *v, recon_row **rows,
                                      int64_t *count)
{
    bool *marked, *own;
    int64_t most = 0, all = 0;
    TRY(NEW(marked, 2 * s->grid.n[1] * s->grid.n[2]));
    own = marked + s->grid.n[1] * s->grid.n[2];
    const int64_t mine = mark_lines(s, v, own);
    for (int i = 0; i < s->volume_count; i++) most += s->volumes[i].count;
    argand_status status = NEW(*rows, most);
    for (int i = 0; i < s->volume_count && status == ARGAND_OK; i++) {
        const recon_volume *w = &s->volumes[i];
        argand_counters c = w->counters;
        c.repetition = v->counters.repetition;
        if (w->counters.slice != v->counters.slice || !same_volume(&c, &v->counters)) continue;
        const int64_t new = mark_lines(s, w, marked);
        all += new;
        for (int64_t r = 0; r < w->count && new; r++)
            (*rows)[(*count)++] = (recon_row){.acquisition = w->rows[r].acquisition};
    }
    if (all <= mine || has_block(s, own)) *count = 0;
    memory_free(marked);
    return status;
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
    if (from == v) return calibrates(v) || !s->cartesian ? ARGAND_OK : from_repetitions(s, v, rows, count);
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
