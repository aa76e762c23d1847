/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes numbers as 16-bit codes, for the page's decode.js. */
#include "report/quantise.h"

#include <math.h>
#include <zlib.h>
#include "base/memory.h"
#include "report/inside.h"

static unsigned code_of(double number, code_range range)
{
    if (!isfinite(number)) return 0;
    const double place = range.high > range.low ? (number - range.low) / (range.high - range.low) : 0;
    return 1 + (unsigned)lround(65534 * fmin(1, fmax(0, place)));
}

static void split(unsigned char *bytes, const float *numbers, int64_t count, int64_t stride, code_range range)
{
    unsigned before = 0;
    for (int64_t i = 0; i < count; i++) {
        const unsigned code = code_of((double)numbers[i * stride], range), difference = code - before;
        bytes[i] = (unsigned char)(difference >> 8);
        bytes[count + i] = (unsigned char)difference;
        before = code;
    }
}

argand_status add_codes(text *t, const float *numbers, int64_t count, int64_t stride, code_range range)
{
    enum { LEVEL = 6 };
    unsigned char *bytes = NULL, *packed = NULL;
    uLongf size = compressBound((uLong)(2 * count));
    argand_status status;
    TRY_OR_DONE(memory_take(&bytes, (size_t)(2 * count)));
    TRY_OR_DONE(memory_take(&packed, size));
    split(bytes, numbers, count, stride, range);
    CHECK_OR_DONE(compress2(packed, &size, bytes, (uLong)(2 * count), LEVEL) == Z_OK, ARGAND_MEMORY,
                  "report: no memory to pack an image");
    add_base64(t, packed, size);
    status = t->status;
done:
    memory_free(packed);
    memory_free(bytes);
    return status;
}
