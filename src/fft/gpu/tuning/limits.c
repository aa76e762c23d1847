/* SPDX-License-Identifier: BSD-3-Clause */
/* How many points a block may hold. */
#include "fft/gpu/tuning/limits.h"

int box_most_points(const box_limits *l)
{
    /* the parts of numbers go through shared memory in turn; an eighth may be left free against conflicts */
    const int64_t shared = l->shared_bytes / (l->item_bytes / 2) / 9 * 8,
                  held = (int64_t)l->items * l->values, most = shared < held ? shared : held;
    return l->tuning.max_points && l->tuning.max_points < most ? l->tuning.max_points : (int)most;
}

/* Points that an item may hold where a convolution has no room for two groups on a multiprocessor anyway. */
enum { CONVOLVED_VALUES = 24 };

int box_most_convolved(const box_limits *l)
{
    const int64_t shared = l->shared_bytes / (l->item_bytes / 2) / 9 * 8,
                  held = (int64_t)l->items * (l->is_double ? l->values : CONVOLVED_VALUES);
    return (int)(shared < held ? shared : held);
}
