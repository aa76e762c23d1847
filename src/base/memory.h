/* SPDX-License-Identifier: BSD-3-Clause */
/* Host memory: aligned for SIMD, zeroed, counts checked for overflow, and failing on demand for the tests. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

/* count elements of size bytes, zeroed, 64-byte aligned. Sets *pointer to NULL and the message on failure. A
 * count of 0 gives a pointer that may only be freed. */
argand_status memory_new(void *pointer_to_pointer, size_t count, size_t size);
/* The same, not zeroed. */
argand_status memory_take(void *pointer_to_pointer, size_t bytes);
/* Not zeroed, and of pages as large as the system has, where it is large: memory that is filled once and soon
 * given back takes longer to come page by page than to fill. */
argand_status memory_take_pages(void *pointer_to_pointer, size_t bytes);
void memory_free(void *pointer); /* NULL is allowed */
/* a * b, or SIZE_MAX where that does not fit (so that the allocation fails). */
size_t memory_product(size_t a, size_t b);

#define NEW(pointer, count) memory_new(&(pointer), (size_t)(count), sizeof *(pointer))

/* For tests: the n-th allocation from now fails (once); 0 switches it off. */
void argand_test_fail_allocation(long n);
/* For tests: how many were made and not freed. */
long argand_test_live_allocations(void);
/* For tests: bytes of all that were made so far, freed or not. */
uint64_t argand_test_bytes_taken(void);

#endif
