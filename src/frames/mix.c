/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums of compress.c, compiled for each instruction set: virtual coils stay in registers while the
 * channels of a few samples are read once. */
#include "frames/mix.h"
#include "base/simd.h"

/* Coils whose sums fit in registers; without AVX a vector takes two of them. */
#if SIMD_REGISTERS >= 32
enum { AT_ONCE = 8 };
#elif defined(__AVX__)
enum { AT_ONCE = 4 };
#else
enum { AT_ONCE = 2 };
#endif

/* Samples of one vector of `coils` coils. Products with the real and with the imaginary part of the matrix
 * are summed apart, so that each is one multiply-add. */
INLINE void mix_vector(REAL *to, const REAL *m, const REAL *data, int64_t line, int64_t left, int channels,
                       int coils)
{
    vector re[AT_ONCE] = {0}, im[AT_ONCE] = {0}, sign;
    for (int c = 0; c < channels; c++) {
        const vector x = load_some(data + c * line, left);
        UNROLL
        for (int v = 0; v < coils; v++) {
            const REAL *at = m + 2 * (v * channels + c);
            re[v] += at[0] * x;
            im[v] += at[1] * x;
        }
    }
    UNROLL
    for (int i = 0; i < IN_VECTOR; i++) sign[i] = i % 2 ? 1 : -1;
    UNROLL
    for (int v = 0; v < coils; v++) store_some(to + v * line, re[v] + sign * swapped(im[v]), left);
}

INLINE void mix_coils(REAL *to, const REAL *m, const REAL *data, int64_t line, int channels, int coils)
{
    int64_t i = 0;
    for (; i + IN_VECTOR <= line; i += IN_VECTOR)
        mix_vector(to + i, m, data + i, line, IN_VECTOR, channels, coils);
    if (i < line) mix_vector(to + i, m, data + i, line, line - i, channels, coils);
}

void VARIANT(frames_mix)(void *to, const void *matrix, const void *data, int64_t samples, int channels,
                         int coils)
{
    const int64_t line = 2 * samples;
    for (int v = 0; v < coils;) {
        REAL *const out = (REAL *)to + v * line;
        const REAL *const m = (const REAL *)matrix + 2 * v * channels;
        const int left = coils - v, count = left >= AT_ONCE ? AT_ONCE : left >= 4 ? 4 : left >= 2 ? 2 : 1;
        if (count == AT_ONCE)
            mix_coils(out, m, data, line, channels, AT_ONCE);
        else if (count == 4)
            mix_coils(out, m, data, line, channels, AT_ONCE < 4 ? AT_ONCE : 4);
        else if (count == 2)
            mix_coils(out, m, data, line, channels, 2);
        else
            mix_coils(out, m, data, line, channels, 1);
        v += count;
    }
}
