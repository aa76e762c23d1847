/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs numbers as 16-bit codes for the page; decode.js unpacks them. */
#ifndef REPORT_QUANTISE_H
#define REPORT_QUANTISE_H

#include <stdint.h>
#include "base/text.h"

/* Codes 1 to 65535 divide low to high evenly; numbers beyond are cut off. Code 0: not finite. */
typedef struct code_range {
    double low, high;
} code_range;

/* Appends `count` values at stride `stride`: differences of successive codes modulo 2^16, all high bytes
 * before all low bytes, deflated (RFC 1950), as base64. */
argand_status add_codes(text *t, const float *numbers, int64_t count, int64_t stride, code_range range);

#endif
