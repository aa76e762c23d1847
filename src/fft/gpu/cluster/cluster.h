/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes in one launch whose blocks access each other's shared memory (kernels/fft/cluster/cluster.krn). */
#ifndef FFT_GPU_CLUSTER_CLUSTER_H
#define FFT_GPU_CLUSTER_CLUSTER_H

#include "fft/gpu/codegen/pass.h"

/* cluster.c: lines that are too long for a block, and planes, as two passes in one launch: U x V points,
 * whose lines the first half has as input, the second one as output. */
typedef struct cluster_split {
    int blocks, threads;
    int u, v; /* lengths of the first and of the second half */
    radix_list radices[2];
    int algorithm; /* see kernels/fft/cluster/cluster.krn */
    /* blocks resident on a multiprocessor, estimated from their registers and shared memory */
    int min_blocks;
    double cost; /* operations a point */
} cluster_split;
bool cluster_line(cluster_split *h, const line_job *job, const block_limits *l);
bool cluster_plane(cluster_split *h, const job_axis *a, const job_axis *b, const block_limits *l);
argand_status program_cluster_line(pass_program *p, const line_job *job, const cluster_split *h,
                                   const block_limits *l);
argand_status program_cluster_plane(pass_program *p, const line_job *job, const job_axis *second,
                                    int second_shift, const cluster_split *h, const block_limits *l);

/* convolution.c: lines without radices as a convolution that a cluster holds. rader: by Rader's algorithm,
 * whose convolution has one point less than the line. */
bool cluster_convolution(cluster_split *h, bool *rader, const line_job *job, const block_limits *l);
argand_status program_cluster_convolution(pass_program *p, const line_job *job, const cluster_split *h,
                                          bool rader, const block_limits *l);

#endif
