/* SPDX-License-Identifier: BSD-3-Clause */
/* Axes one after the other, each pass over no more lines than are known not to be zero and wanted in the end.
 * A line along axis a costs c_a; before its pass the axis has in_a elements, after it out_a. Of two passes in
 * turn a goes first where c_a in_b + c_b out_a < c_b in_a + c_a out_b,    that is    (in_a - out_a) / c_a >
 * (in_b - out_b) / c_b, so sorting by that quotient is the best order of all. Padding twice in three
 * dimensions touches (1/4 + 1/2 + 1) / 3 of the lines, cropping the same backwards. Pruned lines: H. V.
 * Sorensen, C. S. Burrus, IEEE Trans. Signal Processing 41:1184, 1993, who also prune within a line; here
 * whole lines alone vanish. */
#include "fft/cpu/access/schedule.h"
#include "fft/cpu/access/chain.h"
#include "fft/cpu/passes/pass.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* One step: an axis, and its length before and after. */
typedef struct step {
    int axis;
    int64_t in, out;
    bool forward, inverse; /* back: the transform after the spectrum; both: fused */
} step;

typedef struct maker {
    access_schedule *s;
    const fft_problem *p;
    const access_call *c;
    const fft_line *const *lines;
    argand_direction direction;
    bool half;          /* the spectrum of axis 0 is a half one */
    bool first_is_zero; /* axis 0 must be the first forward pass, and the last back */
    int steps;
    step list[ACCESS_PASSES];
} maker;

static double cost_of_line(int64_t n)
{
    return (double)n * (4 + log2((double)n));
}

/* Stable, by falling gain; `pinned` (an axis, or -1) goes first. */
static void sort_steps(step *list, int count, int pinned, const int64_t *n)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0; j--) {
            const step *a = &list[j - 1], *b = &list[j];
            const double gain_a = (double)(a->in - a->out) / cost_of_line(n[a->axis]);
            const double gain_b = (double)(b->in - b->out) / cost_of_line(n[b->axis]);
            const bool swap = b->axis == pinned || (a->axis != pinned && gain_b > gain_a);
            if (!swap) break;
            const step t = list[j];
            list[j] = list[j - 1];
            list[j - 1] = t;
        }
}

static void reverse(step *list, int count)
{
    for (int i = 0; i < count / 2; i++) {
        const step t = list[i];
        list[i] = list[count - 1 - i];
        list[count - 1 - i] = t;
    }
}

static int64_t spectrum_points(const maker *m, int axis)
{
    return access_points(m->p, axis, m->half);
}

/* One transform: each axis from the input's elements to the output's. */
static void plain_steps(maker *m)
{
    const access_call *c = m->c;
    const bool to_real = c->out_layout->reals;
    for (int axis = 0; axis < c->rank; axis++)
        m->list[m->steps++] =
            (step){axis, c->in_layout->window[axis].count, c->out_layout->window[axis].count, true, false};
    if (to_real) reverse(m->list, m->steps);
    sort_steps(m->list, m->steps, c->in_layout->reals ? 0 : -1, m->p->n);
    for (int i = 0; to_real && i < m->steps - 1; i++) /* axis 0 last */
        if (m->list[i].axis == 0) {
            const step t = m->list[i];
            memmove(&m->list[i], &m->list[i + 1], (size_t)(m->steps - 1 - i) * sizeof t);
            m->list[m->steps - 1] = t;
        }
}

