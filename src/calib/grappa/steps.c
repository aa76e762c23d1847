/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of GRAPPA. Sums run over the sources in order, whatever the SIMD width. */
#include "calib/grappa/grappa.h"

void VARIANT(grappa_block)(float *out, const float *weights, const float *in, int64_t targets,
                           int64_t sources)
{
    enum { B = GRAPPA_BLOCK };
    for (int64_t t = 0; t < targets; t++) {
        float re[B] = {0}, im[B] = {0};
        for (int64_t s = 0; s < sources; s++) {
            const float wr = weights[2 * s * targets + t], wi = weights[(2 * s + 1) * targets + t];
            const float *restrict xr = in + 2 * s * B, *restrict xi = xr + B;
            for (int b = 0; b < B; b++) {
                re[b] += wr * xr[b] - wi * xi[b];
                im[b] += wr * xi[b] + wi * xr[b];
            }
        }
        for (int b = 0; b < B; b++) {
            out[2 * t * B + b] = re[b];
            out[(2 * t + 1) * B + b] = im[b];
        }
    }
}
