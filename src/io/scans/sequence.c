/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan whose positions and times are those of a Pulseq sequence: its acquisitions, in the order of the
 * file, are the sequence's ADC events. k is converted from 1/m of the gradient axes to cycles per field of
 * view of the image's axes (x: readout, y: phase, z: slice); t counts from the last excitation. */
#include <argand/pack.h>
#include "io/ismrmrd/scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"

/* The lists of a scan whose acquisitions have positions. */
enum { IMAGES, CALIBRATIONS, NAVIGATORS, CORRECTIONS, LISTS };

typedef struct placing {
    const argand_scan *scan;
    const argand_sequence *sequence;
    scan_owner *owner;
    int64_t *first;  /* first sample of each ADC event */
    bool noise_too;  /* noise acquisitions are ADC events of the sequence */
    double aside[3]; /* largest |k| along axes of a single pixel, in cycles per field of view */
    text grown;      /* notes on encodings whose field of view and matrix are the sequence's */
} placing;

/* ---- which ADC event */

/* Decides whether the sequence's events are all acquisitions of the file, or those without the noise. */
static argand_status match(placing *p)
{
    const argand_scan *s = p->scan;
    const int64_t events = p->sequence->readout_count,
                  without = s->acquisition_count + s->calibration_count + s->navigator_count +
                            s->correction_count + s->other_count,
                  all = without + s->noise_count;
    p->noise_too = events == all;
    CHECK(events == all || events == without, ARGAND_ARGUMENT,
          "%s: has %lld acquisitions and %lld of noise, but the sequence has %lld ADC events: it is another "
          "sequence, or one of them was cut off",
          s->path, (long long)without, (long long)s->noise_count, (long long)events);
    return ARGAND_OK;
}

/* Returns the number of an acquisition's ADC event. */
static int64_t event_of(const placing *p, const argand_acquisition *a)
{
    int64_t event = a->row;
    for (int64_t i = 0; i < p->scan->noise_count && !p->noise_too; i++)
        event -= p->scan->noise[i].row < a->row;
    return event;
}

/* ---- an acquisition */

static argand_status check_event(const placing *p, const argand_acquisition *a, int64_t event)
{
    CHECK(event >= 0 && event < p->sequence->readout_count, ARGAND_ARGUMENT,
          "%s: acquisition %lld is beyond the %lld ADC events of the sequence", p->scan->path,
          (long long)a->row, (long long)p->sequence->readout_count);
    CHECK(a->samples == p->sequence->sizes[event], ARGAND_ARGUMENT,
          "%s: acquisition %lld has %lld samples, but ADC event %lld of the sequence has %lld (both from 0): "
          "convert the scan without removing samples",
          p->scan->path, (long long)a->row, (long long)a->samples, (long long)event,
          (long long)p->sequence->sizes[event]);
    return ARGAND_OK;
}

/* ---- its encoding */

/* Range of the positions of image data along an axis, in 1/m. */
typedef struct span {
    double low, high;
} span;

static span span_of(const placing *p, int encoding, int axis)
{
    span found = {INFINITY, -INFINITY};
    for (int64_t l = 0; l < p->scan->acquisition_count; l++) {
        const argand_acquisition *a = &p->scan->acquisitions[l];
        const int64_t event = event_of(p, a);
        if (a->encoding != encoding || event < 0 || event >= p->sequence->readout_count) continue;
        for (int64_t i = 0; i < p->sequence->sizes[event]; i++) {
            const double k = p->sequence->k[axis][p->first[event] + i];
            found = (span){fmin(found.low, k), fmax(found.high, k)};
        }
    }
    return found;
}

static bool fits(span k, double field_of_view, int64_t matrix)
{
    return fmax(-k.low, k.high) * 1e-3 * field_of_view <= 1.05 * 0.5 * (double)matrix;
}

/* Returns the least matrix of positions, in cycles per field of view: at both ends at most half of it, and no
 * two of them a whole matrix apart. */
static int64_t matrix_of(span k)
{
    const int64_t least = llrint(2 * fmax(-k.low, k.high));
    return least + (k.high - k.low > (double)least - 0.25);
}

/* Takes field of view and matrix from the sequence if its positions lie outside of the header's matrix: a
 * scanner that plays a sequence writes the protocol of its user interface. */
