/* SPDX-License-Identifier: BSD-3-Clause */
/* BART's pair of files: NAME.hdr says the dimensions in text, NAME.cfl holds single complex numbers. */
#ifndef IO_CFL_H
#define IO_CFL_H

#include <argand/array.h>

/* path ends in .cfl. Trailing dimensions of 1 are dropped. */
argand_status cfl_read(argand_array **array, const char *path, argand_device *device);
/* Real arrays become complex, doubles single. The header is renamed last: no reader sees one without its
 * numbers. */
argand_status cfl_write(const char *path, const argand_array *array);

#endif
