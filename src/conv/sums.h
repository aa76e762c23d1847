/* SPDX-License-Identifier: BSD-3-Clause */
/* Direct sums on processors. Work is cut into blocks of results; what a block touches is gathered into an
 * input with its borders first, so that the sums know none. */
#ifndef CONV_SUMS_H
#define CONV_SUMS_H

#include <stddef.h>
#include <stdint.h>
#include "base/cpu.h"

enum {
    SUMS_ROWS = 2,
    SUMS_WIDE = 64,
    SUMS_TALL = 16
}; /* rows at a time; results of a block: bytes of a row
                                                           / 64, rows */

typedef struct sums_job {
    int threads, parts; /* 1: reals; 2: complex numbers */
    int tap_parts;      /* 2: taps are complex */
    int64_t out[3], k[3];
    /* element of the image beneath position t of an axis (out + k - 1 of them, the first one meets result 0's
     * last tap), -1: the constant, -2: zero */
    const int64_t *element[3];
    int64_t inside, n; /* axis 0: at positions inside to inside + n - 1 stand elements 0 to n - 1 */
    double constant[2];
    /* Tap u stands beneath position result + u. Of each kernel channel three kernels, real parts, imaginary
     * parts and these negative. */
    const void *taps;
    int64_t kernel_step; /* of one kernel */
    int64_t kernel_channels, channels, batch;
    const void *in;
    void *out_data;
    int64_t in_stride[5], out_stride[5]; /* axes, channel, batch; in numbers */
    int64_t wide;                        /* results of a block along axis 0 */
    int64_t box_row, box_plane, box_part;
    char *scratch;
    size_t scratch_bytes;
} sums_job;

CPU_DECLARE(void, conv_sums, const sums_job *job);

#endif
