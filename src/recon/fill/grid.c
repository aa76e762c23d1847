/* SPDX-License-Identifier: BSD-3-Clause */
/* Image lines sorted into volumes, and put on the grid of the encoded matrix. */
#include "recon/fill/fill.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory.h"

static int compare_counters(const argand_counters *a, const argand_counters *b)
{
    const int x[6] = {a->slice, a->repetition, a->average, a->contrast, a->phase, a->set},
              y[6] = {b->slice, b->repetition, b->average, b->contrast, b->phase, b->set};
    for (int i = 0; i < 6; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

bool fill_same_volume(const argand_counters *a, const argand_counters *b)
{
    return !compare_counters(a, b);
}

static int by_volume(const void *left, const void *right)
{
    const argand_acquisition *a = *(const argand_acquisition *const *)left,
                             *b = *(const argand_acquisition *const *)right;
    const int order = compare_counters(&a->counters, &b->counters);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

static void take(fill_lines *l, const argand_acquisition *list, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (list[i].encoding == l->number) l->line[l->count++] = &list[i];
}

static bool has_encoding(const argand_acquisition *list, int64_t count, int encoding)
{
    for (int64_t i = 0; i < count; i++)
        if (list[i].encoding == encoding && list[i].k[0]) return true;
    return false;
}

/* Returns true if both encodings have the same steps of k, so that lines of one lie on the grid of the
 * other. */
static bool same_steps(const argand_encoding *a, const argand_encoding *b)
{
    for (int d = 0; d < 3; d++)
        if (a->matrix[d] > 1 && fabs(a->field_of_view[d] - b->field_of_view[d]) > 1e-3 * a->field_of_view[d])
            return false;
    return true;
}

/* Returns the encoding of the separate calibration lines: the image's own, otherwise the first one without
 * image lines that has such lines and the same steps, as converters write reference lines of another
 * readout. */
static int find_calibrating(const argand_scan *scan, int own)
{
    if (has_encoding(scan->calibrations, scan->calibration_count, own)) return own;
    for (int e = 0; e < scan->encoding_count; e++)
        if (has_encoding(scan->calibrations, scan->calibration_count, e) &&
            !has_encoding(scan->acquisitions, scan->acquisition_count, e) &&
            same_steps(&scan->encodings[own], &scan->encodings[e]))
            return e;
    return own;
}

argand_status fill_lines_find(fill_lines *l, const argand_scan *scan, int encoding)
{
    const argand_encoding *e = &scan->encodings[encoding];
    *l = (fill_lines){
        .scan = scan, .encoding = e, .number = encoding, .calibrating = find_calibrating(scan, encoding)};
    CHECK(e->bands.count < 2, ARGAND_UNSUPPORTED,
          "%s: GRAPPA does not separate slices that were excited together; use SENSE", scan->path);
    TRY(argand_device_open(&l->host, "cpu"));
    TRY(argand_scan_embedded(&l->embedded, scan, encoding));
    TRY(NEW(l->line, scan->acquisition_count + scan->calibration_count));
    take(l, scan->acquisitions, scan->acquisition_count);
    CHECK(l->count, ARGAND_ARGUMENT, "%s: encoding space %d has no image lines", scan->path, encoding);
    if (l->embedded) take(l, scan->calibrations, scan->calibration_count);
    qsort(l->line, (size_t)l->count, sizeof *l->line, by_volume);
    TRY(NEW(l->first, l->count + 1));
    for (int64_t i = 0; i < l->count; i++)
        if (!i || !fill_same_volume(&l->line[i]->counters, &l->line[i - 1]->counters))
            l->first[l->volumes++] = i;
    l->first[l->volumes] = l->count;
    return ARGAND_OK;
}

void fill_lines_free(fill_lines *l)
{
    memory_free(l->line);
    memory_free(l->first);
    argand_device_close(l->host);
    *l = (fill_lines){0};
}

/* Finds the grid's index of a position; false if it lies between two or beyond the matrix. */
static bool index_of(int64_t *index, float k, int64_t n)
{
    const double nearest = rint((double)k);
    if (!(fabs(nearest) <= (double)n)) return false; /* also if it is not finite */
    *index = (int64_t)nearest + n / 2;
    return fabs((double)k - nearest) < 1e-3 && *index >= 0 && *index < n;
}

argand_status fill_place_of(fill_place *at, const fill_lines *l, const argand_acquisition *a)
{
    const int64_t *n = l->encoding->matrix;
    bool good = a->k[0] && a->k[1] && a->k[2];
    for (int64_t i = 0, x = 0, y = 0, z = 0; good && i < a->samples; i++) {
        good = index_of(&x, a->k[0][i], n[0]) && index_of(&y, a->k[1][i], n[1]) &&
               index_of(&z, a->k[2][i], n[2]);
        if (!i) *at = (fill_place){x, y, z};
        good = good && x == at->x + i && y == at->y && z == at->z;
    }
    CHECK(
        good, ARGAND_UNSUPPORTED,
        "%s: acquisition %lld is not a line on the Cartesian grid of the encoded matrix %lld x %lld x %lld: "
        "GRAPPA, SPIRiT and POCS need one; argand sense reconstructs other trajectories",
        l->scan->path, (long long)a->row, (long long)n[0], (long long)n[1], (long long)n[2]);
    return ARGAND_OK;
}

argand_status fill_grid(argand_array **kspace, const fill_lines *l, const argand_acquisition *const *lines,
                        int64_t count)
{
    const int64_t *n = l->encoding->matrix, positions = n[0] * n[1] * n[2];
    const int64_t dims[4] = {n[0], n[1], n[2], l->scan->channels};
    uint32_t *seen = NULL;
    argand_status status;
    TRY(argand_array_create(kspace, l->host, ARGAND_C32, 4, dims));
    TRY_OR_DONE(argand_array_fill(*kspace, (argand_scalar){0, 0}));
    TRY_OR_DONE(NEW(seen, positions));
    float *to = argand_array_data(*kspace);
    for (int64_t i = 0; i < count; i++) {
        fill_place at;
        TRY_OR_DONE(fill_place_of(&at, l, lines[i]));
        const int64_t start = (at.z * n[1] + at.y) * n[0] + at.x, samples = lines[i]->samples;
        for (int64_t x = 0; x < samples; x++) {
            bool measured = false;
            for (int64_t c = 0; c < l->scan->channels; c++) {
                const float *from = lines[i]->data + 2 * (c * samples + x);
                measured |= from[0] != 0 || from[1] != 0;
            }
            if (!measured) continue;
            const float part = 1 / (float)++seen[start + x]; /* a running mean */
            for (int64_t c = 0; c < l->scan->channels; c++) {
                const float *from = lines[i]->data + 2 * (c * samples + x);
                float *sum = to + 2 * (c * positions + start + x);
                sum[0] += part * (from[0] - sum[0]);
                sum[1] += part * (from[1] - sum[1]);
            }
        }
    }
done:
    memory_free(seen);
    return status;
}
