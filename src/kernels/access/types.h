/* SPDX-License-Identifier: BSD-3-Clause */
/* Storage types and borders, for kernels and host code. Conversions between floats and their bits: half is
 * IEEE 754-2008 binary16, bfloat16 the upper half of a float. Rounding is to nearest, ties to even; values
 * too large for a half become infinite. */
#ifndef KERNELS_FFT_ACCESS_H
#define KERNELS_FFT_ACCESS_H

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)
#define ACCESS_FLOAT(bits) as_float(bits)
#define ACCESS_BITS(x) as_uint(x)
#elif defined(__CUDACC__) || defined(__HIP__)
#define ACCESS_FLOAT(bits) __uint_as_float(bits)
#define ACCESS_BITS(x) __float_as_uint(x)
#elif defined(__METAL_VERSION__)
#define ACCESS_FLOAT(bits) as_type<float>(bits)
#define ACCESS_BITS(x) as_type<uint>(x)
#else
DEVICE float access_float(UINT bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

DEVICE UINT access_bits(float x)
{
    UINT bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
#define ACCESS_FLOAT(bits) access_float(bits)
#define ACCESS_BITS(x) access_bits(x)
#endif

#if defined(__CUDACC__) /* instructions that round alike; NaN stays NaN, with other bits */
DEVICE float access_from_half(UINT h)
{
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"((unsigned short)h));
    return x;
}

DEVICE UINT access_to_half(float x)
{
    unsigned short half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(x));
    return half;
}
#elif defined(__METAL_VERSION__) /* conversions of the language: Metal may take subnormal floats as 0 */
DEVICE float access_from_half(UINT h)
{
    return (float)as_type<half>((ushort)h);
}

DEVICE UINT access_to_half(float x)
{
    return as_type<ushort>((half)x);
}
#else
/* Returns a half as float. A product with 2^112 moves the exponent, and also converts subnormals. */
DEVICE float access_from_half(UINT h)
{
    const UINT magnitude = (h & 0x7fffu) << 13, sign = (h & 0x8000u) << 16;
    const UINT scaled = ACCESS_BITS(ACCESS_FLOAT(magnitude) * 0x1p112f);
    const UINT special = (h & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
    return ACCESS_FLOAT(scaled | special | sign);
}

DEVICE UINT access_to_half(float x)
{
    const UINT bits = ACCESS_BITS(x), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    const UINT normal = (size + 0xc8000fffu + (size >> 13 & 1u)) >> 13;
    /* below 2^-14: adding 1/2 rounds to multiples of 2^-24 */
    const UINT small = ACCESS_BITS(ACCESS_FLOAT(size) + 0.5f) - 0x3f000000u;
    const UINT large = size > 0x7f800000u ? 0x7e00u : 0x7c00u;
    return sign | (size >= 0x47800000u ? large : size < 0x38800000u ? small : normal);
}
#endif

DEVICE float access_from_bfloat(UINT b)
{
    return ACCESS_FLOAT(b << 16);
}

DEVICE UINT access_to_bfloat(float x)
{
    const UINT bits = ACCESS_BITS(x);
    const UINT rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    return (bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16 | 0x40u) : rounded;
}

/* Packs two elements into 32 bits, the first one in the lower bits. */
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
DEVICE UINT access_to_halves(float re, float im)
{
    UINT both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(im), "f"(re));
    return both;
}

DEVICE UINT access_to_bfloats(float re, float im)
{
    UINT both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(im), "f"(re));
    return both;
}
#else
DEVICE UINT access_to_halves(float re, float im)
{
    return access_to_half(re) | access_to_half(im) << 16;
}

DEVICE UINT access_to_bfloats(float re, float im)
{
    return access_to_bfloat(re) | access_to_bfloat(im) << 16;
}
#endif

/* Returns an integer from 0 to 255; NaN becomes 0. */
DEVICE UINT access_to_byte(float x)
{
    const float cut = x > 0.0f ? (x < 255.0f ? x : 255.0f) : 0.0f;
    return (UINT)(cut + 0.5f);
}

/* Values of argand_border. */
#define ACCESS_ZERO 0
#define ACCESS_CONSTANT 1
#define ACCESS_WRAP 2
#define ACCESS_CLAMP 3
#define ACCESS_MIRROR 4

/* Returns the element, of `count` elements, that is copied to point t, count <= t < n, counted from the
 * first element. */
DEVICE INDEX access_border(INDEX t, INDEX n, INDEX count, int border)
{
    const INDEX i = t < count + (n - count + 1) / 2 ? t : t - n,
                period = border == ACCESS_MIRROR ? 2 * count : count;
    if (border == ACCESS_CLAMP) return i < 0 ? 0 : count - 1;
    const INDEX rest = i % period, wrapped = rest < 0 ? rest + period : rest;
    return wrapped < count ? wrapped : 2 * count - 1 - wrapped;
}

#endif
