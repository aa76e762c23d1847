/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of lines through all stages: the first reads memory, the last writes it, what is between stays in
 * two buffers. Columns are read and written by the stages themselves. Rows go through a chunk of cells in the
 * nearest cache where lines are long, or are turned as a whole where they are short. An inverse transform
 * exchanges real and imaginary parts as it reads and as it writes. */
#include "fft/cpu/simd_batch/simd_batch.h"

#include "base/simd.h"

enum { LANES = IN_VECTOR, CELL = 2 * LANES, TO_TURN = 16384 /* bytes of cells that are turned at once */ };

/* Lines of a job: one group, or whole groups of lines that one stage transforms. */
typedef struct group {
    const across *a;
    const line_job *job;
    line_memory in, out;
    int64_t first, lines;
    REAL *buffer[2], *chunk;
} group;

/* Weights that columns can be multiplied by: those of neighbouring lines side by side, or one for all. */
static const line_weights *column_weights(const line_edge *edge)
{
    const line_weights *w = edge ? edge->weights : NULL;
    return w && VARIANT(across_weighs)() && (!w->at || w->line == (w->real ? 1 : 2)) ? w : NULL;
}

static bool is_columns(const line_memory *m, const line_edge *edge, int64_t lines)
{
    return m->line_stride == 1 && lines >= LANES && (!edge || column_weights(edge));
}

/* Whether cells come from an edge, or go to one, as they are: stages then exchange their parts. */
static bool edge_has_cells(const line_memory *m, const line_edge *edge)
{
    return edge && m->line_stride == 1;
}

static int64_t wrap(int64_t i, int64_t n)
{
    return i >= n ? i - n : i;
}

/* Cells between an edge and a buffer: `count` points from e on for each of `planes`, which are `step` points
 * apart there and follow one behind the other here. Lines side by side come as cells. */
static void move_cells(const group *g, const line_edge *edge, REAL *cells, int64_t e, int64_t count,
                       int64_t planes, int64_t step)
{
    edge->move(edge, &(line_piece){.at = cells,
                                   .pitch = CELL,
                                   .plane_pitch = count * CELL,
                                   .planes = planes,
                                   .rows = count,
                                   .count = g->lines,
                                   .line = g->first,
                                   .point = e,
                                   .point_step = 1,
                                   .plane_step = step,
                                   .lines = true,
                                   .cells = true});
}

/* Rows go through the room, some points of all lanes at a time; the last time some points again. */
static line_piece rows_piece(const group *g, int64_t e, int64_t *i, int64_t count)
{
    const int64_t some = count < ACROSS_CHUNK ? count : ACROSS_CHUNK;
    if (*i > count - some) *i = count - some;
    return (line_piece){.at = g->job->room,
                        .pitch = 2 * ACROSS_CHUNK,
                        .planes = 1,
                        .rows = g->lines,
                        .count = some,
                        .line = g->first,
                        .point = e + *i,
                        .line_step = 1};
}

static void gather_edge(const group *g, REAL *cells, int64_t e, int64_t count)
{
    const line_edge *edge = g->job->in_edge;
    const line_memory room = {g->job->room, ACROSS_CHUNK, 1, false};
    if (edge_has_cells(&g->in, edge)) {
        move_cells(g, edge, cells, e, count, 1, 0);
        return;
    }
    for (int64_t i = 0; i < count; i += ACROSS_CHUNK) {
        const line_piece piece = rows_piece(g, e, &i, count);
        edge->move(edge, &piece);
        VARIANT(across_gather)(cells + i * CELL, &room, 0, piece.count, g->lines, g->job->inverse, false);
    }
}

static void scatter_edge(const group *g, REAL *cells, int64_t e, int64_t count)
{
    const line_edge *edge = g->job->out_edge;
    const line_memory room = {g->job->room, ACROSS_CHUNK, 1, false};
    if (edge_has_cells(&g->out, edge)) {
        move_cells(g, edge, cells, e, count, 1, 0);
        return;
    }
    for (int64_t i = 0; i < count; i += ACROSS_CHUNK) {
        const line_piece piece = rows_piece(g, e, &i, count);
        VARIANT(across_scatter)(&room, cells + i * CELL, 0, piece.count, g->lines, 1, g->job->inverse, false);
        edge->move(edge, &piece);
    }
}

/* Weights of rows: one for all lines, or rows of them. */
static const line_weights *row_weights(const line_edge *edge, const line_memory *m)
{
    const line_weights *w = edge && m->line_stride != 1 ? edge->weights : NULL;
    return w && (!w->at || w->line == 0 || w->point == (w->real ? 1 : 2)) ? w : NULL;
}

