/* SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/change.h"

#include <stdlib.h>
#include <string.h>

#include "common/report.h"

static argand_status copy_list(argand_acquisition **copy, const argand_acquisition *from, int64_t count)
{
    *copy = malloc(((size_t)count + 1) * sizeof **copy);
    if (!*copy) return report_error(ARGAND_MEMORY, "no memory for %lld acquisitions", (long long)count);
    if (count) memcpy(*copy, from, (size_t)count * sizeof **copy);
    return ARGAND_OK;
}

argand_status change_begin(changed_scan *c, const argand_scan *scan)
{
    const argand_acquisition *const from[CHANGE_LISTS] = {scan->acquisitions, scan->calibrations,
                                                          scan->corrections};
    const int64_t count[CHANGE_LISTS] = {scan->acquisition_count, scan->calibration_count,
                                         scan->correction_count};
    *c = (changed_scan){.scan = *scan};
    for (int i = 0; i < CHANGE_LISTS; i++) {
        c->count[i] = count[i];
        c->own_most += 2 * count[i]; /* two axes of k, or the samples (complex) */
        TRY(copy_list(&c->list[i], from[i], count[i]));
    }
    c->own = malloc(((size_t)c->own_most + 1) * sizeof *c->own);
    if (!c->own) return report_error(ARGAND_MEMORY, "no memory for %lld copies", (long long)c->own_most);
    c->scan.acquisitions = c->list[CHANGE_IMAGES];
    c->scan.calibrations = c->list[CHANGE_CALIBRATIONS];
    c->scan.corrections = c->list[CHANGE_CORRECTIONS];
    return ARGAND_OK;
}

float *change_copy(changed_scan *c, const float *values, int64_t count)
{
    float *copy = c->own_count < c->own_most ? malloc(((size_t)count + 1) * sizeof *copy) : NULL;
    if (!copy) return NULL;
    memcpy(copy, values, (size_t)count * sizeof *copy);
    c->own[c->own_count++] = copy;
    return copy;
}

void change_end(changed_scan *c)
{
    for (int64_t i = 0; i < c->own_count; i++) free(c->own[i]);
    for (int i = 0; i < CHANGE_LISTS; i++) free(c->list[i]);
    free(c->own);
}
