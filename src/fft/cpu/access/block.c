/* SPDX-License-Identifier: BSD-3-Clause */
/* One block of lines of a pass: from memory to its buffer, through chains, borders and the transform, and
 * back. If one end needs no change, the transform itself reads or writes memory there. */
#include "fft/cpu/access/block.h"

#include <string.h>

/* Both runs of points that stand one behind the other on an axis of n points. */
typedef struct window_run {
    int64_t place, point, count; /* first element, its point */
} window_run;

static int runs_of(window_run *runs, const access_port *port)
{
    const int64_t first = port->window.first, count = port->window.count;
    const int64_t whole = first + count <= port->n ? count : port->n - first;
    runs[0] = (window_run){0, first, whole};
    runs[1] = (window_run){whole, 0, count - whole};
    return whole < count ? 2 : 1;
}

/* The memory of a run of the block's points. */
static access_lines memory_of(const block_state *b, const access_port *port, int64_t place)
{
    const int64_t along = port->step[b->pass->axis], line_dim = b->line_dim < 0 ? 0 : port->step[b->line_dim];
    access_lines l = {port->at + place * along, port->type, port->imaginary, b->columns ? line_dim : along,
                      b->columns ? along : line_dim};
    for (int d = 0; d < ACCESS_DIMS; d++) l.at += b->coordinate[d] * port->step[d];
    return l;
}

static void apply_chain(const block_state *b, const access_chain *chain, const access_port *port,
                        bool spectrum)
{
    window_run runs[2] = {{0, 0, port->n}};
    const int count = spectrum ? 1 : runs_of(runs, port);
    for (int i = 0; i < count; i++)
        chain_apply(b, chain, port->width, runs[i].place, runs[i].point, runs[i].count);
}

static void clear(const block_state *b, int width, int64_t first, int64_t last)
{
    if (first >= last) return;
    const block_part part = part_of_block(b, b->buffer, width, first, last - first);
    for (int64_t o = 0; o < part.outers; o++)
        memset(part.at + o * part.step, 0, (size_t)(part.inners * width) * access_real_size(b->pass));
}

/* Point `to` = (or, with add, +=) point `from`, of all lines. */
static void copy_point(const block_state *b, int width, int64_t to, int64_t from, bool add)
{
    const block_part x = part_of_block(b, b->buffer, width, to, 1),
                     y = part_of_block(b, b->buffer, width, from, 1);
    for (int64_t o = 0; o < x.outers; o++)
        if (add)
            b->pass->moves->add(x.at + o * x.step, y.at + o * y.step, width, x.inners);
        else
            memcpy(x.at + o * x.step, y.at + o * y.step,
                   (size_t)(x.inners * width) * access_real_size(b->pass));
}

/* Points that the array does not cover: copies of those that it does; or, at the output, added to them. */
static void do_border(const block_state *b, const access_port *port, bool add)
{
    const argand_window *s = &port->window;
    const int64_t n = port->n, end = s->first + s->count, over = end > n ? end - n : 0;
    if (s->count == n) return;
    if (s->border == ARGAND_BORDER_ZERO || s->border == ARGAND_BORDER_CONSTANT) {
        if (add) return;
        clear(b, port->width, over, s->first);
        clear(b, port->width, end, n);
        return;
    }
    for (int64_t t = s->count; t < n; t++) {
        const int64_t inside = (s->first + border_element(t, n, s->count, s->border)) % n,
                      outside = (s->first + t) % n;
        copy_point(b, port->width, add ? inside : outside, add ? outside : inside, add);
    }
}

/* Returns true if lines of memory are plain contiguous elements, on all points of the axis. */
static bool has_rows(const block_state *b, const access_port *port)
{
    const access_pass *p = b->pass;
    const int64_t real = p->is_double ? 8 : 4;
    const argand_type plain = port->width == 1 ? p->is_double ? ARGAND_R64 : ARGAND_R32
                              : p->is_double   ? ARGAND_C64
                                               : ARGAND_C32;
    return !b->columns && port->type == plain && port->step[p->axis] == port->width * real &&
           port->window.count == port->n && port->window.first == 0;
}

/* One array in order: lines are multiplied as they are read. */
static bool loads_product(const block_state *b)
{
    const access_chain *chain = b->pass->load;
    const access_link *link = chain ? chain->link : NULL;
    return link && chain->count == 1 && link->kind == ARGAND_ACCESS_MULTIPLY && has_rows(b, &b->pass->in) &&
           link->stride[b->pass->axis] == 1 && b->pass->before.re == 0 && b->pass->before.im == 0;
}

