/* SPDX-License-Identifier: BSD-3-Clause */
/* The job of each pass of a problem with accessors: where its elements are, the points that its axes have,
 * and the accessors of its input and output. */
#include "fft/gpu/access/maker.h"

#include "array/array.h"

int64_t access_points_after(const maker *m, const step *s, int axis)
{
    const bool last = (s->back || s->both || !m->problem->access->has_spectrum) &&
                      /* except the middle axis of a volume, which is only half transformed */
                      !(s->volume == VOLUME_ROWS && axis == s->second);
    return last ? wanted(m, axis, true) : access_points(m->problem, axis, is_real(m));
}

static void leave_points(maker *m, const step *s)
{
    m->now[s->axis] = access_points_after(m, s, s->axis);
    if (s->second >= 0) m->now[s->second] = access_points_after(m, s, s->second);
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

job_axis access_axis(const maker *m, int i, int d)
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

line_job access_job_now(const maker *m, int i)
{
    const step *s = &m->list[i];
    line_job job = {.axis = access_axis(m, i, s->axis),
                    .counted_loop = -1,
                    .from = i == 0                   ? MEMORY_IN
                            : is_in_output(m, i - 1) ? MEMORY_OUT
                                                     : MEMORY_WORK,
                    .to = i == m->steps - 1 || is_in_output(m, i) ? MEMORY_OUT : MEMORY_WORK,
                    .back = s->back,
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
        job.loop[job.loops] = access_axis(m, i, d);
        if (!seen) job.loop[job.loops].dim = 0;
        job.loops++;
    }
    return job;
}

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

line_job access_job(const maker *m, int i)
{
    maker before = *m;
    begin(&before);
    for (int k = 0; k < i; k++) leave_points(&before, &before.list[k]);
    return access_job_now(&before, i);
}

void access_place(maker *m)
{
    begin(m);
    place_work(m);
    begin(m);
}