/* To the spectrum and back, with the axis between in one pass, or the spectrum in one of its own. */
static void spectrum_steps(maker *m, bool separate)
{
    const access_call *c = m->c;
    step inverse[ARGAND_MAX_RANK];
    const int rank = c->rank;
    for (int axis = 0; axis < rank; axis++)
        m->list[axis] = (step){axis, c->in_layout->window[axis].count, spectrum_points(m, axis), true, false};
    sort_steps(m->list, rank, m->half ? 0 : -1, m->p->n);
    m->steps = rank;
    const int between = separate ? -1 : m->list[rank - 1].axis;
    int count = 0;
    for (int i = rank; i-- > 0;) {
        const int axis = m->list[i].axis;
        if (axis != between)
            inverse[count++] =
                (step){axis, spectrum_points(m, axis), c->out_layout->window[axis].count, false, true};
    }
    /* axis 0 of a half spectrum last: sorted without it, as it is the last of the list */
    sort_steps(inverse, m->half && count && rank > 1 ? count - 1 : count, -1, m->p->n);
    if (separate)
        m->list[m->steps++] = (step){0, spectrum_points(m, 0), spectrum_points(m, 0), false, false};
    else {
        m->list[rank - 1].inverse = true;
        m->list[rank - 1].out = c->out_layout->window[between].count;
    }
    for (int i = 0; i < count; i++) m->list[m->steps++] = inverse[i];
}

/* ---- from steps to passes ---- */

static argand_type whole_type(const fft_problem *p)
{
    return type_is_double(p->type) ? ARGAND_C64 : ARGAND_C32;
}

static access_port array_port(const maker *m, bool is_out, int axis)
{
    const access_call *c = m->c;
    const access_array_layout *layout = is_out ? c->out_layout : c->in_layout;
    const argand_array *array = is_out ? c->out : c->in;
    const int64_t size = (int64_t)argand_type_size(layout->type);
    access_port port = {.at = array ? argand_array_data(array) : NULL,
                        .type = layout->type,
                        .width = axis == 0 && layout->reals ? 1 : 2,
                        .imaginary = layout->imaginary * size,
                        .n = m->p->n[axis],
                        .window = layout->window[axis]};
    for (int d = 0; d < c->dims; d++) port.step[d] = (is_out ? c->out_stride[d] : c->in_stride[d]) * size;
    if (axis == 0 && !layout->reals) port.n = spectrum_points(m, 0);
    return port;
}

/* Work memory, on all points of which the axis stands (or on its first `count`). */
static access_port work_port(const maker *m, const int64_t *steps, argand_window window, int64_t n)
{
    access_port port = {.type = whole_type(m->p), .width = 2, .n = n, .window = window};
    memcpy(port.step, steps, sizeof port.step);
    return port;
}

/* Returns true if work memory may be the output: plain elements that fit into it. */
static bool fits_output(const maker *m, const int64_t *most)
{
    const access_call *c = m->c;
    if (c->out_layout->type != whole_type(m->p) || c->sum) return false;
    for (int axis = 0; axis < c->rank; axis++)
        if (most[axis] > c->out_layout->window[axis].count) return false;
    return true;
}

/* Memory for all states between passes: strides in bytes. Neighbouring columns do not share cache sets. */
static void lay_out_work(maker *m, int64_t *steps, bool *in_output)
{
    const access_call *c = m->c;
    const int64_t size = (int64_t)argand_type_size(whole_type(m->p));
    int64_t now[ACCESS_DIMS], most[ACCESS_DIMS] = {0}, bytes = size;
    for (int axis = 0; axis < c->rank; axis++) now[axis] = c->in_layout->window[axis].count;
    for (int i = 0; i + 1 < m->steps; i++) {
        now[m->list[i].axis] = m->list[i].out;
        for (int axis = 0; axis < c->rank; axis++)
            if (now[axis] > most[axis]) most[axis] = now[axis];
    }
    *in_output = m->steps > 1 && fits_output(m, most);
    for (int d = 0; d < c->dims; d++) {
        steps[d] = d < c->rank || c->sum >> d & 1 ? bytes : 0;
        if (d < c->rank)
            bytes *= d == 0 && most[0] * size % 4096 == 0 ? most[0] + 8 : most[d];
        else if (c->sum >> d & 1)
            bytes *= c->loop[d];
        if (*in_output) steps[d] = c->out_stride[d] * size;
    }
    m->s->work_bytes = m->steps > 1 && !*in_output ? bytes : 0;
}

