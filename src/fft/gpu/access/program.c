/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the passes of a problem with accessors. They differ from plain passes in four ways. The first pass
 * loads through the load chain, and the last one stores through the store chain. Each pass pads and crops
 * the axes that it transforms: before it an axis has only the points that may be nonzero, and after it
 * only those that are wanted. The order of axes is the one that moves the fewest bytes. With a chain at
 * the spectrum all axes go forward, the last of these passes stores through the chain, and all axes go
 * back. Elements between passes are in the output if they all fit there, else in work memory.
 *
 * Real transforms have reals along axis 0 before its pass (after it in an inverse), half a spectrum after
 * it; that pass is the first one forward, and the last one inverse. */
#include "fft/gpu/access/maker.h"

#include <stdlib.h>
#include <string.h>
#include "array/array.h"
#include "base/memory.h"
#include "fft/gpu/codegen/access.h"

/* Returns the points of an axis after the step. */
static int64_t points_after(const maker *m, const step *s, int axis)
{
    const bool last = (s->back || s->both || !m->problem->access->has_spectrum) &&
                      /* except the middle axis of a volume, which is only half transformed */
                      !(s->volume == VOLUME_ROWS && axis == s->second);
    return last ? wanted(m, axis, true) : access_points(m->problem, axis, is_real(m));
}

static void leave_points(maker *m, const step *s)
{
    m->now[s->axis] = points_after(m, s, s->axis);
    if (s->second >= 0) m->now[s->second] = points_after(m, s, s->second);
}

/* ---- input or output of a pass ---- */

static void add_window(pass_access *a, const argand_window *window, int64_t n, int axis)
{
    if (window->count == n && window->first == 0) return;
    a->on = true;
    a->window[a->windows].dim = axis;
    a->window[a->windows].points = (int)n;
    a->window[a->windows].first = (int)window->first;
    a->window[a->windows].count = (int)window->count;
    a->window[a->windows++].border = (int)window->border;
}

static void add_links(pass_access *a, const maker *m, int number)
{
    const argand_fft_access *c = &m->problem->access->chains;
    a->chain_number = number;
    a->mirror = number == 1 && m->problem->access->has_mirror;
    a->chain = number == 0 ? c->load : number == 1 ? c->spectrum : c->store;
    a->reals = m->plan->reals[number];
    for (int i = 0; i < ARGAND_MAX_ACCESSORS && a->chain[i].kind; i++) {
        if (m->plan->folded[number] >> i & 1) continue;
        a->coordinates |= a->chain[i].kind != ARGAND_ACCESS_SCALE;
        a->place[a->links++] = i;
    }
    a->on |= a->links > 0;
}

/* Returns true if the elements after step i, which is not the last one, are in the output. */
static bool is_in_output(const maker *m, int i)
{
    return m->mirror ? i >= m->mirror : m->in_output;
}

static void add_axes_of_image(pass_access *a, const maker *m)
{
    a->image.rank = m->g->rank;
    for (int d = 0; d < m->g->rank; d++) a->image.points[d] = m->problem->n[d];
}

/* Adds a spectrum in work memory, from which X[-k] is loaded along with X[k]. */
static void add_image(pass_access *a, const maker *m)
{
    add_links(a, m, 1); /* at least a function */
    a->coordinates = true;
    add_axes_of_image(a, m);
    for (int d = 0; d < m->g->rank; d++) a->image.step[d] = m->work[d];
}

/* Returns the element type that a pass has without accessors. */
static argand_type plain_type(const maker *m, const access_array_layout *layout)
{
    return layout->reals ? m->problem->type : whole_type(m);
}

/* Returns the accessor of the caller's array, or of the elements between passes. */
static pass_access access_of(const maker *m, int i, bool out)
{
    const struct fft_access *all = m->problem->access;
    const access_array_layout *layout = array_layout(m, out);
    const step *s = &m->list[i];
    pass_access a = {.type = whole_type(m)};
    const bool ends_forward = i + 1 < m->steps && m->list[i + 1].back && !s->back && !s->both;
    const bool axes = out ? s->back || s->both || !all->has_spectrum : !s->back;
    if (i == (out ? m->steps - 1 : 0)) {
        a.type = layout->type;
        a.layout = layout;
        a.on = layout->type != plain_type(m, layout);
        add_links(&a, m, out ? 2 : 0);
        a.factor = out && m->plan->factor;
        a.on |= a.factor;
    } else if (m->mirror && i == m->mirror && !m->images && !out) {
        add_image(&a, m);
    } else if (out && ends_forward && !m->mirror) {
        add_links(&a, m, 1);
    }
    if (axes && layout->has_constant) a.layout = layout;
    for (int k = 0; k < 2 && axes; k++) {
        const int axis = k ? s->second : s->axis;
        const bool halfway = k && s->volume == (out ? VOLUME_ROWS : VOLUME_COLUMNS);
        if (axis >= 0 && !halfway) add_window(&a, &layout->window[axis], points_of(m, axis, out), axis);
    }
    return a;
}

