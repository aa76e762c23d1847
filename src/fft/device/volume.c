/* SPDX-License-Identifier: BSD-3-Clause */
/* Three axes in two passes, where a plane does not fit in a group, or fits badly: the middle axis of n = a b points
 * is divided (j = j1 b + j2, k = k1 + a k2, as in lines.c). The first pass has whole rows and the parts of a points
 * across them, and turns its results; the second one has the parts of b points and the third axis, for tiles of
 * neighbouring rows' points. The first one leaves (k1, j2) where (k1, k2) will be, so that the second one works in
 * place; the first one does not. */
#include "fft/device/box.h"

#include <stdlib.h>


/* Items of a group of `points`: the share of them that has something to do at all stages, and no more values than there should be. */
static int choose_items(const box_shape *s, int points, const box_limits *l)
{
    double best = 0;
    int items = 0;
    for (int some = 32; some <= l->items; some += 8) {
        double busy = 1;
        int most = 0;
        for (int i = 0; i < s->stages; i++) {
            const int butterflies = points / s->stage[i].radix, each = (butterflies + some - 1) / some;
            if (each * s->stage[i].radix > most) most = each * s->stage[i].radix;
            if ((double)butterflies / ((double)each * some) < busy)
                busy = (double)butterflies / ((double)each * some);
        }
        if (most > l->tuning.values || most > 25) continue;
        if (most > 16) busy /= 1 + 0.03 * (most - 16);
        if (most < 8) busy /= 1 + 0.1 * (8 - most);
        busy *= (double)some / ((some + 31) / 32 * 32);
        if (busy <= best) continue;
        best = busy;
        items = some;
    }
    return items;
}

static void add_stages(box_shape *s, const box_radices *r, int from, int to, int axis)
{
    for (int i = from; i < to; i++) s->stage[s->stages++] = (box_stage){.radix = r->radix[i], .axis = axis};
}

bool volume_fits(const box_span *s, const box_limits *l)
{
    const int a = l->tuning.share;
    return a > 1 && s[1].n % a == 0 && s[1].n / a > 1 && llabs(s[0].in) == 1 && llabs(s[0].out) == 1 && s[0].n > 1 && s[2].n > 1;
}

static argand_status put_rows(box_program *p, const box_job *given, const box_span *part, const box_span *others,
                              const box_limits *l)
{
    box_job job = *given;
    box_radices r0, ra;
    box_pass *pass;
    job_tidy(&job);
    cluster_put_lines(&job, *others);
    radices_choose(&r0, (int)job.axis.n, l, 1);
    radices_choose(&ra, (int)part->n, l, 1);
    TRY(pass_begin(p, &job, &pass));
    box_shape *s = &pass->shape;
    s->size[0] = (int)job.axis.n;
    s->size[1] = (int)part->n;
    const bool split = ra.count > 1;
    if (split) add_stages(s, &ra, 0, 1, 1);
    add_stages(s, &r0, 0, r0.count, 0);
    add_stages(s, &ra, split, ra.count, 1);
    s->lines = 2;
    s->twist_axis = 1;
    const int points = s->size[0] * s->size[1];
    int more = 1;
    for (int some = 1; some <= others->n; some++)
        if (others->n % some == 0 && some * points <= box_most_points(l) && choose_items(s, some * points, l) && choose_items(s, some * points, l) <= l->tuning.items) more = some;
    s->size[2] = more;
    s->items = choose_items(s, points * more, l);
    CHECK(s->items, ARGAND_UNSUPPORTED, "argand_fft_create: no items for rows of %d", s->size[0]);
    const box_span span[3] = {job.axis, *part, *others};
    const int shift[2][3] = {{0}, {0}};
    return pass_finish(p, pass, &job, span, shift, l);
}

static argand_status put_columns(box_program *p, const box_job *given, const box_span *part, const box_limits *l)
{
    box_job job = *given;
    box_radices r2, rb;
    box_pass *pass;
    job_tidy(&job);
    radices_choose(&rb, (int)part->n, l, 1);
    radices_choose(&r2, (int)job.axis.n, l, 1);
    TRY(pass_begin(p, &job, &pass));
    box_shape *s = &pass->shape;
    s->size[0] = l->tuning.tile ? l->tuning.tile : 8;
    s->size[1] = (int)part->n;
    s->size[2] = (int)job.axis.n;
    add_stages(s, &rb, 0, rb.count, 1);
    add_stages(s, &r2, 0, r2.count, 2);
    s->lines = 0;
    s->items = choose_items(s, box_points(s), l);
    CHECK(s->items && box_points(s) <= box_most_points(l), ARGAND_UNSUPPORTED, "argand_fft_create: no items for columns of %d", s->size[2]);
    const box_span span[3] = {job.loop[0], *part, job.axis};
    const int shift[2][3] = {{0}, {0}};
    return pass_finish(p, pass, &job, span, shift, l);
}

/* job: along the first axis, around it the loops but those of the second and the third. */
argand_status program_volume(box_program *p, const box_job *job, const box_span *spans, const box_limits *l)
{
    const int64_t a = l->tuning.share, b = spans[1].n / a;
    const box_span second = spans[1], third = spans[2];
    box_job rows = *job, columns = *job;
    const box_span part = {.n = a, .in = b * second.in, .out = second.out};
    const box_span others = {.n = b, .in = second.in, .out = a * second.out};
    rows.loop[rows.loops++] = third;
    rows.twist_points = second.n;
    rows.scaled = false;
    TRY(put_rows(p, &rows, &part, &others, l));
    p->apart = true;
    columns.axis = third;
    columns.axis.in = third.out;
    for (int i = 0; i < columns.loops; i++) columns.loop[i].in = columns.loop[i].out;
    columns.loop[columns.loops++] = (box_span){.n = job->axis.n, .in = job->axis.out, .out = job->axis.out};
    columns.loop[columns.loops++] = (box_span){.n = a, .in = second.out, .out = second.out};
    columns.from = job->to;
    columns.number = job->number + 2;
    const box_span rest = {.n = b, .in = a * second.out, .out = a * second.out};
    return put_columns(p, &columns, &rest, l);
}
