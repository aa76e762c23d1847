/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of a caller whose memory is forbidden from the first byte beyond them on (or before them, as
 * ARGAND_TEST_GUARD says): the library's own memory is guarded to 64 bytes. */
#ifndef TESTS_GUARDED_H
#define TESTS_GUARDED_H

#include "harness.h"

enum { GUARDED_MOST = 32 };
static void *guarded_memory[GUARDED_MOST];

/* count elements in memory that is given back by guarded_free; not initialised. On devices whose memory the
 * host cannot reach, and without guards, an array as any other. */
static inline argand_array *guarded_array(argand_type type, int64_t count)
{
    argand_array *array;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (!memory_guards() || !info.host_addressable) {
        OK(argand_array_create(&array, device, type, 1, &count));
        return array;
    }
    const size_t bytes = (size_t)count * argand_type_size(type), lines = (bytes + 63) / 64 * 64;
    int slot = 0;
    while (slot < GUARDED_MOST && guarded_memory[slot]) slot++;
    assert_true(slot < GUARDED_MOST);
    OK(memory_take(&guarded_memory[slot], lines));
    char *const first =
        (char *)guarded_memory[slot] + (memory_guards() == ARGAND_TEST_GUARD_BEFORE ? 0 : lines - bytes);
    OK(argand_array_wrap(&array, device, type, 1, &count, NULL, first));
    return array;
}

/* The memory of all arrays that guarded_array gave, which must be destroyed by now. */
static inline void guarded_free(void)
{
    for (int slot = 0; slot < GUARDED_MOST; slot++) {
        memory_free(guarded_memory[slot]);
        guarded_memory[slot] = NULL;
    }
}

#endif
