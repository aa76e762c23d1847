/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan with some changed acquisitions, to be written again. All other data are shared with the original
 * scan. */
#ifndef CLI_CALIBRATE_CHANGE_H
#define CLI_CALIBRATE_CHANGE_H

#include "common/command.h"

enum { CHANGE_IMAGES, CHANGE_CALIBRATIONS, CHANGE_CORRECTIONS, CHANGE_LISTS };

typedef struct changed_scan {
    argand_scan scan; /* the scan to write */
    argand_acquisition *list[CHANGE_LISTS];
    int64_t count[CHANGE_LISTS];
    float **own; /* copied numbers that were changed */
    int64_t own_count, own_most;
} changed_scan;

argand_status change_begin(changed_scan *c, const argand_scan *scan);
/* Returns a copy of an acquisition's numbers that lives as long as c; NULL without memory. */
float *change_copy(changed_scan *c, const float *values, int64_t count);
void change_end(changed_scan *c);

#endif
