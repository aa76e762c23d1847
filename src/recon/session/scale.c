/* SPDX-License-Identifier: BSD-3-Clause */
/* The magnitude of a scan's samples. The session divides samples by a power of two when it gathers them,
 * so that the largest is about 1, and multiplies the image by it. In single precision, squares of 1e-25 or
 * 3e30 are 0 or infinite; a power of two changes no digit. */
#include <math.h>
#include <string.h>
#include "recon/session/session.h"

/* Number of elements of a block. A spike is compared with the blocks that do not contain it. */
enum { BLOCK = 1024 };

/* An element is a spike if its ratio to the root mean square of the other blocks exceeds this. The echo of a
 * brain reaches a ratio of ten thousand; a flipped bit can give any value. */
static const double spike = 1e7;

typedef struct sizes {
    uint32_t largest;      /* bits of |x|, whose order is that of |x|; from INFINITE on: not finite */
    double energy, others; /* sum of squares of all blocks; of all but the block with the largest element */
    double own;            /* sum of squares of that block */
    int64_t count, own_count;
    const argand_acquisition *acquisition; /* acquisition with the largest element */
    int64_t at;                            /* first element of its block there */
} sizes;

enum { INFINITE = 0x7f800000 };

static float value_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t largest_of(const float *x, int64_t n)
{
    uint32_t largest = 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        bits &= 0x7fffffff;
        largest = bits > largest ? bits : largest;
    }
    return largest;
}

static double energy_of(const float *x, int64_t n)
{
    double energy = 0;
    for (int64_t i = 0; i < n; i++) energy += (double)x[i] * (double)x[i];
    return energy;
}

static void look_at(sizes *z, const argand_acquisition *a)
{
    const int64_t n = 2 * a->samples * a->channels;
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t now = n - at < BLOCK ? n - at : BLOCK;
        const uint32_t largest = largest_of(a->data + at, now);
        const double energy = energy_of(a->data + at, now);
        z->count += now;
        if (largest > z->largest || !z->acquisition) {
            z->others += z->own;
            z->own = energy;
            z->own_count = now;
            z->largest = largest;
            z->acquisition = a;
            z->at = at;
        } else {
            z->others += energy;
        }
    }
}

static int64_t place_of(const sizes *z)
{
    int64_t at = z->at;
    while (largest_of(z->acquisition->data + at, 1) != z->largest) at++;
    return at;
}

static void note_spike(argand_sense *s, const sizes *z)
{
    const int64_t others = z->count - z->own_count, at = place_of(z);
    const double mean = others > 0 ? sqrt(z->others / (double)others) : 0,
                 largest = (double)value_of(z->largest);
    if (!(mean > 0) || largest < spike * mean) return;
    text_add(
        &s->notes,
        "Acquisition %lld, channel %lld, sample %lld: %.3g is %.3g times the root mean square of the others. "
        "One wrong sample covers the image with stripes: leave that acquisition out or correct it.\n",
        (long long)z->acquisition->row, (long long)(at / 2 / z->acquisition->samples),
        (long long)(at / 2 % z->acquisition->samples), largest, largest / mean);
}

argand_status scale_find(argand_sense *s)
{
    sizes z = {0};
    for (int64_t i = 0; i < s->scan->acquisition_count; i++) look_at(&z, &s->scan->acquisitions[i]);
    if (z.largest >= INFINITE) {
        const int64_t at = place_of(&z);
        return status_set(
            ARGAND_FORMAT, "%s: acquisition %lld, channel %lld, sample %lld is not a finite number",
            s->scan->path, (long long)z.acquisition->row, (long long)(at / 2 / z.acquisition->samples),
            (long long)(at / 2 % z.acquisition->samples));
    }
    if (z.largest)
        s->exponent = ilogb((double)value_of(z.largest));
    else
        text_add(&s->notes, "All samples are 0, and so is the image.\n");
    s->is_zero = !z.largest;
    note_spike(s, &z);
    return s->notes.status;
}

/* Multiplies the image by 2^exponent, in two steps, because some devices flush 2^-149 to 0. */
static argand_status put_back(const argand_sense *s, argand_array *image)
{
    const int half = s->exponent / 2, rest = s->exponent - half;
    if (!s->exponent) return ARGAND_OK;
    TRY(argand_array_scale(image, (argand_scalar){ldexp(1, half), 0}));
    return argand_array_scale(image, (argand_scalar){ldexp(1, rest), 0});
}

argand_status scale_finish(argand_sense *s, int volume, argand_array *image)
{
    double norm;
    bool finite;
    TRY(argand_array_norm(&norm, image));
    if (norm == 0 && !s->is_zero)
        text_add(&s->notes, "Volume %d is 0 everywhere, but its samples are not: check coil maps and mask.\n",
                 volume + 1);
    TRY(put_back(s, image));
    TRY(argand_array_is_finite(&finite, image));
    CHECK(
        finite, ARGAND_NUMERIC,
        "%s: volume %d of the image holds numbers that are not finite (NaN or infinite). Samples reach %.3g; "
        "look at the scales of samples, maps and weights",
        s->scan->path, volume + 1, ldexp(1, s->exponent));
    return s->notes.status;
}
