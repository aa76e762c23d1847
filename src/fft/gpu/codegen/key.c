/* SPDX-License-Identifier: BSD-3-Clause */
/* A shape as the key of its kernel: "fft_box REAL=float ITEMS=256 D0=4096 ...". Several shapes of one launch:
 * "fft_wave_2 REAL=float ITEMS=256 PASSES=2 ... D0_0=256 ... D0_1=128 ...". */
#include "fft/gpu/codegen/key.h"
#include "fft/gpu/codegen/access.h"

#include <stddef.h>
#include "base/memory.h"

static void add_stages(text *t, const char *prefix, const tile_stage *stages, int count)
{
    static const struct {
        const char *name;
        size_t field;
    } lists[] = {{"RADICES", offsetof(tile_stage, radix)},  {"AXES", offsetof(tile_stage, axis)},
                 {"LENGTHS", offsetof(tile_stage, length)}, {"TURNS", offsetof(tile_stage, twiddles)},
                 {"PITCHES", offsetof(tile_stage, pitch)},  {"EVERY", offsetof(tile_stage, padding_interval)},
                 {"ROOMS", offsetof(tile_stage, padding)}};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        text_add(t, " %s%s=", prefix, lists[k].name);
        for (int i = 0; i < count; i++)
            text_add(t, "%s%d", i ? "," : "", *(const int *)((const char *)&stages[i] + lists[k].field));
    }
}

static void add_defines(text *t, const tile_shape *s)
{
    text_add(t, " VALUES=%d D0=%d D1=%d D2=%d PLANES=%d SHARED_NUMBERS=%d", s->points_per_thread, s->size[0],
             s->size[1], s->size[2], s->exchange_mode, s->shared_elements);
    if (s->prefetch_distance) text_add(t, " AHEAD=%d LATE=%d", s->prefetch_distance, s->prefetch_at_store);
    if (s->plain) text_add(t, " PLAIN=1");
    if (s->stays) text_add(t, " STAYS=%d", s->stays);
    text_add(t, " NEAR_IN=%d NEAR_OUT=%d", s->constant_stride[0], s->constant_stride[1]);
    text_add(t, " STAGES=%d", s->stages);
    add_stages(t, "", s->stage, s->stages);
    if (tile_convolves(s)) add_stages(t, "BACK_", s->back, s->stages);
    text_add(
        t,
        " IN_FAST=%d MID_FAST=%d OUT_FAST=%d LOOPS=%d LINES=%d RAGGED=%d WIDE=%d ROTATE=%d UNIT=%d ONCE=%d",
        s->in_fast, s->mid_fast, s->out_fast, s->loops, s->lines, s->ragged, s->wide, s->rotate ? 2 : 0,
        s->unit, s->streaming);
    if (s->rotate)
        text_add(t, " SHIFTS=%d,%d,%d,%d,%d,%d", s->shift[0][0], s->shift[0][1], s->shift[0][2],
                 s->shift[1][0], s->shift[1][1], s->shift[1][2]);
    text_add(t,
             " COUNTED=%d CHIRP=%d TWIST=%d TWIST_AXIS=%d TWIST_SHIFT=%d IN_KIND=%d OUT_KIND=%d "
             "REAL_POINTS=%d REAL_AXIS=%d "
             "REAL_TURNS=%d BEFORE_STORE=%d MIRRORED=%d REAL_LINES=%d TOGETHER=%d",
             s->counted, (int)s->chirp, s->twiddle, s->twiddle_axis, s->twiddle_shift, (int)s->in_kind,
             (int)s->out_kind, s->real_points, s->real_axis, s->real_twiddles, s->before_store, s->mirrored,
             s->real_lines, s->adjacent);
    text_add(t, " FUSED=%d FUSED_POINTS=%d FUSED_AXIS=%d FUSED_TABLE=%d FUSED_SPECTRUM=%d",
             (int)s->convolution.kind, s->convolution.points, s->convolution_axis, s->convolution_table,
             s->spectrum_table);
    if (s->convolution.wrapped)
        text_add(t, " WRAPPED=%d WRAP_TABLE=%d", s->convolution.wrapped, s->wrap_table);
    text_add(t, " CHIRP_ANGLE=%d FILLED=%d TURNING=%d RADER=%d SPREAD=%d", s->chirp_angle, s->filled,
             s->twiddle_source, s->rader, s->spread);
    if (s->looped) text_add(t, " LOOPED=1");
    if (s->twiddle_from) text_add(t, " TWIST_FROM=%d", s->twiddle_from);
    if (s->origin) text_add(t, " ORIGIN=%d", s->origin);
}