static void load_product(const block_state *b)
{
    const access_pass *p = b->pass;
    const access_link *link = p->load->link;
    const access_lines from = memory_of(b, &p->in, 0);
    const block_part to = part_of_block(b, b->buffer, p->in.width, 0, p->in.n);
    const int64_t size = (int64_t)argand_type_size(link->array->type);
    const char *a = argand_array_data(link->array);
    for (int d = 0; d < p->dims; d++) a += b->coordinate[d] * link->stride[d] * size;
    for (int64_t o = 0; o < to.outers; o++) {
        const access_product product = {a, 1, link->real_array, link->conjugate};
        p->moves->read_times(to.at + o * to.step, from.at + o * from.line_stride, p->in.width, &product,
                             to.inners);
        if (b->line_dim >= 0) a += link->stride[b->line_dim] * size;
    }
}

static void load(const block_state *b)
{
    const access_pass *p = b->pass;
    window_run runs[2];
    const int count = runs_of(runs, &p->in);
    if (loads_product(b)) {
        load_product(b);
        return;
    }
    for (int i = 0; i < count; i++) {
        const block_part to = part_of_block(b, b->buffer, p->in.width, runs[i].point, runs[i].count);
        const access_lines from = memory_of(b, &p->in, runs[i].place);
        p->moves->read(&(access_buffer){to.at, b->pitch, p->in.width, 0}, 0, &from, to.outers, to.inners);
    }
    if (p->load) apply_chain(b, p->load, &p->in, false);
    for (int i = 0; i < count && (p->before.re != 0 || p->before.im != 0); i++) {
        const block_part to = part_of_block(b, b->buffer, p->in.width, runs[i].point, runs[i].count);
        for (int64_t o = 0; o < to.outers; o++)
            p->moves->scale(to.at + o * to.step, p->in.width, (argand_scalar){1, 0},
                            (argand_scalar){-p->before.re, -p->before.im}, to.inners);
    }
    do_border(b, &p->in, false);
}

void access_block_store(const block_state *b, void *buffer)
{
    const access_pass *p = b->pass;
    window_run runs[2];
    const int count = runs_of(runs, &p->out);
    for (int i = 0; i < count; i++) {
        const block_part from = part_of_block(b, buffer, p->out.width, runs[i].point, runs[i].count);
        const access_lines to = memory_of(b, &p->out, runs[i].place);
        p->moves->write(&to, &(access_buffer){from.at, b->pitch, p->out.width, 0}, 0, from.outers,
                        from.inners, p->factor);
    }
}

/* Memory that the transform itself can read or write: plain elements on all points of the axis, rotated at
 * most. */
static bool is_direct(const access_pass *p, const access_port *port, const access_chain *chain)
{
    const argand_type plain = port->width == 1 ? p->is_double ? ARGAND_R64 : ARGAND_R32
                              : p->is_double   ? ARGAND_C64
                                               : ARGAND_C32;
    return !chain && !p->no_transform && port->type == plain && port->window.count == port->n &&
           (port->window.first == 0 || p->line->kind == LINE_COMPLEX);
}

bool access_reads_direct(const access_pass *p)
{
    return is_direct(p, &p->in, p->load) && p->before.re == 0 && p->before.im == 0;
}

bool access_writes_direct(const access_pass *p)
{
    return is_direct(p, &p->out, p->store) && !p->sum && (!p->has_after || p->round_trip);
}

/* Returns true if results are written to memory and changed there, while they are in the nearest cache: by
 * scalars and arrays in order, which do not mind where the transform's own factor comes. */
bool access_changes_in_place(const block_state *b)
{
    const access_pass *p = b->pass;
    for (int i = 0; p->store && i < p->store->count; i++) {
        const access_link *l = &p->store->link[i];
        const int64_t step = l->array ? l->stride[p->axis] : 0;
        if (l->kind == ARGAND_ACCESS_CALL || (step != 0 && step != 1)) return false;
    }
    return p->store && !p->store_shared && is_direct(p, &p->out, NULL) && has_rows(b, &p->out) && !p->sum &&
           (!p->has_after || p->round_trip);
}

static line_memory port_lines(const block_state *b, const access_port *port)
{
    const int64_t size = (int64_t)argand_type_size(port->type);
    char *at = port->at;
    for (int d = 0; d < ACCESS_DIMS; d++) at += b->coordinate[d] * port->step[d];
    return (line_memory){at, b->line_dim < 0 ? 0 : port->step[b->line_dim] / size,
                         port->step[b->pass->axis] / size, port->width == 1};
}

static line_memory buffer_lines(const block_state *b, void *buffer, bool real)
{
    const int64_t pitch = b->pitch / 2;
    return (line_memory){buffer, b->columns ? 1 : real ? 2 * pitch : pitch, b->columns ? pitch : 1, real};
}

