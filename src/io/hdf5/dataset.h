/* SPDX-License-Identifier: BSD-3-Clause */
/* Data sets of a file that nobody vouches for: opened only where their numbers lie in the file itself, and
 * asked how much they can hold before memory is taken for it. */
#ifndef IO_HDF5_DATASET_H
#define IO_HDF5_DATASET_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/status.h"

/* Opens a member of the group, its size known. *dataset is negative, without an error, where there is no
 * such member. ARGAND_UNSUPPORTED: a link to another file, numbers kept in other files (external storage) or
 * put together from other files (a virtual data set). Nothing outside the file is opened to find that out. */
argand_status hdf5_open_dataset(hid_t *dataset, hid_t group, const char *path, const char *name);

/* A list of properties with which no link is followed out of the file, for groups and for data sets. Negative
 * where HDF5 has no memory. The caller closes it. */
hid_t hdf5_stay_inside(hid_t class_of_list);

/* Whether the file, of so many bytes, can hold so many of the data set's: as many as are stored, and those
 * lie in the file; 1032 times as many where they are packed, which is the most that deflate can do. */
bool hdf5_can_hold(hid_t dataset, hsize_t file_bytes, size_t bytes);

#endif
