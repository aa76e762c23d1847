/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of lines go through one buffer in cache, where accessors and borders are applied between memory and
 * the line transform; plain transforms do not come here. Blocks follow from the shape alone. */
#include "fft/cpu/access/pass.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "fft/cpu/access/callback.h"
#include "fft/cpu/access/fused.h"
#include "fft/cpu/passes/pass.h"

#define MOVES_AT(bits, level)                                                                             \
    {                                                                                                     \
        access_read_##bits##_##level, access_write_##bits##_##level, access_read_times_##bits##_##level,  \
            access_multiply_##bits##_##level, access_scale_##bits##_##level, access_add_##bits##_##level, \
            access_callback_load_##bits##_##level, access_callback_store_##bits##_##level                 \
    }

const access_moves *access_moves_for(bool is_double)
{
    static const access_moves all[2][CPU_LEVELS] = {CPU_EACH(MOVES_AT, f32), CPU_EACH(MOVES_AT, f64)};
    return &all[is_double][cpu_best()];
}

/* ---- blocks and buffers ---- */

static size_t real_size(const access_pass *p)
{
    return p->is_double ? 8 : 4;
}

static int64_t most_points(const access_pass *p)
{
    return p->in.n > p->out.n ? p->in.n : p->out.n;
}

/* The dimension whose lines make blocks: the one with the closest lines. */
static int block_dimension(const access_pass *p)
{
    int best = -1;
    int64_t least = 0;
    for (int d = 0; d < p->dims; d++) {
        const int64_t distance = llabs(p->in.step[d]) + llabs(p->out.step[d]);
        if (d == p->axis || p->n[d] == 1 || p->sum >> d & 1) continue;
        if (best < 0 || distance < least) {
            best = d;
            least = distance;
        }
    }
    return best;
}

/* Lines of the buffer lie side by side where they do so in memory, so that nothing is transposed on the way.
 */
static bool is_columns(const access_pass *p, int line_dim)
{
    if (line_dim < 0 || p->n[line_dim] < 4 || p->in.width == 1 || p->out.width == 1) return false;
    return llabs(p->in.step[line_dim]) + llabs(p->out.step[line_dim]) <
           llabs(p->in.step[p->axis]) + llabs(p->out.step[p->axis]);
}

enum { NEAR_BYTES = 32768 }; /* of lines that algorithms compute one by one */

/* Some 64 KiB of lines, and no more than the transform takes at once; of algorithms that take a few alone as
 * many as stay in the nearest cache, as what a block costs is felt where it is a short line. */
static int64_t block_of(const access_pass *p)
{
    const int64_t fitting = 65536 / (most_points(p) * 2 * (int64_t)real_size(p)), n = p->line->n;
    const int64_t block = n > 262144     ? 1
                          : n > 32768    ? 4
                          : fitting < 8  ? 8
                          : fitting > 64 ? 64
                                         : fitting / 8 * 8;
    const int64_t rows = line_use_for(p->line, 1, 1)->block, others = line_use_for(p->line, 2, 2)->block;
    const int64_t most = rows < others ? rows : others,
                  near = NEAR_BYTES / (most_points(p) * 2 * (int64_t)real_size(p)),
                  least = most < 8 && near > most ? near : most;
    return block < least ? block : least;
}

/* Complex points; from line to line no power of two, so that they do not fall on the same cache sets. */
static size_t buffer_bytes(const access_pass *p, int64_t block)
{
    return memory_product((size_t)block,
                          memory_product((size_t)((most_points(p) + 7) / 8 * 8 + 8), 2 * real_size(p)));
}

static size_t work_bytes(const access_pass *p)
{
    const size_t rows = line_use_for(p->line, 1, 1)->buffer_bytes,
                 columns = line_use_for(p->line, 2, 2)->buffer_bytes;
    return ((rows > columns ? rows : columns) + 63) / 64 * 64;
}

enum { BUFFERS = 5 }; /* lines; real ones transformed; sums; arrays of accessors and mirrored lines (two) */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t access_pass_bytes(const access_pass *p)
{
    const size_t blocks = memory_product(buffer_bytes(p, block_of(p)), BUFFERS) + work_bytes(p);
    return larger(blocks, larger(access_fused_bytes(p), pass_buffer_bytes(p->line)));
}

/* ---- one block ---- */

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
        memset(part.at + o * part.step, 0, (size_t)(part.inners * width) * real_size(b->pass));
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
            memcpy(x.at + o * x.step, y.at + o * y.step, (size_t)(x.inners * width) * real_size(b->pass));
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

/* Whether lines of memory are plain numbers one behind the other, on all points of the axis. */
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

static void store(const block_state *b, void *buffer)
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

/* Memory that the transform itself can read or write: plain numbers on all points of the axis, rotated at
 * most. */
