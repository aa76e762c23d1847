/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns how many points a block may hold. */
#include "fft/gpu/tuning/limits.h"

int limits_max_points(const block_limits *l)
{
    /* real and imaginary parts may go through shared memory one after the other; an eighth may be padding */
    const int64_t shared = l->shared_bytes / (l->element_bytes / 2) / 9 * 8,
                  held = (int64_t)l->threads * l->points_per_thread, most = shared < held ? shared : held;
    return l->tuning.max_points && l->tuning.max_points < most ? l->tuning.max_points : (int)most;
}

/* Points that a thread may hold if two blocks of a convolution do not fit on a multiprocessor anyway. */
enum { CONVOLVED_VALUES = 24 };

int limits_max_convolution(const block_limits *l)
{
    const int64_t shared = l->shared_bytes / (l->element_bytes / 2) / 9 * 8,
                  held = (int64_t)l->threads * (l->is_double ? l->points_per_thread : CONVOLVED_VALUES);
    return (int)(shared < held ? shared : held);
}

int limits_real_plane_points(const block_limits *l)
{
    /* half spectra have at most half as many elements more */
    const int64_t shared = l->shared_bytes / 3 * 2 / l->element_bytes, most = limits_max_points(l);
    return l->tuning.cluster_blocks > 1 ? 0 : (int)(shared < most ? shared : most);
}
