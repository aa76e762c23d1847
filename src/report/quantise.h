/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as codes of 16 bits, packed for the page; decode.js undoes it. */
#ifndef REPORT_QUANTISE_H
#define REPORT_QUANTISE_H

#include <stdint.h>
#include "base/text.h"

/* Codes 1 to 65535 are low to high in even steps, and numbers beyond are cut off; 0 is what is not finite. */
typedef struct code_range {
    double low, high;
} code_range;

/* Appends `count` values at stride `stride`: codes, as differences to the one before (modulo 2^16), all high
 * bytes and then all low bytes, deflated (RFC 1950), as base64. */
argand_status add_codes(text *t, const float *numbers, int64_t count, int64_t stride, code_range range);

#endif