static argand_status fit_encoding(placing *p, argand_encoding *e, int encoding)
{
    const double *view = p->sequence->field_of_view, most = 65535;
    const argand_encoding before = *e;
    span k[3];
    bool fit = true, finite = true;
    for (int d = 0; d < 3; d++) {
        k[d] = span_of(p, encoding, d);
        finite = finite && isfinite(k[d].high) && fmax(-k[d].low, k[d].high) * view[d] <= 0.5 * most;
        fit = fit && (e->matrix[d] <= 1 || fits(k[d], e->field_of_view[d], e->matrix[d]));
    }
    if (fit || !finite || !(view[0] > 0)) return ARGAND_OK;
    for (int d = 0; d < 3; d++) {
        const double m = view[d];
        e->field_of_view[d] = 1e3 * m;
        if (e->matrix[d] > 1 && !fits(k[d], e->field_of_view[d], e->matrix[d]))
            e->matrix[d] = matrix_of((span){k[d].low * m, k[d].high * m});
        e->recon_matrix[d] = e->matrix[d];
        e->recon_field_of_view[d] = e->field_of_view[d];
    }
    text_add(
        &p->grown,
        "The sequence reaches beyond the header's matrix of %lld x %lld x %lld (%.4g x %.4g x %.4g mm): the "
        "field of view is the sequence's, %.4g x %.4g x %.4g mm, and the matrix is %lld x %lld x %lld.\n",
        (long long)before.matrix[0], (long long)before.matrix[1], (long long)before.matrix[2],
        before.field_of_view[0], before.field_of_view[1], before.field_of_view[2], e->field_of_view[0],
        e->field_of_view[1], e->field_of_view[2], (long long)e->matrix[0], (long long)e->matrix[1],
        (long long)e->matrix[2]);
    return p->grown.status;
}

/* Refuses positions far outside the matrix, as the readers do. */
static argand_status check_reach(const placing *p, const argand_acquisition *a, int axis, double largest)
{
    const argand_encoding *e = &p->owner->encodings[a->encoding];
    CHECK(
        largest <= 1.05 * 0.5 * (double)e->matrix[axis], ARGAND_ARGUMENT,
        "%s: acquisition %lld: the sequence reaches k%c = %.4g cycles per field of view of %.4g mm, but the "
        "encoded matrix of %lld allows %.4g, and the sequence states no field of view (definition FOV): "
        "correct the header's field of view or matrix",
        p->scan->path, (long long)a->row, "xyz"[axis], largest, e -> field_of_view[axis],
        (long long)e -> matrix[axis], 0.5 * (double)e -> matrix[axis]);
    return ARGAND_OK;
}

/* Writes k and t of an acquisition to 4 x samples numbers. */
static argand_status place(placing *p, argand_acquisition *a, float *to)
{
    const argand_encoding *e = &p->owner->encodings[a->encoding];
    const argand_sequence *s = p->sequence;
    const int64_t event = event_of(p, a);
    const bool back = a->flags & ARGAND_FLAG_REVERSE;
    TRY(check_event(p, a, event));
    const int64_t first = p->first[event];
    for (int d = 0; d < 3; d++) {
        const double metres = e->field_of_view[d] * 1e-3;
        const bool flat = e->matrix[d] <= 1;
        double largest = 0;
        for (int64_t i = 0; i < a->samples; i++) {
            const double k = s->k[d][first + (back ? a->samples - 1 - i : i)] * metres;
            largest = fmax(largest, fabs(k));
            to[d * a->samples + i] = flat ? 0 : (float)k;
        }
        if (flat)
            p->aside[d] = fmax(p->aside[d], largest);
        else
            TRY(check_reach(p, a, d, largest));
        a->k[d] = to + d * a->samples;
    }
    for (int64_t i = 0; i < a->samples; i++)
        to[3 * a->samples + i] = (float)(s->t[first + (back ? a->samples - 1 - i : i)] - s->excited[event]);
    a->t = to + 3 * a->samples;
    if (s->counters) a->counters = s->counters[event];
    return ARGAND_OK;
}

/* ---- the scan */

static argand_status copy_lists(placing *p, argand_acquisition *lists[LISTS], int64_t counts[LISTS])
{
    const argand_scan *s = p->scan;
    const argand_acquisition *const from[LISTS] = {s->acquisitions, s->calibrations, s->navigators,
                                                   s->corrections};
    counts[IMAGES] = s->acquisition_count;
    counts[CALIBRATIONS] = s->calibration_count;
    counts[NAVIGATORS] = s->navigator_count;
    counts[CORRECTIONS] = s->correction_count;
    TRY(NEW(p->owner->acquisitions, counts[0] + counts[1] + counts[2] + counts[3]));
    argand_acquisition *to = p->owner->acquisitions;
    for (int l = 0; l < LISTS; to += counts[l++]) {
        lists[l] = to;
        if (counts[l]) memcpy(to, from[l], (size_t)counts[l] * sizeof *to);
    }
    p->owner->scan.acquisitions = lists[IMAGES];
    p->owner->scan.calibrations = lists[CALIBRATIONS];
    p->owner->scan.navigators = lists[NAVIGATORS];
    p->owner->scan.corrections = lists[CORRECTIONS];
    return ARGAND_OK;
}

