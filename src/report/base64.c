/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes bytes as base64 (RFC 4648, section 4). */
#include "report/inside.h"

void add_base64(text *t, const unsigned char *bytes, size_t count)
{
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { TRIPLES = 256 };
    char out[4 * TRIPLES];
    size_t used = 0;
    for (size_t i = 0; i < count; i += 3) {
        const size_t left = count - i;
        const unsigned bits = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? (unsigned)bytes[i + 2] : 0);
        out[used++] = signs[bits >> 18];
        out[used++] = signs[bits >> 12 & 63];
        out[used++] = left > 1 ? signs[bits >> 6 & 63] : '=';
        out[used++] = left > 2 ? signs[bits & 63] : '=';
        if (used < sizeof out && i + 3 < count) continue;
        text_add_bytes(t, out, used);
        used = 0;
    }
}
