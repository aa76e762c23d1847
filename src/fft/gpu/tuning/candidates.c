/* SPDX-License-Identifier: BSD-3-Clause */
/* The variants that MEASURE compares. Those at the end are for transforms for which the others make no
 * difference. */
#include "fft/gpu/tuning/candidates.h"

#include <stdio.h>

/* The first is the default of ESTIMATE; each of the others changes one or two choices. */
static const struct {
    candidate_scope scope;
    int convolution; /* for lengths that a convolution of that many points might serve; 0: any */
    const char *variant;
} candidates[] = {
    {FOR_ALL, 0, TUNING_STANDARD},
    {FOR_ALL, 0, "chunk_kib 0"},
    {FOR_ALL, 0, "threads 128"},
    {FOR_ALL, 0, "threads 512"},
    {FOR_ALL, 0, "points_per_thread 10 threads 128"},
    {FOR_ALL, 0, "exchange_mode 1"},
    {FOR_ALL, 0, "exchange_mode 3"},
    {FOR_ALL, 0, "short_runs 1"},
    {FOR_ALL, 0, "segment_bytes 128"},
    {FOR_ALL, 0, "streaming 2"},
    {FOR_ALL, 0, "prefetch_next 1 min_blocks 3"},
    {FOR_ALL, 0, "prefetch_next 1 chunk_lag 14"},
    {FOR_ALL, 0, "tail_kib 4096 segment_bytes 128"},
    {FOR_ALL, 0, "tail_kib 8192 segment_bytes 128"},
    {FOR_ALL, 0, "prefetch_next 1 segment_bytes 128 chunk_kib 4096"},
    {FOR_ALL, 0, "pair_access 0"},
    {FOR_ALL, 0, "points_per_thread 49 min_blocks 3"},
    {FOR_ALL, 0, "threads_per_line 512 exchange_mode 1"},
    {FOR_ALL, 0, "twiddle_products 3"},
    {FOR_CONVOLUTIONS, 0, "stage_loop 0"},
    {FOR_CONVOLUTIONS, 8192, "convolution_points 8192 radices 321616"},
    {FOR_ALL, 0, "falling_radices 1"},
    {FOR_ALL, 0, "large_radices 1"},
    {FOR_ALL, 0, "large_radices 1 twiddle_products 3"},
    {FOR_ALL, 0, "prefetch_distance 1 twiddle_products 7"},
    {FOR_ALL, 0, "bulk_copy 1"},
    {FOR_ALL, 0, "bulk_copy 1 exchange_mode 3 min_blocks 3"},
    {FOR_ALL, 0, "points_per_thread 10 threads 128 bulk_copy 1"},
    {FOR_ALL, 0, "persistent_blocks 1 points_per_thread 32 twiddle_products 2"},
    {FOR_ALL, 0, "persistent_blocks 1 points_per_thread 32 twiddle_products 1"},
    {FOR_ALL, 0, "persistent_blocks 1 exchange_mode 1"},
    {FOR_VOLUMES, 0, "streaming 4"},
    {FOR_VOLUMES, 0, "split_second 1 chunk_kib 0 no_cluster 1 streaming 3"},
    {FOR_PLANES, 0, "split_second 4 chunk_kib 0 points_per_thread 32 tile_lines 16"},
    {FOR_PLANES, 0, "split_second 2 chunk_kib 0 points_per_thread 16 twiddle_products 3"},
    {FOR_VOLUMES, 0, "split_second 4 split_last 2 chunk_kib 0"},
    {FOR_VOLUMES, 0, "split_second 8 split_last 4 chunk_kib 0 points_per_thread 32"},
    {FOR_VOLUMES, 0, "split_choice 1"},
    {FOR_ALL, 0, "threads 128 chunk_kib 0"},
    {FOR_ALL, 0, "threads 512 chunk_kib 0"},
    {FOR_ALL, 0, "large_radices 1 prefetch_next 1"},
    {FOR_ALL, 0, "threads_per_line 50 prefetch_next 1"},
    {FOR_ALL, 0, "threads_per_line 50 chunk_kib 0"},
    {FOR_ALL, 0, "prefetch_distance 1"},
    {FOR_ALL, 0, "chunk_kib 0 prefetch_distance 1"},
    {FOR_ALL, 0, "prefetch_distance 2 prefetch_at_store 1"},
    {FOR_ALL, 0, "points_per_thread 32"},
    {FOR_ALL, 0, "points_per_thread 32 segment_bytes 128"},
    {FOR_ALL, 0, "points_per_thread 32 chunk_kib 0"},
    {FOR_ALL, 0, "points_per_thread 32 chunk_kib 0 min_blocks 2"},
    {FOR_ALL, 0, "threads_per_line 64 chunk_kib 0"},
    {FOR_ALL, 0, "segment_bytes 32 chunk_kib 0"},
    {FOR_ALL, 0, "work_mib 64 chunk_kib 0"},
    {FOR_ANY_CLUSTER, 0, "any_cluster 1"},
    {FOR_CLUSTERS, 0, "no_cluster 1"},
    {FOR_CLUSTERS, 0, "no_cluster 1 chunk_kib 0"},
    {FOR_CLUSTERS, 0, "no_cluster 1 prefetch_next 1 min_blocks 3"},
    {FOR_CLUSTERS, 0, "cluster_exchange 3"},
};
enum { CANDIDATES = sizeof candidates / sizeof *candidates };

bool candidate_text(int i, char *variant, size_t size)
{
    if (tuning_is_given()) return tuning_given(i, variant, size);
    if (i >= CANDIDATES) return false;
    snprintf(variant, size, "%s", candidates[i].variant);
    return true;
}

candidate_scope candidate_scope_of(int i)
{
    return tuning_is_given() || i >= CANDIDATES ? FOR_ALL : candidates[i].scope;
}

int candidate_convolution(int i)
{
    return i < CANDIDATES ? candidates[i].convolution : 0;
}

/* Most of these were part of the fastest variant for some size. */
static const char *const changes[] = {
    "threads 64",      "separate_axes 1",      "points_per_thread 32",   "points_per_thread 16",
    "min_blocks 2",    "min_blocks 3",         "threads_per_line 64",    "threads_per_line 128",
    "exchange_mode 1", "dependent_launch 0",   "twiddle_products 3",     "twiddle_products 7",
    "min_blocks 6",    "points_per_thread 49", "falling_radices 1",      "threads 512",
    "threads 128",     "streaming 2",          "prefetch_distance 1",    "segment_bytes 128",
    "chunk_kib 0",     "no_cluster 1",         "any_cluster 1",          "prefetch_next 1",
    "large_radices 1", "send_order 1",         "convolution_twiddles 7", "cluster_blocks 16",
    "bulk_copy 1",
};
enum { CHANGES = sizeof changes / sizeof *changes };

const char *candidate_change(int i)
{
    return tuning_is_given() || i >= CHANGES ? NULL : changes[i];
}
