/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel texts that are embedded in the library, and how they are put together. */
#ifndef KERNELS_TEXTS_H
#define KERNELS_TEXTS_H

typedef struct kernel_text {
    const char *file; /* "array/axpby.krn" */
    const char *text;
} kernel_text;

/* Every *.krn and *.h of this folder and those below it (but for this one), by its path from here; ended by a
 * NULL file. */
extern const kernel_text kernel_texts[];

enum { KERNEL_FILES = 96 };

/* A kernel's source: its #define lines, portable*.h, params.h, then these files in order; "own" stands for
 * the text that the key's OWN names, if it has one (device/source.h). */
typedef struct kernel_recipe {
    const char *name;
    const char *files[KERNEL_FILES]; /* the rest is NULL */
    int from, to; /* where only CUDA's capabilities from .. to (0: and all later) have it; 0: every device */
} kernel_recipe;

extern const kernel_recipe kernel_recipes[]; /* ended by a NULL name */

/* Every key that the library asks for ("axpby REAL=float"), for tests that build all of them; NULL-ended.
 * Keys with WARPGROUP are for capability 9.0 alone. */
extern const char *const kernel_keys[];

#endif
