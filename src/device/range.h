/* SPDX-License-Identifier: BSD-3-Clause */
/* Named ranges on a profiler's time line (NVTX), around each plan's execution. They nest per thread. */
#ifndef DEVICE_RANGE_H
#define DEVICE_RANGE_H

#include <stdbool.h>
#include "base/status.h"

/* Start and end a range. Without a profiler they cost one comparison. */
void range_push(const char *name);
void range_pop(void);

/* Returns true if a profiler records ranges. */
bool range_is_recorded(void);

/* Ends a range and returns the status; after range_push: return range_end(...). */
static inline argand_status range_end(argand_status status)
{
    range_pop();
    return status;
}

#endif
