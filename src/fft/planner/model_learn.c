/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures figures that the device's description may lack: its copy rate, and the time of the shortest
 * work. */
#include "fft/planner/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "array/array.h"
#include "fft/planner/wisdom.h"

enum { ROUNDS = 9, LAUNCHES = 64 };
static const int64_t COPY_BYTES = INT64_C(1) << 28, CPU_COPY_BYTES = INT64_C(1)
                                                                     << 26; /* larger than any cache */

/* Returns the shortest of several rounds of `calls` copies, in seconds a copy. */
static argand_status time_copies(double *seconds, argand_array *to, const argand_array *from, int calls,
                                 argand_timer *timer)
{
    *seconds = INFINITY;
    for (int round = 0; round <= ROUNDS;
         round++) { /* round 0 builds kernels and touches pages; it does not count */
        double milliseconds;
        TRY(argand_timer_start(timer));
        for (int i = 0; i < calls; i++) TRY(argand_array_copy(to, from));
        TRY(argand_timer_stop(timer));
        TRY(argand_timer_milliseconds(timer, &milliseconds));
        if (round) *seconds = fmin(*seconds, 1e-3 * milliseconds / calls);
    }
    return ARGAND_OK;
}

static argand_status time_size(double *seconds, argand_device *device, int64_t bytes, int calls)
{
    const int64_t count = bytes / 8;
    argand_array *from = NULL, *to = NULL;
    argand_timer *timer = NULL;
    argand_status status;
    TRY_OR_DONE(argand_array_create(&from, device, ARGAND_C32, 1, &count));
    TRY_OR_DONE(argand_array_create(&to, device, ARGAND_C32, 1, &count));
    TRY_OR_DONE(argand_timer_create(&timer, device));
    TRY_OR_DONE(time_copies(seconds, to, from, calls, timer));
done:
    argand_timer_destroy(timer);
    argand_array_destroy(to);
    argand_array_destroy(from);
    return status;
}

void model_learn(argand_device *device)
{
    double seconds;
    const char *own = getenv("ARGAND_WISDOM");
    if (own && !strcmp(own, "off")) return; /* nothing would be kept */
    if (wisdom_figure(&seconds, device, MODEL_COPY)) return;
    const int64_t bytes = device_is_host(device) ? CPU_COPY_BYTES : COPY_BYTES;
    if (time_size(&seconds, device, bytes, 1) != ARGAND_OK) return;
    wisdom_keep_figure(device, MODEL_COPY, fmax(seconds, 1e-9) * 1e9 / (2 * (double)bytes));
    if (time_size(&seconds, device, 64, LAUNCHES) == ARGAND_OK)
        wisdom_keep_figure(device, MODEL_LAUNCH, fmax(seconds, 1e-9));
}
