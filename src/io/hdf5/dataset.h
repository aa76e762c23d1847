/* SPDX-License-Identifier: BSD-3-Clause */
/* Data sets of untrusted files: opened only if their numbers lie in the file itself, with a bound on their
 * size before memory is allocated. */
#ifndef IO_HDF5_DATASET_H
#define IO_HDF5_DATASET_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/status.h"

/* Opens a member of the group. *dataset is negative, without an error, if there is no such member.
 * ARGAND_UNSUPPORTED: a link to another file, external storage, or a virtual data set made from other
 * files. Nothing outside the file is opened to find out. */
argand_status hdf5_open_dataset(hid_t *dataset, hid_t group, const char *path, const char *name);

/* Creates a property list for groups or data sets with which no link is followed out of the file.
 * Negative: HDF5 has no memory. The caller closes it. */
hid_t hdf5_stay_inside(hid_t class_of_list);

/* Returns true if the file can hold `bytes` bytes of the data set: at most as many as are stored inside
 * the file, times 1032 if they are packed, the most that deflate can do. */
bool hdf5_can_hold(hid_t dataset, hsize_t file_bytes, size_t bytes);

#endif
