/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid motion of the object between shots or repetitions, taken out of a scan. An object that has moved to
 * R x + t has the samples exp(-2 pi i k t) M(R^T k) of the object M before. */
#include <argand/mri.h>
#include "io/ismrmrd/scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/pi.h"

static void multiply(double out[3][3], const double a[3][3], const double b[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

/* Sets R = Rz Ry Rx. */
static void rotation_of(double r[3][3], const argand_rigid *m)
{
    double c[3], s[3], yx[3][3];
    for (int axis = 0; axis < 3; axis++) {
        c[axis] = cos(m->rotation[axis] * TWO_PI / 360);
        s[axis] = sin(m->rotation[axis] * TWO_PI / 360);
    }
    const double x[3][3] = {{1, 0, 0}, {0, c[0], -s[0]}, {0, s[0], c[0]}};
    const double y[3][3] = {{c[1], 0, s[1]}, {0, 1, 0}, {-s[1], 0, c[1]}};
    const double z[3][3] = {{c[2], -s[2], 0}, {s[2], c[2], 0}, {0, 0, 1}};
    multiply(yx, y, x);
    multiply(r, z, yx);
}

static bool is_rotated(const argand_rigid *m)
{
    return m->rotation[0] != 0 || m->rotation[1] != 0 || m->rotation[2] != 0;
}

static int64_t row_of(const argand_acquisition *a, argand_motion_counter by)
{
    const argand_counters *c = &a->counters;
    return by == ARGAND_MOTION_SHOTS ? c->shot : by == ARGAND_MOTION_SEGMENTS ? c->segment : c->repetition;
}

int64_t argand_scan_motion_rows(const argand_scan *scan, int encoding, argand_motion_counter by)
{
    int64_t rows = 0;
    for (int64_t i = 0; scan && i < scan->acquisition_count; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        if (a->encoding == encoding && row_of(a, by) >= rows) rows = row_of(a, by) + 1;
    }
    return rows;
}

static argand_status check_row(const argand_encoding *e, const argand_rigid *m, int64_t row,
                               const argand_scan *scan)
{
    for (int axis = 0; axis < 3; axis++)
        CHECK(fabs(m->shift[axis]) < 1e4 && fabs(m->rotation[axis]) <= 360, ARGAND_ARGUMENT,
              "%s: row %lld of the motion is out of range: shifts below 10 m in mm and rotations up to 360 "
              "degrees are required",
              scan->path, (long long)row);
    CHECK(e->matrix[2] > 1 || (m->shift[2] == 0 && m->rotation[0] == 0 && m->rotation[1] == 0),
          ARGAND_ARGUMENT,
          "%s: row %lld of the motion leaves the plane of the slices (tz, rx or ry is not 0), which only 3-D "
          "scans can correct",
          scan->path, (long long)row);
    return ARGAND_OK;
}

static argand_status check(const argand_scan *scan, int encoding, argand_motion_counter by, int64_t count,
                           const argand_rigid *motion)
{
    CHECK(encoding >= 0 && encoding < scan->encoding_count, ARGAND_ARGUMENT,
          "argand_scan_still: encoding %d; the scan has %d", encoding, scan->encoding_count);
    CHECK((unsigned)by <= ARGAND_MOTION_SEGMENTS, ARGAND_ARGUMENT, "argand_scan_still: unknown counter %d",
          (int)by);
    const argand_encoding *e = &scan->encodings[encoding];
    CHECK(e->bands.count <= 1, ARGAND_UNSUPPORTED,
          "%s: slices were excited together; their motion is not corrected", scan->path);
    for (int axis = 0; axis < (e->matrix[2] > 1 ? 3 : 2); axis++)
        CHECK(e->field_of_view[axis] > 0, ARGAND_ARGUMENT,
              "%s: the field of view is not known, which motion in mm needs", scan->path);
    for (int64_t i = 0; i < count; i++) TRY(check_row(e, &motion[i], i, scan));
    return ARGAND_OK;
}

static argand_status check_acquisition(const argand_scan *scan, const argand_acquisition *a,
                                       argand_motion_counter by, int64_t count)
{
    static const char *const names[] = {"shot", "repetition", "segment"};
    CHECK(row_of(a, by) < count, ARGAND_ARGUMENT,
          "%s: the motion has %lld rows, but the scan has a %s with the number %lld (from 0)", scan->path,
          (long long)count, names[by], (long long)row_of(a, by));
    CHECK(a->k[0] && a->k[1] && a->k[2], ARGAND_ARGUMENT,
          "%s: acquisition %lld has no positions in k-space, which motion needs", scan->path,
          (long long)a->row);
    return ARGAND_OK;
}

/* Copies the image's acquisitions, and the calibration acquisitions that measure the image too, in the order
 * of the file. */
static argand_status take_acquisitions(scan_owner *o, const argand_scan *scan, int encoding)
{
    const argand_acquisition *image = scan->acquisitions, *other = scan->calibrations;
    bool embedded;
    TRY(argand_scan_embedded(&embedded, scan, encoding));
    const int64_t images = scan->acquisition_count, others = embedded ? scan->calibration_count : 0;
    TRY(NEW(o->acquisitions, images + others));
    o->scan.acquisition_count = 0;
    for (int64_t i = 0, j = 0; i < images || j < others;) {
        const bool is_image = j == others || (i < images && image[i].row <= other[j].row);
        const argand_acquisition *a = is_image ? &image[i++] : &other[j++];
        if (is_image || a->encoding == encoding) o->acquisitions[o->scan.acquisition_count++] = *a;
    }
    return ARGAND_OK;
}

/* Writes the acquisition's samples and positions as those of the object before the motion. */
static void still(argand_acquisition *a, const argand_encoding *e, const argand_rigid *m, float *data,
                  float *const k[3])
{
    double r[3][3], per_mm[3];
    rotation_of(r, m);
    for (int64_t i = 0; i < a->samples; i++) {
        double cycles = 0;
        for (int d = 0; d < 3; d++) {
            per_mm[d] = e->field_of_view[d] > 0 ? (double)a->k[d][i] / e->field_of_view[d] : 0;
            cycles += per_mm[d] * m->shift[d];
        }
        for (int d = 0; d < 3; d++)
            k[d][i] = e->field_of_view[d] > 0
                          ? (float)((r[0][d] * per_mm[0] + r[1][d] * per_mm[1] + r[2][d] * per_mm[2]) *
                                    e->field_of_view[d])
                          : a->k[d][i];
        const double re = cos(TWO_PI * cycles), im = sin(TWO_PI * cycles);
        for (int c = 0; c < a->channels; c++) {
            const int64_t at = 2 * (i + a->samples * c);
            const double x = (double)a->data[at], y = (double)a->data[at + 1];
            data[at] = (float)(re * x - im * y);
            data[at + 1] = (float)(re * y + im * x);
        }
    }
    a->data = data;
    for (int d = 0; d < 3; d++) a->k[d] = k[d];
}

static argand_status still_all(scan_owner *o, const argand_scan *scan, int encoding, argand_motion_counter by,
                               int64_t count, const argand_rigid *motion)
{
    const argand_encoding *e = &scan->encodings[encoding];
    int64_t samples = 0, points = 0, moved = 0;
    for (int64_t i = 0; i < o->scan.acquisition_count; i++) {
        const argand_acquisition *a = &o->acquisitions[i];
        if (a->encoding != encoding) continue;
        TRY(check_acquisition(scan, a, by, count));
        samples += 2 * a->samples * a->channels;
        points += 3 * a->samples;
    }
    TRY(NEW(o->samples, samples));
    TRY(NEW(o->coordinates, points));
    float *data = o->samples, *at = o->coordinates;
    for (int64_t i = 0; i < o->scan.acquisition_count; i++) {
        argand_acquisition *a = &o->acquisitions[i];
        if (a->encoding != encoding) continue;
        const argand_rigid *m = &motion[row_of(a, by)];
        float *const k[3] = {at, at + a->samples, at + 2 * a->samples};
        still(a, e, m, data, k);
        data += 2 * a->samples * a->channels;
        at += 3 * a->samples;
        moved++;
        if (is_rotated(m)) snprintf(o->encodings[encoding].trajectory, sizeof e->trajectory, "other");
    }
    text_add(&o->notes,
             "Rigid motion was taken out of %lld acquisitions; the coils are taken as moving "
             "with the object.\n",
             (long long)moved);
    return o->notes.status;
}

static argand_status make(scan_owner *o, const argand_scan *scan, int encoding, argand_motion_counter by,
                          int64_t count, const argand_rigid *motion)
{
    o->scan = *scan;
    TRY(NEW(o->encodings, scan->encoding_count));
    memcpy(o->encodings, scan->encodings, (size_t)scan->encoding_count * sizeof *o->encodings);
    TRY(take_acquisitions(o, scan, encoding));
    text_add(&o->notes, "%s", scan->notes ? scan->notes : "");
    TRY(still_all(o, scan, encoding, by, count, motion));
    o->scan.encodings = o->encodings;
    o->scan.acquisitions = o->acquisitions;
    o->scan.notes = text_chars(&o->notes);
    return ARGAND_OK;
}

argand_status argand_scan_still(argand_scan **scan, const argand_scan *moving, int encoding,
                                argand_motion_counter by, int64_t count, const argand_rigid *motion)
{
    scan_owner *o;
    if (scan) *scan = NULL;
    CHECK(scan && moving && motion, ARGAND_ARGUMENT, "argand_scan_still: a pointer is NULL");
    TRY(check(moving, encoding, by, count, motion));
    TRY(NEW(o, 1));
    const argand_status status = make(o, moving, encoding, by, count, motion);
    *scan = &o->scan;
    if (!status) return ARGAND_OK;
    argand_scan_destroy(*scan);
    *scan = NULL;
    return status;
}
