/* SPDX-License-Identifier: BSD-3-Clause */
/* Direct sums on the CPU. The work is cut into blocks of results. The input of a block is first gathered
 * with its borders, so that the sums need no border rules. */
#ifndef CONV_SUMS_H
#define CONV_SUMS_H

#include <stddef.h>
#include <stdint.h>
#include "base/cpu.h"

enum {
    SUMS_ROWS = 2,
    SUMS_WIDE = 64,
    SUMS_TALL = 16
}; /* rows summed together; size of a block: bytes of a row / 64, rows */

typedef struct sums_job {
    int threads, parts; /* 1: reals; 2: complex numbers */
    int tap_parts;      /* 2: taps are complex */
    int64_t out[3], k[3];
    /* element[axis][t]: element of the image at position t of the gathered input (out + k - 1 positions;
     * position 0 is multiplied by the last tap of result 0); -1: the constant; -2: zero */
    const int64_t *element[3];
    int64_t inside, n; /* axis 0: positions inside to inside + n - 1 hold elements 0 to n - 1 */
    double constant[2];
    /* Tap u multiplies position result + u. There are three kernels for each kernel channel: real parts,
     * imaginary parts, negative imaginary parts. */
    const void *taps;
    int64_t kernel_step; /* distance between kernels */
    int64_t kernel_channels, channels, batch;
    const void *in;
    void *out_data;
    int64_t in_stride[5], out_stride[5]; /* of axes, channel, batch; in real numbers */
    int64_t wide;                        /* results of a block along axis 0 */
    int64_t box_row, box_plane, box_part;
    char *scratch;
    size_t scratch_bytes;
} sums_job;

CPU_DECLARE(void, conv_sums, const sums_job *job);

#endif
