/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of lines through all stages: the first reads memory, the last writes it, what is between fits
 * two buffers. Columns are read and written by the stages themselves. Rows go through a chunk of cells in the
 * nearest cache where lines are long, or are transposed as a whole where they are short. An inverse transform
 * exchanges real and imaginary parts as it reads and as it writes. */
#include "fft/cpu/simd_batch/group.inc.h"

/* ---- stages ---- */

/* Stage i from buffer to buffer; `apart` transforms are interleaved already. */
static void set_stage(simd_batch_stage_call *c, const simd_batch *a, int i, int64_t interleaved,
                      const void *from, void *to)
{
    const int64_t radix = a->radix[i], parts = a->n / interleaved / radix;
    c->radix = a->radix[i];
    c->swap_in = c->swap_out = false;
    c->lines = 0;
    c->parts = parts;
    c->interleaved = interleaved;
    c->from = from;
    c->twiddles = parts > 1 ? a->twiddles[i] : NULL;
    c->to = to;
    c->from_p = interleaved * CELL;
    c->from_q = CELL;
    c->from_k = parts * interleaved * CELL;
    c->to_p = radix * interleaved * CELL;
    c->to_q = CELL;
    c->to_k = interleaved * CELL;
}

/* Points at k step + first, k < radix, rotated within n; `reals` is their stride. */
static void set_offsets(int64_t *offset, int radix, int64_t step, int64_t first, int64_t n, int64_t reals)
{
    for (int k = 0; k < radix; k++) offset[k] = wrap(k * step + first, n) * reals;
}

static void set_weights(simd_batch_stage_call *c, const line_weights *w, int64_t line)
{
    const REAL *at = w->at;
    c->weights_kind = !at       ? SIMD_BATCH_WEIGHTS_ONE
                      : w->real ? SIMD_BATCH_WEIGHTS_REAL
                                : SIMD_BATCH_WEIGHTS_COMPLEX;
    c->weights = at ? at + line * w->line : NULL;
    c->weight_step = w->point;
    c->sign = w->conjugate ? -1 : 1;
    c->re = w->re;
    c->im = w->im;
}

/* Returns the columns of a group that has fewer than lanes; else 0. */
static int64_t some_lines(const group *g)
{
    return g->lines < LANES ? g->lines : 0;
}

/* One run of the first stage from columns: butterflies whose points follow those that begin at `first`. */
static void run_from_columns(const group *g, simd_batch_stage_call *c, int64_t step, int64_t first)
{
    const line_weights *w = column_weights(g->job->load_callback);
    set_offsets(c->from_offset, c->radix, step, first, g->a->n, 2 * g->in.stride);
    if (!w) {
        VARIANT(simd_batch_stage_from_columns)(c);
        return;
    }
    set_weights(c, w, g->first);
    set_offsets(c->weight_offset, c->radix, step, first, g->a->n, w->point);
    VARIANT(simd_batch_stage_multiplied_from)(c);
}

static void run_to_columns(const group *g, simd_batch_stage_call *c, int64_t step, int64_t first)
{
    const line_weights *w = column_weights(g->job->store_callback);
    set_offsets(c->to_offset, c->radix, step, first, g->a->n, 2 * g->out.stride);
    if (!w) {
        VARIANT(simd_batch_stage_to_columns)(c);
        return;
    }
    c->factor = w->re;
    set_weights(c, w, g->first);
    set_offsets(c->weight_offset, c->radix, step, first, g->a->n, w->point);
    VARIANT(simd_batch_stage_multiplied_to)(c);
}

/* The first stage from columns. Rotated ones are read in two runs: within each no point passes the end. */
static void first_from_columns(const group *g, REAL *to)
{
    const int64_t rotate = g->job->ops.rotate_in;
    simd_batch_stage_call c;
    set_stage(&c, g->a, 0, 1, g->in.at, to);
    const int64_t parts = c.parts, wrapped = rotate % parts;
    c.swap_in = g->job->inverse;
    c.lines = some_lines(g);
    c.from_p = 2 * g->in.stride;
    c.parts = parts - wrapped;
    run_from_columns(g, &c, parts, rotate);
    if (!wrapped) return;
    c.twiddles = c.twiddles ? (const REAL *)c.twiddles + 2 * (c.radix - 1) * (parts - wrapped) : NULL;
    c.to = to + c.to_p * (parts - wrapped);
    c.parts = wrapped;
    run_from_columns(g, &c, parts, wrap(rotate + parts - wrapped, g->a->n));
}

