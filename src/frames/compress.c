/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixes the channels of a readout to virtual coils, as soon as it has come. */
#include "frames/frames.h"

#include <string.h>

/* to += (re + i im) from, for complex numbers */
static void add(float *restrict to, const float *restrict from, float re, float im, int64_t samples)
{
    for (int64_t i = 0; i < samples; i++) {
        to[2 * i] += re * from[2 * i] - im * from[2 * i + 1];
        to[2 * i + 1] += re * from[2 * i + 1] + im * from[2 * i];
    }
}

void frames_compress(float *to, const float *matrix, const float *data, int64_t samples, int channels,
                     int coils)
{
    memset(to, 0, (size_t)(2 * samples * coils) * sizeof *to);
    for (int v = 0; v < coils; v++)
        for (int c = 0; c < channels; c++) {
            const float *m = matrix + 2 * (v * channels + c);
            add(to + 2 * samples * v, data + 2 * samples * c, m[0], m[1], samples);
        }
}