static bool is_direct(const access_pass *p, const access_port *port, const access_chain *chain)
{
    const argand_type plain = port->width == 1 ? p->is_double ? ARGAND_R64 : ARGAND_R32
                              : p->is_double   ? ARGAND_C64
                                               : ARGAND_C32;
    return !chain && !p->no_transform && port->type == plain && port->window.count == port->n &&
           (port->window.first == 0 || p->line->kind == LINE_COMPLEX);
}

static bool reads_direct(const access_pass *p)
{
    return is_direct(p, &p->in, p->load) && p->before.re == 0 && p->before.im == 0;
}

static bool writes_direct(const access_pass *p)
{
    return is_direct(p, &p->out, p->store) && !p->sum && (!p->has_after || p->round_trip);
}

/* Whether results are written to memory and changed there, while they are in the nearest cache: by scalars
 * and arrays in order, which do not mind where the transform's own factor comes. */
static bool changes_in_place(const block_state *b)
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

/* As many lines at once as the algorithm takes */
static void run_lines(const access_pass *p, const line_job *all, void *work)
{
    const line_use *use = line_use_for(p->line, all->out.stride, all->in.stride);
    const int64_t real = (int64_t)real_size(p), in = all->in.line_stride * real * (all->in.real ? 1 : 2),
                  out = all->out.line_stride * real * (all->out.real ? 1 : 2);
    line_job job = *all;
    for (int64_t left = all->lines; left > 0; left -= job.lines) {
        job.lines = left < use->block ? left : use->block;
        line_run(p->line, use, &job, work);
        job.in.at += job.lines * in;
        job.out.at += job.lines * out;
    }
}

/* From `from` (NULL: the buffer) to `to`. In the buffer complex lines stay in their place; real ones go to
 * the other one, which is then the one. */
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

/* What a constant border amounts to: one number, on one line. */
static void add_after(const block_state *b, int width)
{
    const access_pass *p = b->pass;
    for (int64_t l = 0; l < b->lines && p->has_after; l++) {
        bool here = true;
        for (int d = 0; d < p->dims; d++)
            if (d != p->axis && p->origin[d] >= 0)
                here = here && b->coordinate[d] + (d == b->line_dim ? l : 0) == p->origin[d];
        const block_part zero = part_of_block(b, b->buffer, width, 0, 1);
        char *at = zero.at + (b->columns ? l * width * (int64_t)real_size(p) : l * zero.step);
        if (here) p->moves->scale(at, width, (argand_scalar){1, 0}, p->after, 1);
    }
}

static void add_to_sum(const block_state *b, bool first)
{
    const int width = b->pass->out.width;
    const block_part to = part_of_block(b, b->sum, width, 0, b->pass->out.n),
                     from = part_of_block(b, b->buffer, width, 0, b->pass->out.n);
    for (int64_t o = 0; o < to.outers; o++)
        if (first)
            memcpy(to.at + o * to.step, from.at + o * from.step,
                   (size_t)(to.inners * width) * real_size(b->pass));
        else
            b->pass->moves->add(to.at + o * to.step, from.at + o * from.step, width, to.inners);
}

static void change_in_place(const block_state *b)
{
    const access_pass *p = b->pass;
    block_state there = *b;
    there.buffer = memory_of(b, &p->out, 0).at;
    there.pitch = b->line_dim < 0 ? 0 : p->out.step[b->line_dim] / (int64_t)real_size(p);
    chain_apply(&there, p->store, p->out.width, 0, 0, p->out.n);
}

