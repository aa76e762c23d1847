/* SPDX-License-Identifier: BSD-3-Clause */
/* Deals volumes to tasks. Volumes of one unit share coil maps or are solved together, so that dividing them
 * would repeat work: a unit belongs to one task. Tasks have contiguous runs of units. */
#include "kept/kept.h"

void kept_deal(int *task_of, const argand_sense *session, int tasks)
{
    const int64_t volumes = argand_sense_volumes(session);
    for (int64_t v = 0; v < volumes; v++) task_of[v] = (int)(v * tasks / volumes) + 1;
}
