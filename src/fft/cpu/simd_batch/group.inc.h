/* SPDX-License-Identifier: BSD-3-Clause */
/* A group of lines, and its points between memory, or callbacks, and cells. Part of run.c, which is compiled
 * for each precision and instruction set. */
#include "fft/cpu/simd_batch/simd_batch.h"

#include "base/simd.h"

enum {
    LANES = IN_VECTOR,
    CELL = 2 * LANES,
    TRANSPOSE_BYTES = 16384 /* bytes of cells that are transposed at once */
};

/* Lines of a job: one group, or whole groups of lines that one stage transforms. */
typedef struct group {
    const simd_batch *a;
    const line_job *job;
    line_memory in, out;
    int64_t first, lines;
    REAL *buffer[2], *chunk;
} group;

/* Factors that columns can be multiplied by: those of neighbouring lines side by side, or one for all. */
static const line_weights *column_weights(const line_callback *callback)
{
    const line_weights *w = callback ? callback->weights : NULL;
    return w && VARIANT(simd_batch_multiplies)() && (!w->at || w->line == (w->real ? 1 : 2)) ? w : NULL;
}

static bool is_columns(const line_memory *m, const line_callback *callback, int64_t lines)
{
    if (m->line_stride != 1) return false;
    return lines >= LANES ? !callback || column_weights(callback)
                          : !callback && VARIANT(simd_batch_takes_some)();
}

/* Whether cells come from a callback, or go to one, as they are: stages then exchange their parts. */
static bool callback_has_cells(const line_memory *m, const line_callback *callback)
{
    return callback && m->line_stride == 1;
}

static int64_t wrap(int64_t i, int64_t n)
{
    return i >= n ? i - n : i;
}

/* Cells between a callback and a buffer: `count` points from e on for each of `planes`, which are `step`
 * points of stride there and adjacent here. Lines side by side come as cells. */
