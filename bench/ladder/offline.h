/* SPDX-License-Identifier: BSD-3-Clause */
/* What kernels need of a multiprocessor, found without one: from the machine code that NVRTC makes, and by
 * calculation. */
#ifndef BENCH_LADDER_OFFLINE_H
#define BENCH_LADDER_OFFLINE_H

#include "device/backend.h"

/* registers, spilled and static shared bytes of the one kernel of a cubin, an ELF file (NVIDIA, CUDA Binary
 * Utilities; the attributes' numbers are those that cuobjdump names). */
argand_status cubin_needs(const unsigned char *bytes, size_t count, kernel_needs *needs);

/* Fills groups and items_at_most from the rest, for groups of so many items on a chip of that compute
 * capability (20 is 2.0). False where the chip's limits are not known here. After the tables of the CUDA
 * programming guide ("Technical Specifications per Compute Capability") and the steps of NVIDIA's occupancy
 * calculator. */
bool occupancy_fill(kernel_needs *needs, int items, int capability);

/* Compiles every kernel of the steps for n (words given: of those whose name has them) and prints what it
 * needs. */
argand_status ladder_compile(int capability, int n, const char *name_part);

#endif
