/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums that make virtual coils of channels, in variants for processors (mix.c). */
#ifndef FRAMES_MIX_H
#define FRAMES_MIX_H

#include <stdint.h>
#include "base/cpu.h"

/* to {samples, coils} = data {samples, channels} times matrix, which is {coils, channels}, row-major; all
 * complex. */
CPU_DECLARE(void, frames_mix, void *to, const void *matrix, const void *data, int64_t samples, int channels,
            int coils);

#endif
