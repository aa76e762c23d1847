/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks data of varying length in HDF5's global heap. A row holds {length, address of a collection,
 * number of an object in the collection}. HDF5 (1.10, 1.12) trusts these numbers: it copies as many bytes
 * as the object claims into a buffer for as many as the row claims, and visits damaged collections without
 * end. Every row is therefore compared with the heap before HDF5 reads it. Layouts whose rows cannot be
 * examined (compressed or compact tables) are not checked. Layout of the heap: "HDF5 File Format
 * Specification", version 3.0, sections III.E and VIII.B. */
#ifndef IO_HDF5_HEAP_H
#define IO_HDF5_HEAP_H

#include <hdf5.h>
#include <stddef.h>
#include "base/status.h"

typedef struct hdf5_varying {
    const char *name; /* for messages */
    size_t offset;    /* offset in the stored row */
    size_t unit;      /* bytes of a stored element */
} hdf5_varying;

/* row_bytes: bytes of a stored row; 0: the row is a single reference. (HDF5 reports sizes in memory.) */
argand_status hdf5_check_varying(const char *path, hid_t dataset, size_t row_bytes,
                                 const hdf5_varying *members, int count);

#endif
