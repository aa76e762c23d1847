/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes in one launch whose groups reach each other's shared memory (kernels/fft/cluster/cluster.krn). */
#ifndef FFT_GPU_CLUSTER_CLUSTER_H
#define FFT_GPU_CLUSTER_CLUSTER_H

#include "fft/gpu/codegen/pass.h"

/* cluster.c: lines that are too long for a group, and planes, as two passes in one launch: U x V points, of
 * which each pass has one side's lines. */
typedef struct box_halves {
    int groups, items;
    int u, v; /* lengths of the first and of the second half */
    int row;  /* 0; of a volume: u's are planes of rows of so many points */
    box_radices radices[2], along_rows;
    int way;      /* see kernels/fft/cluster/cluster.krn */
    int resident; /* groups of a multiprocessor, by what they will ask for */
    double cost;  /* of a point, in operations */
} box_halves;
bool cluster_line(box_halves *h, const box_job *job, const box_limits *l);
bool cluster_plane(box_halves *h, const box_span *a, const box_span *b, const box_limits *l);
argand_status program_cluster_line(box_program *p, const box_job *job, const box_halves *h,
                                   const box_limits *l);
argand_status program_cluster_plane(box_program *p, const box_job *job, const box_span *second,
                                    int second_shift, const box_halves *h, const box_limits *l);

/* volume.c: all of a small volume. */
bool cluster_volume(box_halves *h, const box_span *s, const box_limits *l);
argand_status program_cluster_volume(box_program *p, const box_job *job, const box_span *spans,
                                     const int shift[3], const box_halves *h, const box_limits *l);

/* convolution.c: lines without radices as a convolution that a cluster holds; rader: of one point less.
 */
bool cluster_convolution(box_halves *h, bool *rader, const box_job *job, const box_limits *l);
argand_status program_cluster_convolution(box_program *p, const box_job *job, const box_halves *h, bool rader,
                                          const box_limits *l);

#endif
