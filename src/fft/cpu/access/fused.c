/* SPDX-License-Identifier: BSD-3-Clause */
/* A pass whose chains are scalars and arrays: each end of its lines is plain memory or a callback, which the
 * algorithm's own first and last stage call for some points at a time. Lines with a large stride are
 * copied to a slab (pass.c) by the callbacks. Forward and inverse are two transforms of a buffer in cache, of
 * which the second one begins with the chain at the spectrum. */
#include "fft/cpu/access/fused.h"

#include <stdlib.h>
#include "base/memory.h"
#include "fft/cpu/access/callback.h"
#include "fft/cpu/passes/pass.h"

static int64_t complex_size(const access_pass *p)
{
    return p->is_double ? 16 : 8;
}

/* ---- what can be done ---- */

/* Scalars, and arrays that lie as neighbours do, or are the same for all. */
static bool chain_is_simple(const access_chain *chain, int inner)
{
    for (int i = 0; chain && i < chain->count; i++) {
        const access_link *l = &chain->link[i];
        const int64_t step = inner < 0 || !l->array ? 0 : l->stride[inner];
        if (l->kind == ARGAND_ACCESS_CALL || (step != 0 && step != 1)) return false;
    }
    return true;
}

static bool port_is_simple(const access_port *port)
{
    const bool zeros = port->window.border == ARGAND_BORDER_ZERO || port->window.count == port->n;
    return zeros && port->width == 2;
}

static const line_use *use_of(const access_pass *p, bool columns)
{
    return columns ? line_use_for(p->line, 2, 2) : line_use_for(p->line, 1, 1);
}

/* Returns the lines of a slab, or 0. */
static int64_t slab_lines(const access_pass *p, int line_dim, bool columns)
{
    const bool to_and_fro =
        p->round_trip && use_of(p, columns)->algorithm->plain; /* a callback and strided lines */
    if (!columns || to_and_fro) return 0;
    const int64_t in = llabs(p->in.step[p->axis]), out = llabs(p->out.step[p->axis]),
                  lines = pass_slab_lines(p->line, in > out ? in : out, p->far);
    return p->n[line_dim] >= lines ? lines : 0;
}

/* Returns the dimension along which callbacks are given neighbours. */
static int inner_dimension(const access_pass *p, int line_dim, bool columns)
{
    const bool lines = columns && (slab_lines(p, line_dim, columns) || !use_of(p, columns)->algorithm->plain);
    return lines ? line_dim : p->axis;
}

static bool is_simple(const access_pass *p, int inner)
{
    return !p->no_transform && p->line->kind == LINE_COMPLEX && !p->sum && !p->has_after &&
           p->before.re == 0 && p->before.im == 0 && port_is_simple(&p->in) && port_is_simple(&p->out) &&
           chain_is_simple(p->load, inner) && chain_is_simple(p->store, inner);
}

static bool is_whole(const access_pass *p, const access_port *port)
{
    return port->type == (p->is_double ? ARGAND_C64 : ARGAND_C32) && port->window.count == port->n;
}

/* Returns true if an array of the chain differs (or is the same, as said) along a dimension. */
static bool goes_along(const access_chain *chain, int dimension, bool differs)
{
    for (int i = 0; chain && dimension >= 0 && i < chain->count; i++)
        if (chain->link[i].array && (chain->link[i].stride[dimension] != 0) == differs) return true;
    return false;
}

/* Returns true if a column's stride puts its points into the same cache sets and onto different pages. */
static bool is_far_apart(const access_pass *p, const access_port *port)
{
    return llabs(port->step[p->axis]) >= 4096;
}

/* Blocks that go through a buffer in the second-level cache are faster where a few points at a time take
 * long: conversions, rows that simd_batch transposes, columns that are rotated. */