/* From element `first` of memory on, for this group's lines. */
static across_weights weights_at(const group *g, const line_weights *w, int64_t first)
{
    const REAL *const at = w->at;
    return (across_weights){.at = at ? at + g->first * w->line + first * w->point : NULL,
                            .point = at ? w->point : 0,
                            .line = at ? w->line : 0,
                            .real = w->real,
                            .sign = w->conjugate ? -1 : 1,
                            .re = w->re,
                            .im = w->im};
}

/* `count` cells number by number. Those of an inverse transform have their parts exchanged. */
static void weigh(REAL *cells, const across_weights *w, int64_t count, int64_t lines, bool swap)
{
    REAL *const re = cells + (swap ? LANES : 0), *const im = cells + (swap ? 0 : LANES);
    for (int64_t i = 0; i < count; i++)
        for (int64_t l = 0; l < lines; l++) {
            const REAL *at = w->at ? (const REAL *)w->at + i * w->point + l * w->line : NULL;
            const REAL c = at ? at[0] : (REAL)w->re,
                       s = !at       ? (REAL)w->im
                           : w->real ? 0
                                     : (REAL)w->sign * at[1],
                       x = re[i * CELL + l], y = im[i * CELL + l];
            re[i * CELL + l] = x * c - y * s;
            im[i * CELL + l] = x * s + y * c;
        }
}

enum { ROW_POINTS = IN_HALF }; /* that rows are turned by at a time */

/* `count` elements of memory from `first` on, none beyond the end. */
static void gather_run(const group *g, REAL *cells, int64_t first, int64_t count, const line_weights *weights)
{
    const bool swap = g->job->inverse, ahead = g->job->ahead,
               weighed = weights && g->in.stride == 1 && count >= ROW_POINTS;
    const across_weights w = weights ? weights_at(g, weights, first) : (across_weights){.at = NULL};
    if (weighed) {
        VARIANT(across_gather_weighed)(cells, &g->in, first, count, g->lines, &w, swap, ahead);
        return;
    }
    VARIANT(across_gather)(cells, &g->in, first, count, g->lines, swap, ahead);
    if (weights) weigh(cells, &w, count, g->lines, swap);
}

static void scatter_run(const group *g, REAL *cells, int64_t first, int64_t count,
                        const line_weights *weights)
{
    const double factor = !weights ? g->job->touch.factor : weights->at ? weights->re : 1;
    const bool swap = g->job->inverse, ahead = g->job->ahead,
               weighed = weights && g->out.stride == 1 && count >= ROW_POINTS;
    const across_weights w = weights ? weights_at(g, weights, first) : (across_weights){.at = NULL};
    if (weighed) {
        VARIANT(across_scatter_weighed)(&g->out, cells, first, count, g->lines, factor, &w, swap, ahead);
        return;
    }
    if (weights) weigh(cells, &w, count, g->lines, swap);
    VARIANT(across_scatter)(&g->out, cells, first, count, g->lines, factor, swap, ahead);
}

/* Elements e, e + 1, ... of the transform's input into cells. */
static void gather(const group *g, REAL *cells, int64_t e, int64_t count)
{
    const line_weights *weights = row_weights(g->job->in_edge, &g->in);
    if (g->job->in_edge && !weights) {
        gather_edge(g, cells, e, count);
        return;
    }
    const int64_t n = g->a->n, at = wrap(g->job->touch.rotate_in + e, n),
                  run = count < n - at ? count : n - at;
    gather_run(g, cells, at, run, weights);
    if (run < count) gather_run(g, cells + run * CELL, 0, count - run, weights);
}

static void scatter(const group *g, REAL *cells, int64_t e, int64_t count)
{
    const line_weights *weights = row_weights(g->job->out_edge, &g->out);
    if (g->job->out_edge && !weights) {
        scatter_edge(g, cells, e, count);
        return;
    }
    const int64_t n = g->a->n, at = wrap(g->job->touch.rotate_out + e, n),
                  run = count < n - at ? count : n - at;
    scatter_run(g, cells, at, run, weights);
    if (run < count) scatter_run(g, cells + run * CELL, 0, count - run, weights);
}

/* Every element of the group by its turn (Bailey, J. Supercomputing 4:23, 1990), on the way out. An inverse
 * transform's cells still have their parts exchanged, so that the turn is the same. */
