/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts codes of a file to linear light and back. sRGB: IEC 61966-2-1, with the constants at which its
 * two pieces meet (0.04045 and 12.92). */
#include "io/raster/raster.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

double argand_srgb_decode(double code)
{
    if (code < 0) return -argand_srgb_decode(-code);
    return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

double argand_srgb_encode(double light)
{
    if (light < 0) return -argand_srgb_encode(-light);
    return light <= 0.04045 / 12.92 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

static double decode(const argand_picture_info *info, double code)
{
    if (info->transfer == ARGAND_TRANSFER_SRGB) return argand_srgb_decode(code);
    return info->transfer == ARGAND_TRANSFER_POWER ? pow(code, 1 / info->gamma) : code;
}

static double encode(const argand_picture_info *info, double light)
{
    if (info->transfer == ARGAND_TRANSFER_SRGB) return argand_srgb_encode(light);
    return info->transfer == ARGAND_TRANSFER_POWER ? pow(light, info->gamma) : light;
}

argand_status raster_make_curve(argand_picture *p, unsigned levels)
{
    TRY(NEW(p->curve, levels + 1));
    for (unsigned i = 0; i <= levels; i++) p->curve[i] = (float)decode(&p->info, (double)i / levels);
    return ARGAND_OK;
}

float raster_decode(const argand_picture *p, int channel, unsigned code, unsigned levels)
{
    return channel == p->info.alpha ? (float)code / (float)levels : p->curve[code];
}

unsigned raster_encode(const argand_picture *p, int channel, float light, unsigned levels)
{
    if (!(light > 0)) return 0; /* also NaN */
    if (light >= 1) return levels;
    const double code = channel == p->info.alpha ? (double)light : encode(&p->info, light);
    return (unsigned)(code * levels + 0.5);
}

float raster_decode_multiplied(const argand_picture *p, float code, float alpha)
{
    if (!(alpha > 0)) return (float)decode(&p->info, (double)code);
    return (float)((double)alpha * decode(&p->info, (double)code / (double)alpha));
}

float raster_encode_multiplied(const argand_picture *p, float light, float alpha)
{
    if (!(light > 0)) return 0; /* also NaN */
    if (!(alpha > 0)) return (float)encode(&p->info, (double)light);
    return (float)((double)alpha * encode(&p->info, (double)light / (double)alpha));
}

uint16_t raster_half(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    bits &= 0x7fffffff;
    if (bits > 0x7f800000) return (uint16_t)(sign | 0x7e00);
    if (bits >= 0x477ff000)
        return (uint16_t)(sign | 0x7bff); /* from 65520 on, which would round to infinity */
    if (bits <
        0x38800000) { /* below 2^-14, halves have steps of 2^-24; adding 0.5 gives the float the same steps */
        float shifted = fabsf(value) + 0.5f;
        memcpy(&bits, &shifted, sizeof bits);
        return (uint16_t)(sign | (bits - 0x3f000000));
    }
    bits += 0xfff + (bits >> 13 & 1);
    return (uint16_t)(sign | ((bits - 0x38000000) >> 13));
}

float raster_from_half(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7fff;
    if (rest < 0x400) return (sign ? -1.0f : 1.0f) * (float)rest * 0x1p-24f;
    const uint32_t bits =
        sign | (rest >= 0x7c00 ? 0x7f800000 | (rest & 0x3ff) << 13 : (rest << 13) + 0x38000000);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
