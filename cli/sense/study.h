/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder of scans: each is reconstructed to an image of its name, one after the other.
 *   study.c        the loop; tasks; argand gather
 *   study_list.c   the scans of a folder, and their tasks
 *   study_done.c   marks in sidecars, by which finished scans are found */
#ifndef CLI_SENSE_STUDY_H
#define CLI_SENSE_STUDY_H

#include "sense/sense.h"

enum { STUDY_MARK = 128 };

/* A scan of the folder. */
typedef struct study_scan {
    char *path, *image; /* STUDY/brain.h5, IMAGES/brain.nii.gz */
    int task;           /* from 1, if there are tasks */
    bool done;          /* its image is there, by the same options */
    char *failure;      /* message; NULL: none */
} study_scan;

typedef struct study {
    int count;
    study_scan *scans; /* in the order of their names */
} study;

bool study_is_folder(const char *path);
/* Lists the scans of a folder. ARGAND_ARGUMENT: there are none, or two would have one image. */
argand_status study_list(study *s, const char *folder, const char *images, int tasks);
void study_free(study *s);

/* Makes the mark of an image: hash of the options, hash of the scan, size and time of the scan's file. */
void study_mark(char mark[STUDY_MARK], uint64_t options, const char *path, uint64_t scan);
/* Finds out whether the image of a scan is there, made by these options from this scan. A file of the same
 * size and time is the same; otherwise the scan is read and its contents are compared. */
bool study_is_done(const study_scan *scan, uint64_t options, const scan_reading *reading);

#endif
