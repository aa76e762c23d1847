/* SPDX-License-Identifier: BSD-3-Clause */
/* Two axes at once: a plane that fits in a box goes through memory once. */
#include "fft/gpu/schedule/passes.h"

#include <stdlib.h>

bool fits_group(const box_span *a, const box_span *b, const box_limits *l)
{
    return l->tuning.cluster_blocks < 2 && a->n * b->n <= box_most_points(l);
}

bool plane_fits(const box_span *a, const box_span *b, const box_limits *l)
{
    box_radices r;
    box_halves h;
    return !l->tuning.separate_axes && a->n > 1 && b->n > 1 && llabs(a->in) == 1 && llabs(a->out) == 1 &&
           (fits_group(a, b, l) ? radices_choose(&r, (int)a->n, l, 1) && radices_choose(&r, (int)b->n, l, 1)
                                : cluster_plane(&h, a, b, l));
}

/* As many items as hold the points with the values of the wider of both transforms. */
static int items_for(const box_radices *a, const box_radices *b, int na, int nb, const box_limits *l)
{
    const int held_a = (na + a->items - 1) / a->items, held_b = (nb + b->items - 1) / b->items;
    int held = held_a > held_b ? held_a : held_b, items = (na * nb + held - 1) / held;
    while (items > l->items) {
        held++;
        items = (na * nb + held - 1) / held;
    }
    return items;
}

argand_status program_plane(box_program *p, const box_job *given, const box_span *second, int second_shift,
                            const box_limits *l)
{
    box_job job = *given;
    box_radices a, b;
    box_halves h;
    job_tidy(&job);
    if (!fits_group(&job.axis, second, l) && cluster_plane(&h, &job.axis, second, l))
        return program_cluster_plane(p, &job, second, second_shift, &h, l);
    CHECK(radices_choose(&a, (int)job.axis.n, l, 1) && radices_choose(&b, (int)second->n, l, 1),
          ARGAND_INTERNAL, "a plane of %lld x %lld", (long long)job.axis.n, (long long)second->n);
    box_pass *pass;
    TRY(pass_begin(p, &job, &pass));
    box_shape *s = &pass->shape;
    const int points = (int)(job.axis.n * second->n),
              items = items_for(&a, &b, (int)job.axis.n, (int)second->n, l);
    int planes = l->tuning.threads / items;
    if (planes > box_most_points(l) / points) planes = box_most_points(l) / points;
    if (planes > job.loop[0].n) planes = (int)job.loop[0].n;
    if (planes < 1) planes = 1;
    s->size[0] = (int)job.axis.n;
    s->size[1] = (int)second->n;
    s->size[2] = planes;
    s->lines = 2;
    s->items = items * planes;
    s->twist_axis = 0;
    /* the first and the last stage run along the second axis, so that whole rows are loaded and stored */
    if (b.count > 1) s->stage[s->stages++] = (box_stage){.radix = b.radix[0], .axis = 1};
    for (int i = 0; i < a.count; i++) s->stage[s->stages++] = (box_stage){.radix = a.radix[i], .axis = 0};
    for (int i = b.count > 1; i < b.count; i++)
        s->stage[s->stages++] = (box_stage){.radix = b.radix[i], .axis = 1};
    CHECK(s->stages <= BOX_STAGES, ARGAND_INTERNAL, "a plane of %d stages", s->stages);
    const box_span span[3] = {job.axis, *second, job.loop[0]};
    const int shift[2][3] = {{job.shift_in, second_shift}, {job.shift_out, second_shift}};
    return pass_finish(p, pass, &job, span, shift, l);
}