static void turn(const group *g, REAL *cells)
{
    const line_touch *touch = &g->job->touch;
    const int64_t n = g->a->n;
    const REAL *fine = touch->turns->lanes;
    const REAL *coarse = (const REAL *)touch->turns->groups + (touch->first + g->first) / LANES * 2 * n;
    for (int64_t k = 0; k < n; k++, cells += CELL, fine += CELL, coarse += 2) {
        const vector c = load(fine) * coarse[0] - load(fine + LANES) * coarse[1],
                     s = load(fine + LANES) * coarse[0] + load(fine) * coarse[1], re = load(cells),
                     im = load(cells + LANES);
        store(cells, re * c + im * s);
        store(cells + LANES, im * c - re * s);
    }
}

/* ---- stages ---- */

/* Stage i from buffer to buffer; `apart` transforms are interleaved already. */
static void set_stage(across_stage_call *c, const across *a, int i, int64_t apart, const void *from, void *to)
{
    const int64_t radix = a->radix[i], parts = a->n / apart / radix;
    c->radix = a->radix[i];
    c->swap_in = c->swap_out = false;
    c->parts = parts;
    c->apart = apart;
    c->from = from;
    c->turns = parts > 1 ? a->turns[i] : NULL;
    c->to = to;
    c->from_p = apart * CELL;
    c->from_q = CELL;
    c->from_k = parts * apart * CELL;
    c->to_p = radix * apart * CELL;
    c->to_q = CELL;
    c->to_k = apart * CELL;
}

/* Points at k step + first, k < radix, rotated within n; `reals` apart. */
static void set_offsets(int64_t *offset, int radix, int64_t step, int64_t first, int64_t n, int64_t reals)
{
    for (int k = 0; k < radix; k++) offset[k] = wrap(k * step + first, n) * reals;
}

static void set_weights(across_stage_call *c, const line_weights *w, int64_t line)
{
    const REAL *at = w->at;
    c->weighing = !at ? ACROSS_ALL : w->real ? ACROSS_REAL : ACROSS_COMPLEX;
    c->weights = at ? at + line * w->line : NULL;
    c->weight_step = w->point;
    c->sign = w->conjugate ? -1 : 1;
    c->re = w->re;
    c->im = w->im;
}

/* One run of the first stage from columns: butterflies whose points follow those that begin at `first`. */
static void run_from_columns(const group *g, across_stage_call *c, int64_t step, int64_t first)
{
    const line_weights *w = column_weights(g->job->in_edge);
    set_offsets(c->from_offset, c->radix, step, first, g->a->n, 2 * g->in.stride);
    if (!w) {
        VARIANT(across_stage_from_columns)(c);
        return;
    }
    set_weights(c, w, g->first);
    set_offsets(c->weight_offset, c->radix, step, first, g->a->n, w->point);
    VARIANT(across_stage_weighed_from)(c);
}

static void run_to_columns(const group *g, across_stage_call *c, int64_t step, int64_t first)
{
    const line_weights *w = column_weights(g->job->out_edge);
    set_offsets(c->to_offset, c->radix, step, first, g->a->n, 2 * g->out.stride);
    if (!w) {
        VARIANT(across_stage_to_columns)(c);
        return;
    }
    c->factor = w->re;
    set_weights(c, w, g->first);
    set_offsets(c->weight_offset, c->radix, step, first, g->a->n, w->point);
    VARIANT(across_stage_weighed_to)(c);
}

/* The first stage from columns. Rotated ones are read in two runs: within each no point passes the end. */
static void first_from_columns(const group *g, REAL *to)
{
    const int64_t rotate = g->job->touch.rotate_in;
    across_stage_call c;
    set_stage(&c, g->a, 0, 1, g->in.at, to);
    const int64_t parts = c.parts, late = rotate % parts;
    c.swap_in = g->job->inverse;
    c.from_p = 2 * g->in.stride;
    c.parts = parts - late;
    run_from_columns(g, &c, parts, rotate);
    if (!late) return;
    c.turns = c.turns ? (const REAL *)c.turns + 2 * (c.radix - 1) * (parts - late) : NULL;
    c.to = to + c.to_p * (parts - late);
    c.parts = late;
    run_from_columns(g, &c, parts, wrap(rotate + parts - late, g->a->n));
}

static void last_to_columns(const group *g, const REAL *from)
{
    const across *a = g->a;
    const int64_t rotate = g->job->touch.rotate_out, apart = a->n / a->radix[a->count - 1],
                  late = rotate % apart;
    across_stage_call c;
    set_stage(&c, a, a->count - 1, apart, from, g->out.at);
    c.swap_out = g->job->inverse;
    c.factor = g->job->touch.factor;
    c.to_q = 2 * g->out.stride;
    c.apart = apart - late;
    run_to_columns(g, &c, apart, rotate);
    if (!late) return;
    c.from = from + (apart - late) * CELL;
    c.apart = late;
    run_to_columns(g, &c, apart, wrap(rotate + apart - late, a->n));
}