/* Transforms all lines, as many at once as the algorithm takes. */
static void run_lines(const access_pass *p, const line_job *all, void *work)
{
    const line_use *use = line_use_for(p->line, all->out.stride, all->in.stride);
    const int64_t real = (int64_t)access_real_size(p),
                  in = all->in.line_stride * real * (all->in.real ? 1 : 2),
                  out = all->out.line_stride * real * (all->out.real ? 1 : 2);
    line_job job = *all;
    for (int64_t left = all->lines; left > 0; left -= job.lines) {
        job.lines = left < use->block ? left : use->block;
        line_run(p->line, use, &job, work);
        job.in.at += job.lines * in;
        job.out.at += job.lines * out;
    }
}

/* Transforms lines from `from` to `to`; NULL is the buffer. Complex lines keep their place in the buffer.
 * Real lines go to the other buffer, which then becomes the current one. */
static void transform(block_state *b, int inverse, const access_port *from, const access_port *to,
                      bool in_real, bool out_real)
{
    const access_pass *p = b->pass;
    const bool swaps = p->line->kind == LINE_REAL && !from && !to;
    void *const target = swaps ? b->other : b->buffer;
    const line_job job = {.out = to ? port_lines(b, to) : buffer_lines(b, target, out_real),
                          .in = from ? port_lines(b, from) : buffer_lines(b, b->buffer, in_real),
                          .lines = b->lines,
                          .inverse = inverse,
                          .ops = {.rotate_in = from ? (from->n - from->window.first) % from->n : 0,
                                  .rotate_out = to ? (to->n - to->window.first) % to->n : 0,
                                  .factor = to ? p->factor : 1}};
    run_lines(p, &job, b->work);
    if (!swaps) return;
    b->other = b->buffer;
    b->buffer = target;
}

/* Adds the transform of a constant border: one element of one line. */
static void add_after(const block_state *b, int width)
{
    const access_pass *p = b->pass;
    for (int64_t l = 0; l < b->lines && p->has_after; l++) {
        bool here = true;
        for (int d = 0; d < p->dims; d++)
            if (d != p->axis && p->origin[d] >= 0)
                here = here && b->coordinate[d] + (d == b->line_dim ? l : 0) == p->origin[d];
        const block_part zero = part_of_block(b, b->buffer, width, 0, 1);
        char *at = zero.at + (b->columns ? l * width * (int64_t)access_real_size(p) : l * zero.step);
        if (here) p->moves->scale(at, width, (argand_scalar){1, 0}, p->after, 1);
    }
}

void access_block_add_to_sum(const block_state *b, bool first)
{
    const int width = b->pass->out.width;
    const block_part to = part_of_block(b, b->sum, width, 0, b->pass->out.n),
                     from = part_of_block(b, b->buffer, width, 0, b->pass->out.n);
    for (int64_t o = 0; o < to.outers; o++)
        if (first)
            memcpy(to.at + o * to.step, from.at + o * from.step,
                   (size_t)(to.inners * width) * access_real_size(b->pass));
        else
            b->pass->moves->add(to.at + o * to.step, from.at + o * from.step, width, to.inners);
}

static void change_in_place(const block_state *b)
{
    const access_pass *p = b->pass;
    block_state there = *b;
    there.buffer = memory_of(b, &p->out, 0).at;
    there.pitch = b->line_dim < 0 ? 0 : p->out.step[b->line_dim] / (int64_t)access_real_size(p);
    chain_apply(&there, p->store, p->out.width, 0, 0, p->out.n);
}

void access_block_compute(block_state *b)
{
    const access_pass *p = b->pass;
    const bool changes = access_changes_in_place(b);
    const access_port *const from = access_reads_direct(p) ? &p->in : NULL, *const to =
                                                                                changes ||
                                                                                        access_writes_direct(
                                                                                            p)
                                                                                    ? &p->out
                                                                                    : NULL;
    if (!from) load(b);
    if (!p->no_transform)
        transform(b, p->inverse, from, p->round_trip ? NULL : to, p->in.width == 1,
                  !p->round_trip && p->out.width == 1);
    if (to && !p->round_trip) {
        if (changes) change_in_place(b);
        return;
    }
    add_after(b, p->round_trip ? 2 : p->out.width);
    if (p->middle) {
        const access_port spectrum = {.width = 2, .n = p->in.width == 1 ? p->in.n / 2 + 1 : p->in.n};
        apply_chain(b, p->middle, &spectrum, true);
    }
    if (p->round_trip) transform(b, !p->inverse, NULL, to, false, p->out.width == 1);
    if (changes) change_in_place(b);
    if (to) return;
    do_border(b, &p->out, true);
    if (p->store) apply_chain(b, p->store, &p->out, false);
}
