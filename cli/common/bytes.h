/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes in memory: a buffer that grows, and a reader that never reads beyond the end. Numbers keep the byte
 * order of the machine, which a blob's head names (output/blob.c). */
#ifndef CLI_BYTES_H
#define CLI_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer to append to; start with zeros, and free `data`. `failed`: out of memory. */
typedef struct byte_buffer {
    unsigned char *data;
    size_t size, capacity;
    bool failed;
} byte_buffer;

void bytes_put(byte_buffer *b, const void *data, size_t size);
void bytes_put_int(byte_buffer *b, int64_t value);
void bytes_put_number(byte_buffer *b, double value);
/* Appends a text with its length; NULL is written as "". */
void bytes_put_text(byte_buffer *b, const char *text);
/* Appends zeros up to a multiple of 8 bytes, then returns the place of `size` more bytes to fill; NULL
 * without memory. */
void *bytes_place(byte_buffer *b, size_t size);

/* What is left to read. `failed`: the bytes ended early, or a value was out of range. */
typedef struct bytes_reader {
    const unsigned char *data;
    size_t size, at;
    bool failed;
} bytes_reader;

int64_t bytes_int(bytes_reader *r, int64_t low, int64_t high); /* returns `low` after a failure */
double bytes_number(bytes_reader *r);
/* Copies a text of less than `size` characters; "" after a failure. */
void bytes_text(bytes_reader *r, char *text, size_t size);
/* Returns a text of any length as a new string, which the caller frees; NULL after a failure. */
char *bytes_long_text(bytes_reader *r);
/* Returns the next `size` bytes after padding to a multiple of 8, without copying; NULL after a failure. */
const void *bytes_take(bytes_reader *r, size_t size);

/* Returns the XXH64 of the bytes (Y. Collet, xxHash specification 0.1.1), which finds damage and tells
 * inputs apart. Not for protection against forgery. The hash of several pieces: the seed of a piece is the
 * hash of the pieces before it. */
uint64_t bytes_hash(const void *data, size_t size, uint64_t seed);

#endif
