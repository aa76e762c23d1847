/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds calibration lines of a Cartesian scan that lie between the lines of the image, and thus also
 * measure the image. A separate calibration scan (another contrast, or lines that the image has as well)
 * does not. */
#include <argand/io.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

/* Compares acquisitions by volume, then by line. Segments are ignored. */
static int compare_volumes(const argand_acquisition *a, const argand_acquisition *b)
{
    const argand_counters *x = &a->counters, *y = &b->counters;
    const int differences[] = {a->encoding - b->encoding, x->set - y->set,
                               x->phase - y->phase,       x->contrast - y->contrast,
                               x->average - y->average,   x->repetition - y->repetition,
                               x->slice - y->slice};
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i]) return differences[i];
    return 0;
}

static int volume_of(const void *left, const void *right)
{
    return compare_volumes(*(const argand_acquisition *const *)left,
                           *(const argand_acquisition *const *)right);
}

static int line_of(const void *left, const void *right)
{
    const argand_acquisition *a = *(const argand_acquisition *const *)left,
                             *b = *(const argand_acquisition *const *)right;
    const int by_volume = compare_volumes(a, b);
    if (by_volume) return by_volume;
    const int by_partition = a->counters.partition - b->counters.partition;
    return by_partition ? by_partition : a->counters.shot - b->counters.shot;
}

/* Sets *result to true if each calibration acquisition belongs to a volume of the image, and is a line
 * that the image lacks. */
static argand_status complete_volumes(bool *result, const argand_scan *scan)
{
    const argand_acquisition **lines;
    const size_t count = (size_t)scan->acquisition_count;
    *result = true;
    TRY(NEW(lines, scan->acquisition_count));
    for (size_t i = 0; i < count; i++) lines[i] = &scan->acquisitions[i];
    qsort(lines, count, sizeof *lines, line_of);
    for (int64_t i = 0; i < scan->calibration_count && *result; i++) {
        const argand_acquisition *a = &scan->calibrations[i];
        *result = bsearch(&a, lines, count, sizeof *lines, volume_of) &&
                  !bsearch(&a, lines, count, sizeof *lines, line_of);
    }
    memory_free(lines);
    return ARGAND_OK;
}

argand_status argand_scan_embedded(bool *embedded, const argand_scan *scan, int encoding)
{
    if (embedded) *embedded = false;
    CHECK(embedded && scan, ARGAND_ARGUMENT, "argand_scan_embedded: embedded and scan must not be NULL");
    CHECK(encoding >= 0 && encoding < scan->encoding_count, ARGAND_ARGUMENT,
          "argand_scan_embedded: encoding %d; the scan has %d", encoding, scan->encoding_count);
    const argand_encoding *e = &scan->encodings[encoding];
    if (strcmp(e->trajectory, "cartesian") != 0 || e->bands.count > 1) return ARGAND_OK;
    if (*e->calibration_mode && strcmp(e->calibration_mode, "embedded") != 0) return ARGAND_OK;
    return scan->calibration_count && scan->acquisition_count ? complete_volumes(embedded, scan) : ARGAND_OK;
}
