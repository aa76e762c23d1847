/* SPDX-License-Identifier: BSD-3-Clause */
/* BART's pair of files: NAME.hdr has the dimensions as text, NAME.cfl single-precision complex numbers. */
#ifndef IO_CFL_H
#define IO_CFL_H

#include <argand/array.h>

/* Reads a pair; path ends in .cfl. Trailing dimensions of 1 are dropped. */
argand_status cfl_read(argand_array **array, const char *path, argand_device *device);
/* Writes a pair. Real arrays become complex, double precision becomes single. The header is renamed last,
 * so that no reader sees a header without its numbers. */
argand_status cfl_write(const char *path, const argand_array *array);

#endif