static void move_cells(const group *g, const line_callback *callback, REAL *cells, int64_t e, int64_t count,
                       int64_t planes, int64_t step)
{
    callback->move(callback, &(line_piece){.at = cells,
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

/* Rows go through the callback buffer, some points of all lanes at a time; the last time some points again.
 */
static line_piece rows_piece(const group *g, int64_t e, int64_t *i, int64_t count)
{
    const int64_t some = count < SIMD_BATCH_CHUNK ? count : SIMD_BATCH_CHUNK;
    if (*i > count - some) *i = count - some;
    return (line_piece){.at = g->job->buffer,
                        .pitch = 2 * SIMD_BATCH_CHUNK,
                        .planes = 1,
                        .rows = g->lines,
                        .count = some,
                        .line = g->first,
                        .point = e + *i,
                        .line_step = 1};
}

static void gather_callback(const group *g, REAL *cells, int64_t e, int64_t count)
{
    const line_callback *callback = g->job->load_callback;
    const line_memory buffer = {g->job->buffer, SIMD_BATCH_CHUNK, 1, false};
    if (callback_has_cells(&g->in, callback)) {
        move_cells(g, callback, cells, e, count, 1, 0);
        return;
    }
    for (int64_t i = 0; i < count; i += SIMD_BATCH_CHUNK) {
        const line_piece piece = rows_piece(g, e, &i, count);
        callback->move(callback, &piece);
        VARIANT(simd_batch_gather)
        (cells + i * CELL, &buffer, 0, piece.count, g->lines, g->job->inverse, false);
    }
}

static void scatter_callback(const group *g, REAL *cells, int64_t e, int64_t count)
{
    const line_callback *callback = g->job->store_callback;
    const line_memory buffer = {g->job->buffer, SIMD_BATCH_CHUNK, 1, false};
    if (callback_has_cells(&g->out, callback)) {
        move_cells(g, callback, cells, e, count, 1, 0);
        return;
    }
    for (int64_t i = 0; i < count; i += SIMD_BATCH_CHUNK) {
        const line_piece piece = rows_piece(g, e, &i, count);
        VARIANT(simd_batch_scatter)
        (&buffer, cells + i * CELL, 0, piece.count, g->lines, 1, g->job->inverse, false);
        callback->move(callback, &piece);
    }
}

/* Weights of rows: one for all lines, or rows of them. */
static const line_weights *row_weights(const line_callback *callback, const line_memory *m)
{
    const line_weights *w = callback && m->line_stride != 1 ? callback->weights : NULL;
    return w && (!w->at || w->line == 0 || w->point == (w->real ? 1 : 2)) ? w : NULL;
}

/* Returns the weights of this group's lines from element `first` of memory on. */
static simd_batch_weights weights_at(const group *g, const line_weights *w, int64_t first)
{
    const REAL *const at = w->at;
    return (simd_batch_weights){.at = at ? at + g->first * w->line + first * w->point : NULL,
                                .point = at ? w->point : 0,
                                .line = at ? w->line : 0,
                                .real = w->real,
                                .sign = w->conjugate ? -1 : 1,
                                .re = w->re,
                                .im = w->im};
}

/* Multiplies `count` cells point by point. Cells of an inverse transform have their parts exchanged. */
static void multiply_cells(REAL *cells, const simd_batch_weights *w, int64_t count, int64_t lines, bool swap)
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

enum { ROW_POINTS = IN_HALF }; /* that rows are transposed by at a time */

/* `count` elements of memory from `first` on, none beyond the end. */
static void gather_run(const group *g, REAL *cells, int64_t first, int64_t count, const line_weights *weights)
{
    const bool swap = g->job->inverse, prefetch = g->job->prefetch,
               multiplied = weights && g->in.stride == 1 && count >= ROW_POINTS;
    const simd_batch_weights w = weights ? weights_at(g, weights, first) : (simd_batch_weights){.at = NULL};
    if (multiplied) {
        VARIANT(simd_batch_gather_multiplied)(cells, &g->in, first, count, g->lines, &w, swap, prefetch);
        return;
    }
    VARIANT(simd_batch_gather)(cells, &g->in, first, count, g->lines, swap, prefetch);
    if (weights) multiply_cells(cells, &w, count, g->lines, swap);
}

static void scatter_run(const group *g, REAL *cells, int64_t first, int64_t count,
                        const line_weights *weights)
{
    const double factor = !weights ? g->job->ops.factor : weights->at ? weights->re : 1;
    const bool swap = g->job->inverse, prefetch = g->job->prefetch,
               multiplied = weights && g->out.stride == 1 && count >= ROW_POINTS;
    const simd_batch_weights w = weights ? weights_at(g, weights, first) : (simd_batch_weights){.at = NULL};
    if (multiplied) {
        VARIANT(simd_batch_scatter_multiplied)
        (&g->out, cells, first, count, g->lines, factor, &w, swap, prefetch);
        return;
    }
    if (weights) multiply_cells(cells, &w, count, g->lines, swap);
    VARIANT(simd_batch_scatter)(&g->out, cells, first, count, g->lines, factor, swap, prefetch);
}

/* Elements e, e + 1, ... of the transform's input into cells. */
static void gather(const group *g, REAL *cells, int64_t e, int64_t count)
{
    const line_weights *weights = row_weights(g->job->load_callback, &g->in);
    if (g->job->load_callback && !weights) {
        gather_callback(g, cells, e, count);
        return;
    }
    const int64_t n = g->a->n, at = wrap(g->job->ops.rotate_in + e, n), run = count < n - at ? count : n - at;
    gather_run(g, cells, at, run, weights);
    if (run < count) gather_run(g, cells + run * CELL, 0, count - run, weights);
}

static void scatter(const group *g, REAL *cells, int64_t e, int64_t count)
{
    const line_weights *weights = row_weights(g->job->store_callback, &g->out);
    if (g->job->store_callback && !weights) {
        scatter_callback(g, cells, e, count);
        return;
    }
    const int64_t n = g->a->n, at = wrap(g->job->ops.rotate_out + e, n),
                  run = count < n - at ? count : n - at;
    scatter_run(g, cells, at, run, weights);
    if (run < count) scatter_run(g, cells + run * CELL, 0, count - run, weights);
}

/* Every element of the group times its inter-pass twiddle (Bailey, J. Supercomputing 4:23, 1990), on the way
 * out. An inverse transform's cells still have their parts exchanged, so that the twiddle is the same. */
static void multiply_twiddles(const group *g, REAL *cells)
{
    const line_operations *ops = &g->job->ops;
    const int64_t n = g->a->n;
    const REAL *fine = ops->twiddles->lanes;
    const REAL *coarse = (const REAL *)ops->twiddles->groups + (ops->first + g->first) / LANES * 2 * n;
    for (int64_t k = 0; k < n; k++, cells += CELL, fine += CELL, coarse += 2) {
        const vector c = load(fine) * coarse[0] - load(fine + LANES) * coarse[1],
                     s = load(fine + LANES) * coarse[0] + load(fine) * coarse[1], re = load(cells),
                     im = load(cells + LANES);
        store(cells, re * c + im * s);
        store(cells + LANES, im * c - re * s);
    }
}
