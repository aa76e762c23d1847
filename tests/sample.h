/* SPDX-License-Identifier: BSD-3-Clause */
/* The first tier of the tests takes a part of what costs long, another part in every run; the second takes
 * all of it (argand_first in tests/CMakeLists.txt). */
#ifndef TESTS_SAMPLE_H
#define TESTS_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/random.h"

static inline bool is_first_tier(void)
{
    return getenv("ARGAND_TEST_FIRST") != NULL;
}

/* ARGAND_TEST_FIRST=N: one in N of a program's test functions; 1: all of them. */
static inline int part_of_functions(void)
{
    const char *first = getenv("ARGAND_TEST_FIRST");
    const int of = first && !getenv("ARGAND_TEST_ONLY") ? atoi(first) : 1;
    return of < 1 ? 1 : of;
}

/* New in every run: ARGAND_TEST_SEED repeats the one that was printed. */
static inline uint64_t seed_of_run(void)
{
    static uint32_t seed;
    if (seed) return seed;
    const char *given = getenv("ARGAND_TEST_SEED");
    FILE *file = given ? NULL : fopen("/dev/urandom", "rb");
    if (given)
        seed = (uint32_t)strtoul(given, NULL, 10);
    else if (file && fread(&seed, sizeof seed, 1, file) != 1)
        seed = 1;
    if (file) fclose(file);
    seed += !seed;
    printf("ARGAND_TEST_SEED=%u\n", (unsigned)seed);
    return seed;
}

/* Whether problem i of a test is in this run: all are in the second tier, about one in `of` in the first. */
static inline bool in_sample(int64_t i, int of)
{
    if (!is_first_tier()) return true;
    random_state state = {seed_of_run() + (uint64_t)i * 0x9E3779B97F4A7C15u};
    return random_uniform(&state) * of < 1;
}

/* The same where there are few of them: `of` neighbours are each in one of `of` runs. */
static inline bool in_round(int64_t i, int of)
{
    return !is_first_tier() || i % of == (int64_t)(seed_of_run() % (uint64_t)of);
}

#endif