/* Names the trajectory by the positions of an encoding's image data: a header may say that spirals are
 * Cartesian. */
static void name_trajectory(const placing *p, int encoding)
{
    const argand_scan *s = &p->owner->scan;
    char *name = p->owner->encodings[encoding].trajectory;
    bool on_grid = true, any = false;
    for (int64_t l = 0; l < s->acquisition_count && on_grid; l++) {
        const argand_acquisition *a = &s->acquisitions[l];
        if (a->encoding != encoding) continue;
        any = true;
        for (int64_t i = 0; i < 3 * a->samples && on_grid; i++)
            on_grid = fabsf(a->k[0][i] - rintf(a->k[0][i])) < 1e-3F;
    }
    if (!any || !strcmp(name, "epi") || on_grid == !strcmp(name, "cartesian")) return;
    snprintf(name, sizeof p->owner->encodings[encoding].trajectory, "%s", on_grid ? "cartesian" : "other");
}

static argand_status note(const placing *p)
{
    text *notes = &p->owner->notes;
    text_add(notes, "%s%s%s", p->scan->notes ? p->scan->notes : "", p->sequence->notes,
             text_chars(&p->grown));
    text_add(notes, "k and t are those of the sequence's %lld ADC events, in the order of the file%s.\n",
             (long long)p->sequence->readout_count,
             p->scan->noise_count == 0 ? ""
             : p->noise_too            ? "; the noise acquisitions are among them"
                                       : "; the noise acquisitions are not among them");
    if (p->sequence->counters)
        text_add(notes, "Counters (slice, repetition, ...) are the sequence's labels.\n");
    for (int d = 0; d < 3; d++)
        if (p->aside[d] > 0.5)
            text_add(notes,
                     "The sequence reaches %.4g cycles per field of view along %c, where the matrix has one "
                     "pixel: they are left out.\n",
                     p->aside[d], "xyz"[d]);
    return notes->status;
}

static argand_status place_all(placing *p)
{
    argand_acquisition *lists[LISTS];
    int64_t counts[LISTS], samples = 0, before = 0;
    scan_owner *o = p->owner;
    TRY(match(p));
    TRY(NEW(p->first, p->sequence->readout_count));
    for (int64_t i = 0; i < p->sequence->readout_count; before += p->sequence->sizes[i++])
        p->first[i] = before;
    TRY(NEW(o->encodings, p->scan->encoding_count));
    memcpy(o->encodings, p->scan->encodings, (size_t)p->scan->encoding_count * sizeof *o->encodings);
    o->scan.encodings = o->encodings;
    for (int e = 0; e < p->scan->encoding_count; e++) TRY(fit_encoding(p, &o->encodings[e], e));
    TRY(copy_lists(p, lists, counts));
    for (int l = 0; l < LISTS; l++)
        for (int64_t i = 0; i < counts[l]; i++) samples += lists[l][i].samples;
    TRY(NEW(o->coordinates, 4 * samples));
    float *to = o->coordinates;
    for (int l = 0; l < LISTS; l++)
        for (int64_t i = 0; i < counts[l]; i++) {
            TRY(place(p, &lists[l][i], to));
            to += 4 * lists[l][i].samples;
        }
    for (int e = 0; e < p->scan->encoding_count; e++) name_trajectory(p, e);
    TRY(note(p));
    o->scan.notes = text_chars(&o->notes);
    return ARGAND_OK;
}

argand_status argand_scan_place(argand_scan **placed, const argand_scan *scan,
                                const argand_sequence *sequence)
{
    placing p = {.scan = scan, .sequence = sequence};
    if (placed) *placed = NULL;
    CHECK(placed && scan && sequence, ARGAND_ARGUMENT, "argand_scan_place: a pointer is NULL");
    TRY(NEW(p.owner, 1));
    p.owner->scan = *scan;
    const argand_status status = place_all(&p);
    memory_free(p.first);
    text_free(&p.grown);
    if (status)
        argand_scan_destroy(&p.owner->scan);
    else
        *placed = &p.owner->scan;
    return status;
}
