/* SPDX-License-Identifier: BSD-3-Clause */
/* Deals volumes to tasks as the library deals them to sessions: volumes that are solved together stay
 * together, and those with the same coil maps if possible. */
#include "kept/kept.h"

#include <stdlib.h>

argand_status kept_deal(int *task_of, const argand_sense *session, int tasks)
{
    const int volumes = argand_sense_volumes(session);
    int *part = calloc((size_t)volumes, sizeof *part), dealt = 0;
    if (!part) return report_error(ARGAND_MEMORY, "out of memory");
    for (int task = 0; task < tasks && dealt < volumes; task++) {
        const int count = argand_sense_deal(session, task, tasks, part);
        for (int i = 0; i < count; i++) task_of[part[i]] = task + 1;
        dealt += count;
    }
    free(part);
    return ARGAND_OK;
}
