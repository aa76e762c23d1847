/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixes the channels of a readout to virtual coils, as soon as it has come. */
#include "frames/frames.h"
#include "frames/mix.h"

static void (*const mix[2][CPU_LEVELS])(void *to, const void *matrix, const void *data, int64_t samples,
                                        int channels, int coils) = CPU_VARIANTS(frames_mix);

void frames_compress(float *to, const float *matrix, const float *data, int64_t samples, int channels,
                     int coils)
{
    mix[0][cpu_best()](to, matrix, data, samples, channels, coils);
}
