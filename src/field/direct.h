/* SPDX-License-Identifier: BSD-3-Clause */
/* What direct_cpu.c computes: one task of the exact sum, on one thread. Buffers are real planes in the plan's
 * precision:
 *   image    [coil][field_planes][columns]
 *   samples  [coil][re, im][padded]
 *   tables   [block of the panel], made by field_tables */
#ifndef FIELD_DIRECT_H
#define FIELD_DIRECT_H

#include "base/cpu.h"
#include "field/plan.h"

/* The engine's state: tables are made for a panel of blocks at a time. */
typedef struct field_cpu {
    int64_t panel_blocks;
    size_t table_bytes; /* of one block */
    void *tables; /* of all blocks, where one panel holds them; else NULL and made anew for each panel */
} field_cpu;

/* Phases of each line, and the phasors of segments, y and z, for one block of samples. */
typedef struct field_table_task {
    const argand_field *plan;
    int64_t block;
    void *table;
} field_table_task;

/* All pixels of some rows -> one block of samples: out[coil][re, im][per_block] is set. */
typedef struct field_forward_task {
    const argand_field *plan;
    const void *table, *image;
    int64_t block, first_row, end_row, coils;
    void *out, *scratch;
} field_forward_task;

/* The samples of a panel's blocks from first to end -> one row: added to image. */
typedef struct field_adjoint_task {
    const argand_field *plan;
    const void *tables, *samples;
    size_t table_bytes;
    int64_t panel, first, end, row, coils; /* panel: the block that tables begin with */
    void *image, *scratch;
} field_adjoint_task;

CPU_DECLARE(void, field_tables, const field_table_task *task);
CPU_DECLARE(void, field_forward, const field_forward_task *task);
CPU_DECLARE(void, field_adjoint, const field_adjoint_task *task);

/* Bytes of scratch that one thread needs, at any level. */
size_t field_scratch_bytes(const argand_field *plan, int64_t coils);
size_t field_table_bytes(const argand_field *plan);

typedef struct field_kernels {
    void (*tables)(const field_table_task *task);
    void (*forward)(const field_forward_task *task);
    void (*adjoint)(const field_adjoint_task *task);
} field_kernels;

/* Returns the kernels for the plan's precision and this processor. */
field_kernels field_kernels_get(const argand_field *plan);

#endif
