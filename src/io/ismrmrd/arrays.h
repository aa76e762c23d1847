/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IO_ISMRMRD_ARRAYS_H
#define IO_ISMRMRD_ARRAYS_H

#include "io/ismrmrd/scan.h"

/* Finishes an array after reading: shapes vectors of image size, transposes y fastest to x fastest on
 * request, and reports elements that are not finite. */
argand_status scan_arrange_array(scan_reader *reader, argand_scan_array *array);

#endif
