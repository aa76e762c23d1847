/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins a scan with another one that calibrates it, as the single-band reference of simultaneous slices in a
 * file of its own. Slices are matched by their places in the patient. */
#include <argand/epi.h>
#include "io/ismrmrd/scan.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory.h"

typedef struct slice_place {
    double at; /* mm along slice_dir */
    int slice;
} slice_place;

/* The slices of the images of an encoding. */
typedef struct slice_places {
    int count;
    slice_place *places; /* in the order of their places */
    double apart;        /* smallest distance of two slices; of a single one its thickness */
    bool known;          /* all slices have places of their own */
} slice_places;

static double along(const float *a, const float *b)
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

static int by_place(const void *left, const void *right)
{
    const slice_place *a = left, *b = right;
    return a->at != b->at ? (a->at > b->at) - (a->at < b->at) : a->slice - b->slice;
}

static int count_groups(const argand_scan *scan, int encoding)
{
    int groups = 0;
    for (int64_t i = 0; i < scan->acquisition_count; i++)
        if (scan->acquisitions[i].encoding == encoding && scan->acquisitions[i].counters.slice >= groups)
            groups = scan->acquisitions[i].counters.slice + 1;
    return groups;
}

/* Finds the places of all slices; of groups by the first acquisition of each. */
static argand_status places_find(slice_places *s, const argand_scan *scan, int encoding)
{
    const argand_encoding *e = &scan->encodings[encoding];
    const int bands = e->bands.count > 1 ? e->bands.count : 1, groups = count_groups(scan, encoding);
    int64_t found = 0;
    *s = (slice_places){.apart = e->field_of_view[2]};
    CHECK(groups * bands <= UINT16_MAX, ARGAND_UNSUPPORTED,
          "%s: has %d simultaneous slices of up to %d groups: at most %d slices are joined with a reference",
          scan->path, bands, groups, UINT16_MAX);
    TRY(NEW(s->places, groups * bands));
    s->count = groups * bands;
    for (int i = 0; i < s->count; i++) s->places[i].slice = -1;
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        const int group = a->counters.slice;
        if (a->encoding != encoding || s->places[group].slice >= 0) continue;
        for (int b = 0; b < bands; b++, found++)
            s->places[group + b * groups] = (slice_place){
                along(a->position, a->slice_dir) + (b - bands / 2) * e->bands.spacing, group + b * groups};
    }
    s->known = found == s->count && (bands == 1 || e->bands.spacing > 0);
    if (!s->known) return ARGAND_OK;
    qsort(s->places, (size_t)s->count, sizeof *s->places, by_place);
    for (int i = 1; i < s->count; i++) {
        const double gap = s->places[i].at - s->places[i - 1].at;
        s->apart = i == 1 || gap < s->apart ? gap : s->apart;
        s->known &= gap > 0.01;
    }
    return ARGAND_OK;
}

