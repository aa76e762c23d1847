/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that come with the library, compiled: what this user's own cache lacks is looked for here, so that
 * a first plan need not wait for the compiler. They are made for a kind of chip, on whatever machine (argand
 * kernels, argand_device_keep_kernels), and named by the text and the chip's capability: neither the driver
 * nor the compiler that would be used here matters.
 *
 * The folder is $ARGAND_KERNELS ("off": none), else share/argand/kernels next to the library's folder, as it
 * is installed. Its files are run if they belong to its owner, and nobody else may write either.
 */
#ifndef DEVICE_SHIPPED_H
#define DEVICE_SHIPPED_H

#include "device/kernel_file.h"

void shipped_identify(kernel_id *id, int capability, const kernel_source *source);
/* Fills binary (memory_free), or leaves its bytes as they were. */
void shipped_load(const kernel_id *id, kernel_binary *binary);
/* Into a folder that may become such a one. */
argand_status shipped_store(const char *folder, const kernel_id *id, const kernel_binary *binary);

#endif
