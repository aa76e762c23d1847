/* SPDX-License-Identifier: BSD-3-Clause */
/* Two axes in one pass: a plane that fits in a tile goes through memory once. */
#include "fft/gpu/schedule/passes.h"
#include "fft/gpu/schedule/tile_cost.h"

#include <math.h>
#include <stdlib.h>

bool fits_block(const job_axis *a, const job_axis *b, const block_limits *l)
{
    return l->tuning.cluster_blocks < 2 && a->n * b->n <= limits_max_points(l);
}

bool plane_fits(const job_axis *a, const job_axis *b, const block_limits *l)
{
    radix_list r;
    cluster_split h;
    return !l->tuning.separate_axes && a->n > 1 && b->n > 1 && llabs(a->in) == 1 && llabs(a->out) == 1 &&
           (fits_block(a, b, l) ? radices_choose(&r, (int)a->n, l, 1) && radices_choose(&r, (int)b->n, l, 1)
                                : cluster_plane(&h, a, b, l));
}

/* Returns the threads for the plane, so that each holds as many points as the larger of both transforms
 * needs. */
static int threads_for(const radix_list *a, const radix_list *b, int na, int nb, const block_limits *l)
{
    const int held_a = (na + a->threads - 1) / a->threads, held_b = (nb + b->threads - 1) / b->threads;
    int held = held_a > held_b ? held_a : held_b, threads = (na * nb + held - 1) / held;
    while (threads > l->threads) {
        held++;
        threads = (na * nb + held - 1) / held;
    }
    return threads;
}

/* Makes the table of exp(-2 pi i k / n) for pairs along an axis of n reals, up to k = n/2. */
static argand_status pair_tables(pass_program *p, tile_shape *s, const line_job *job)
{
    if (job->plane != PLANE_ALONG_ROWS && job->plane != PLANE_ALONG_COLUMNS) return ARGAND_OK;
    s->real_axis = job->plane == PLANE_ALONG_ROWS ? 0 : 1;
    return tables_twiddles(&p->tables, job->real_points, 1, job->real_points / 2 + 1, &s->real_twiddles);
}

/* Sets the stages. The first and the last one run along the second axis, so that whole rows are loaded and
 * stored. */
static void put_stages(tile_shape *s, const radix_list *a, const radix_list *b)
{
    s->stages = 0;
    if (b->count > 1) s->stage[s->stages++] = (tile_stage){.radix = b->radix[0], .axis = 1};
    for (int i = 0; i < a->count; i++) s->stage[s->stages++] = (tile_stage){.radix = a->radix[i], .axis = 0};
    for (int i = b->count > 1; i < b->count; i++)
        s->stage[s->stages++] = (tile_stage){.radix = b->radix[i], .axis = 1};
}

/* Sets the number of planes of a tile and its threads. */
static void set_threads(tile_shape *s, const line_job *job, const radix_list *a, const radix_list *b,
                        const block_limits *l)
{
    const int points = s->size[0] * s->size[1], threads = threads_for(a, b, s->size[0], s->size[1], l);
    int planes = l->tuning.threads / threads;
    if (planes > limits_max_points(l) / points) planes = limits_max_points(l) / points;
    if (planes > job->loop[0].n) planes = (int)job->loop[0].n;
    if (planes < 1) planes = 1;
    s->size[2] = planes;
    s->threads = threads * planes;
}

/* The same by cost, for planes of reals. */
static void choose_planes(tile_shape *s, const line_job *job, const block_limits *l)
{
    tile_shape best = *s;
    double least = HUGE_VAL, tiles = 1;
    for (int i = 0; i < job->loops; i++) tiles *= (double)job->loop[i].n;
    for (int planes = 1; planes <= job->loop[0].n; planes += 1 + planes / 8) {
        tile_shape more = *s;
        more.size[2] = planes;
        if (tile_points(&more) > limits_real_plane_points(l)) break;
        const double cost = tile_cost(&more, ceil(tiles / planes), l);
        if ((more.threads > l->tuning.threads && planes > 1) || cost >= least) continue;
        least = cost;
        best = more;
    }
    if (least < HUGE_VAL) *s = best;
}

argand_status program_plane(pass_program *p, const line_job *given, const job_axis *second, int second_shift,
                            const block_limits *l)
{
    line_job job = *given;
    radix_list a, b;
    cluster_split h;
    job_tidy(&job);
    if (!fits_block(&job.axis, second, l) && cluster_plane(&h, &job.axis, second, l))
        return program_cluster_plane(p, &job, second, second_shift, &h, l);
    CHECK(radices_choose(&a, (int)job.axis.n, l, 1) && radices_choose(&b, (int)second->n, l, 1),
          ARGAND_INTERNAL, "a plane of %lld x %lld", (long long)job.axis.n, (long long)second->n);
    tile_pass *pass;
    TRY(pass_begin(p, &job, &pass));
    tile_shape *s = &pass->shape;
    CHECK(a.count + b.count <= TILE_STAGES, ARGAND_INTERNAL, "a plane of %d stages", a.count + b.count);
    s->size[0] = (int)job.axis.n;
    s->size[1] = (int)second->n;
    s->lines = 2;
    s->twiddle_axis = 0;
    put_stages(s, &a, &b);
    set_threads(s, &job, &a, &b, l);
    if (job.plane || job.in_kind == IN_REAL) choose_planes(s, &job, l);
    TRY(pair_tables(p, s, &job));
    const job_axis dims[3] = {job.axis, *second, job.loop[0]};
    const int shift[2][3] = {{job.shift_in, second_shift}, {job.shift_out, second_shift}};
    return pass_finish(p, pass, &job, dims, shift, l);
}
