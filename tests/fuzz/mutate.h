/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes to the bytes of a file: flips, cuts, copies, and the numbers at which sizes wrap around. HDF5 files
 * get, for half of the changes, what knows their structure (hdf5_mutate.c). */
#ifndef TESTS_FUZZ_MUTATE_H
#define TESTS_FUZZ_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "base/random.h"

/* A file in memory; `capacity` is its capacity, above `count`, so that bytes can be put in. */
typedef struct fuzz_bytes {
    uint8_t *bytes;
    size_t count, capacity;
} fuzz_bytes;

/* One change. False where nothing of the kind can be changed. */
bool hdf5_mutate(fuzz_bytes *b, random_state *random);

static inline uint64_t mutate_choose(random_state *random, uint64_t count)
{
    return random_bits(random) % count;
}

static inline uint64_t mutate_value(random_state *random)
{
    static const uint64_t values[] = {
        0,
        1,
        2,
        UINT64_MAX,
        UINT64_MAX - 1,
        UINT64_MAX / 2,
        UINT64_C(1) << 63,
        UINT64_C(1) << 62,
        UINT64_C(1) << 61,
        UINT64_C(1) << 57,
        UINT64_C(1) << 40,
        UINT64_C(1) << 32,
        UINT64_C(1) << 31,
        (UINT64_C(1) << 32) - 1,
        UINT64_C(1) << 16,
        0xffff,
        0x7fff,
        0x80,
        0x7f,
        (uint64_t)((((unsigned __int128)1 << 64) + 30002) / 3), /* 3 times it wraps */
        UINT64_C(0x5555555555555556)};
    if (mutate_choose(random, 4) == 0) return random_bits(random);
    return values[mutate_choose(random, sizeof values / sizeof *values)];
}

static inline void mutate_put(fuzz_bytes *b, size_t at, uint64_t value, size_t size)
{
    if (at + size <= b->count) memcpy(b->bytes + at, &value, size);
}

static inline void mutate_insert(fuzz_bytes *b, random_state *random, size_t at)
{
    const size_t count = 1 + mutate_choose(random, 16);
    if (b->count + count > b->capacity) return;
    memmove(b->bytes + at + count, b->bytes + at, b->count - at);
    for (size_t i = 0; i < count; i++) b->bytes[at + i] = (uint8_t)random_bits(random);
    b->count += count;
}

static inline void mutate_remove(fuzz_bytes *b, random_state *random, size_t at)
{
    size_t count = 1 + mutate_choose(random, 16);
    if (count > b->count - at) count = b->count - at;
    memmove(b->bytes + at, b->bytes + at + count, b->count - at - count);
    b->count -= count;
}

static inline void mutate_copy(fuzz_bytes *b, random_state *random, size_t at)
{
    const size_t count = 1 + mutate_choose(random, 64), from = mutate_choose(random, b->count);
    if (at + count <= b->count && from + count <= b->count) memmove(b->bytes + at, b->bytes + from, count);
}

/* Of numbers in texts: "12" becomes "99999999999999999999" and so on. */
static inline void mutate_digits(fuzz_bytes *b, random_state *random, size_t at)
{
    static const char *const pieces[] = {
        "99999999999999999999", "-1", "0", "18446744073709551615", "1e999", "4294967296", "nan",
        "6148914691236527206"};
    const char *piece = pieces[mutate_choose(random, sizeof pieces / sizeof *pieces)];
    for (size_t i = 0; i < 256 && at + i < b->count; i++) {
        if (b->bytes[at + i] < '0' || b->bytes[at + i] > '9') continue;
        const size_t length = strlen(piece), place = at + i;
        if (b->count + length > b->capacity) return;
        memmove(b->bytes + place + length, b->bytes + place + 1, b->count - place - 1);
        memcpy(b->bytes + place, piece, length);
        b->count += length - 1;
        return;
    }
}

/* Heads come first: half of the changes are there. */
static inline void mutate_once(fuzz_bytes *b, random_state *random)
{
    static const size_t sizes[] = {1, 2, 4, 8};
    if (b->count < 2) return;
    const size_t head = b->count < 600 ? b->count : 600;
    const size_t at =
        mutate_choose(random, 2) ? mutate_choose(random, head) : mutate_choose(random, b->count);
    const size_t size = sizes[mutate_choose(random, 4)];
    switch (mutate_choose(random, 9)) {
    case 0:
        b->bytes[at] ^= (uint8_t)(1u << mutate_choose(random, 8));
        break;
    case 1:
        b->bytes[at] = (uint8_t)random_bits(random);
        break;
    case 2:
        mutate_put(b, at / size * size, mutate_value(random), size);
        break;
    case 3:
        mutate_put(b, at, mutate_value(random), size);
        break;
    case 4:
        b->count = at ? at : 1;
        break;
    case 5:
        mutate_insert(b, random, at);
        break;
    case 6:
        mutate_remove(b, random, at);
        break;
    case 7:
        mutate_copy(b, random, at);
        break;
    default:
        mutate_digits(b, random, at);
    }
}

static inline void mutate(fuzz_bytes *b, random_state *random)
{
    const bool is_hdf5 = b->count > 8 && !memcmp(b->bytes, "\x89HDF", 4);
    for (uint64_t changes = 1 + mutate_choose(random, 4); changes; changes--)
        if (!is_hdf5 || mutate_choose(random, 2) || !hdf5_mutate(b, random)) mutate_once(b, random);
}

#endif
