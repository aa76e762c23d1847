/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages that read or write columns of memory and multiply them by an array, or results by one scalar; where
 * vectors are wide enough to hold that. */
#include "fft/cpu/simd_batch/simd_batch.h"

#ifdef __AVX2__
#include "fft/cpu/simd_batch/stages.inc.h"

SIMD_BATCH_STAGES_OF(from_real, FROM_COLUMNS | BY_REAL)
SIMD_BATCH_STAGES_OF(from_real_swapped, FROM_COLUMNS | BY_REAL | SWAP_IN)
SIMD_BATCH_STAGES_OF(from_complex, FROM_COLUMNS | BY_COMPLEX)
SIMD_BATCH_STAGES_OF(from_complex_swapped, FROM_COLUMNS | BY_COMPLEX | SWAP_IN)
SIMD_BATCH_STAGES_OF(to_real, TO_COLUMNS | BY_REAL)
SIMD_BATCH_STAGES_OF(to_real_swapped, TO_COLUMNS | BY_REAL | SWAP_OUT)
SIMD_BATCH_STAGES_OF(to_complex, TO_COLUMNS | BY_COMPLEX)
SIMD_BATCH_STAGES_OF(to_complex_swapped, TO_COLUMNS | BY_COMPLEX | SWAP_OUT)
SIMD_BATCH_STAGES_OF(to_all, TO_COLUMNS | BY_ALL)
SIMD_BATCH_STAGES_OF(to_all_swapped, TO_COLUMNS | BY_ALL | SWAP_OUT)

typedef void stage(const simd_batch_stage_call *c);

void VARIANT(simd_batch_stage_multiplied_from)(const simd_batch_stage_call *c)
{
    static stage *const all[2][2] = {{from_real, from_real_swapped}, {from_complex, from_complex_swapped}};
    all[c->weights_kind][c->swap_in](c);
}

void VARIANT(simd_batch_stage_multiplied_to)(const simd_batch_stage_call *c)
{
    static stage *const all[SIMD_BATCH_WEIGHTS_KINDS][2] = {
        {to_real, to_real_swapped}, {to_complex, to_complex_swapped}, {to_all, to_all_swapped}};
    all[c->weights_kind][c->swap_out](c);
}

bool VARIANT(simd_batch_multiplies)(void)
{
    return true;
}

#else

void VARIANT(simd_batch_stage_multiplied_from)(const simd_batch_stage_call *c)
{
    (void)c;
}

void VARIANT(simd_batch_stage_multiplied_to)(const simd_batch_stage_call *c)
{
    (void)c;
}

bool VARIANT(simd_batch_multiplies)(void)
{
    return false;
}

#endif
