/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IO_ISMRMRD_ARRAYS_H
#define IO_ISMRMRD_ARRAYS_H

#include "io/ismrmrd/scan.h"

/* After reading: vectors of image size get the image's shape, y fastest is transposed to x fastest where
 * asked, and elements that are not finite are reported. */
argand_status scan_arrange_array(scan_reader *reader, argand_scan_array *array);

#endif
