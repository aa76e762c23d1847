/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages within the buffers. Stages that exchange real and imaginary parts begin or end an inverse
 * transform. */
#include "fft/cpu/simd_batch/stages.inc.h"

SIMD_BATCH_STAGES_OF(stage, 0)
SIMD_BATCH_STAGES_OF(stage_swap_in, SWAP_IN)
SIMD_BATCH_STAGES_OF(stage_swap_out, SWAP_OUT)
SIMD_BATCH_STAGES_OF(stage_swap_both, SWAP_IN | SWAP_OUT)

void VARIANT(simd_batch_stage)(const simd_batch_stage_call *c)
{
    static void (*const all[2][2])(const simd_batch_stage_call *) = {{stage, stage_swap_out},
                                                                     {stage_swap_in, stage_swap_both}};
    all[c->swap_in][c->swap_out](c);
}
