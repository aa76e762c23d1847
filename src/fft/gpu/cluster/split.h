/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a cluster's planning, for all files of it. */
#ifndef FFT_GPU_CLUSTER_SPLIT_H
#define FFT_GPU_CLUSTER_SPLIT_H

#include "fft/gpu/cluster/cluster.h"

enum { CLUSTER_SEGMENT = 64, CLUSTER_HELD = 16 }; /* adjacent bytes at least; points of a thread */
enum { SEND_HALF = 3 }; /* an order of sending, see kernels/fft/cluster/cluster.krn */

/* split.c */
bool cluster_takes_kinds(const line_job *job);
int cluster_tile(int n, int blocks);
int cluster_points(const cluster_split *h); /* of a block, at most */
bool cluster_try(cluster_split *h, int blocks, int u, int v, int least_v, const block_limits *l);
/* The same at less than that cost. */
bool cluster_try_below(cluster_split *h, int blocks, int u, int v, int least_v, double cost,
                       const block_limits *l);
/* Whether what comes from other blocks is disjoint from what a block's own stages use. */
bool cluster_is_disjoint(const cluster_split *h);
/* Blocks of a multiprocessor that the compiler is given. */
int cluster_resident(int threads, int held, int64_t bytes, bool is_double);
/* Whether the tiles are large enough and fit the blocks. */
bool cluster_fits(int blocks, int u, int v, int least_v, const block_limits *l);
/* What a block has at most if it is as little as it should be; whether it is. */
int cluster_small_points(const block_limits *l);
bool cluster_is_small(const cluster_split *h, const block_limits *l);
double cluster_cost(const cluster_split *h);
double cluster_half_least(int n); /* operations a point of a half of n, which no choice has less of */

/* launch.c: the passes of a cluster, whose `cross` says how they meet, become the launch of the first. */
argand_status cluster_launch(tile_pass *pass, const cluster_split *h, const block_limits *l);
/* The same of two. */
argand_status cluster_join(pass_program *p, const cluster_split *h, const block_limits *l);
/* A half of lines: the pass as far as its stages, and the whole of it. */
argand_status cluster_begin(pass_program *p, const line_job *job, const cluster_split *h, int half,
                            tile_pass **pass);
argand_status cluster_half(pass_program *p, const line_job *job, const cluster_split *h, int half,
                           const int shift[2][3], const block_limits *l);

#endif
