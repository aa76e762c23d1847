/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice among the variants of direct_cpu.c, and the memory that they need. */
#include "field/direct.h"

static void (*const tables[2][CPU_LEVELS])(const field_table_task *) = CPU_VARIANTS(field_tables);
static void (*const forward[2][CPU_LEVELS])(const field_forward_task *) = CPU_VARIANTS(field_forward);
static void (*const adjoint[2][CPU_LEVELS])(const field_adjoint_task *) = CPU_VARIANTS(field_adjoint);

field_kernels field_kernels_get(const argand_field *plan)
{
    const cpu_level level = cpu_best();
    const int precision = field_is_double(plan);
    return (field_kernels){tables[precision][level], forward[precision][level], adjoint[precision][level]};
}

size_t field_table_bytes(const argand_field *plan)
{
    const field_axes *a = &plan->axes;
    const size_t phasors =
        (size_t)a->segments + (size_t)a->ny + (size_t)a->nz + (plan->separable ? (size_t)a->lines : 0);
    const size_t phases = plan->separable ? 0 : (size_t)a->lines;
    return (2 * phasors + phases) * BLOCK_BYTES;
}

/* forward: a sum in double and two in the plan's precision; adjoint: rotated samples of 4 blocks and the
 * lanes' sums (64 bytes each at most) of a row; both: a tile of 16 columns. */
size_t field_scratch_bytes(const argand_field *plan, int64_t coils)
{
    const size_t c = (size_t)coils, block = 2 * BLOCK_BYTES, tile = 16 * block;
    const size_t forward_bytes = c * block * (2 + 8 / field_real_size(plan));
    const size_t adjoint_bytes = 4 * c * block + c * (size_t)field_planes(plan) * 64 * SEGMENT;
    return tile + (forward_bytes > adjoint_bytes ? forward_bytes : adjoint_bytes);
}