static void compute(block_state *b)
{
    const access_pass *p = b->pass;
    const bool changes = changes_in_place(b);
    const access_port *const from = reads_direct(p) ? &p->in : NULL, *const to = changes || writes_direct(p)
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

/* The next set of coordinates of the summed dimensions; false after the last. */
static bool next_term(const access_pass *p, int64_t *coordinate)
{
    for (int d = 0; d < p->dims; d++)
        if (p->sum >> d & 1 && p->n[d] > 1) {
            if (++coordinate[d] < p->n[d]) return true;
            coordinate[d] = 0;
        }
    return false;
}

/* How a pass goes through its lines. */
typedef struct walk {
    const access_pass *pass;
    int line_dim; /* dimension whose lines make blocks; -1: there is one line */
    bool columns, fused;
    int64_t lines; /* of a block */
} walk;

static walk choose_walk(const access_pass *p)
{
    walk w = {.pass = p, .line_dim = block_dimension(p)};
    w.columns = is_columns(p, w.line_dim);
    w.fused = access_fused_can(p, w.line_dim, w.columns, &w.lines);
    if (!w.fused) w.lines = block_of(p);
    return w;
}

static int64_t blocks_in_row(const walk *w)
{
    return w->line_dim < 0 ? 1 : (w->pass->n[w->line_dim] + w->lines - 1) / w->lines;
}

static int64_t count_blocks(const walk *w)
{
    const access_pass *p = w->pass;
    int64_t rows = 1;
    for (int d = 0; d < p->dims; d++)
        if (d != w->line_dim && d != p->axis && !(p->sum >> d & 1)) rows *= p->n[d];
    return rows * blocks_in_row(w);
}

static void run_buffered(block_state *b, char *memory)
{
    const access_pass *p = b->pass;
    const int64_t most = block_of(p);
    const size_t bytes = buffer_bytes(p, most);
    b->pitch = b->columns ? 2 * most : 2 * ((most_points(p) + 7) / 8 * 8 + 8);
    b->buffer = memory;
    b->other = memory + bytes;
    b->sum = memory + 2 * bytes;
    b->scratch = memory + 3 * bytes;
    b->work = memory + BUFFERS * bytes;
    bool sums = false, more = true;
    for (int64_t term = 0; more; term++) {
        compute(b);
        more = next_term(p, b->coordinate);
        sums = sums || more;
        if (sums) add_to_sum(b, term == 0);
    }
    if (!writes_direct(p) && !changes_in_place(b)) store(b, sums ? b->sum : b->buffer);
}

static void run_block(const walk *w, const int64_t *base, int64_t block, char *memory)
{
    const access_pass *p = w->pass;
    const int64_t blocks = blocks_in_row(w), first = block % blocks * w->lines,
                  left = (w->line_dim < 0 ? 1 : p->n[w->line_dim]) - first;
    int64_t row = block / blocks;
    block_state b = {.pass = p,
                     .line_dim = w->line_dim,
                     .columns = w->columns,
                     .lines = left < w->lines ? left : w->lines,
                     .work = memory};
    memcpy(b.coordinate, base, sizeof b.coordinate);
    for (int d = 0; d < p->dims; d++)
        if (d != w->line_dim && d != p->axis && !(p->sum >> d & 1)) {
            b.coordinate[d] += row % p->n[d];
            row /= p->n[d];
        }
    if (w->line_dim >= 0) b.coordinate[w->line_dim] += first;
    if (w->fused)
        access_fused_run(&b);
    else
        run_buffered(&b, memory);
}

/* ---- passes without any accessor, which are those of pass.c ---- */

static bool is_plain(const access_pass *p)
{
    return reads_direct(p) && writes_direct(p) && !p->round_trip;
}

static pass_layout plain_layout(const access_pass *p, const access_port *port, const int64_t *base)
{
    const int64_t size = (int64_t)argand_type_size(port->type);
    pass_layout scratch = {
        .at = port->at, .real = port->width == 1, .size = (size_t)size, .stride = port->step[p->axis] / size};
    for (int d = 0, loop = 0; d < p->dims; d++) {
        scratch.at += base[d] * port->step[d];
        if (d != p->axis) scratch.loop[loop++] = port->step[d] / size;
    }
    return scratch;
}

static void run_plain(const access_pass *p, const int64_t *base, int threads, void *buffers)
{
    fft_pass pass = {.line = p->line,
                     .inverse = p->inverse,
                     .far = p->far,
                     .ops = {.rotate_in = (p->in.n - p->in.window.first) % p->in.n,
                             .rotate_out = (p->out.n - p->out.window.first) % p->out.n,
                             .factor = p->factor},
                     .out = plain_layout(p, &p->out, base),
                     .in = plain_layout(p, &p->in, base)};
    for (int d = 0; d < p->dims; d++)
        if (d != p->axis) pass.n[pass.loops++] = p->n[d];
    pass_order_loops(&pass);
    pass_run(&pass, threads, buffers, access_pass_bytes(p));
}

void access_pass_run(const access_pass *p, const int64_t *base, int threads, void *buffers)
{
    if (is_plain(p)) {
        run_plain(p, base, threads, buffers);
        return;
    }
    const walk w = choose_walk(p);
    const int64_t blocks = count_blocks(&w);
    const size_t bytes = access_pass_bytes(p);
    if (threads > blocks) threads = (int)blocks;
    if (threads <= 1) {
        for (int64_t block = 0; block < blocks; block++) run_block(&w, base, block, buffers);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        char *memory = (char *)buffers + (size_t)omp_get_thread_num() * bytes;
#pragma omp for schedule(static)
        for (int64_t block = 0; block < blocks; block++) run_block(&w, base, block, memory);
    }
}

int64_t access_pass_lines(const access_pass *p)
{
    int64_t lines = 1;
    for (int d = 0; d < p->dims; d++) lines *= d == p->axis ? 1 : p->n[d];
    return lines;
}
