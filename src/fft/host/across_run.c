/* SPDX-License-Identifier: BSD-3-Clause */
/* A group of lines through all stages: the first reads memory, the last writes it, what is between stays in
 * two buffers. Columns are read and written by the stages themselves. Rows go through a chunk of cells in the
 * nearest cache where a line is long, or are turned as a whole where it is short.
 * An inverse transform is the forward one of x[-j]: it is read backwards. */
#include "fft/host/across.h"

#include "base/simd.h"

enum { LANES = IN_VECTOR, CELL = 2 * LANES };

typedef struct group {
    const across *a;
    const line_job *job;
    line_memory in, out; /* of this group */
    int64_t first, lines;
    REAL *buffer[2], *chunk;
} group;

static bool is_columns(const line_memory *m, int64_t lines)
{
    return m->line_stride == 1 && lines == LANES;
}

static int64_t wrap(int64_t i, int64_t n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

/* Elements e, e + 1, ... of the transform's input into cells. */
static void gather(const group *g, REAL *cells, int64_t e, int64_t count)
{
    const int64_t n = g->a->n, rotate = g->job->touch.rotate_in;
    if (!g->job->inverse) {
        const int64_t at = wrap(rotate + e, n), run = count < n - at ? count : n - at;
        VARIANT(across_gather)(cells, 1, &g->in, at, run, g->lines);
        if (run < count) VARIANT(across_gather)(cells + run * CELL, 1, &g->in, 0, count - run, g->lines);
        return;
    }
    const int64_t at = wrap(rotate - e, n), run = count <= at ? count : at + 1;
    VARIANT(across_gather)(cells + (run - 1) * CELL, -1, &g->in, at - run + 1, run, g->lines);
    if (run < count) VARIANT(across_gather)
    (cells + (count - 1) * CELL, -1, &g->in, n - (count - run), count - run, g->lines);
}

static void scatter(const group *g, const REAL *cells, int64_t e, int64_t count)
{
    const int64_t n = g->a->n, at = wrap(g->job->touch.rotate_out + e, n),
                  run = count < n - at ? count : n - at;
    const double factor = g->job->touch.factor;
    VARIANT(across_scatter)(&g->out, cells, at, run, g->lines, factor);
    if (run < count) VARIANT(across_scatter)(&g->out, cells + run * CELL, 0, count - run, g->lines, factor);
}

/* Every element of the group by its turn (Bailey, J. Supercomputing 4:23, 1990), on the way out. */
static void turn(const group *g, REAL *cells)
{
    const line_touch *touch = &g->job->touch;
    const int64_t n = g->a->n;
    const REAL *fine = touch->turns->lanes;
    const REAL *coarse = (const REAL *)touch->turns->groups + (touch->first + g->first) / LANES * 2 * n;
    const REAL sense = g->job->inverse ? -1 : 1;
    for (int64_t k = 0; k < n; k++, cells += CELL, fine += CELL, coarse += 2) {
        const vector c = load(fine) * coarse[0] - load(fine + LANES) * coarse[1],
                     s = (load(fine + LANES) * coarse[0] + load(fine) * coarse[1]) * sense, re = load(cells),
                     im = load(cells + LANES);
        store(cells, re * c + im * s);
        store(cells + LANES, im * c - re * s);
    }
}

/* Stage i from buffer to buffer; `apart` transforms are interleaved already. */
static across_stage_call stage_call(const across *a, int i, int64_t apart, const void *from, void *to)
{
    const int64_t radix = a->radix[i], parts = a->n / apart / radix;
    return (across_stage_call){.radix = a->radix[i],
                               .parts = parts,
                               .apart = apart,
                               .from = from,
                               .turns = parts > 1 ? a->turns[i] : NULL,
                               .to = to,
                               .from_p = apart * CELL,
                               .from_q = CELL,
                               .from_k = parts * apart * CELL,
                               .to_p = radix * apart * CELL,
                               .to_q = CELL,
                               .to_k = apart * CELL,
                               .n = a->n};
}

static void set_columns(across_stage_call *c, const group *g)
{
    const line_touch *touch = &g->job->touch;
    c->in_start = touch->rotate_in;
    c->in_sign = g->job->inverse ? -1 : 1;
    c->in_stride = 2 * g->in.stride;
    c->out_start = touch->rotate_out;
    c->out_stride = 2 * g->out.stride;
    c->factor = touch->factor;
}

/* Lines that do not fit the nearest cache are turned chunk by chunk. */
static bool in_chunks(const across *a, int64_t places)
{
    return a->n * CELL * (int64_t)sizeof(REAL) > 16384 && places >= ACROSS_CHUNK;
}

static void first_from_rows(const group *g, REAL *to, REAL *spare)
{
    across_stage_call c = stage_call(g->a, 0, 1, spare, to);
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
    across_stage_call c = stage_call(a, a->count - 1, apart, from, spare);
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

static void run_single(const group *g)
{
    const bool from_columns = is_columns(&g->in, g->lines),
               to_columns = is_columns(&g->out, g->lines) && !g->job->touch.turns;
    across_stage_call c = stage_call(g->a, 0, 1, from_columns ? (void *)g->in.at : g->buffer[0],
                                     to_columns ? g->out.at : (void *)g->buffer[1]);
    set_columns(&c, g);
    if (!from_columns) gather(g, g->buffer[0], 0, g->a->n);
    if (from_columns && to_columns)
        VARIANT(across_stage_columns)(&c);
    else if (from_columns)
        VARIANT(across_stage_from_columns)(&c);
    else if (to_columns)
        VARIANT(across_stage_to_columns)(&c);
    else
        VARIANT(across_stage)(&c);
    if (g->job->touch.turns) turn(g, g->buffer[1]);
    if (!to_columns) scatter(g, g->buffer[1], 0, g->a->n);
}

static void run_group(const group *g)
{
    const across *a = g->a;
    REAL *from = g->buffer[0], *to = g->buffer[1];
    int64_t apart = a->radix[0];
    if (is_columns(&g->in, g->lines)) {
        across_stage_call c = stage_call(a, 0, 1, g->in.at, from);
        set_columns(&c, g);
        VARIANT(across_stage_from_columns)(&c);
    } else {
        first_from_rows(g, from, to);
    }
    for (int i = 1; i < a->count - 1; apart *= a->radix[i++]) {
        const across_stage_call c = stage_call(a, i, apart, from, to);
        VARIANT(across_stage)(&c);
        REAL *const other = from;
        from = to;
        to = other;
    }
    if (is_columns(&g->out, g->lines) && !g->job->touch.turns) {
        across_stage_call c = stage_call(a, a->count - 1, apart, from, g->out.at);
        set_columns(&c, g);
        VARIANT(across_stage_to_columns)(&c);
    } else {
        last_to_rows(g, from, to);
    }
}

void VARIANT(across_lines)(const across *a, const line_job *job, void *work)
{
    group g = {.a = a, .job = job, .in = job->in, .out = job->out, .buffer = {work}};
    g.buffer[1] = g.buffer[0] + a->n * CELL;
    g.chunk = g.buffer[1] + a->n * CELL;
    for (; g.first < job->lines; g.first += LANES) {
        g.lines = job->lines - g.first < LANES ? job->lines - g.first : LANES;
        if (a->count == 1)
            run_single(&g);
        else
            run_group(&g);
        g.in.at += LANES * g.in.line_stride * 2 * (int64_t)sizeof(REAL);
        g.out.at += LANES * g.out.line_stride * 2 * (int64_t)sizeof(REAL);
    }
}

void *VARIANT(across_cells_run)(const across *a, void *data, void *work, int inverse)
{
    int64_t apart = 1;
    for (int i = 0; i < a->count; apart *= a->radix[i++]) {
        across_stage_call c = stage_call(a, i, apart, data, work);
        c.swap_in = inverse && i == 0;
        c.swap_out = inverse && i == a->count - 1;
        VARIANT(across_stage)(&c);
        void *const other = data;
        data = work;
        work = other;
    }
    return data;
}