/* Lines that do not fit the nearest cache are turned chunk by chunk. */
static bool in_chunks(const across *a, int64_t places)
{
    return a->n * CELL * (int64_t)sizeof(REAL) > TO_TURN && places >= ACROSS_CHUNK;
}

static void first_from_rows(const group *g, REAL *to, REAL *spare)
{
    across_stage_call c;
    set_stage(&c, g->a, 0, 1, spare, to);
    const int64_t parts = c.parts, turns_each = 2 * (c.radix - 1);
    if (!in_chunks(g->a, parts)) {
        gather(g, spare, 0, g->a->n);
        VARIANT(across_stage)(&c);
        return;
    }
    const REAL *turns = c.turns;
    c.from = g->chunk;
    c.from_p = CELL;
    c.from_k = ACROSS_CHUNK * CELL;
    c.parts = ACROSS_CHUNK;
    for (int64_t p = 0; p < parts; p += ACROSS_CHUNK) {
        if (p > parts - ACROSS_CHUNK) p = parts - ACROSS_CHUNK; /* some again */
        for (int64_t k = 0; k < c.radix; k++)
            gather(g, g->chunk + k * ACROSS_CHUNK * CELL, p + k * parts, ACROSS_CHUNK);
        c.to = to + p * c.to_p;
        c.turns = turns + p * turns_each;
        VARIANT(across_stage)(&c);
    }
}

static void last_to_rows(const group *g, const REAL *from, REAL *spare)
{
    const across *a = g->a;
    const int64_t apart = a->n / a->radix[a->count - 1];
    across_stage_call c;
    set_stage(&c, a, a->count - 1, apart, from, spare);
    if (!in_chunks(a, apart) || g->job->touch.turns) {
        VARIANT(across_stage)(&c);
        if (g->job->touch.turns) turn(g, spare);
        scatter(g, spare, 0, a->n);
        return;
    }
    c.to = g->chunk;
    c.to_k = ACROSS_CHUNK * CELL;
    c.apart = ACROSS_CHUNK;
    for (int64_t q = 0; q < apart; q += ACROSS_CHUNK) {
        if (q > apart - ACROSS_CHUNK) q = apart - ACROSS_CHUNK;
        c.from = from + q * CELL;
        VARIANT(across_stage)(&c);
        for (int64_t k = 0; k < c.radix; k++)
            scatter(g, g->chunk + k * ACROSS_CHUNK * CELL, q + k * apart, ACROSS_CHUNK);
    }
}

/* Points of each of a butterfly's that an edge's cells come for at once: few, so that their loads and stores
 * and the stage's arithmetic overlap. */
enum { EDGE_POINTS = 4 };

static void first_from_edge(const group *g, REAL *to)
{
    across_stage_call c;
    set_stage(&c, g->a, 0, 1, g->chunk, to);
    const int64_t parts = c.parts, some = parts < EDGE_POINTS ? parts : EDGE_POINTS,
                  turns_each = 2 * (c.radix - 1);
    const REAL *turns = c.turns;
    c.swap_in = g->job->inverse;
    c.from_p = CELL;
    c.from_k = some * CELL;
    c.parts = some;
    for (int64_t p = 0; p < parts; p += some) {
        if (p > parts - some) p = parts - some; /* some again */
        move_cells(g, g->job->in_edge, g->chunk, p, some, c.radix, parts);
        c.to = to + p * c.to_p;
        c.turns = turns ? turns + p * turns_each : NULL;
        VARIANT(across_stage)(&c);
    }
}

static void last_to_edge(const group *g, const REAL *from)
{
    const across *a = g->a;
    const int64_t apart = a->n / a->radix[a->count - 1], some = apart < EDGE_POINTS ? apart : EDGE_POINTS;
    across_stage_call c;
    set_stage(&c, a, a->count - 1, apart, from, g->chunk);
    c.swap_out = g->job->inverse;
    c.to_k = some * CELL;
    c.apart = some;
    for (int64_t q = 0; q < apart; q += some) {
        if (q > apart - some) q = apart - some;
        c.from = from + q * CELL;
        VARIANT(across_stage)(&c);
        move_cells(g, g->job->out_edge, g->chunk, q, some, c.radix, apart);
    }
}

static bool to_columns(const group *g)
{
    return is_columns(&g->out, g->job->out_edge, g->lines) && !g->job->touch.turns;
}

