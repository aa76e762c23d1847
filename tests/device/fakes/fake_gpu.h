/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests and a fake driver share. */
#ifndef TESTS_FAKE_GPU_H
#define TESTS_FAKE_GPU_H

#include "device/gpu/driver.h"

struct fake_gpu {
    int devices, alive,
        calls;         /* alive: contexts, streams, events, modules and blocks that were not given back */
    size_t free_bytes; /* bytes of device memory left */
    const char *fail_function; /* "LaunchKernel" fails with fail_with after fail_after further calls */
    long fail_after;
    gpu_result fail_with;
    int copies, direct_copies, loads, launches, attribute_calls, shared_attribute;
    int graphs, updates,
        capturing;      /* graphs that were started; changes of what they start with; streams are */
    int early_edges;    /* nodes that may begin before the one before has ended */
    int early_launches; /* those of `launches` that may begin before the one before has ended */
    unsigned int groups, items, shared_bytes;
    gpu_stream stream, captured; /* the last launch's; the one that is captured alone */
    int spoiled;                 /* captures, by what waits for their stream or frees in it */
    int waits, mode;             /* of streams for events; of captures: 2 is relaxed */
    gpu_address first_buffer;
    long long first_scalar;
    char function[64];
};

/* Returns the bytes of shared memory that a block may have, as in the CUDA programming guide. */
static inline int group_memory_of(int capability)
{
    static const int first[] = {0, 75, 80, 86, 87, 88, 90, 120}, kib[] = {96, 64, 163, 99, 163, 99, 227, 99};
    int i = 7;
    while (first[i] > capability) i--;
    return 1024 * kib[i];
}

#endif
