/* SPDX-License-Identifier: BSD-3-Clause */
/* Executes kernels for drivers that exist on no machine of the tests: a fake of such a driver compiles a
 * kernel's whole text (device/source.c) by PoCL and starts it on host memory. portable.h chooses its block
 * by the compiler, so the text that runs is the OpenCL one unless `options` select another.
 *
 * Memory has host addresses; a pointer into the middle of a block is a buffer, too. All functions may be
 * called by several threads at once. */
#ifndef TESTS_STAND_IN_H
#define TESTS_STAND_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct stand_in_kernel stand_in_kernel;

/* Opens libOpenCL.so.1 and PoCL's CPU device on first use. Returns "", or why there is none: tests skip with
 * this text. */
const char *stand_in_missing(void);

void *stand_in_alloc(size_t bytes); /* NULL: none is left */
void stand_in_free(void *memory);   /* NULL is allowed */

/* Compiles text with PoCL's `options` ("-cl-std=CL1.2"). Returns false with the compiler's messages in log,
 * or with the reason why there is no kernel of that name. */
bool stand_in_build(const char *text, const char *name, const char *options, stand_in_kernel **kernel,
                    char *log, size_t log_bytes);
void stand_in_release(stand_in_kernel *kernel);

/* Returns the number of the kernel's arguments; 0 if it is not known. */
int stand_in_arguments(const stand_in_kernel *kernel);
/* Runs `groups` groups of `items` and waits for their end. The arguments are the buffers, then the struct of
 * `bytes` at params. Returns 0 or OpenCL's error code. */
int stand_in_launch(const stand_in_kernel *kernel, int64_t groups, int items, void *const *buffers, int count,
                    const void *params, size_t bytes);

#endif
