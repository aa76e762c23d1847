/* SPDX-License-Identifier: BSD-3-Clause */
/* Unique identifiers. The root 2.25 is for those made from a UUID (DICOM PS3.5, B.2), whose 128 bits follow
 * as a decimal number. */
#include "io/dicom/dicom.h"

#include <stdio.h>
#include <string.h>

/* Divides a number of 16 bytes, the first one highest, by 10. Returns the remainder. */
static int divide(unsigned char number[16])
{
    int rest = 0;
    for (int i = 0; i < 16; i++) {
        rest = rest * 256 + number[i];
        number[i] = (unsigned char)(rest / 10);
        rest %= 10;
    }
    return rest;
}

void dicom_uid(char uid[DICOM_UID], const char *role, const void *contents, size_t count)
{
    unsigned char hash[HASH_BYTES];
    char digits[40];
    int used = 0;
    hash_state state;
    hash_begin(&state);
    hash_add_text(&state, role);
    hash_add(&state, contents, count);
    hash_end(&state, hash);
    hash[6] = (unsigned char)((hash[6] & 0x0f) | 0x80); /* version 8 (RFC 9562): any other way to make it */
    hash[8] = (unsigned char)((hash[8] & 0x3f) | 0x80);
    for (int left = 1; left && used < 39;) {
        digits[used++] = (char)('0' + divide(hash));
        left = 0;
        for (int i = 0; i < 16; i++) left |= hash[i];
    }
    int at = snprintf(uid, DICOM_UID, "2.25.");
    while (used) uid[at++] = digits[--used];
    uid[at] = 0;
}
