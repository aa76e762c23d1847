/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that a fake driver gave out. Threads may have a device each. */
#ifndef TESTS_FAKE_BLOCKS_H
#define TESTS_FAKE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

struct block {
    char *address;
    size_t bytes;
    unsigned int kind; /* 1 pinned, 2 device */
    int device;
};

/* Takes memory from elsewhere than malloc. */
void block_use(void *(*alloc)(size_t bytes), void (*give_back)(void *memory));
int block_add(void **address, size_t bytes, unsigned int kind, int device); /* 0: too many */
size_t block_drop(const void *address, unsigned int *kind); /* its bytes; 0: no block begins there */
/* A block that is found stays: only its own thread frees it. */
const struct block *block_find(unsigned long long address);
int block_holds(unsigned long long address, size_t bytes); /* device memory */

#endif