static void last_to_columns(const group *g, const REAL *from)
{
    const simd_batch *a = g->a;
    const int64_t rotate = g->job->ops.rotate_out, interleaved = a->n / a->radix[a->count - 1],
                  wrapped = rotate % interleaved;
    simd_batch_stage_call c;
    set_stage(&c, a, a->count - 1, interleaved, from, g->out.at);
    c.swap_out = g->job->inverse;
    c.lines = some_lines(g);
    c.factor = g->job->ops.factor;
    c.to_q = 2 * g->out.stride;
    c.interleaved = interleaved - wrapped;
    run_to_columns(g, &c, interleaved, rotate);
    if (!wrapped) return;
    c.from = from + (interleaved - wrapped) * CELL;
    c.interleaved = wrapped;
    run_to_columns(g, &c, interleaved, wrap(rotate + interleaved - wrapped, a->n));
}

/* Lines that do not fit the nearest cache are transposed chunk by chunk. */
static bool in_chunks(const simd_batch *a, int64_t places)
{
    return a->n * CELL * (int64_t)sizeof(REAL) > TRANSPOSE_BYTES && places >= SIMD_BATCH_CHUNK;
}

static void first_from_rows(const group *g, REAL *to, REAL *spare)
{
    simd_batch_stage_call c;
    set_stage(&c, g->a, 0, 1, spare, to);
    const int64_t parts = c.parts, twiddles_each = 2 * (c.radix - 1);
    if (!in_chunks(g->a, parts)) {
        gather(g, spare, 0, g->a->n);
        VARIANT(simd_batch_stage)(&c);
        return;
    }
    const REAL *twiddles = c.twiddles;
    c.from = g->chunk;
    c.from_p = CELL;
    c.from_k = SIMD_BATCH_CHUNK * CELL;
    c.parts = SIMD_BATCH_CHUNK;
    for (int64_t p = 0; p < parts; p += SIMD_BATCH_CHUNK) {
        if (p > parts - SIMD_BATCH_CHUNK) p = parts - SIMD_BATCH_CHUNK; /* some again */
        for (int64_t k = 0; k < c.radix; k++)
            gather(g, g->chunk + k * SIMD_BATCH_CHUNK * CELL, p + k * parts, SIMD_BATCH_CHUNK);
        c.to = to + p * c.to_p;
        c.twiddles = twiddles + p * twiddles_each;
        VARIANT(simd_batch_stage)(&c);
    }
}

static void last_to_rows(const group *g, const REAL *from, REAL *spare)
{
    const simd_batch *a = g->a;
    const int64_t interleaved = a->n / a->radix[a->count - 1];
    simd_batch_stage_call c;
    set_stage(&c, a, a->count - 1, interleaved, from, spare);
    if (!in_chunks(a, interleaved) || g->job->ops.twiddles) {
        VARIANT(simd_batch_stage)(&c);
        if (g->job->ops.twiddles) multiply_twiddles(g, spare);
        scatter(g, spare, 0, a->n);
        return;
    }
    c.to = g->chunk;
    c.to_k = SIMD_BATCH_CHUNK * CELL;
    c.interleaved = SIMD_BATCH_CHUNK;
    for (int64_t q = 0; q < interleaved; q += SIMD_BATCH_CHUNK) {
        if (q > interleaved - SIMD_BATCH_CHUNK) q = interleaved - SIMD_BATCH_CHUNK;
        c.from = from + q * CELL;
        VARIANT(simd_batch_stage)(&c);
        for (int64_t k = 0; k < c.radix; k++)
            scatter(g, g->chunk + k * SIMD_BATCH_CHUNK * CELL, q + k * interleaved, SIMD_BATCH_CHUNK);
    }
}

/* Points of each of a butterfly's that a callback's cells come for at once: few, so that their loads and
 * stores and the stage's arithmetic overlap. */
enum { CALLBACK_POINTS = 4 };

static void first_from_callback(const group *g, REAL *to)
{
    simd_batch_stage_call c;
    set_stage(&c, g->a, 0, 1, g->chunk, to);
    const int64_t parts = c.parts, some = parts < CALLBACK_POINTS ? parts : CALLBACK_POINTS,
                  twiddles_each = 2 * (c.radix - 1);
    const REAL *twiddles = c.twiddles;
    c.swap_in = g->job->inverse;
    c.from_p = CELL;
    c.from_k = some * CELL;
    c.parts = some;
    for (int64_t p = 0; p < parts; p += some) {
        if (p > parts - some) p = parts - some; /* some again */
        move_cells(g, g->job->load_callback, g->chunk, p, some, c.radix, parts);
        c.to = to + p * c.to_p;
        c.twiddles = twiddles ? twiddles + p * twiddles_each : NULL;
        VARIANT(simd_batch_stage)(&c);
    }
}

static void last_to_callback(const group *g, const REAL *from)
{
    const simd_batch *a = g->a;
    const int64_t interleaved = a->n / a->radix[a->count - 1],
                  some = interleaved < CALLBACK_POINTS ? interleaved : CALLBACK_POINTS;
    simd_batch_stage_call c;
    set_stage(&c, a, a->count - 1, interleaved, from, g->chunk);
    c.swap_out = g->job->inverse;
    c.to_k = some * CELL;
    c.interleaved = some;
    for (int64_t q = 0; q < interleaved; q += some) {
        if (q > interleaved - some) q = interleaved - some;
        c.from = from + q * CELL;
        VARIANT(simd_batch_stage)(&c);
        move_cells(g, g->job->store_callback, g->chunk, q, some, c.radix, interleaved);
    }
}