argand_status key_make(char **key, const tile_pass *pass, bool is_double)
{
    text t = {0};
    const tile_shape *s = &pass->shape;
    text_add(&t, "%s REAL=%s ITEMS=%d",
             tile_has_access(s)     ? "fft_box_access"
             : s->persistent_blocks ? "fft_stream"
             : s->bulk_copy         ? "fft_bulk"
                                    : "fft_box",
             is_double ? "double" : "float", s->threads);
    if (s->persistent_blocks) text_add(&t, " SPLIT=%d", s->split);
    if (s->bulk_copy) text_add(&t, " BULK=%d", s->bulk_copy);
    if (s->min_blocks) text_add(&t, " RESIDENT=%d", s->min_blocks);
    add_defines(&t, s);
    if (key_add_kernel(&t, pass, 1)) key_add_access(&t, s);
    for (int k = 0; k < s->loops && tile_has_access(s); k++)
        text_add(&t, "%s%d", k ? "," : " BOXES=", s->tiles[k]);
    if (s->kept_arrays) text_add(&t, " ARRAYS_KEPT=1");
    if (s->first_loop) text_add(&t, " FIRST_LOOP=%d FIRST_COUNT=%d", s->first_loop, s->first_count);
    *key = t.chars;
    return t.status;
}

/* " D0=256" as " D0_1=256" */
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
    text_add(&t, "fft_cluster%s REAL=%s ITEMS=%d CLUSTER=%d RESIDENT=%d CLUSTER_SHARED=%d",
             access          ? "_access"
             : c->passes > 2 ? "_convolved"
                             : "",
             is_double ? "double" : "float", pass->shape.threads, c->blocks, c->min_blocks,
             c->shared_elements);
    text_add(
        &t, " CROSS_U=%d CROSS_V=%d CROSS_U_TILE=%d CROSS_V_TILE=%d CROSS_ROW=%d CROSS_ORDER=%d CROSS_WAY=%d",
        c->u, c->v, c->u_tile, c->v_tile, c->row, c->order, c->algorithm);
    if (pass[0].shape.sent_shift) text_add(&t, " CROSS_TURN=%d", pass[0].shape.sent_shift);
    if (c->passes > 2) text_add(&t, " CROSS_ROW_BACK=%d CROSS_ROUND=%d", c->row_back, (int)c->round);
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
    text_add(&t, "fft_wave_%s%d REAL=%s ITEMS=%d PASSES=%d EARLY=%d WAVE_SHARED=%d", access ? "access_" : "",
             w->count, is_double ? "double" : "float", w->threads, w->count, w->prefetch_next,
             shared_elements);
    if (w->min_blocks) text_add(&t, " RESIDENT=%d", w->min_blocks);
    if (access) key_add_kernel(&t, p->pass + w->begin, w->count);
    for (int i = 0; i < w->count; i++) {
        const tile_pass *pass = &p->pass[w->begin + i];
        /* all of work memory, where a pass before the persistent passes left it */
        const int from = i == 0 && pass->from == MEMORY_WORK ? 3 : (int)pass->from;
        text defines = {0};
        add_defines(&defines, &pass->shape);
        if (access) key_add_access(&defines, &pass->shape);
        if (defines.status != ARGAND_OK) t.status = defines.status;
        text_add(&t, " FROM_%d=%d TO_%d=%d", i, from, i, (int)pass->to);
        if (defines.chars) add_numbered(&t, defines.chars, i);
        text_free(&defines);
    }
    *key = t.chars;
    return t.status;
}
