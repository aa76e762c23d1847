/* SPDX-License-Identifier: BSD-3-Clause */
/* From a kernel's key to the text that a device compiles. */
#ifndef DEVICE_SOURCE_H
#define DEVICE_SOURCE_H

#include "base/text.h"
#include "kernels/texts.h"

/* The kernel's name: the key's first field. */
argand_status source_name(const char *key, char *name, size_t size);

/* The key's ITEMS=..., 0 where it says nothing of them. */
int source_items(const char *key);

/* Texts of the user's own, for keys with the field OWN=name: kept until they are released as often. name
 * becomes a hash of the text. Text that is to be reported by its own lines brings its #line. */
enum { SOURCE_OWN_NAME = 65 };
argand_status source_own_keep(char name[SOURCE_OWN_NAME], const char *chars);
void source_own_release(const char *name); /* "" is allowed */

/* Appends "#define REAL float" and so on for the key's further fields and for ITEMS (and RADIX_16 for each
 * number of a field with RADICES in its name), then portable.h, params.h and the files of the kernel's
 * recipe, each after a #line directive. ARGAND_KERNEL_DIR names a folder whose files are read instead of the
 * embedded ones. */
argand_status source_assemble(text *out, const char *key, int items);

/* For programs that measure kernels of their own by the library's machinery: recipes and texts that are
 * looked up after the library's (NULL: none). Before the first kernel is asked for. */
void source_more(const kernel_recipe *recipes, const kernel_text *texts);

#endif
