/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a tile shape as the key of its kernel: "fft_tile REAL=float ITEMS=256 TILE_D0=4096 ...". A launch
 * of several shapes numbers them: "fft_passes_2 REAL=float ITEMS=256 PASSES_COUNT=2 ... TILE_D0_0=256 ...
 * TILE_D0_1=128 ...". */
#include "fft/gpu/codegen/key.h"
#include "fft/gpu/codegen/access.h"

#include <stddef.h>
#include "base/memory.h"

static void add_stages(text *t, const char *prefix, const tile_stage *stages, int count)
{
    static const struct {
        const char *name;
        size_t field;
    } lists[] = {{"RADICES", offsetof(tile_stage, radix)},
                 {"AXES", offsetof(tile_stage, axis)},
                 {"LENGTHS", offsetof(tile_stage, length)},
                 {"TWIDDLES", offsetof(tile_stage, twiddles)},
                 {"PITCHES", offsetof(tile_stage, pitch)},
                 {"PADDING_INTERVALS", offsetof(tile_stage, padding_interval)},
                 {"PADDINGS", offsetof(tile_stage, padding)}};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        text_add(t, " %s%s=", prefix, lists[k].name);
        for (int i = 0; i < count; i++)
            text_add(t, "%s%d", i ? "," : "", *(const int *)((const char *)&stages[i] + lists[k].field));
    }
}

static void add_exchange(text *t, const tile_shape *s)
{
    text_add(t,
             " TILE_POINTS_PER_ITEM=%d TILE_D0=%d TILE_D1=%d TILE_D2=%d EXCHANGE_MODE=%d EXCHANGE_REALS=%d",
             s->points_per_thread, s->size[0], s->size[1], s->size[2], s->exchange_mode, s->shared_elements);
    if (s->prefetch_distance)
        text_add(t, " PREFETCH_DISTANCE=%d PREFETCH_AT_STORE=%d", s->prefetch_distance, s->prefetch_at_store);
    if (s->plain) text_add(t, " STORE_UNSCALED=1");
    if (s->stays) text_add(t, " EXCHANGE_IN_REGISTERS=%d", s->stays);
    text_add(t, " LOAD_CONSTANT_STRIDE=%d STORE_CONSTANT_STRIDE=%d", s->constant_stride[0],
             s->constant_stride[1]);
}

static void add_all_stages(text *t, const tile_shape *s)
{
    text_add(t, " STAGE_COUNT=%d", s->stages);
    add_stages(t, "STAGE_", s->stage, s->stages);
    if (tile_convolves(s)) add_stages(t, "INVERSE_", s->back, s->stages);
}

/* The order in which threads take the points, and the circular shifts of input and output */
static void add_order(text *t, const tile_shape *s)
{
    text_add(t,
             " LOAD_FAST_DIM=%d EXCHANGE_FAST_DIM=%d STORE_FAST_DIM=%d TILE_LOOPS=%d TILE_LINES_DIM=%d "
             "TILE_RAGGED=%d TILE_WIDE_OFFSETS=%d SHIFT_MODE=%d TILE_UNIT_STRIDES=%d STREAMING_ACCESS=%d",
             s->in_fast, s->mid_fast, s->out_fast, s->loops, s->lines, s->ragged, s->wide, s->rotate ? 2 : 0,
             s->unit, s->streaming);
    if (s->rotate)
        text_add(t, " SHIFT_AMOUNTS=%d,%d,%d,%d,%d,%d", s->shift[0][0], s->shift[0][1], s->shift[0][2],
                 s->shift[1][0], s->shift[1][1], s->shift[1][2]);
}