/* ---- passes ---- */

static job_axis axis_of(const maker *m, int i, int d)
{
    const argand_axis *axis = dimension(m, d);
    const bool last = i == m->steps - 1 || is_in_output(m, i);
    return (job_axis){.n = m->now[d],
                      .in = i == 0                   ? axis->in_stride
                            : is_in_output(m, i - 1) ? axis->out_stride
                                                     : m->work[d],
                      .out = last ? axis->out_stride : m->work[d],
                      .dim = d + 1,
                      .step = 1};
}

/* Returns the operands with streaming access: the first pass reads, and the last one stores, data that no
 * other pass uses. */
static int streaming_of(const maker *m, int i)
{
    if (is_real(m) || m->steps == 1 || m->mirror) return 0;
    return i == 0 ? 1 : i == m->steps - 1 && m->limits->tuning.streaming == 4 ? 3 : 0;
}

/* Returns the job of step i: its axis, the loops around it, and the accessors of its input and output. */
static line_job job_of(const maker *m, int i)
{
    const step *s = &m->list[i];
    line_job job = {.axis = axis_of(m, i, s->axis),
                    .counted_loop = -1,
                    .from = i == 0                   ? MEMORY_IN
                            : is_in_output(m, i - 1) ? MEMORY_OUT
                                                     : MEMORY_WORK,
                    .to = i == m->steps - 1 || is_in_output(m, i) ? MEMORY_OUT : MEMORY_WORK,
                    .number = s->axis,
                    .dims = m->dims,
                    .at_part = m->plan->part,
                    .at_with = -1,
                    .at_with_n = 1,
                    .own = m->plan->own};
    if (m->persistent) {
        job.at_part = m->persistent->axis;
        job.at_with = m->persistent->with;
        job.at_with_n = m->persistent->n;
    }
    job.axis.n = m->problem->n[s->axis];
    job.scaled = i == m->steps - 1;
    if (m->limits->tuning.alternate_order && !m->persistent) job.order = 1 + m->program->count % 2;
    job.streaming = streaming_of(m, i);
    for (int operand = 0; operand < 2; operand++) job.access[operand] = access_of(m, i, operand);
    if (s->both) {
        add_links(&job.access[2], m, 1);
        job.access[2].on = true; /* an inverse transform follows even if the chain is empty */
        if (m->images) add_axes_of_image(&job.access[2], m);
    }
    const bool seen = job.access[0].coordinates || job.access[1].coordinates || job.access[2].coordinates;
    for (int d = 0; d < m->dims; d++) {
        if (d == s->axis || d == s->second) continue;
        job.loop[job.loops] = axis_of(m, i, d);
        if (!seen) job.loop[job.loops].dim = 0;
        job.loops++;
    }
    return job;
}

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
        axes[d] = axis_of(m, i, d);
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
    m->now[s->second] = points_after(m, s, s->second);
    return ARGAND_OK;
}

/* Appends the passes of step i, and updates the points along its axes. */
static argand_status add_step(maker *m, int i)
{
    const step *s = &m->list[i];
    pass_program *p = m->program;
    const int before = p->count;
    line_job job = job_of(m, i);
    if (s->volume) {
        TRY(add_volume_pass(m, i, &job));
    } else if (s->second >= 0) {
        job_axis second = axis_of(m, i, s->second);
        second.n = m->problem->n[s->second];
        TRY(program_plane(p, &job, &second, 0, m->limits));
        m->now[s->second] = points_after(m, s, s->second);
    } else if (is_real(m) && s->axis == 0) {
        TRY(add_real(m, s, &job));
    } else {
        TRY(program_lines(p, &job, m->limits));
    }
    m->now[s->axis] = points_after(m, s, s->axis);
    for (int k = before; k < p->count; k++) {
        p->pass[k].back |= s->back;
        CHECK(p->pass[k].shape.arguments <= ACCESS_ARGUMENTS_MOST, ARGAND_UNSUPPORTED,
              "argand_fft_create: accessors with %d numbers; fused kernels take %d",
              p->pass[k].shape.arguments, (int)ACCESS_ARGUMENTS_MOST);
    }
    return ARGAND_OK;
}

/* ---- all passes ---- */

/* Sets the strides of work memory for the most points between two passes. Rows are aligned to sectors, so
 * that columns touch no more sectors than necessary. */
