/* SPDX-License-Identifier: BSD-3-Clause */
/* Data of varying length lie in HDF5's global heap; a row holds {length, address of a collection, number of
 * an object in it}. HDF5 (1.10, 1.12) believes these numbers: it copies as many bytes as the object says into
 * a buffer for as many as the row says, and walks through damaged collections without end. So every row is
 * compared with the heap here before HDF5 reads it. Layouts in which the rows cannot be looked at (compressed
 * or compact tables) are passed unseen. The layout of the heap: "HDF5 File Format Specification",
 * version 3.0, sections III.E and VIII.B. */
#ifndef IO_HDF5_HEAP_H
#define IO_HDF5_HEAP_H

#include <hdf5.h>
#include <stddef.h>
#include "base/status.h"

typedef struct hdf5_varying {
    const char *name; /* for messages */
    size_t offset;    /* in the stored row */
    size_t unit;      /* bytes of a stored element */
} hdf5_varying;

/* row_bytes: of a stored row; 0 where it is one reference and nothing else. (HDF5 tells sizes as they are in
 * memory.) */
argand_status hdf5_check_varying(const char *path, hid_t dataset, size_t row_bytes,
                                 const hdf5_varying *members, int count);

#endif