/* Twiddle factors between passes, layouts of complex and real elements */
static void add_layouts(text *t, const tile_shape *s)
{
    text_add(t,
             " TILE_LINE_NUMBER=%d CONVOLUTION_PART=%d INTERPASS_MODE=%d INTERPASS_AXIS=%d "
             "INTERPASS_TABLE_SHIFT=%d LOAD_LAYOUT=%d STORE_LAYOUT=%d",
             s->counted, (int)s->chirp, s->twiddle, s->twiddle_axis, s->twiddle_shift, (int)s->in_kind,
             (int)s->out_kind);
    text_add(t,
             " REAL_POINTS=%d REAL_AXIS=%d REAL_TWIDDLES=%d STORE_BARRIER=%d REAL_MIRRORED=%d "
             "REAL_LINE_TWIDDLES=%d REAL_PAIR_ACCESS=%d",
             s->real_points, s->real_axis, s->real_twiddles, s->before_store, s->mirrored, s->real_lines,
             s->adjacent);
}

/* Convolutions by Rader and Bluestein, fused or in passes */
static void add_convolution(text *t, const tile_shape *s)
{
    text_add(t,
             " CONVOLUTION_FUSED=%d CONVOLUTION_POINTS=%d CONVOLUTION_AXIS=%d CONVOLUTION_TABLE=%d "
             "CONVOLUTION_SPECTRUM=%d",
             (int)s->convolution.kind, s->convolution.points, s->convolution_axis, s->convolution_table,
             s->spectrum_table);
    if (s->convolution.wrapped)
        text_add(t, " CONVOLUTION_WRAPPED=%d CONVOLUTION_WRAP_TABLE=%d", s->convolution.wrapped,
                 s->wrap_table);
    text_add(t,
             " CONVOLUTION_CHIRP_ARITHMETIC=%d CONVOLUTION_FILLED=%d TWIDDLE_MODE=%d CONVOLUTION_RADER=%d "
             "CONVOLUTION_PERMUTED=%d",
             s->chirp_angle, s->filled, s->twiddle_source, s->rader, s->spread);
    if (s->looped) text_add(t, " CONVOLUTION_LOOPED=1");
}

/* Adds all defines of a shape other than those of accessors. Their order is a part of the kernel's name. */
static void add_defines(text *t, const tile_shape *s)
{
    add_exchange(t, s);
    add_all_stages(t, s);
    add_order(t, s);
    add_layouts(t, s);
    add_convolution(t, s);
    if (s->plane) text_add(t, " REAL_PLANE=%d", (int)s->plane);
    if (s->twiddle_from) text_add(t, " INTERPASS_ORIGIN=%d", s->twiddle_from);
    if (s->origin) text_add(t, " CONVOLUTION_ORIGIN=%d", s->origin);
}

argand_status key_make(char **key, const tile_pass *pass, bool is_double)
{
    text t = {0};
    const tile_shape *s = &pass->shape;
    text_add(&t, "%s REAL=%s ITEMS=%d",
             tile_has_access(s)     ? "fft_tile_access"
             : s->persistent_blocks ? "fft_persistent_blocks"
             : s->bulk_copy         ? "fft_bulk_copy"
                                    : "fft_tile",
             is_double ? "double" : "float", s->threads);
    if (s->persistent_blocks) text_add(&t, " PERSISTENT_SPLIT=%d", s->split);
    if (s->bulk_copy) text_add(&t, " BULK_COPY=%d", s->bulk_copy);
    if (s->min_blocks) text_add(&t, " MIN_BLOCKS=%d", s->min_blocks);
    add_defines(&t, s);
    if (key_add_kernel(&t, pass, 1)) key_add_access(&t, s);
    for (int k = 0; k < s->loops && tile_has_access(s); k++)
        text_add(&t, "%s%d", k ? "," : " TILE_COUNTS=", s->tiles[k]);
    if (s->kept_arrays) text_add(&t, " ACCESS_ARRAYS_KEPT=1");
    if (s->first_loop) text_add(&t, " TILE_FIRST_LOOP=%d TILE_FIRST_COUNT=%d", s->first_loop, s->first_count);
    *key = t.chars;
    return t.status;
}

/* Adds defines with a numbered suffix: " TILE_D0=256" becomes " TILE_D0_1=256". */
static void add_numbered(text *t, const char *defines, int number)
{
    for (const char *c = defines; *c; c++) {
        if (*c == '=') text_add(t, "_%d", number);
        text_add_bytes(t, c, 1);
    }
}

