/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the numbers of a file, of any type and byte order, to float or double. */
#include "io/arrays/numbers.h"

#include <math.h>
#include <string.h>

bool numbers_host_is_little(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

argand_type numbers_type(number_format format)
{
    if (format.kind == 'c') return format.size == 16 ? ARGAND_C64 : ARGAND_C32;
    return format.kind == 'f' && format.size == 8 ? ARGAND_R64 : ARGAND_R32;
}

static uint64_t load(const unsigned char *bytes, int size, bool swapped)
{
    unsigned char straight[8] = {0};
    for (int i = 0; i < size; i++) straight[i] = bytes[swapped ? size - 1 - i : i];
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (size) {
    case 1:
        return memcpy(&one, straight, 1), one;
    case 2:
        return memcpy(&two, straight, 2), two;
    case 4:
        return memcpy(&four, straight, 4), four;
    default:
        return memcpy(&eight, straight, 8), eight;
    }
}

int64_t numbers_integer(const unsigned char *bytes, int size, bool swapped)
{
    const uint64_t value = load(bytes, size, swapped);
    switch (size) { /* conversions to narrower types keep the bits (guaranteed by GCC and Clang) */
    case 1:
        return (int8_t)value;
    case 2:
        return (int16_t)value;
    case 4:
        return (int32_t)value;
    default:
        return (int64_t)value;
    }
}

static double from_half(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31), part = (int)(bits & 1023);
    const double size = exponent == 31 ? part ? (double)NAN : (double)INFINITY
                        : exponent     ? ldexp(1024 + part, exponent - 25)
                                       : ldexp(part, -24);
    return bits >> 15 ? -size : size;
}

double numbers_real(const unsigned char *bytes, int size, bool swapped)
{
    const uint64_t bits = load(bytes, size, swapped);
    if (size == 2) return from_half(bits);
    if (size == 4) {
        const uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double any(const unsigned char *bytes, char kind, int size, bool swapped)
{
    if (kind == 'i') return (double)numbers_integer(bytes, size, swapped);
    if (kind == 'u') return (double)load(bytes, size, swapped);
    return numbers_real(bytes, size, swapped);
}

void numbers_convert(void *out, const unsigned char *in, size_t count, number_format format, double slope,
                     double intercept)
{
    const int parts = format.kind == 'c' ? 2 : 1, size = format.size / parts;
    const argand_type type = numbers_type(format);
    const bool doubles = type == ARGAND_R64 || type == ARGAND_C64;
    const bool floating = format.kind == 'f' || format.kind == 'c';
    if (floating && size > 2 && !format.swapped && slope == 1 && intercept == 0) {
        memcpy(out, in, count * (size_t)format.size);
        return;
    }
    for (size_t i = 0; i < count * (size_t)parts; i++) {
        const double value =
            slope * any(in + i * (size_t)size, format.kind, size, format.swapped) + intercept;
        if (doubles)
            ((double *)out)[i] = value;
        else
            ((float *)out)[i] = (float)value;
    }
}