/* Returns the slice at the place of an acquisition; -1: none is within half the distance of two slices. */
static int slice_at(const slice_places *s, const argand_acquisition *a)
{
    if (!s->known) return a->counters.slice < s->count ? a->counters.slice : -1;
    const double at = along(a->position, a->slice_dir);
    int low = 0, high = s->count - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (s->places[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && at - s->places[low - 1].at < fabs(s->places[low].at - at)) low--;
    return s->apart > 0 && fabs(s->places[low].at - at) > 0.5 * s->apart ? -1 : s->places[low].slice;
}

/* Refuses a reference that looks at other places than the scan. */
static argand_status check_pose(const argand_scan *scan, const argand_encoding *e,
                                const argand_acquisition *a, const argand_scan *reference,
                                const argand_acquisition *b)
{
    const float *directions[3][2] = {
        {a->read_dir, b->read_dir}, {a->phase_dir, b->phase_dir}, {a->slice_dir, b->slice_dir}};
    for (int d = 0; d < 3; d++) {
        const float *x = directions[d][0], *y = directions[d][1];
        if (along(x, x) < 0.5 || along(y, y) < 0.5) continue; /* files without directions */
        CHECK(along(x, y) > 0.998, ARGAND_ARGUMENT,
              "%s: its %s direction is not that of %s: acquire the reference with the same orientation",
              reference->path, (const char *const[]){"readout", "phase-encode", "slice"}[d], scan->path);
        const float apart[3] = {b->position[0] - a->position[0], b->position[1] - a->position[1],
                                b->position[2] - a->position[2]};
        const double offset = fabs(along(apart, x)), pixel = e->field_of_view[d] / (double)e->matrix[d];
        CHECK(d == 2 || !(pixel > 0) || offset < pixel, ARGAND_ARGUMENT,
              "%s: its centre is %.3g mm from that of %s along the %s direction: acquire the reference with "
              "the same centre",
              reference->path, offset, scan->path, d ? "phase-encode" : "readout");
    }
    return ARGAND_OK;
}

static argand_status check_reference(const argand_scan *scan, int encoding, const argand_scan *reference)
{
    CHECK(encoding >= 0 && encoding < scan->encoding_count, ARGAND_ARGUMENT,
          "argand_scan_join_reference: encoding %d; the scan has %d", encoding, scan->encoding_count);
    CHECK(scan->acquisition_count && reference->acquisition_count, ARGAND_FORMAT, "%s: has no image data",
          scan->acquisition_count ? reference->path : scan->path);
    CHECK(scan->channels == reference->channels, ARGAND_ARGUMENT,
          "%s: has %d channels, but %s has %d: a reference needs the same coils", reference->path,
          reference->channels, scan->path, scan->channels);
    CHECK(reference->encodings[reference->acquisitions[0].encoding].bands.count <= 1, ARGAND_ARGUMENT,
          "%s: has simultaneous slices; a reference has single slices", reference->path);
    return ARGAND_OK;
}

/* Copies the reference's acquisitions, numbered as the scan's slices. */
static argand_status take_lines(scan_owner *o, const slice_places *s, const argand_scan *reference)
{
    const struct {
        const argand_acquisition *list;
        int64_t count;
    } lists[] = {{reference->acquisitions, reference->acquisition_count},
                 {reference->calibrations, reference->calibration_count}};
    TRY(NEW(o->acquisitions, lists[0].count + lists[1].count));
    int64_t count = 0;
    for (int l = 0; l < 2; l++)
        for (int64_t i = 0; i < lists[l].count; i++) {
            argand_acquisition a = lists[l].list[i];
            const int slice = slice_at(s, &a);
            if (a.encoding != reference->acquisitions[0].encoding || slice < 0) continue;
            a.encoding = o->scan.encoding_count - 1;
            a.flags |= ARGAND_FLAG_CALIBRATION;
            a.counters.slice = (uint16_t)slice;
            o->acquisitions[count++] = a;
        }
    o->scan.calibrations = o->acquisitions;
    o->scan.calibration_count = count;
    return ARGAND_OK;
}

static argand_status check_slices(const scan_owner *o, const slice_places *s, const argand_scan *reference)
{
    bool *seen;
    argand_status status = ARGAND_OK;
    TRY(NEW(seen, s->count));
    for (int64_t i = 0; i < o->scan.calibration_count; i++)
        seen[o->scan.calibrations[i].counters.slice] = true;
    for (int i = 0; i < s->count && !status; i++)
        if (!seen[i])
            status = status_set(ARGAND_ARGUMENT,
                                "%s: has no slice at the place of slice %d of %s: a reference needs all its "
                                "slices",
                                reference->path, i, o->scan.path);
    memory_free(seen);
    return status;
}

static argand_status join(scan_owner *o, const argand_scan *scan, int encoding, const argand_scan *reference)
{
    slice_places s;
    argand_status status = places_find(&s, scan, encoding);
    o->scan = *scan;
    if (status) goto done;
    TRY_OR_DONE(NEW(o->encodings, scan->encoding_count + 1));
    memcpy(o->encodings, scan->encodings, (size_t)scan->encoding_count * sizeof *o->encodings);
    o->encodings[scan->encoding_count] = reference->encodings[reference->acquisitions[0].encoding];
    o->encodings[encoding].bands.calibration_encoding = scan->encoding_count;
    o->scan.encodings = o->encodings;
    o->scan.encoding_count++;
    TRY_OR_DONE(take_lines(o, &s, reference));
    TRY_OR_DONE(check_slices(o, &s, reference));
    text_add(&o->notes, "%s%lld acquisitions of %s calibrate the coils; slices are matched by %s.\n",
             scan->notes ? scan->notes : "", (long long)o->scan.calibration_count, reference->path,
             s.known ? "their places" : "their numbers");
    o->scan.notes = text_chars(&o->notes);
    status = o->notes.status;
done:
    memory_free(s.places);
    return status;
}

argand_status argand_scan_join_reference(argand_scan **joined, const argand_scan *scan, int encoding,
                                         const argand_scan *reference)
{
    scan_owner *o;
    if (joined) *joined = NULL;
    CHECK(joined && scan && reference, ARGAND_ARGUMENT, "argand_scan_join_reference: a pointer is NULL");
    TRY(check_reference(scan, encoding, reference));
    const argand_acquisition *first = scan->acquisitions;
    while (first < scan->acquisitions + scan->acquisition_count - 1 && first->encoding != encoding) first++;
    TRY(check_pose(scan, &scan->encodings[encoding], first, reference, reference->acquisitions));
    TRY(NEW(o, 1));
    const argand_status status = join(o, scan, encoding, reference);
    *joined = &o->scan;
    if (!status) return ARGAND_OK;
    argand_scan_destroy(*joined);
    *joined = NULL;
    return status;
}
