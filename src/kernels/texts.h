/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel texts that are embedded in the library, and the recipes that assemble them. */
#ifndef KERNELS_TEXTS_H
#define KERNELS_TEXTS_H

typedef struct kernel_text {
    const char *file; /* "array/axpby.krn" */
    const char *text;
} kernel_text;

/* Every *.krn and *.h file of this folder and its subfolders (except this one), by its path from here; a
 * NULL file ends the list. */
extern const kernel_text kernel_texts[];

enum { KERNEL_FILES = 96 };

/* A kernel's source: its #define lines, portable*.h, params.h, then these files in order. "own" stands for
 * the text that the key's OWN names, if there is one (device/source.h). */
typedef struct kernel_recipe {
    const char *name;
    const char *files[KERNEL_FILES]; /* NULL after the last file */
    int from, to; /* CUDA compute capabilities with this kernel; to 0: no upper limit; both 0: any device */
} kernel_recipe;

extern const kernel_recipe kernel_recipes[]; /* ended by a NULL name */

/* Every key that the library asks for ("axpby REAL=float"), for tests that build all of them; NULL-ended.
 * Keys with WARPGROUP are for capability 9.0 alone. */
extern const char *const kernel_keys[];

#endif
