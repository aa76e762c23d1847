/* SPDX-License-Identifier: BSD-3-Clause */
/* Enlarges a slice by a whole factor. */
#include "io/picture/resample.h"

#include <math.h>
#include "base/memory.h"

/* Computes the weights of the four neighbours by Keys' kernel. at: 0 to 1, from the second to the third. */
static void weigh(float weights[4], double at, bool nearest)
{
    const double t = at, s = 1 - at;
    const double cubic[4] = {-0.5 * t * s * s, 1 + t * t * (1.5 * t - 2.5), 1 + s * s * (1.5 * s - 2.5),
                             -0.5 * s * t * t};
    const double step[4] = {0, t < 0.5, t >= 0.5, 0};
    for (int i = 0; i < 4; i++) weights[i] = (float)(nearest ? step[i] : cubic[i]);
}

static int clamp(int i, int count)
{
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

/* Enlarges one line of `count` elements at stride `stride`. */
static void enlarge_line(float *out, int out_stride, const float *in, int stride, int count, int zoom,
                         bool nearest)
{
    for (int phase = 0; phase < zoom; phase++) {
        const double place = (phase + 0.5) / zoom - 0.5;
        const int shift = place < 0 ? -1 : 0;
        float weights[4];
        weigh(weights, place - shift, nearest);
        for (int i = 0; i < count; i++) {
            float sum = 0;
            for (int k = 0; k < 4; k++)
                sum += weights[k] * in[(size_t)clamp(i + shift + k - 1, count) * (size_t)stride];
            out[((size_t)i * (size_t)zoom + (size_t)phase) * (size_t)out_stride] = sum;
        }
    }
}

argand_status resample_enlarge(float *out, const float *in, int width, int height, int zoom, bool nearest)
{
    const int wide = width * zoom;
    float *rows;
    TRY(memory_new(&rows, memory_product((size_t)wide, (size_t)height), sizeof *rows));
    for (int y = 0; y < height; y++)
        enlarge_line(rows + (size_t)y * (size_t)wide, 1, in + (size_t)y * (size_t)width, 1, width, zoom,
                     nearest);
    for (int x = 0; x < wide; x++) enlarge_line(out + x, wide, rows + x, wide, height, zoom, nearest);
    memory_free(rows);
    return ARGAND_OK;
}
