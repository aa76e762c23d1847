/* SPDX-License-Identifier: BSD-3-Clause */
/* Named ranges on a profiler's time line (NVTX), around every plan's execution. They nest, per thread. */
#ifndef DEVICE_RANGE_H
#define DEVICE_RANGE_H

#include "base/status.h"

/* Costs one comparison where no profiler is attached. */
void range_push(const char *name);
void range_pop(void);

/* After range_push: return range_end(what the range is around). */
static inline argand_status range_end(argand_status status)
{
    range_pop();
    return status;
}

#endif
