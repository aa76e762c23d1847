/* SPDX-License-Identifier: BSD-3-Clause */
/* Host memory: aligned for SIMD, zeroed, with overflow checks, and failing on demand in tests. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

/* Allocates `count` elements of `size` bytes, zeroed, 64-byte aligned. On failure sets *pointer to NULL
 * and the message. A count of 0 gives a pointer that may only be freed. */
argand_status memory_new(void *pointer_to_pointer, size_t count, size_t size);
/* Allocates memory that is not zeroed. */
argand_status memory_take(void *pointer_to_pointer, size_t bytes);
/* Allocates memory that is not zeroed, with huge pages if it is large: for memory that is filled once and
 * soon freed, page faults would take longer than the filling. */
argand_status memory_take_pages(void *pointer_to_pointer, size_t bytes);
void memory_free(void *pointer); /* NULL is allowed */
/* Returns a * b, or SIZE_MAX on overflow, so that the allocation fails. */
size_t memory_product(size_t a, size_t b);

#define NEW(pointer, count) memory_new(&(pointer), (size_t)(count), sizeof *(pointer))

/* Makes space for another element in a list of `count` elements of `size` bytes, which has space for
 * *capacity: if it is full, the capacity doubles. Elements beyond the count are zero, or what they were. */
argand_status memory_grow(void *pointer_to_pointer, int64_t count, int64_t *capacity, size_t size);
#define GROW(pointer, count, capacity) memory_grow(&(pointer), count, &(capacity), sizeof *(pointer))

/* For tests: makes the n-th allocation from now fail, once; 0 switches this off. */
void argand_test_fail_allocation(long n);
/* For tests: returns the number of allocations that are not freed. */
long argand_test_live_allocations(void);
/* For tests: returns the bytes of all allocations so far, freed or not. */
uint64_t argand_test_bytes_taken(void);

#endif
