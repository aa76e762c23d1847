/* SPDX-License-Identifier: BSD-3-Clause */
/* ICC profiles (ISO 15076-1): reads the curve between codes and light. Colours are not converted: a
 * convolution treats each of them by itself, and the result keeps the profile's primaries. */
#include <math.h>
#include <string.h>
#include "io/raster/raster.h"

enum { HEADER = 128, ENTRY = 12, MOST_TAGS = 200, CURVE = 8, POINTS = 12 };

typedef struct profile {
    const unsigned char *at;
    size_t count;
} profile;

/* Returns a big-endian integer; 0 beyond the end. */
static uint32_t number(const profile *f, size_t place, size_t size)
{
    uint32_t value = 0;
    if (place > f->count || size > f->count - place) return 0;
    for (size_t i = 0; i < size; i++) value = value << 8 | f->at[place + i];
    return value;
}

static double fixed(const profile *f, size_t place)
{
    return (double)(int32_t)number(f, place, 4) / 65536;
}

/* Finds the curve of red or grey. Returns 0 if there is none. */
static size_t find_curve(const profile *f)
{
    const uint32_t tags = number(f, HEADER, 4);
    for (size_t i = 0; i < tags && i < MOST_TAGS; i++) {
        const size_t entry = HEADER + 4 + ENTRY * i, place = number(f, entry + 4, 4);
        if (entry + ENTRY > f->count || place < HEADER || place > f->count - 4) continue;
        if (!memcmp(f->at + entry, "rTRC", 4) || !memcmp(f->at + entry, "kTRC", 4)) return place;
    }
    return 0;
}

/* Returns the light of the code 1/2 of a curve of points, of which two or more are given; below 0: none. */
static double middle(const profile *f, size_t curve, uint32_t points)
{
    const double at = (points - 1) / 2.0;
    const size_t low = (size_t)at, first = curve + POINTS + 2 * low;
    if (first + 4 > f->count) return -1;
    const double a = number(f, first, 2) / 65535.0, b = number(f, first + 2, 2) / 65535.0;
    return a + (b - a) * (at - (double)low);
}

/* Returns the exponent of the curve, 0 for sRGB's curve, below 0 for others. */
static double exponent(const profile *f, size_t curve)
{
    const uint32_t points = number(f, curve + CURVE, 4), kind = number(f, curve + CURVE, 2);
    const double srgb = argand_srgb_decode(0.5);
    if (!memcmp(f->at + curve, "para", 4)) {
        const double g = fixed(f, curve + POINTS);
        if (kind == 0) return g > 0 ? g : -1;
        return kind >= 3 && fabs(g - 2.4) < 1e-3 && fabs(fixed(f, curve + POINTS + 12) - 1 / 12.92) < 1e-3
                   ? 0
                   : -1;
    }
    if (memcmp(f->at + curve, "curv", 4) != 0 || curve + POINTS > f->count) return -1;
    if (points == 0) return 1;
    if (points == 1) return number(f, curve + POINTS, 2) ? number(f, curve + POINTS, 2) / 256.0 : -1;
    const double half = middle(f, curve, points);
    return fabs(half - srgb) < 2e-3 ? 0 : fabs(half - 0.5) < 1e-3 ? 1 : -1;
}

void raster_use_profile(argand_picture *p, const unsigned char *bytes, size_t count)
{
    const profile f = {bytes, count};
    const size_t curve = find_curve(&f);
    const double g = curve ? exponent(&f, curve) : -1;
    if (p->options.stored || g == 0) return;
    if (g < 0) {
        raster_note(p, "the curve of its colour profile is not applied: its numbers are taken as sRGB");
        return;
    }
    p->info.transfer = g == 1 ? ARGAND_TRANSFER_LINEAR : ARGAND_TRANSFER_POWER;
    p->info.gamma = 1 / g;
}
