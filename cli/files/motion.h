/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds rigid motion in a scan, and writes it as a table, for `argand sense --motion auto` and `argand
 * calibrate motion`. */
#ifndef CLI_FILES_MOTION_H
#define CLI_FILES_MOTION_H

#include "common/command.h"
#include "common/report.h"

/* Values of an option: 0: auto, otherwise argand_motion_counter + 1. */
#define MOTION_COUNTERS "auto|shot|repetition|segment"

typedef struct motion_found {
    argand_rigid *rows; /* freed by the caller */
    int64_t count;
    argand_motion_counter by;
    bool moved; /* more than noise; otherwise the rows are 0 */
} motion_found;

const char *motion_counter_name(argand_motion_counter by);
/* Chooses what rows count if counter is 0: repetitions, otherwise segments, otherwise shots. Estimates the
 * motion; prints a note with the largest shift and rotation. */
argand_status motion_find(motion_found *found, const argand_scan *scan, int counter, argand_device *device,
                          const argand_motion_search *search, report *out);
/* Writes an array, in NumPy [rows, 6], or by any other ending tab-separated text with a line of names. */
argand_status motion_write(const char *path, const motion_found *found);

#endif
