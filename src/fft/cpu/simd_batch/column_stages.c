/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages that read or write columns of memory: neighbouring lines side by side. */
#include "fft/cpu/simd_batch/stages.inc.h"

SIMD_BATCH_STAGES_OF(from, FROM_COLUMNS)
SIMD_BATCH_STAGES_OF(from_swapped, FROM_COLUMNS | SWAP_IN)
SIMD_BATCH_STAGES_OF(to, TO_COLUMNS)
SIMD_BATCH_STAGES_OF(to_swapped, TO_COLUMNS | SWAP_OUT)
SIMD_BATCH_STAGES_OF(both, FROM_COLUMNS | TO_COLUMNS)
SIMD_BATCH_STAGES_OF(both_swapped, FROM_COLUMNS | TO_COLUMNS | SWAP_IN | SWAP_OUT)

void VARIANT(simd_batch_stage_from_columns)(const simd_batch_stage_call *c)
{
    (c->swap_in ? from_swapped : from)(c);
}

void VARIANT(simd_batch_stage_to_columns)(const simd_batch_stage_call *c)
{
    (c->swap_out ? to_swapped : to)(c);
}

void VARIANT(simd_batch_stage_columns)(const simd_batch_stage_call *c)
{
    (c->swap_in ? both_swapped : both)(c);
}
