/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes to HDF5's own structure: extents of dataspaces, layouts with their addresses and sizes, lists of
 * external files, types, links, heaps and trees. Messages are found by the look of their heads (version 1 of
 * object headers, which libismrmrd and h5py write and which have no checksums): type, size, flags, three
 * zeros. "HDF5 File Format Specification", version 3.0, section IV. */
#include "fuzz/mutate.h"

enum { DATASPACE = 1, DATATYPE = 3, LINK = 6, EXTERNAL = 7, LAYOUT = 8, FILTER = 11, TABLE = 17, HEAD = 8 };

static size_t word(const fuzz_bytes *b, size_t at)
{
    return (size_t)b->bytes[at] | (size_t)b->bytes[at + 1] << 8;
}

static bool is_message(const fuzz_bytes *b, size_t at)
{
    const size_t type = word(b, at), size = word(b, at + 2);
    const uint8_t *rest = b->bytes + at + 4;
    return type >= DATASPACE && type <= TABLE && size >= 8 && size % 8 == 0 && at + HEAD + size <= b->count &&
           rest[0] < 8 && !rest[1] && !rest[2] && !rest[3];
}

/* The head of the n-th message; the file's size where there are fewer. *count: of all. */
static size_t find(const fuzz_bytes *b, size_t n, size_t *count)
{
    size_t found = b->count;
    *count = 0;
    for (size_t at = 0; at + HEAD <= b->count; at += 8)
        if (is_message(b, at)) {
            if ((*count)++ == n) found = at;
        }
    return found;
}

/* Version 1: version, rank, flags, five bytes, dimensions of 8 bytes; 2: version, rank, flags, type,
 * dimensions. */
static void change_extent(fuzz_bytes *b, random_state *random, size_t body)
{
    const size_t rank = b->bytes[body + 1] ? b->bytes[body + 1] : 1, first = b->bytes[body] == 2 ? 4 : 8;
    if (mutate_choose(random, 8) == 0)
        b->bytes[body + 1] = (uint8_t)mutate_choose(random, 40);
    else
        mutate_put(b, body + first + 8 * mutate_choose(random, rank), mutate_value(random), 8);
}

/* Version 3: version, class, then address and size, or chunk dimensions. */
static void change_layout(fuzz_bytes *b, random_state *random, size_t body, size_t size)
{
    switch (mutate_choose(random, 4)) {
    case 0:
        b->bytes[body + 1] = (uint8_t)mutate_choose(random, 5);
        break;
    case 1:
        mutate_put(b, body + 2,
                   mutate_choose(random, 2) ? mutate_choose(random, b->count) : mutate_value(random), 8);
        break;
    case 2:
        mutate_put(b, body + 10, mutate_value(random), 8);
        break;
    default:
        mutate_put(b, body + mutate_choose(random, size), mutate_value(random), 4);
    }
}

/* A layout or another message becomes a list of external files: version 1, three bytes, slots, used, heap. */
static void make_external(fuzz_bytes *b, random_state *random, size_t head)
{
    mutate_put(b, head, EXTERNAL, 2);
    mutate_put(b, head + HEAD, 1, 4);
    mutate_put(b, head + HEAD + 4, 0x00010001, 4);
    mutate_put(b, head + HEAD + 8, mutate_choose(random, b->count) / 8 * 8, 8);
}

static void change_message(fuzz_bytes *b, random_state *random, size_t head)
{
    const size_t type = word(b, head), size = word(b, head + 2), body = head + HEAD;
    const uint64_t what = mutate_choose(random, 12);
    if (what == 0)
        mutate_put(b, head + 2, mutate_value(random), 2);
    else if (what == 1)
        mutate_put(b, head, 1 + mutate_choose(random, TABLE), 2);
    else if (what == 2)
        make_external(b, random, head);
    else if (type == DATASPACE)
        change_extent(b, random, body);
    else if (type == LAYOUT)
        change_layout(b, random, body, size);
    else
        mutate_put(b, body + mutate_choose(random, size), mutate_value(random),
                   (size_t)1 << mutate_choose(random, 4));
}

/* An extent and the size of the layout behind it, so that one bears the other out. */
static bool claim(fuzz_bytes *b, random_state *random)
{
    static const uint64_t sizes[] = {UINT64_C(1) << 57, UINT64_C(1) << 62, UINT64_C(5000000000), UINT64_MAX};
    size_t spaces[64], count = 0;
    for (size_t at = 0; at + HEAD <= b->count && count < 64; at += 8)
        if (is_message(b, at) && word(b, at) == DATASPACE) spaces[count++] = at;
    if (!count) return false;
    const size_t space = spaces[mutate_choose(random, count)];
    change_extent(b, random, space + HEAD);
    for (size_t at = space; at + HEAD + 24 <= b->count && at < space + 800; at += 8)
        if (is_message(b, at) && word(b, at) == LAYOUT) {
            mutate_put(b, at + HEAD + 10, sizes[mutate_choose(random, 4)], 8);
            return true;
        }
    return true;
}

/* Trees, symbol tables, heaps: something in their first 64 bytes. */
static bool change_block(fuzz_bytes *b, random_state *random)
{
    static const char *const marks[] = {"TREE", "SNOD", "HEAP", "GCOL", "OHDR", "FRHP", "BTHD", "OCHK"};
    const char *mark = marks[mutate_choose(random, sizeof marks / sizeof *marks)];
    size_t places[64], count = 0;
    for (size_t at = 0; at + 72 <= b->count && count < 64; at++)
        if (!memcmp(b->bytes + at, mark, 4)) places[count++] = at;
    if (!count) return false;
    const size_t at = places[mutate_choose(random, count)] + 4 + mutate_choose(random, 60);
    if (mutate_choose(random, 2))
        mutate_put(b, at / 8 * 8, mutate_value(random), 8);
    else
        mutate_put(b, at, mutate_choose(random, 3) ? mutate_value(random) : mutate_choose(random, b->count),
                   2);
    return true;
}

bool hdf5_mutate(fuzz_bytes *b, random_state *random)
{
    size_t count;
    if (mutate_choose(random, 8) == 0) return claim(b, random);
    if (mutate_choose(random, 4) == 0) return change_block(b, random);
    find(b, 0, &count);
    if (!count) return false;
    const size_t head = find(b, mutate_choose(random, count), &count);
    change_message(b, random, head);
    return true;
}