static void run_group(const group *g)
{
    const across *a = g->a;
    REAL *from = g->buffer[0], *to = g->buffer[1];
    int64_t apart = a->radix[0];
    if (is_columns(&g->in, g->job->in_edge, g->lines))
        first_from_columns(g, from);
    else if (edge_has_cells(&g->in, g->job->in_edge))
        first_from_edge(g, from);
    else
        first_from_rows(g, from, to);
    for (int i = 1; i < a->count - 1; apart *= a->radix[i++]) {
        across_stage_call c;
        set_stage(&c, a, i, apart, from, to);
        VARIANT(across_stage)(&c);
        REAL *const other = from;
        from = to;
        to = other;
    }
    if (to_columns(g))
        last_to_columns(g, from);
    else if (edge_has_cells(&g->out, g->job->out_edge))
        last_to_edge(g, from);
    else
        last_to_rows(g, from, to);
}

/* ---- lines of one stage: several groups at once ---- */

/* The same group, and those behind it, one after another. */
static void each_group(const group *g, REAL *cells, void (*move)(const group *, REAL *))
{
    group one = *g;
    const int64_t bytes = 2 * (int64_t)sizeof(REAL) * LANES;
    for (int64_t left = g->lines; left > 0; left -= LANES, cells += g->a->n * CELL) {
        one.lines = left < LANES ? left : LANES;
        move(&one, cells);
        one.first += LANES;
        one.in.at += one.in.line_stride * bytes;
        one.out.at += one.out.line_stride * bytes;
    }
}

static void gather_all(const group *g, REAL *cells)
{
    gather(g, cells, 0, g->a->n);
}

static void scatter_all(const group *g, REAL *cells)
{
    if (g->job->touch.turns) turn(g, cells);
    scatter(g, cells, 0, g->a->n);
}

static void run_single(const group *g)
{
    const int64_t n = g->a->n;
    const bool whole = g->lines % LANES == 0 && !g->job->in_edge && !g->job->out_edge,
               from_columns = whole && is_columns(&g->in, g->job->in_edge, g->lines),
               columns = whole && to_columns(g);
    across_stage_call c;
    set_stage(&c, g->a, 0, 1, from_columns ? (void *)g->in.at : g->buffer[0],
              columns ? (void *)g->out.at : g->buffer[1]);
    c.parts = (g->lines + LANES - 1) / LANES;
    c.from_p = from_columns ? CELL : n * CELL;
    c.to_p = columns ? CELL : n * CELL;
    c.from_k = c.to_k = CELL;
    c.factor = g->job->touch.factor;
    set_offsets(c.from_offset, c.radix, 1, g->job->touch.rotate_in, n, 2 * g->in.stride);
    set_offsets(c.to_offset, c.radix, 1, g->job->touch.rotate_out, n, 2 * g->out.stride);
    c.swap_in = g->job->inverse && (from_columns || edge_has_cells(&g->in, g->job->in_edge));
    c.swap_out = g->job->inverse && (columns || edge_has_cells(&g->out, g->job->out_edge));
    if (!from_columns) each_group(g, g->buffer[0], gather_all);
    if (from_columns && columns)
        VARIANT(across_stage_columns)(&c);
    else if (from_columns)
        VARIANT(across_stage_from_columns)(&c);
    else if (columns)
        VARIANT(across_stage_to_columns)(&c);
    else
        VARIANT(across_stage)(&c);
    if (!columns) each_group(g, g->buffer[1], scatter_all);
}

void VARIANT(across_lines)(const across *a, const line_job *job, void *work)
{
    group g = {.a = a, .job = job, .in = job->in, .out = job->out, .buffer = {work}};
    const bool single = a->count == 1;
    const int64_t cells = a->groups * a->n, together = single ? a->groups * LANES : LANES,
                  bytes = 2 * (int64_t)sizeof(REAL);
    g.buffer[1] = g.buffer[0] + cells * CELL;
    g.chunk = g.buffer[1] + cells * CELL;
    for (int64_t left = job->lines; left > 0; left -= g.lines) {
        g.lines = left >= together ? together : single && left > LANES ? left / LANES * LANES : left;
        (single ? run_single : run_group)(&g);
        g.first += g.lines;
        g.in.at += g.lines * g.in.line_stride * bytes;
        g.out.at += g.lines * g.out.line_stride * bytes;
    }
}

void *VARIANT(across_cells_run)(const across *a, void *data, void *work, int inverse)
{
    int64_t apart = 1;
    for (int i = 0; i < a->count; apart *= a->radix[i++]) {
        across_stage_call c;
        set_stage(&c, a, i, apart, data, work);
        c.swap_in = inverse && i == 0;
        c.swap_out = inverse && i == a->count - 1;
        VARIANT(across_stage)(&c);
        void *const other = data;
        data = work;
        work = other;
    }
    return data;
}
