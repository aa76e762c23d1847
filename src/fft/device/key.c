/* SPDX-License-Identifier: BSD-3-Clause */
/* A shape as the key of its kernel: "fft_box REAL=float ITEMS=256 D0=4096 ...". */
#include "fft/device/box.h"

#include <stddef.h>
#include "base/memory.h"

static void add_stages(text *t, const char *prefix, const box_stage *stages, int count)
{
    static const struct {
        const char *name;
        size_t field;
    } lists[] = {{"RADICES", offsetof(box_stage, radix)},  {"AXES", offsetof(box_stage, axis)},
                 {"LENGTHS", offsetof(box_stage, length)}, {"TURNS", offsetof(box_stage, turns)},
                 {"PITCHES", offsetof(box_stage, pitch)},  {"EVERY", offsetof(box_stage, every)},
                 {"ROOMS", offsetof(box_stage, room)}};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        text_add(t, " %s%s=", prefix, lists[k].name);
        for (int i = 0; i < count; i++)
            text_add(t, "%s%d", i ? "," : "", *(const int *)((const char *)&stages[i] + lists[k].field));
    }
}

argand_status key_make(char **key, const box_shape *s, bool is_double)
{
    text t = {0};
    text_add(&t, "fft_box REAL=%s ITEMS=%d VALUES=%d D0=%d D1=%d D2=%d PLANES=%d SHARED_NUMBERS=%d",
             is_double ? "double" : "float", s->items, s->values, s->size[0], s->size[1], s->size[2],
             s->planes, s->shared_numbers);
    if (s->resident) text_add(&t, " RESIDENT=%d", s->resident);
    text_add(&t, " STAGES=%d", s->stages);
    add_stages(&t, "", s->stage, s->stages);
    if (box_convolves(s)) add_stages(&t, "BACK_", s->back, s->stages);
    text_add(&t, " IN_FAST=%d MID_FAST=%d OUT_FAST=%d LOOPS=%d LINES=%d RAGGED=%d WIDE=%d ROTATE=%d UNIT=%d",
             s->in_fast, s->mid_fast, s->out_fast, s->loops, s->lines, s->ragged, s->wide, s->rotate,
             s->unit);
    text_add(&t,
             " COUNTED=%d CHIRP=%d TWIST=%d TWIST_AXIS=%d TWIST_SHIFT=%d IN_KIND=%d OUT_KIND=%d "
             "REAL_POINTS=%d REAL_AXIS=%d "
             "REAL_TURNS=%d BEFORE_STORE=%d",
             s->counted, (int)s->chirp, s->twist, s->twist_axis, s->twist_shift, (int)s->in_kind,
             (int)s->out_kind, s->real_points, s->real_axis, s->real_turns, s->before_store);
    text_add(&t, " FUSED=%d FUSED_POINTS=%d FUSED_AXIS=%d FUSED_TABLE=%d FUSED_SPECTRUM=%d",
             (int)s->fused.kind, s->fused.points, s->fused_axis, s->fused_table, s->fused_spectrum);
    *key = t.chars;
    return t.status;
}
