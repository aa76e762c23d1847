/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the listed passes of a problem with accessors, in their order. */
#include "fft/gpu/access/maker.h"

#include <string.h>
#include "fft/gpu/codegen/access.h"

/* Returns true if pairs of reals are contiguous along axis 0 and start at even positions. */
static bool pairs_adjacent(const maker *m, bool out)
{
    int64_t odd = 0;
    for (int d = 1; d < m->dims; d++) odd |= out ? dimension(m, d)->out_stride : dimension(m, d)->in_stride;
    const int64_t along = out ? m->g->axes[0].out_stride : m->g->axes[0].in_stride;
    const argand_window *window = &array_layout(m, out)->window[0];
    return m->plan->adjacent && along == 1 && odd % 2 == 0 && window->count == m->problem->n[0] &&
           window->first == 0;
}

/* Appends lines of reals, from their array or to it. */
static argand_status add_real(maker *m, const step *s, const line_job *job)
{
    const bool out = s->back || m->plan->swapped;
    if (s->both)
        return program_real_round_trip(m->program, job, pairs_adjacent(m, false) && pairs_adjacent(m, true),
                                       m->limits);
    return program_real(m->program, job, !out, pairs_adjacent(m, out), m->limits);
}

/* Returns true if the accessor needs coordinates along that axis. */
static bool asks_for(const pass_access *a, int axis)
{
    for (int i = 0; i < a->windows; i++)
        if (a->window[i].dim == axis) return true;
    return a->coordinates;
}

/* Sets the axes of a volume with the strides of step i's input and output. */
static void volume_axes(job_axis axes[3], const maker *m, int i)
{
    for (int d = 0; d < 3; d++) {
        axes[d] = access_axis(m, i, d);
        axes[d].n = m->problem->n[d];
    }
}

static argand_status add_volume_pass(maker *m, int i, const line_job *job)
{
    const step *s = &m->list[i];
    const bool columns = s->volume == VOLUME_COLUMNS;
    job_axis axes[3];
    volume_axes(axes, m, i);
    if (!asks_for(&job->access[columns], s->second)) axes[1].dim = 0;
    TRY(program_volume_pass(m->program, job, axes, columns, m->limits));
    m->now[s->second] = access_points_after(m, s, s->second);
    return ARGAND_OK;
}

/* Appends the passes of step i, and updates the points along its axes. */
static argand_status add_step(maker *m, int i)
{
    const step *s = &m->list[i];
    pass_program *p = m->program;
    const int before = p->count;
    line_job job = access_job_now(m, i);
    if (s->volume) {
        TRY(add_volume_pass(m, i, &job));
    } else if (s->second >= 0) {
        job_axis second = access_axis(m, i, s->second);
        second.n = m->problem->n[s->second];
        TRY(program_plane(p, &job, &second, 0, m->limits));
        m->now[s->second] = access_points_after(m, s, s->second);
    } else if (is_real(m) && s->axis == 0) {
        TRY(add_real(m, s, &job));
    } else {
        TRY(program_lines(p, &job, m->limits));
    }
    m->now[s->axis] = access_points_after(m, s, s->axis);
    for (int k = before; k < p->count; k++)
        CHECK(p->pass[k].shape.arguments <= ACCESS_ARGUMENTS_MOST, ARGAND_UNSUPPORTED,
              "argand_fft_create: accessors with %d numbers; fused kernels take %d",
              p->pass[k].shape.arguments, (int)ACCESS_ARGUMENTS_MOST);
    return ARGAND_OK;
}

/* Sets the strides between chunks of an operand with accessors, in elements and in coordinates. */
static void place_chunks(persistent_launch *persistent, const tile_pass *pass, const chunk_choice *w)
{
    for (int i = 0; i < persistent->count; i++) {
        persistent->first[i][0] = w->chunk;
        for (int operand = 0; operand < 2; operand++) {
            const pass_memory memory = operand ? pass[i].to : pass[i].from;
            if (memory == MEMORY_WORK || !pass[i].shape.access[operand].on) continue;
            persistent->params.step[i][operand] = 0;
            persistent->first[i][1 + operand] = w->chunk * (memory == MEMORY_IN ? w->at.in : w->at.out);
        }
    }
}

/* Ends the persistent passes: passes so far process one chunk at a time, later ones all data. */
static argand_status end_persistent(maker *m)
{
    const chunk_choice *w = m->persistent;
    if (!w) return ARGAND_OK;
    m->persistent = NULL;
    m->now[w->axis] = w->n;
    if (w->with >= 0) m->now[w->with] = w->with_n;
    TRY(persistent_finish(m->program, w, m->limits));
    if (w->kept) {
        m->program->kept = m->program->work;
        if (w->with >= 0) m->work[w->with] = m->work[w->axis] * w->n;
    }
    place_chunks(&m->program->persistent, m->program->pass, w);
    return ARGAND_OK;
}

static argand_status add_steps(maker *m)
{
    for (int i = 0; i < m->steps; i++) {
        if (m->persistent && m->list[i].axis >= m->persistent->axes) TRY(end_persistent(m));
        TRY(add_step(m, i));
    }
    return end_persistent(m);
}

argand_status access_make_with(maker *m, const int *order, int count, bool dry,
                               const chunk_choice *persistent)
{
    pass_program *p = m->program;
    *p = (pass_program){.tables.dry = dry};
    memcpy(p->folded, m->plan->folded, sizeof p->folded);
    m->persistent = persistent;
    TRY(access_steps(m, order, count));
    const argand_status status = add_steps(m);
    if (status != ARGAND_OK) program_release(p);
    return status;
}
