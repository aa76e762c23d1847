/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256, FIPS 180-4. */
#include "base/hash.h"

#include <string.h>

static uint32_t rotate_right(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void expand(uint32_t w[64], const unsigned char block[64])
{
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        const uint32_t s0 = rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ w[i - 15] >> 3;
        const uint32_t s1 = rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

/* Computes round k. FIPS 180-4 moves the eight variables by one place; here their indices move instead. */
static inline void mix_round(uint32_t v[8], int k, uint32_t more)
{
    uint32_t *const d = &v[(3 - k) & 7], *const h = &v[(7 - k) & 7];
    const uint32_t a = v[-k & 7], b = v[(1 - k) & 7], c = v[(2 - k) & 7], e = v[(4 - k) & 7],
                   f = v[(5 - k) & 7], g = v[(6 - k) & 7];
    const uint32_t t1 =
        *h + (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)) + ((e & f) ^ (~e & g)) + more;
    *d += t1;
    *h =
        t1 + (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

static void mix(uint32_t h[8], const unsigned char block[64])
{
    uint32_t w[64], v[8];
    expand(w, block);
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i += 8) {
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++) mix_round(v, k, constants[i + k] + w[i + k]);
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
}

void hash_begin(hash_state *state)
{
    *state = (hash_state){.h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                                0x1f83d9ab, 0x5be0cd19}};
}

void hash_add(hash_state *state, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    while (count) {
        const size_t used = state->length % 64, left = 64 - used, take = count < left ? count : left;
        memcpy(state->block + used, from, take);
        state->length += take;
        from += take;
        count -= take;
        if (take == left) mix(state->h, state->block);
    }
}

void hash_add_text(hash_state *state, const char *text)
{
    hash_add(state, text, strlen(text) + 1);
}

void hash_end(hash_state *state, unsigned char result[HASH_BYTES])
{
    static const unsigned char padding[64] = {0x80};
    const uint64_t bits = state->length * 8;
    unsigned char tail[8];
    for (int i = 0; i < 8; i++) tail[i] = (unsigned char)(bits >> (56 - 8 * i));
    hash_add(state, padding, 1 + (119 - state->length % 64) % 64);
    hash_add(state, tail, sizeof tail);
    for (int i = 0; i < HASH_BYTES; i++) result[i] = (unsigned char)(state->h[i / 4] >> (24 - 8 * (i % 4)));
}

void hash_print(char text[HASH_HEX], const unsigned char hash[HASH_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < HASH_BYTES; i++) {
        text[2 * i] = digits[hash[i] >> 4];
        text[2 * i + 1] = digits[hash[i] & 15];
    }
    text[2 * HASH_BYTES] = 0;
}