static bool to_columns(const group *g)
{
    return is_columns(&g->out, g->job->store_callback, g->lines) && !g->job->ops.twiddles;
}

static void run_group(const group *g)
{
    const simd_batch *a = g->a;
    REAL *from = g->buffer[0], *to = g->buffer[1];
    int64_t interleaved = a->radix[0];
    if (is_columns(&g->in, g->job->load_callback, g->lines))
        first_from_columns(g, from);
    else if (callback_has_cells(&g->in, g->job->load_callback))
        first_from_callback(g, from);
    else
        first_from_rows(g, from, to);
    for (int i = 1; i < a->count - 1; interleaved *= a->radix[i++]) {
        simd_batch_stage_call c;
        set_stage(&c, a, i, interleaved, from, to);
        VARIANT(simd_batch_stage)(&c);
        REAL *const other = from;
        from = to;
        to = other;
    }
    if (to_columns(g))
        last_to_columns(g, from);
    else if (callback_has_cells(&g->out, g->job->store_callback))
        last_to_callback(g, from);
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
    if (g->job->ops.twiddles) multiply_twiddles(g, cells);
    scatter(g, cells, 0, g->a->n);
}

static void run_single(const group *g)
{
    const int64_t n = g->a->n;
    const bool whole = (g->lines % LANES == 0 || g->lines < LANES) && !g->job->load_callback &&
                       !g->job->store_callback,
               from_columns = whole && is_columns(&g->in, g->job->load_callback, g->lines),
               columns = whole && to_columns(g);
    simd_batch_stage_call c;
    set_stage(&c, g->a, 0, 1, from_columns ? (void *)g->in.at : g->buffer[0],
              columns ? (void *)g->out.at : g->buffer[1]);
    c.parts = (g->lines + LANES - 1) / LANES;
    c.lines = from_columns || columns ? some_lines(g) : 0;
    c.from_p = from_columns ? CELL : n * CELL;
    c.to_p = columns ? CELL : n * CELL;
    c.from_k = c.to_k = CELL;
    c.factor = g->job->ops.factor;
    set_offsets(c.from_offset, c.radix, 1, g->job->ops.rotate_in, n, 2 * g->in.stride);
    set_offsets(c.to_offset, c.radix, 1, g->job->ops.rotate_out, n, 2 * g->out.stride);
    c.swap_in = g->job->inverse && (from_columns || callback_has_cells(&g->in, g->job->load_callback));
    c.swap_out = g->job->inverse && (columns || callback_has_cells(&g->out, g->job->store_callback));
    if (!from_columns) each_group(g, g->buffer[0], gather_all);
    if (from_columns && columns)
        VARIANT(simd_batch_stage_columns)(&c);
    else if (from_columns)
        VARIANT(simd_batch_stage_from_columns)(&c);
    else if (columns)
        VARIANT(simd_batch_stage_to_columns)(&c);
    else
        VARIANT(simd_batch_stage)(&c);
    if (!columns) each_group(g, g->buffer[1], scatter_all);
}

void VARIANT(simd_batch_lines)(const simd_batch *a, const line_job *job, void *work)
{
    group g = {.a = a, .job = job, .in = job->in, .out = job->out, .buffer = {work}};
    const bool single = a->count == 1;
    const int64_t cells = a->groups * a->n, lines_at_once = single ? a->groups * LANES : LANES,
                  bytes = 2 * (int64_t)sizeof(REAL);
    g.buffer[1] = g.buffer[0] + cells * CELL;
    g.chunk = g.buffer[1] + cells * CELL;
    for (int64_t left = job->lines; left > 0; left -= g.lines) {
        g.lines = left >= lines_at_once    ? lines_at_once
                  : single && left > LANES ? left / LANES * LANES
                                           : left;
        (single ? run_single : run_group)(&g);
        g.first += g.lines;
        g.in.at += g.lines * g.in.line_stride * bytes;
        g.out.at += g.lines * g.out.line_stride * bytes;
    }
}

void *VARIANT(simd_batch_cells_run)(const simd_batch *a, void *data, void *work, int inverse)
{
    int64_t interleaved = 1;
    for (int i = 0; i < a->count; interleaved *= a->radix[i++]) {
        simd_batch_stage_call c;
        set_stage(&c, a, i, interleaved, data, work);
        c.swap_in = inverse && i == 0;
        c.swap_out = inverse && i == a->count - 1;
        VARIANT(simd_batch_stage)(&c);
        void *const other = data;
        data = work;
        work = other;
    }
    return data;
}
