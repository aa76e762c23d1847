/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibration lines of a Cartesian scan that lie between the image's lines: they measure the image as well as
 * the coils, and belong to its volumes. A calibration scan of its own (another contrast, or lines that the
 * image has too) does not. */
#include "recon/samples/samples.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

/* Whether acquisitions belong to one volume; then, to one line. Segments may differ. */
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

/* Whether each calibration acquisition is of an image's volume, and of a line that the image lacks. */
static argand_status complete_volumes(const argand_scan *scan, bool *result)
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

/* What the header says, where it says anything, and what the session does with the lines. */
static bool can_be_embedded(const argand_sense *s)
{
    const char *mode = s->encoding->calibration_mode;
    if (*mode && strcmp(mode, "embedded") != 0) return false;
    return s->bands == 1 && s->options.phases == ARGAND_PHASES_NONE &&
           s->options.density != ARGAND_DENSITY_FILE && /* which counts the image's lines alone */
           encoding_is_cartesian(s->encoding);
}

argand_status embedded_find(argand_sense *s)
{
    if (s->continued) return ARGAND_OK; /* as it was for the scan that the session was made for */
    s->embedded = false;
    if (!s->scan->calibration_count || !can_be_embedded(s)) return ARGAND_OK;
    return complete_volumes(s->scan, &s->embedded);
}

void embedded_note(argand_sense *s)
{
    int64_t count = 0;
    for (int v = 0; v < s->volume_count; v++)
        for (int64_t i = 0; i < s->volumes[v].count; i++) count += s->volumes[v].rows[i].calibration;
    if (count)
        note_once(s,
                  "%lld calibration acquisition%s between the image's lines %s used for the image as well.",
                  (long long)count, plural_s(count), count == 1 ? "is" : "are");
}