static bool end_pays(const access_pass *p, const access_port *port, const access_chain *chain, int line_dim,
                     bool columns)
{
    const bool plain = use_of(p, columns)->algorithm->plain, whole = is_whole(p, port);
    if (columns && !plain && is_far_apart(p, port)) return true;
    if (port->type != (p->is_double ? ARGAND_C64 : ARGAND_C32)) return false;
    if (plain) return true;
    if (!columns)
        return whole && (!chain || chain->count <= 1) &&
               !(goes_along(chain, line_dim, true) && goes_along(chain, p->axis, false));
    return port->window.first == 0 || !goes_along(chain, line_dim, false);
}

bool access_fused_can(const access_pass *p, int line_dim, bool columns, int64_t *lines)
{
    const line_use *use = use_of(p, columns);
    if (!is_simple(p, inner_dimension(p, line_dim, columns))) return false;
    const int64_t slab = slab_lines(p, line_dim, columns);
    const int middle = columns && !use->algorithm->plain ? line_dim : p->axis;
    *lines = slab ? slab : use->block;
    if (p->middle && !(use->callback_bytes && chain_is_simple(p->middle, middle))) return false;
    return slab || (use->callback_bytes && end_pays(p, &p->in, p->load, line_dim, columns) &&
                    end_pays(p, &p->out, p->store, line_dim, columns));
}

/* ---- memory: a block's lines (a slab, or between forward and inverse), the algorithm's, memory for
 * callbacks ---- */

static size_t block_bytes(const access_pass *p)
{
    size_t most = 0;
    for (int columns = 0; columns < 2; columns++) {
        const size_t bytes =
            memory_product((size_t)use_of(p, columns)->block, (size_t)(p->line->pitch * complex_size(p)));
        if (bytes > most) most = bytes;
    }
    const size_t slab = memory_product((size_t)p->line->n, PASS_SLAB_PITCH);
    return (slab > most && pass_slab_lines(p->line, INT64_MAX, true) ? slab : most) + 64;
}

size_t access_fused_bytes(const access_pass *p)
{
    const line_use *rows = use_of(p, false), *columns = use_of(p, true);
    const size_t a = rows->buffer_bytes + rows->callback_bytes,
                 b = columns->buffer_bytes + columns->callback_bytes;
    return (block_bytes(p) / 64 + 1) * 64 + (a > b ? a : b);
}

/* ---- ends ---- */

static void add_links(access_callback *e, const block_state *b, const access_chain *chain)
{
    const int axis = b->pass->axis;
    for (int i = 0; chain && i < chain->count; i++) {
        const access_link *l = &chain->link[i];
        if (l->kind == ARGAND_ACCESS_SCALE) {
            const argand_scalar s = e->scalar;
            e->scalar = (argand_scalar){s.re * l->scalar.re - s.im * l->scalar.im,
                                        s.re * l->scalar.im + s.im * l->scalar.re};
            continue;
        }
        const int64_t width = l->real_array ? 1 : 2, real = complex_size(b->pass) / 2;
        int64_t place = 0;
        for (int d = 0; d < b->pass->dims; d++) place += b->coordinate[d] * l->stride[d];
        e->array[e->arrays++] =
            (callback_array){.at = (char *)argand_array_data(l->array) + place * width * real,
                             .point = l->stride[axis] * width,
                             .line = b->line_dim < 0 ? 0 : l->stride[b->line_dim] * width,
                             .real = l->real_array,
                             .conjugate = l->conjugate};
    }
}

static access_callback port_callback(const block_state *b, const access_port *port, const access_chain *chain,
                                     bool out)
{
    const access_pass *p = b->pass;
    access_callback e = {.callback = {out ? p->moves->store : p->moves->load, NULL},
                         .at = port->at,
                         .point = port->step[p->axis],
                         .line = b->line_dim < 0 ? 0 : port->step[b->line_dim],
                         .type = port->type,
                         .imaginary = port->imaginary,
                         .window = port->window,
                         .n = port->n,
                         .scalar = {out ? p->factor : 1, 0}};
    for (int d = 0; d < p->dims; d++) e.at += b->coordinate[d] * port->step[d];
    e.prefetch_lines = p->far && !b->columns;
    add_links(&e, b, chain);
    return e;
}

