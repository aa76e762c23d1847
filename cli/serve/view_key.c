/* SPDX-License-Identifier: BSD-3-Clause */
/* The answer to a WebSocket's key (RFC 6455, section 4.2.2): SHA-1 (FIPS 180-4) of the key and a constant, as
 * base64. It proves that the server speaks the protocol; it protects nothing. */
#include <string.h>

#include "serve/view.h"

enum { BLOCK = 64, WORDS = 5 };

static uint32_t rotate(uint32_t x, int bits)
{
    return x << bits | x >> (32 - bits);
}

static void mix(uint32_t h[WORDS], const uint8_t block[BLOCK])
{
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        const uint32_t f = i < 20   ? (b & c) | (~b & d)
                           : i < 40 ? b ^ c ^ d
                           : i < 60 ? (b & c) | (b & d) | (c & d)
                                    : b ^ c ^ d;
        static const uint32_t constants[4] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
        const uint32_t next = rotate(a, 5) + f + e + constants[i / 20] + w[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

/* Hashes a text of 56 to 119 bytes, which takes two blocks. */
static void hash(uint8_t digest[4 * WORDS], const char *text)
{
    uint32_t h[WORDS] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    uint8_t blocks[2 * BLOCK] = {0};
    const size_t length = strlen(text);
    memcpy(blocks, text, length);
    blocks[length] = 0x80;
    blocks[2 * BLOCK - 2] = (uint8_t)(length >> 5); /* bits, most significant byte first */
    blocks[2 * BLOCK - 1] = (uint8_t)(length << 3);
    for (int i = 0; i < 2; i++) mix(h, blocks + i * BLOCK);
    for (int i = 0; i < 4 * WORDS; i++) digest[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}

void view_accept_key(char accept[VIEW_ACCEPT + 1], const char key[VIEW_KEY])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[VIEW_KEY + 37];
    uint8_t digest[4 * WORDS + 1] = {0}; /* seven triples */
    snprintf(text, sizeof text, "%.*s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", VIEW_KEY, key);
    hash(digest, text);
    for (int i = 0; i < VIEW_ACCEPT / 4; i++) {
        const unsigned bits =
            (unsigned)digest[3 * i] << 16 | (unsigned)digest[3 * i + 1] << 8 | digest[3 * i + 2];
        for (int j = 0; j < 4; j++) accept[4 * i + j] = letters[bits >> (18 - 6 * j) & 63];
    }
    accept[VIEW_ACCEPT - 1] = '=';
    accept[VIEW_ACCEPT] = 0;
}
