/* SPDX-License-Identifier: BSD-3-Clause */
/* Planning of clusters: shared by all files of this folder. */
#ifndef FFT_GPU_CLUSTER_SPLIT_H
#define FFT_GPU_CLUSTER_SPLIT_H

#include "fft/gpu/cluster/cluster.h"

enum { CLUSTER_SEGMENT = 64, CLUSTER_HELD = 16 }; /* contiguous bytes, at least; points of a thread */
enum { SEND_HALF = 3 }; /* an order in which blocks send; see kernels/fft/cluster/cluster.krn */

/* split.c */
bool cluster_takes_kinds(const line_job *job);
int cluster_tile(int n, int blocks);
int cluster_points(const cluster_split *h); /* points of a block, at most */
bool cluster_try(cluster_split *h, int blocks, int u, int v, int least_v, const block_limits *l);
/* Does the same if the cost is below `cost`. */
bool cluster_try_below(cluster_split *h, int blocks, int u, int v, int least_v, double cost,
                       const block_limits *l);
/* Returns true if elements from other blocks have an area apart from that of a block's own stages. */
bool cluster_is_disjoint(const cluster_split *h);
/* Returns the number of resident blocks that the compiler is given. */
int cluster_resident(int threads, int held, int64_t bytes, bool is_double);
/* Returns true if the tiles are large enough and fit the blocks. */
bool cluster_fits(int blocks, int u, int v, int least_v, const block_limits *l);
/* cluster_small_points returns the largest share of a block that counts as small; cluster_is_small returns
 * true if the share is not larger. */
int cluster_small_points(const block_limits *l);
bool cluster_is_small(const cluster_split *h, const block_limits *l);
double cluster_cost(const cluster_split *h);
double cluster_half_least(int n); /* lower bound of the operations a point of a half of n */

/* launch.c: joins the passes of a cluster, which exchange as pass->exchange says, to the launch of the
 * first. */
argand_status cluster_launch(tile_pass *pass, const cluster_split *h, const block_limits *l);
/* Joins two passes. */
argand_status cluster_join(pass_program *p, const cluster_split *h, const block_limits *l);
/* cluster_begin makes the pass of a half as far as its stages; cluster_half makes all of it. */
argand_status cluster_begin(pass_program *p, const line_job *job, const cluster_split *h, int half,
                            tile_pass **pass);
argand_status cluster_half(pass_program *p, const line_job *job, const cluster_split *h, int half,
                           const int shift[2][3], const block_limits *l);

#endif
