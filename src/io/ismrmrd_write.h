/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IO_ISMRMRD_WRITE_H
#define IO_ISMRMRD_WRITE_H

#include <argand/io.h>
#include "io/ismrmrd_scan.h"

argand_status scan_check_writable(const argand_scan *scan);
argand_status scan_write_acquisitions(hid_t group, const argand_scan *scan);
argand_status scan_write_arrays(hid_t group, const argand_scan *scan);

#endif
