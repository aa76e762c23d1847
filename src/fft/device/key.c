/* SPDX-License-Identifier: BSD-3-Clause */
/* A shape as the key of its kernel: "fft_box REAL=float ITEMS=256 D0=4096 ...". */
#include "fft/device/box.h"

#include <stddef.h>
#include "base/memory.h"

static void add_list(text *t, const char *name, const box_shape *s, size_t field)
{
    text_add(t, " %s=", name);
    for (int i = 0; i < s->stages; i++)
        text_add(t, "%s%d", i ? "," : "", *(const int *)((const char *)&s->stage[i] + field));
}

argand_status key_make(char **key, const box_shape *s, bool is_double)
{
    text t = {0};
    text_add(
        &t,
        "fft_box REAL=%s ITEMS=%d VALUES=%d D0=%d D1=%d D2=%d E1=%d E2=%d PAD=%d PLANES=%d SHARED_NUMBERS=%d",
        is_double ? "double" : "float", s->items, s->values, s->size[0], s->size[1], s->size[2], s->e1, s->e2,
        s->pad, s->planes, s->shared_numbers);
    text_add(&t, " STAGES=%d", s->stages);
    add_list(&t, "RADICES", s, offsetof(box_stage, radix));
    add_list(&t, "AXES", s, offsetof(box_stage, axis));
    add_list(&t, "LENGTHS", s, offsetof(box_stage, length));
    add_list(&t, "TURNS", s, offsetof(box_stage, turns));
    text_add(&t, " IN_FAST=%d OUT_FAST=%d LOOPS=%d LINES=%d RAGGED=%d WIDE=%d ROTATE=%d", s->in_fast,
             s->out_fast, s->loops, s->lines, s->ragged, s->wide, s->rotate);
    text_add(&t,
             " COUNTED=%d CHIRP=%d TWIST=%d TWIST_AXIS=%d TWIST_SHIFT=%d IN_KIND=%d OUT_KIND=%d "
             "REAL_POINTS=%d REAL_AXIS=%d "
             "REAL_TURNS=%d BEFORE_STORE=%d MIRRORED=%d REAL_LINES=%d TOGETHER=%d",
             s->counted, (int)s->chirp, s->twist, s->twist_axis, s->twist_shift, (int)s->in_kind,
             (int)s->out_kind, s->real_points, s->real_axis, s->real_turns, s->before_store, s->mirrored,
             s->real_lines, s->together);
    text_add(&t, " FUSED=%d FUSED_POINTS=%d FUSED_AXIS=%d FUSED_TABLE=%d FUSED_SPECTRUM=%d",
             (int)s->fused.kind, s->fused.points, s->fused_axis, s->fused_table, s->fused_spectrum);
    *key = t.chars;
    return t.status;
}
