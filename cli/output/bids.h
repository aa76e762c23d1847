/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of images in a folder of BIDS derivatives (--bids). */
#ifndef CLI_OUTPUT_BIDS_H
#define CLI_OUTPUT_BIDS_H

#include "output/output.h"

/* Folders that were made for the images, from the outermost one. */
typedef struct bids_folders {
    int count;
    char paths[4][4200];
} bids_folders;

/* Refuses a folder, a name or parts that BIDS does not have. Call this before computing. */
argand_status bids_check(const output_settings *settings);
/* Sets the settings' path, suffix and task from --bids-name and the scan's header. Without --bids it does
 * nothing. */
argand_status bids_find(output_settings *settings, const argand_scan *scan, report *out);
/* Writes what stands between the name and the ending of a part's file (OUTPUT_PARTS: the noise map's):
 * "_echo-2_part-phase_MEGRE". */
void bids_label(char *label, size_t size, const output *o, int image, int part);
/* Make the folders of the images, and remove those that were made, if they are empty. */
argand_status bids_make_folders(bids_folders *made, const output_settings *settings);
void bids_remove_folders(const bids_folders *made);
/* Writes dataset_description.json, if the folder has none. */
argand_status bids_describe(output *o);

#endif
