/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the resources that kernels need without the device: from the machine code that NVRTC makes, and by
 * calculation. */
#ifndef BENCH_LADDER_OFFLINE_H
#define BENCH_LADDER_OFFLINE_H

#include "device/backend.h"

/* Reads registers, spilled and static shared bytes of the only kernel in a cubin, an ELF file (NVIDIA,
 * CUDA Binary Utilities; the numbers of attributes are those of cuobjdump). */
argand_status cubin_needs(const unsigned char *bytes, size_t count, kernel_needs *needs);

/* Computes groups and items_at_most from the other needs, for groups of `items` on a chip of this compute
 * capability (20 is 2.0). Returns false if the chip's limits are not in the table. The limits come from
 * the CUDA programming guide ("Technical Specifications per Compute Capability"), the method from NVIDIA's
 * occupancy calculator. */
bool occupancy_fill(kernel_needs *needs, int items, int capability);

/* Compiles the kernels of all steps for n, or of those whose names contain name_part, and prints their
 * needs. */
argand_status ladder_compile(int capability, int n, const char *name_part);

#endif