argand_status key_make_cluster(char **key, const tile_pass *pass, const pass_exchange *c, bool is_double)
{
    text t = {0};
    const bool access = tile_has_access(&pass[0].shape) || tile_has_access(&pass[1].shape);
    text_add(&t, "fft_cluster%s REAL=%s ITEMS=%d CLUSTER_SIZE=%d MIN_BLOCKS=%d CLUSTER_SHARED_REALS=%d",
             access          ? "_access"
             : c->passes > 2 ? "_convolution"
                             : "",
             is_double ? "double" : "float", pass->shape.threads, c->blocks, c->min_blocks,
             c->shared_elements);
    text_add(&t,
             " CLUSTER_U=%d CLUSTER_V=%d CLUSTER_U_TILE=%d CLUSTER_V_TILE=%d CLUSTER_ROW=%d "
             "CLUSTER_SEND_ORDER=%d CLUSTER_EXCHANGE_MODE=%d",
             c->u, c->v, c->u_tile, c->v_tile, c->row, c->order, c->algorithm);
    if (pass[0].shape.sent_shift) text_add(&t, " CLUSTER_SHIFT=%d", pass[0].shape.sent_shift);
    if (c->passes > 2)
        text_add(&t, " CLUSTER_ROW_INVERSE=%d CLUSTER_LOOPED=%d", c->row_inverse, (int)c->round);
    if (access) key_add_kernel(&t, pass, 2);
    for (int i = 0; i < c->passes; i++) {
        text defines = {0};
        add_defines(&defines, &pass[i].shape);
        if (access) key_add_access(&defines, &pass[i].shape);
        if (defines.status != ARGAND_OK) t.status = defines.status;
        if (defines.chars) add_numbered(&t, defines.chars, i);
        text_free(&defines);
    }
    *key = t.chars;
    return t.status;
}

argand_status key_make_persistent(char **key, const pass_program *p, int shared_elements, bool is_double)
{
    text t = {0};
    const persistent_launch *w = &p->persistent;
    bool access = false;
    for (int i = 0; i < w->count; i++) access |= tile_has_access(&p->pass[w->begin + i].shape);
    text_add(&t, "fft_passes_%s%d REAL=%s ITEMS=%d PASSES_COUNT=%d PASSES_PREFETCH=%d PASSES_SHARED_REALS=%d",
             access ? "access_" : "", w->count, is_double ? "double" : "float", w->threads, w->count,
             w->prefetch_next, shared_elements);
    if (w->min_blocks) text_add(&t, " MIN_BLOCKS=%d", w->min_blocks);
    if (access) key_add_kernel(&t, p->pass + w->begin, w->count);
    for (int i = 0; i < w->count; i++) {
        const tile_pass *pass = &p->pass[w->begin + i];
        /* 3: all of work memory, filled by a pass before the persistent passes */
        const int from = i == 0 && pass->from == MEMORY_WORK ? 3 : (int)pass->from;
        text defines = {0};
        add_defines(&defines, &pass->shape);
        if (access) key_add_access(&defines, &pass->shape);
        if (defines.status != ARGAND_OK) t.status = defines.status;
        text_add(&t, " PASS_FROM_%d=%d PASS_TO_%d=%d", i, from, i, (int)pass->to);
        if (defines.chars) add_numbered(&t, defines.chars, i);
        text_free(&defines);
    }
    *key = t.chars;
    return t.status;
}

argand_status key_make_fold(char **key, const tile_pass *pass, int pairs, bool is_double)
{
    text t = {0};
    const tile_shape *s = &pass->shape;
    text_add(&t,
             "fft_real_fold REAL=%s ITEMS=%d REAL_FOLD=%d FOLD_PAIRS=%d REAL_POINTS=%d REAL_TWIDDLES=%d "
             "TILE_LOOPS=%d",
             is_double ? "double" : "float", s->threads, (int)s->fold, pairs, s->real_points,
             s->real_twiddles, s->loops);
    *key = t.chars;
    return t.status;
}