/* The chain at the spectrum, on lines of a buffer. */
static access_callback spectrum_callback(const block_state *b, const line_memory *lines)
{
    const access_pass *p = b->pass;
    const int64_t size = complex_size(p), n = p->line->n;
    access_callback e = {.callback = {p->moves->load, NULL},
                         .at = lines->at,
                         .point = lines->stride * size,
                         .line = lines->line_stride * size,
                         .type = p->is_double ? ARGAND_C64 : ARGAND_C32,
                         .window = {n, 0, ARGAND_BORDER_ZERO},
                         .n = n,
                         .scalar = {1, 0}};
    add_links(&e, b, p->middle);
    return e;
}

/* Arrays from another line of the block on. */
static void arrays_from(access_callback *e, int64_t lines, int64_t real)
{
    for (int i = 0; i < e->arrays; i++)
        e->array[i].at = (const char *)e->array[i].at + lines * e->array[i].line * real;
}

/* ---- a block ---- */

static void run_block(const block_state *b, const line_use *use, line_job *job)
{
    char *work = (char *)b->work + (block_bytes(b->pass) / 64 + 1) * 64;
    job->buffer = work + use->buffer_bytes;
    line_run(b->pass->line, use, job, work);
}

/* Returns true if nothing is done but to multiply by the weights. */
static bool set_weights(access_callback *e, bool out)
{
    const argand_scalar s = e->scalar;
    if (e->arrays > 1 || (s.im != 0 && e->arrays) || (!out && (s.re != 1 || s.im != 0))) return false;
    e->weights = (line_weights){.re = s.re, .im = s.im};
    if (e->arrays) {
        const callback_array *a = e->array;
        e->weights.at = a->at;
        e->weights.point = a->point;
        e->weights.line = a->line;
        e->weights.real = a->real;
        e->weights.conjugate = a->conjugate;
    }
    e->callback.weights = &e->weights;
    return true;
}

/* Returns true if the algorithm can multiply memory as it lies. One that is not `plain` takes lines that
 * touch each other point by point and others as rows, whatever the block is: what it takes together must
 * be neighbours in the array, too, or have the same element; rows may also have one array for all. */
static bool can_multiply(const line_use *use, const access_callback *e, int64_t size)
{
    const callback_array *a = e->array;
    const int64_t unit = e->arrays && a->real ? 1 : 2;
    if (use->algorithm->plain || !e->arrays || a->line == 0) return true;
    return e->line == size ? a->line == unit : a->point == 0 || a->point == unit;
}