static void place_work(maker *m)
{
    enum { SECTOR_BYTES = 32 };
    const int64_t sector = SECTOR_BYTES / m->limits->element_bytes;
    int64_t most[MOST_DIMS], count = 1;
    for (int d = 0; d < m->dims; d++) most[d] = d < m->g->rank ? 1 : m->now[d];
    for (int i = 0; i + 1 < m->steps; i++) {
        leave_points(m, &m->list[i]);
        for (int d = 0; d < m->g->rank; d++)
            if (m->now[d] > most[d]) most[d] = m->now[d];
    }
    for (int d = 0; d < m->dims; d++) {
        m->work[d] = count;
        count *= most[d];
        if (d == 0 && m->g->rank > 1) count = (count + sector - 1) / sector * sector;
    }
    if ((m->in_output && !m->mirror) || m->steps == 1) return;
    m->program->kept = m->program->work = count;
}

static void begin(maker *m)
{
    for (int d = 0; d < m->dims; d++) m->now[d] = d < m->g->rank ? wanted(m, d, false) : dimension(m, d)->n;
    if (m->persistent) m->now[m->persistent->axis] = m->persistent->chunk;
    if (m->persistent && m->persistent->with >= 0) m->now[m->persistent->with] = 1;
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

line_job access_job(const maker *m, int i)
{
    maker before = *m;
    begin(&before);
    for (int k = 0; k < i; k++) leave_points(&before, &before.list[k]);
    return job_of(&before, i);
}

void access_place(maker *m)
{
    begin(m);
    place_work(m);
    begin(m);
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

/* ---- persistent passes ---- */

/* Returns true if axes are in the problem's order, and the kernel of persistent passes has all that the
 * chains need. */
static bool may_persist(const maker *m, const int *order, int count)
{
    for (int i = 0; i < count; i++)
        if (i && order[i] < order[i - 1]) return false;
    return m->limits->persistent && m->plan->part < 0 && !m->problem->access->has_spectrum && count > 0;
}

/* Returns true if the last persistent pass multiplies its results by an array as large as a chunk. Both
 * would not fit in the second-level cache with the chunks that the first pass runs ahead: 1024 x 1024 took
 * 1.25 of the plain time, and 1.08 without running ahead. */
static bool must_not_run_ahead(const maker *m, const chunk_choice *w)
{
    enum { LARGE = 6 << 20 }; /* bytes */
    const argand_accessor *chain = m->problem->access->chains.store;
    if (w->axes < m->g->rank) return false;
    for (int i = 0; i < ARGAND_MAX_ACCESSORS && chain[i].kind; i++)
        if (chain[i].array && chain[i].array->count * m->limits->element_bytes >= LARGE) return true;
    return false;
}

/* First plans every pass by itself, which shows whether persistent passes gain. */
static argand_status make(maker *m, const int *order, int count, bool dry)
{
    const fft_geometry *g = m->g;
    const block_limits *l = m->limits;
    job_axis axes[MOST_DIMS];
    chunk_choice persistent;
    if (!may_persist(m, order, count)) return access_make_with(m, order, count, dry, NULL);
    for (int d = 0; d < m->dims; d++)
        axes[d] = (job_axis){.n = d == g->rank - 1 ? wanted(m, d, false) : dimension(m, d)->n,
                             .in = dimension(m, d)->in_stride,
                             .out = dimension(m, d)->out_stride};
    TRY(access_make_with(m, order, count, true, NULL));
    const bool found = persistent_choose(&persistent, m->program, axes, g->rank, m->dims, l);
    program_release(m->program);
    if (found) {
        block_limits chosen = *l;
        chosen.tuning.threads = persistent.threads;
        chosen.tuning.persistent_blocks = chosen.tuning.bulk_copy = 0;
        if (!chosen.tuning.chunk_lag && must_not_run_ahead(m, &persistent)) chosen.tuning.chunk_lag = 1;
        m->limits = &chosen;
        const argand_status status = access_make_with(m, order, count, dry, &persistent);
        m->limits = l;
        if (status == ARGAND_OK) return ARGAND_OK;
    }
    return access_make_with(m, order, count, dry, NULL);
}

argand_status program_access(pass_program *p, const access_plan *a, const fft_geometry *g,
                             const block_limits *l, bool dry)
{
    maker m = {
        .program = p, .plan = a, .problem = a->problem, .g = g, .limits = l, .dims = g->rank + g->loops};
    CHECK(m.dims <= PASS_ACCESS_DIMS, ARGAND_UNSUPPORTED,
          "argand_fft_apply: there are %d axes and loops; on GPUs, plans with accessors support up to %d",
          m.dims, (int)PASS_ACCESS_DIMS);
    for (int axis = 0; axis < g->rank && a->swapped; axis++)
        CHECK(array_layout(&m, true)->window[axis].border == ARGAND_BORDER_ZERO, ARGAND_UNSUPPORTED,
              "argand_fft_apply: the border of axis %d adds outside points to inside ones, which another "
              "thread block writes",
              axis);
    const axis_order order = access_order(&m);
    return make(&m, order.axis, order.count, dry);
}
