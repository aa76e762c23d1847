/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts a kernel's key to the text that a device compiles. */
#ifndef DEVICE_SOURCE_H
#define DEVICE_SOURCE_H

#include "base/text.h"
#include "device/backend.h"
#include "kernels/texts.h"

/* Copies the kernel's name: the key's first field. */
argand_status source_name(const char *key, char *name, size_t size);

/* Returns the key's ITEMS=...; 0 if it has none. */
int source_items(const char *key);

/* Keeps a user text, for keys with the field OWN=name, until it is released as often as it was kept. Sets
 * `name` to a hash of the text. If messages should use the text's own line numbers, it must contain a
 * #line. */
enum { SOURCE_OWN_NAME = 65 };
argand_status source_own_keep(char name[SOURCE_OWN_NAME], const char *chars);
void source_own_release(const char *name); /* "" is allowed */

/* Assembles the text of a kernel. It begins with "#define REAL float" and so on for the key's further
 * fields and for ITEMS. A field with RADICES in its name also defines RADIX_16 and so on for its numbers.
 * Then come portable.h, params.h and the files of the kernel's recipe, each after a #line directive.
 * ARGAND_KERNEL_DIR names a folder whose files replace the embedded ones. */
argand_status source_assemble(text *out, const char *key, int items);
/* Hashes the source's text, which takes longer than all else that finds a binary. */
void source_hash(kernel_source *source);

/* Adds recipes and texts that are searched after the library's (NULL: none), for programs that measure
 * their own kernels. Call it before the first kernel is built. */
void source_more(const kernel_recipe *recipes, const kernel_text *texts);

#endif