/* Scalars go through a transform. */
static void pass_scalar(access_callback *from, access_callback *to)
{
    const argand_scalar a = from->scalar, b = to->scalar;
    to->scalar = (argand_scalar){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    from->scalar = (argand_scalar){1, 0};
}

/* One layout of a job: memory as it is or to be multiplied, where the algorithm can take it, else the
 * callback. */
typedef struct job_end {
    line_memory memory;
    const line_callback *callback;
    int64_t rotate;
    double factor; /* where there is no callback */
} job_end;

static job_end end_of(const block_state *b, const line_use *use, const access_port *port, access_callback *e)
{
    const access_pass *p = b->pass;
    const int64_t size = (int64_t)argand_type_size(port->type), n = port->n;
    const bool whole = port->type == (p->is_double ? ARGAND_C64 : ARGAND_C32) && port->window.count == n,
               nothing = e->arrays == 0 && e->scalar.im == 0 && (e->scalar.re == 1 || port == &p->out),
               straight = port->window.first == 0 || (use->rotates_half && 2 * port->window.first == n) ||
                          (use->rotates && nothing),
               as_wanted = !use->algorithm->plain || (e->point == size && straight);
    job_end end = {.memory = {e->at, b->line_dim < 0 ? 0 : e->line / size, e->point / size, false},
                   .rotate = (n - port->window.first) % n,
                   .factor = e->scalar.re};
    if (whole && as_wanted && nothing) return end;
    end.callback = &e->callback;
    if (whole && as_wanted && can_multiply(use, e, size) && set_weights(e, port == &p->out)) return end;
    end.memory = (line_memory){NULL, b->columns ? 1 : 2, b->columns ? 2 : 1, false};
    return end;
}

static void set_in(line_job *job, const job_end *end)
{
    job->in = end->memory;
    job->load_callback = end->callback;
    job->ops.rotate_in = end->rotate;
}

static void set_out(line_job *job, const job_end *end)
{
    job->out = end->memory;
    job->store_callback = end->callback;
    job->ops.rotate_out = end->rotate;
    job->ops.factor = end->callback ? 1 : end->factor;
}

static void run_forward(const block_state *b, const line_use *use, access_callback *from, access_callback *to)
{
    const access_pass *p = b->pass;
    const job_end in = end_of(b, use, &p->in, from), out = end_of(b, use, &p->out, to);
    line_job job = {.lines = b->lines, .inverse = p->inverse, .prefetch = p->far};
    set_in(&job, &in);
    set_out(&job, &out);
    run_block(b, use, &job);
}

static void run_round_trip(const block_state *b, const line_use *use, access_callback *from,
                           access_callback *to)
{
    const access_pass *p = b->pass;
    const bool columns = b->columns && !use->algorithm->plain;
    const line_memory between = {b->work, columns ? 1 : p->line->pitch, columns ? use->block : 1, false};
    access_callback middle = spectrum_callback(b, &between);
    pass_scalar(&middle, to);
    const job_end in = end_of(b, use, &p->in, from), out = end_of(b, use, &p->out, to);
    line_job forward = {
        .out = between, .lines = b->lines, .inverse = p->inverse, .prefetch = p->far, .ops = {.factor = 1}};
    set_in(&forward, &in);
    run_block(b, use, &forward);
    line_job round_trip = {.in = between, .lines = b->lines, .inverse = !p->inverse};
    if (middle.arrays) { /* else nothing is left there, and stages read the buffer as it is */
        round_trip.load_callback = &middle.callback;
        (void)set_weights(&middle, false);
    }
    set_out(&round_trip, &out);
    run_block(b, use, &round_trip);
}

/* All of a block's points between a callback and a slab. */
static void move_slab(const block_state *b, const access_callback *callback)
{
    const line_piece piece = {.at = b->work,
                              .pitch = PASS_SLAB_PITCH / (complex_size(b->pass) / 2),
                              .planes = 1,
                              .rows = b->pass->line->n,
                              .count = b->lines,
                              .point_step = 1,
                              .lines = true};
    callback->callback.move(&callback->callback, &piece);
}

static void run_slab(const block_state *b, const line_use *use, access_callback *from, access_callback *to)
{
    const access_pass *p = b->pass;
    const int64_t size = complex_size(p);
    move_slab(b, from);
    for (int64_t first = 0; first < b->lines; first += use->block) {
        const line_memory lines = {(char *)b->work + first * size, 1, PASS_SLAB_PITCH / size, false};
        const int64_t left = b->lines - first;
        line_job job = {.in = lines,
                        .out = lines,
                        .lines = left < use->block ? left : use->block,
                        .inverse = p->inverse,
                        .ops = {.factor = 1}};
        run_block(b, use, &job);
        if (!p->round_trip) continue;
        access_callback middle = spectrum_callback(b, &lines);
        arrays_from(&middle, first, size / 2);
        job.inverse = !p->inverse;
        job.load_callback = &middle.callback;
        run_block(b, use, &job);
    }
    move_slab(b, to);
}

void access_fused_run(const block_state *b)
{
    const access_pass *p = b->pass;
    const line_use *use = use_of(p, b->columns);
    access_callback from = port_callback(b, &p->in, p->load, false),
                    to = port_callback(b, &p->out, p->store, true);
    if (slab_lines(p, b->line_dim, b->columns)) {
        from.prefetch_points = to.prefetch_points = PASS_SLAB_PREFETCH;
        from.prefetch_lines = to.prefetch_lines = 0;
        run_slab(b, use, &from, &to);
        return;
    }
    pass_scalar(&from, &to);
    (p->round_trip ? run_round_trip : run_forward)(b, use, &from, &to);
}
