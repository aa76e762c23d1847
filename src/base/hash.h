/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256 (FIPS 180-4): names for contents, and checksums that detect every change. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_BYTES = 32, HASH_HEX = 2 * HASH_BYTES + 1 };

typedef struct hash_state {
    uint32_t h[8];
    uint64_t length; /* number of bytes so far */
    unsigned char block[64];
} hash_state;

void hash_begin(hash_state *state);
void hash_add(hash_state *state, const void *bytes, size_t count);
/* Adds a text with its NUL, so that "ab" + "c" differs from "a" + "bc". */
void hash_add_text(hash_state *state, const char *text);
void hash_end(hash_state *state, unsigned char result[HASH_BYTES]);
void hash_print(char text[HASH_HEX], const unsigned char hash[HASH_BYTES]);

#endif