/* Returns the place of an axis's point 0, or of a copy of it, in a layout; a place outside the layout if
 * there is none. */
static int64_t place_of_zero(const argand_window *s, int64_t n)
{
    const int64_t t = (n - s->first) % n;
    return t < s->count || s->border == ARGAND_BORDER_ZERO ? t : border_element(t, n, s->count, s->border);
}

/* A constant border: what is read is less by it, and the transform more, at the point of frequency 0. */
static void set_constant(const maker *m, access_pass *pass, bool is_first, bool is_last_forward)
{
    const access_call *c = m->c;
    if (!c->in_layout->has_constant) return;
    if (is_first) pass->before = c->in_layout->constant;
    if (!is_last_forward) return;
    const double all = (double)m->p->points;
    pass->has_after = true;
    pass->after = (argand_scalar){c->in_layout->constant.re * all, c->in_layout->constant.im * all};
    for (int d = 0; d < c->dims; d++) pass->origin[d] = -1;
    for (int axis = 0; axis < c->rank; axis++) {
        const int64_t n = m->p->n[axis];
        pass->origin[axis] = m->p->access->has_spectrum ? 0 : place_of_zero(&c->out_layout->window[axis], n);
    }
}

static bool shares_output(const access_call *c)
{
    for (int i = 0; c->out && i < c->store.count; i++)
        if (c->store.link[i].array && access_shares_memory(c->store.link[i].array, c->out)) return true;
    return false;
}

static void make_pass(maker *m, int i, const int64_t *work, bool in_output, const int64_t *now)
{
    const access_call *c = m->c;
    const step *t = &m->list[i];
    const bool is_first = i == 0, is_last = i == m->steps - 1, separate = !t->forward && !t->inverse;
    const int64_t points = spectrum_points(m, t->axis);
    const argand_window whole = {points, 0, ARGAND_BORDER_ZERO};
    access_pass *pass = &m->s->pass[m->s->count++];
    const int inverse = m->direction == ARGAND_INVERSE;
    *pass = (access_pass){.moves = access_moves_for(type_is_double(m->p->type)),
                          .line = m->lines[t->axis],
                          .is_double = type_is_double(m->p->type),
                          .axis = t->axis,
                          .dims = c->dims,
                          .rank = c->rank,
                          .inverse = t->forward ? inverse : !inverse,
                          .round_trip = t->forward && t->inverse,
                          .no_transform = separate,
                          .factor = 1};
    for (int d = 0; d < c->dims; d++) pass->n[d] = d == t->axis ? 1 : d < c->rank ? now[d] : c->loop[d];
    const bool from_space = t->forward, to_space = t->inverse || !m->p->access->has_spectrum;
    pass->in = is_first
                   ? array_port(m, false, t->axis)
                   : work_port(m, work, from_space ? c->in_layout->window[t->axis] : whole,
                               from_space && !c->in_layout->reals && !c->out_layout->reals ? m->p->n[t->axis]
                                                                                           : points);
    pass->out = is_last ? array_port(m, true, t->axis)
                        : work_port(m, work, to_space ? c->out_layout->window[t->axis] : whole, points);
    if (!is_first && in_output && c->out) pass->in.at = argand_array_data(c->out);
    if (!is_last && in_output && c->out) pass->out.at = argand_array_data(c->out);
    if (is_first && c->load.count) pass->load = &c->load;
    if (is_last && c->store.count) pass->store = &c->store;
    if (is_last) pass->store_shared = shares_output(c);
    if (is_last) pass->sum = c->sum;
    if (separate || pass->round_trip) pass->middle = &c->spectrum;
    if (separate) {
        m->s->mirrored = true;
        m->s->mirror = i;
    }
    const bool last_forward = t->forward && (pass->round_trip || is_last || !m->list[i + 1].forward);
    set_constant(m, pass, is_first, last_forward);
}

enum { TILE_BYTES = 1 << 18, TILES_LEAST = 16 };

