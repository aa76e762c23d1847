/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/bytes.h"

#include <stdlib.h>
#include <string.h>

static bool grow(byte_buffer *b, size_t more)
{
    if (b->failed || more > SIZE_MAX / 4 || b->size > SIZE_MAX / 4) return b->failed = true, false;
    if (b->size + more <= b->capacity) return true;
    const size_t capacity = b->size + more > 2 * b->capacity ? b->size + more : 2 * b->capacity;
    unsigned char *data = realloc(b->data, capacity);
    if (!data) return b->failed = true, false;
    b->data = data;
    b->capacity = capacity;
    return true;
}

void bytes_put(byte_buffer *b, const void *data, size_t size)
{
    if (!size || !grow(b, size)) return;
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

void bytes_put_int(byte_buffer *b, int64_t value)
{
    bytes_put(b, &value, sizeof value);
}

void bytes_put_number(byte_buffer *b, double value)
{
    bytes_put(b, &value, sizeof value);
}

void bytes_put_text(byte_buffer *b, const char *text)
{
    const size_t length = text ? strlen(text) : 0;
    bytes_put_int(b, (int64_t)length);
    bytes_put(b, text, length);
}

/* Returns the number of bytes up to the next multiple of 8. */
static size_t padding(size_t at)
{
    return (8 - at % 8) % 8;
}

void *bytes_place(byte_buffer *b, size_t size)
{
    static const unsigned char zeros[8];
    bytes_put(b, zeros, padding(b->size));
    if (!grow(b, size)) return NULL;
    b->size += size;
    return b->data + b->size - size;
}

/* Returns the next bytes and moves on; NULL if there are fewer. */
static const unsigned char *next(bytes_reader *r, size_t size)
{
    if (r->failed || size > r->size - r->at) return r->failed = true, NULL;
    r->at += size;
    return r->data + r->at - size;
}

int64_t bytes_int(bytes_reader *r, int64_t low, int64_t high)
{
    int64_t value;
    const unsigned char *from = next(r, sizeof value);
    if (!from) return low;
    memcpy(&value, from, sizeof value);
    if (value >= low && value <= high) return value;
    r->failed = true;
    return low;
}

double bytes_number(bytes_reader *r)
{
    double value;
    const unsigned char *from = next(r, sizeof value);
    if (!from) return 0;
    memcpy(&value, from, sizeof value);
    return value;
}

void bytes_text(bytes_reader *r, char *text, size_t size)
{
    const size_t length = (size_t)bytes_int(r, 0, (int64_t)size - 1);
    const unsigned char *from = next(r, length);
    text[0] = 0;
    if (!from) return;
    memcpy(text, from, length);
    text[length] = 0;
}

char *bytes_long_text(bytes_reader *r)
{
    const size_t length = (size_t)bytes_int(r, 0, (int64_t)(r->size - r->at));
    const unsigned char *from = next(r, length);
    char *text = from ? malloc(length + 1) : NULL;
    if (!text) return r->failed = true, NULL;
    memcpy(text, from, length);
    text[length] = 0;
    return text;
}

const void *bytes_take(bytes_reader *r, size_t size)
{
    return next(r, padding(r->at)) ? next(r, size) : NULL;
}

/* ---- XXH64 */

static const uint64_t p1 = 0x9E3779B185EBCA87, p2 = 0xC2B2AE3D27D4EB4F, p3 = 0x165667B19E3779F9,
                      p4 = 0x85EBCA77C2B2AE63, p5 = 0x27D4EB2F165667C5;

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static uint64_t mix(uint64_t sum, uint64_t lane)
{
    return rotate(sum + lane * p2, 31) * p1;
}

/* Reads a little-endian number, as the specification has it on any machine. */
static uint64_t lane_of(const unsigned char *at, int count)
{
    uint64_t value = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&value, at, (size_t)count);
#else
    for (int i = 0; i < count; i++) value |= (uint64_t)at[i] << 8 * i;
#endif
    return value;
}

static uint64_t hash_tail(uint64_t h, const unsigned char *at, size_t left)
{
    for (; left >= 8; at += 8, left -= 8) h = rotate(h ^ mix(0, lane_of(at, 8)), 27) * p1 + p4;
    for (; left >= 4; at += 4, left -= 4) h = rotate(h ^ lane_of(at, 4) * p1, 23) * p2 + p3;
    for (; left; at++, left--) h = rotate(h ^ *at * p5, 11) * p1;
    h = (h ^ h >> 33) * p2;
    h = (h ^ h >> 29) * p3;
    return h ^ h >> 32;
}

uint64_t bytes_hash(const void *data, size_t size, uint64_t seed)
{
    const unsigned char *at = data;
    uint64_t sums[4] = {seed + p1 + p2, seed + p2, seed, seed - p1}, h = seed + p5;
    size_t left = size;
    for (; left >= 32; left -= 32, at += 32)
        for (int i = 0; i < 4; i++) sums[i] = mix(sums[i], lane_of(at + 8 * i, 8));
    if (size >= 32) {
        h = rotate(sums[0], 1) + rotate(sums[1], 7) + rotate(sums[2], 12) + rotate(sums[3], 18);
        for (int i = 0; i < 4; i++) h = (h ^ mix(0, sums[i])) * p1 + p4;
    }
    return hash_tail(h + size, at, left);
}
