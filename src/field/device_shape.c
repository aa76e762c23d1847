/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses how sets of vectors are computed on matrix units, by measurements (docs/performance/field.md). */
#include <stddef.h>
#include "field/device_engine.h"

enum { SHAPES = 6 };
static const field_shape by_warpgroups[2][SHAPES] = {
    {{4, 256, 3, 2, 0, 1, 1, 4, 0, 4},
     {8, 256, 3, 2, 0, 0, 1, 4, 0, 4},
     {12, 256, 3, 2, 0, 0, 0, 4, 0, 4},
     {16, 256, 3, 2, 0, 0, 0, 4, 0, 4},
     {24, 256, 2, 2, 1, 1, 0, 3, 0, 4},
     {32, 512, 1, 2, 0, 0, 0, 4, 0, 4}},
    {{4, 256, 3, 2, 0, 1, 1, 4, 0, 4},
     {8, 256, 3, 2, 0, 0, 1, 4, 0, 4},
     {12, 256, 3, 2, 0, 0, 0, 4, 0, 4},
     {16, 256, 3, 2, 0, 0, 0, 4, 0, 4},
     {24, 256, 2, 2, 1, 0, 0, 3, 0, 4},
     {32, 512, 1, 1, 1, 1, 0, 4, 0, 4}},
};
static const field_shape by_warps[SHAPES] = {
    {4, 256, 3, 2, 0, 0, 0, 3, 0, 4},  {8, 256, 3, 2, 0, 0, 0, 3, 0, 4},  {12, 256, 2, 2, 0, 0, 0, 3, 0, 4},
    {16, 256, 2, 2, 0, 0, 0, 3, 0, 4}, {24, 256, 2, 1, 0, 0, 0, 3, 0, 4}, {32, 256, 2, 1, 0, 0, 0, 3, 0, 4},
};

int field_term_records(const field_device *d, const argand_field *plan)
{
    if (d->cores == FIELD_CORES_NONE || field_is_double(plan)) return 0;
    return (plan->terms + 3) / 4 * (1 + d->careful);
}

static void experiment(field_shape *s)
{
    static const struct {
        const char *word;
        size_t at;
    } list[] = {{"resident", offsetof(field_shape, resident)}, {"chunks", offsetof(field_shape, chunks)},
                {"overlap", offsetof(field_shape, overlap)},   {"masked", offsetof(field_shape, masked)},
                {"joined", offsetof(field_shape, joined)},     {"buffers", offsetof(field_shape, buffers)},
                {"brief", offsetof(field_shape, brief)},       {"items", offsetof(field_shape, items)},
                {"unroll", offsetof(field_shape, unroll)}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        field_tuning_value(list[i].word, (int *)((char *)s + list[i].at));
}

field_shape field_shape_for(const field_run *run, int vectors)
{
    const bool warpgroups = run->device->cores == FIELD_CORES_WARPGROUP;
    const field_shape *shapes = warpgroups ? by_warpgroups[run->forward] : by_warps;
    int i = 0;
    while (i + 1 < SHAPES && shapes[i].coils < vectors) i++;
    field_shape s = shapes[i];
    if (run->device->gradients) { /* more registers a lane */
        s.items = 256;
        s.resident = 2;
        s.buffers = s.coils > 16 ? 3 : s.buffers;
        s.overlap = s.masked = 0;
        s.chunks = warpgroups ? 2 : 1;
    }
    if (run->plan->terms && !run->device->gradients) { /* a little more of both registers and memory */
        s.resident = s.items == 512 ? 1 : 2;
        s.overlap = s.masked = 0;
        s.chunks = warpgroups ? 2 : 1;
    }
    if (field_is_small(run) &&
        s.resident < 3) { /* two groups of a multiprocessor would end one after another */
        s.buffers = 4;
        s.items = 512;
        s.resident = 1;
    }
    if (field_term_records(run->device, run->plan) > 8 && s.buffers > 3) s.buffers = 3; /* shared memory */
    experiment(&s);
    return s;
}
