/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a cluster's planning, for all files of it. */
#ifndef FFT_GPU_CLUSTER_SPLIT_H
#define FFT_GPU_CLUSTER_SPLIT_H

#include "fft/gpu/cluster/cluster.h"

enum { CLUSTER_SEGMENT = 64, CLUSTER_HELD = 16 }; /* bytes beside each other at least; points of an item */
enum { CROSS_HALF = 3 }; /* an order of sending, see kernels/fft/cluster/cluster.krn */

/* split.c */
int cluster_tile(int n, int groups);
int cluster_points(const box_halves *h); /* of a group, at most */
bool cluster_try(box_halves *h, int groups, int u, int v, int least_v, const box_limits *l);
/* The same at less than that cost. */
bool cluster_try_below(box_halves *h, int groups, int u, int v, int least_v, double cost,
                       const box_limits *l);
/* Whether what comes from other groups lies apart from what a group's own stages use. */
bool cluster_lies_apart(const box_halves *h);
/* Groups of a multiprocessor that the compiler is told. */
int cluster_resident(int items, int held, int64_t bytes, bool is_double);
/* Whether the tiles are large enough and groups have room for them. */
bool cluster_has_room(int groups, int u, int v, int least_v, const box_limits *l);
/* What a group has at most if it is as little as it should be; whether it is. */
int cluster_small_points(const box_limits *l);
bool cluster_is_small(const box_halves *h, const box_limits *l);
double cluster_cost(const box_halves *h);
double cluster_half_least(int n); /* operations a point of a half of n, which no choice has less of */

/* launch.c: the passes of a cluster, whose `cross` says how they meet, become the launch of the first. */
argand_status cluster_launch(box_pass *pass, const box_halves *h, const box_limits *l);
/* The same of two. */
argand_status cluster_join(box_program *p, const box_halves *h, const box_limits *l);
/* A half of lines: the pass as far as its stages, and the whole of it. */
argand_status cluster_begin(box_program *p, const box_job *job, const box_halves *h, int half,
                            box_pass **pass);
argand_status cluster_half(box_program *p, const box_job *job, const box_halves *h, int half,
                           const int shift[2][3], const box_limits *l);

#endif
