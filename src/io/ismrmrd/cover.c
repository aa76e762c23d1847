/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what the acquisitions of an encoding cover of k-space: extent, partial Fourier, calibration
 * region. */
#include <math.h>
#include "io/ismrmrd/scan.h"

typedef struct extent {
    bool any;
    double low[3], high[3];
} extent;

static void widen(extent *e, const argand_acquisition *a)
{
    for (int d = 0; d < 3 && a->k[0]; d++)
        for (int64_t i = 0; i < a->samples; i++) {
            const double k = a->k[d] ? (double)a->k[d][i] : 0;
            if (!(e->any || i) || k < e->low[d]) e->low[d] = k;
            if (!(e->any || i) || k > e->high[d]) e->high[d] = k;
        }
    e->any |= a->k[0] != NULL;
}

static int64_t count_of(const argand_acquisition *list, int64_t count, int encoding)
{
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++) found += list[i].encoding == encoding;
    return found;
}

static void look_at_images(argand_coverage *c, extent *images, extent *calibrating, const argand_scan *scan,
                           int encoding)
{
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        if (a->encoding != encoding) continue;
        if (!c->acquisitions++ || a->samples < c->fewest_samples) c->fewest_samples = a->samples;
        if (a->samples > c->most_samples) c->most_samples = a->samples;
        widen(images, a);
        if (!(a->flags & ARGAND_FLAG_CALIBRATION_AND_IMAGING)) continue;
        c->calibrating++;
        widen(calibrating, a);
    }
}

/* Returns the distance between the two outermost lines (or samples) on the longer side of an axis. */
static double outer_gap(const argand_scan *scan, int encoding, int axis, double sign, double longest)
{
    double second = 0;
    for (int64_t n = 0; n < scan->acquisition_count; n++) {
        const argand_acquisition *a = &scan->acquisitions[n];
        if (a->encoding != encoding || !a->k[axis]) continue;
        for (int64_t i = 0; i < a->samples; i++) {
            const double k = sign * (double)a->k[axis][i];
            if (k < longest - 0.25 && k > second) second = k;
        }
    }
    return longest - second;
}

/* Returns true for partial Fourier. An even grid has one line more below 0 than above, an undersampled
 * grid up to its step: these are not cuts. */
static bool is_cut(const argand_coverage *c, const argand_scan *scan, int encoding, int axis)
{
    const double below = -c->low[axis], above = c->high[axis], longest = fmax(below, above);
    if (longest - c->symmetric[axis] <= 0.1 * longest + 1) return false;
    const double gap = outer_gap(scan, encoding, axis, above > below ? 1 : -1, longest);
    return longest - c->symmetric[axis] > 0.1 * longest + gap;
}

static void find_partial(argand_coverage *c, const argand_scan *scan, int encoding)
{
    const argand_encoding *e = &scan->encodings[encoding];
    for (int d = 0; d < 3; d++) {
        c->symmetric[d] = fmax(fmin(-c->low[d], c->high[d]), 0);
        c->partial[d] = 1;
        if (!scan_is_cartesian(e) || e->matrix[d] < 4 || !is_cut(c, scan, encoding, d)) continue;
        const double part = (c->high[d] - c->low[d] + 1) / (double)e->matrix[d];
        if (part < 1) c->partial[d] = part;
    }
}

void argand_scan_cover(const argand_scan *scan, int encoding, argand_coverage *c)
{
    extent images = {0}, calibrating = {0};
    if (c) *c = (argand_coverage){0};
    if (!scan || !c) return;
    *c = (argand_coverage){.calibrations = count_of(scan->calibrations, scan->calibration_count, encoding),
                           .navigators = count_of(scan->navigators, scan->navigator_count, encoding),
                           .corrections = count_of(scan->corrections, scan->correction_count, encoding)};
    look_at_images(c, &images, &calibrating, scan, encoding);
    for (int64_t i = 0; i < scan->calibration_count; i++)
        if (scan->calibrations[i].encoding == encoding) widen(&calibrating, &scan->calibrations[i]);
    for (int d = 0; d < 3; d++) {
        c->low[d] = images.low[d];
        c->high[d] = images.high[d];
        c->calibration_low[d] = calibrating.low[d];
        c->calibration_high[d] = calibrating.high[d];
    }
    find_partial(c, scan, encoding);
}
