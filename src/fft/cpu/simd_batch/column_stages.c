/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages that read or write columns of memory: neighbouring lines side by side. */
#include "fft/cpu/simd_batch/stages.inc.h"

SIMD_BATCH_STAGES_OF(from, FROM_COLUMNS)
SIMD_BATCH_STAGES_OF(from_swapped, FROM_COLUMNS | SWAP_IN)
SIMD_BATCH_STAGES_OF(to, TO_COLUMNS)
SIMD_BATCH_STAGES_OF(to_swapped, TO_COLUMNS | SWAP_OUT)
SIMD_BATCH_STAGES_OF(both, FROM_COLUMNS | TO_COLUMNS)
SIMD_BATCH_STAGES_OF(both_swapped, FROM_COLUMNS | TO_COLUMNS | SWAP_IN | SWAP_OUT)

/* Fewer columns than lanes */
#ifdef __AVX512F__
SIMD_BATCH_STAGES_OF(some_from, FROM_COLUMNS | SOME)
SIMD_BATCH_STAGES_OF(some_from_swapped, FROM_COLUMNS | SWAP_IN | SOME)
SIMD_BATCH_STAGES_OF(some_to, TO_COLUMNS | SOME)
SIMD_BATCH_STAGES_OF(some_to_swapped, TO_COLUMNS | SWAP_OUT | SOME)
SIMD_BATCH_STAGES_OF(some_both, FROM_COLUMNS | TO_COLUMNS | SOME)
SIMD_BATCH_STAGES_OF(some_both_swapped, FROM_COLUMNS | TO_COLUMNS | SWAP_IN | SWAP_OUT | SOME)
#define COLUMNS(name)                          \
    {                                          \
        {name, name##_swapped},                \
        {                                      \
            some_##name, some_##name##_swapped \
        }                                      \
    }
#else
#define COLUMNS(name)           \
    {                           \
        {name, name##_swapped}, \
        {                       \
            NULL                \
        }                       \
    }
#endif

bool VARIANT(simd_batch_takes_some)(void)
{
#ifdef __AVX512F__
    return true;
#else
    return false;
#endif
}

typedef void stage(const simd_batch_stage_call *c);

void VARIANT(simd_batch_stage_from_columns)(const simd_batch_stage_call *c)
{
    static stage *const all[2][2] = COLUMNS(from);
    all[c->lines > 0][c->swap_in](c);
}

void VARIANT(simd_batch_stage_to_columns)(const simd_batch_stage_call *c)
{
    static stage *const all[2][2] = COLUMNS(to);
    all[c->lines > 0][c->swap_out](c);
}

void VARIANT(simd_batch_stage_columns)(const simd_batch_stage_call *c)
{
    static stage *const all[2][2] = COLUMNS(both);
    all[c->lines > 0][c->swap_in](c);
}
