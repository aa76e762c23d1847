/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled kernels that ship with the library. They are used if the user's cache lacks a kernel, so that a
 * first plan need not wait for the compiler. They are compiled for a kind of chip on any machine (argand
 * kernels, argand_device_keep_kernels). Their names depend only on the text and the chip's capability, not
 * on the driver or the local compiler. An archive (kernel_file.h) holds them, or a file each.
 *
 * The folder is $ARGAND_KERNELS ("off": none), else share/argand/kernels next to the folder of the
 * installed library. A file is executed only if it belongs to the folder's owner and nobody else may write
 * file or folder. */
#ifndef DEVICE_SHIPPED_H
#define DEVICE_SHIPPED_H

#include "device/kernel_file.h"

void shipped_identify(kernel_id *id, int capability, const kernel_source *source);
/* Reads a binary (memory_free), or leaves its bytes as they were. */
void shipped_load(const kernel_id *id, kernel_binary *binary);
/* Writes a binary into a folder of this kind. */
argand_status shipped_store(const char *folder, const kernel_id *id, const kernel_binary *binary);

#endif