/* Returns true if axis 0, along which neighbours lie, is among the first passes' axes: tiles are made of
 * whole runs of memory then, else of single points. */
static bool has_neighbours(const maker *m, int passes)
{
    for (int i = 0; i < passes; i++)
        if (m->list[i].axis == 0) return true;
    return false;
}

/* How many leading passes go over one tile after the other: their axes fit the second-level cache together,
 * and there are enough tiles for the threads. The rule does not know the number of threads. */
static void choose_tiles(maker *m)
{
    access_schedule *s = m->s;
    const access_call *c = m->c;
    int64_t outer = 1, bytes = (int64_t)argand_type_size(whole_type(m->p)), tiles;
    int tiled = 0;
    for (int d = 0; d < ACCESS_DIMS; d++) s->outer[d] = s->tile[d] = 1;
    if (s->count < 2) return;
    for (int d = c->rank; d < c->dims; d++)
        if (!(c->sum >> d & 1)) outer *= s->outer[d] = c->loop[d];
    for (int d = c->rank; d < c->dims; d++)
        if (!(c->sum >> d & 1))
            for (int i = 0; i < s->count; i++) s->pass[i].n[d] = 1;
    while (tiled < s->count && tiled < c->rank && m->list[tiled].forward &&
           bytes * m->p->n[m->list[tiled].axis] <= TILE_BYTES)
        bytes *= m->p->n[m->list[tiled++].axis];
    s->whole = tiled == c->rank && !c->sum && outer >= TILES_LEAST && !s->mirrored;
    if (s->whole || tiled < 2 || tiled == s->count || !has_neighbours(m, tiled)) return;
    for (int d = 0; d < c->dims; d++) s->tile[d] = s->pass[tiled - 1].n[d];
    for (int i = 0; i < tiled; i++) s->tile[m->list[i].axis] = 1;
    tiles = 1;
    for (int d = 0; d < c->dims; d++) tiles *= s->tile[d];
    for (int i = 0; i < tiled; i++)
        if (m->list[i].inverse) tiles = 0;
    if (tiles < TILES_LEAST) {
        for (int d = 0; d < ACCESS_DIMS; d++) s->tile[d] = 1;
        return;
    }
    s->tiled = tiled;
    for (int i = 0; i < tiled; i++)
        for (int d = 0; d < c->dims; d++)
            if (s->tile[d] > 1) s->pass[i].n[d] = 1;
}

/* Passes that find nothing in a cache: the first one, and those over all points of large data. */
static void mark_far(const maker *m)
{
    access_schedule *s = m->s;
    const int64_t sizes =
        (int64_t)(argand_type_size(m->c->in_layout->type) + argand_type_size(m->c->out_layout->type));
    for (int i = 0; i < s->count; i++)
        s->pass[i].far =
            m->p->points * m->p->batch > PASS_FAR_BYTES / sizes && (i == 0 || (i >= s->tiled && !s->whole));
}

void access_schedule_make(access_schedule *s, const fft_problem *p, const access_call *c,
                          const fft_line *const *lines, argand_direction direction, double factor)
{
    maker m = {.s = s, .p = p, .c = c, .lines = lines, .direction = direction, .half = problem_is_real(p)};
    int64_t work[ACCESS_DIMS] = {0}, now[ACCESS_DIMS];
    bool in_output;
    memset(s, 0, offsetof(access_schedule, pass)); /* passes are written as they are made */
    s->dims = c->dims;
    if (p->access->has_spectrum)
        spectrum_steps(&m, p->access->has_mirror && p->rank > 1);
    else
        plain_steps(&m);
    lay_out_work(&m, work, &in_output);
    for (int axis = 0; axis < c->rank; axis++) now[axis] = c->in_layout->window[axis].count;
    for (int i = 0; i < m.steps; i++) {
        make_pass(&m, i, work, in_output, now);
        now[m.list[i].axis] = m.list[i].out;
    }
    s->pass[s->count - 1].factor = factor;
    choose_tiles(&m);
    mark_far(&m);
}
