/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan with some of its acquisitions changed, to be written again: what does not change is the scan's own.
 */
#ifndef CLI_CALIBRATE_CHANGE_H
#define CLI_CALIBRATE_CHANGE_H

#include "common/command.h"

enum { CHANGE_IMAGES, CHANGE_CALIBRATIONS, CHANGE_CORRECTIONS, CHANGE_LISTS };

typedef struct changed_scan {
    argand_scan scan; /* to be written */
    argand_acquisition *list[CHANGE_LISTS];
    int64_t count[CHANGE_LISTS];
    float **own; /* numbers that were copied to be changed */
    int64_t own_count, own_most;
} changed_scan;

argand_status change_begin(changed_scan *c, const argand_scan *scan);
/* A copy of an acquisition's numbers that lives as long as c; NULL where there is no memory. */
float *change_copy(changed_scan *c, const float *values, int64_t count);
void change_end(changed_scan *c);

#endif
