/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of n = rows columns numbers as a matrix of rows x columns (Gentleman
 * and Sande 1966; Bailey, J. Supercomputing 4:23, 1990), for the sake of SIMD:
 * the transforms of its columns run side by side in the lanes of vectors,
 * whatever their radices; the result is multiplied by turns and transposed,
 * LANES x LANES numbers at a time in registers; then the rows' transforms run
 * side by side, and their results k, k + 1, ... are neighbours in memory. So
 * one pass over registers shuffles, all stages have turns that are the same in
 * all lanes, and lengths need no factor in common with LANES: the last vector
 * of columns overlaps the one before.
 *
 *   j = j1 columns + j2, k = k1 + rows k2:
 *   X[k] = sum_j2 w_columns^(j2 k2) ( w_n^(j2 k1) sum_j1 w_rows^(j1 k1) x[j] )
 */
#include "fft/host/within_plan.h"
#include <string.h>
#include "fft/host/ahead.h"

/* Lines of `count` numbers from one distance to another */
static void copy_rows(const within *w, char *to, int64_t to_row, const char *from, int64_t from_row,
                      int64_t count, int64_t rows)
{
    const size_t number = 2 * w->real;
    for (int64_t i = 0; i < rows; i++)
        memcpy(to + (size_t)(i * to_row) * number, from + (size_t)(i * from_row) * number,
               (size_t)count * number);
}

/* The turned matrix by blocks, a row of cells, and room for vectors where lines
 * have less. */
size_t within_work_bytes(const within *w)
{
    if (w->whole || w->small) return 0;
    const int64_t padding = w->padded ? within_larger(w->rows, w->columns) : 0;
    return within_cells(w, w->column_blocks * w->column_height + w->group * w->row_width + padding);
}

/* How many whole vectors of `count` lines there are from vector i on, up to a group; the last one may not be
 * whole. */
static int64_t group_from(const within *w, int64_t i, int64_t count)
{
    const int64_t whole = count / w->lanes - i;
    return whole < 1 ? 1 : whole < w->group ? whole : w->group;
}

/* Vectors of columns, from `in`, whose rows are `row` numbers apart, to cells. */
static void transform_columns(const within *w, char *cells, const char *in, int64_t row, char *padding,
                              int inverse, int64_t vectors)
{
    const within_chain *c = &w->along_columns;
    const int64_t lanes = w->lanes;
    if (w->padded && row < lanes) {
        copy_rows(w, padding, lanes, in, row, row, w->rows);
        in = padding;
        row = lanes;
    }
    w->kernels->first[c->factors.radix[0]](cells, in, c->groups, w->rows, row, w->columns, inverse,
                                           (within_group){vectors, w->column_height});
    for (int64_t v = 0; v < vectors; v++, cells += within_cells(w, w->column_height)) {
        int64_t done = c->factors.radix[0];
        for (int i = 1; i < c->factors.count; done *= c->factors.radix[i++])
            w->kernels->stage[c->factors.radix[i]](cells, c->turns[i], w->rows, done);
        if (w->rows < lanes) memset(cells + within_cells(w, w->rows), 0, within_cells(w, lanes - w->rows));
    }
}

/* Vectors of rows, from cells to `out`, where results of the same row are `row` numbers apart. */
static void transform_rows(const within *w, char *out, int64_t row, char *cells, char *padding, int inverse,
                           int64_t vectors)
{
    const within_chain *c = &w->along_rows;
    const int64_t lanes = w->lanes;
    const int last = c->factors.count - 1, radix = c->factors.radix[last];
    for (int64_t v = 0; v < vectors; v++) {
        int64_t done = 1;
        for (int i = 0; i < last; done *= c->factors.radix[i++])
            w->kernels->stage[c->factors.radix[i]](cells + within_cells(w, v * w->row_width), c->turns[i],
                                                   w->columns, done);
    }
    const void *turns = inverse ? c->conjugate : c->turns[last];
    const within_group group = {vectors, w->row_width};
    if (w->padded && row < lanes) {
        w->kernels->last[radix](padding, cells, turns, w->columns, lanes, lanes, inverse, group);
        copy_rows(w, out, w->rows, padding, lanes, w->rows, w->columns);
    } else {
        w->kernels->last[radix](out, cells, turns, w->columns, row, w->rows, inverse, group);
    }
}

/* Block `block` of rows from the turned matrix */
static void turn_block(const within *w, char *cells, const char *turned, int64_t block, double factor)
{
    const int64_t row = within_begin(w, block, w->rows);
    const int32_t *places = w->along_rows.places;
    for (int64_t i = 0; i < w->column_blocks; i++) {
        const int64_t column = within_begin(w, i, w->columns);
        const char *from = turned + within_cells(w, i * w->column_height + row),
                   *turns = (const char *)w->turns;
        if (w->more)
            w->kernels->turn_more(
                cells, places + column, from, turns + within_cells(w, column),
                (const char *)w->more + (size_t)(block * w->row_width + column) * 2 * w->real, factor);
        else
            w->kernels->turn(cells, places + column, from,
                             turns + within_cells(w, block * w->row_width + column));
    }
    if (!w->more && factor != 1) w->kernels->scale(cells, w->row_width, factor);
}

/* ---- a line ---- */

/* One line: memory, or where that is NULL an edge; and the next one's memory, to be fetched meanwhile, or NULL. */
typedef struct within_line {
    void *out;
    const void *in, *next_out, *next_in;
    int64_t number;
} within_line;

/* The share of the next line that goes with blocks i to i + count of all blocks of columns and rows */
static inline __attribute__((always_inline)) void fetch_share(const within *w, const within_line *l,
                                                              int64_t i, int64_t count)
{
    const int64_t bytes = w->n * 2 * (int64_t)w->real, blocks = w->column_blocks + w->row_blocks,
                  from = i * bytes / blocks, to = (i + count) * bytes / blocks;
    if (l->next_in) fetch_from_to(l->next_in, from, to);
    if (l->next_out) fetch_from_to(l->next_out, from, to);
}

/* Numbers that an edge moves: `rows` of them at points first, first + step and so on, `vectors` wide. */
static line_piece piece_of(const within *w, const within_line *l, void *room, int64_t first, int64_t step,
                           int64_t rows, int64_t vectors)
{
    const int64_t width = vectors * w->lanes;
    return (line_piece){.at = room,
                        .pitch = 2 * width,
                        .planes = 1,
                        .rows = rows,
                        .count = step < width ? step : width,
                        .line = l->number,
                        .point = first,
                        .point_step = step};
}

static void columns_from_edge(const within *w, const within_lines *lines, const within_line *l, char *cells,
                              int inverse, int64_t first, int64_t vectors)
{
    const line_piece piece = piece_of(w, l, lines->room, first, w->columns, w->rows, vectors);
    lines->from->move(lines->from, &piece);
    transform_columns(w, cells, lines->room, vectors * w->lanes, NULL, inverse, vectors);
}

static void rows_to_edge(const within *w, const within_lines *lines, const within_line *l, char *cells,
                         int inverse, int64_t first, int64_t vectors)
{
    const line_piece piece = piece_of(w, l, lines->room, first, w->rows, w->columns, vectors);
    transform_rows(w, lines->room, vectors * w->lanes, cells, NULL, inverse, vectors);
    lines->to->move(lines->to, &piece);
}

/* As a matrix */
static void run_matrix(const within *w, const within_line *l, void *work, int inverse, double factor,
                       const within_lines *lines)
{
    const size_t number = 2 * w->real;
    char *turned = work, *cells = turned + within_cells(w, w->column_blocks * w->column_height),
         *padding = cells + within_cells(w, w->group * w->row_width);
    for (int64_t i = 0, vectors; i < w->column_blocks; i += vectors) {
        const int64_t first = within_begin(w, i, w->columns);
        char *const to = turned + within_cells(w, i * w->column_height);
        vectors = group_from(w, i, w->columns);
        fetch_share(w, l, i, vectors);
        if (l->in)
            transform_columns(w, to, (const char *)l->in + (size_t)first * number, w->columns, padding,
                              inverse, vectors);
        else
            columns_from_edge(w, lines, l, to, inverse, first, vectors);
    }
    for (int64_t i = 0, vectors; i < w->row_blocks; i += vectors) {
        const int64_t first = within_begin(w, i, w->rows);
        vectors = group_from(w, i, w->rows);
        fetch_share(w, l, w->column_blocks + i, vectors);
        for (int64_t v = 0; v < vectors; v++)
            turn_block(w, cells + within_cells(w, v * w->row_width), turned, i + v, factor);
        if (l->out)
            transform_rows(w, (char *)l->out + (size_t)first * number, w->rows, cells, padding, inverse,
                           vectors);
        else
            rows_to_edge(w, lines, l, cells, inverse, first, vectors);
    }
}

/* ---- lines ---- */

static const void *moved(const void *at, int64_t bytes)
{
    return (const void *)((uintptr_t)at + (uintptr_t)bytes);
}

/* Lines that are done at once, one or several, from memory to memory. */
static void run_short(const within *w, void *out, const void *in, int inverse, double factor,
                      const within_lines *lines)
{
    if (w->whole) {
        w->whole(out, in, inverse, factor, lines);
        return;
    }
    char *to = out;
    const char *from = in;
    for (int64_t i = 0; i < lines->count; i++, to += lines->out_step, from += lines->in_step) {
        const void *next_out = moved(to, lines->out_step), *next_in = moved(from, lines->in_step);
        if (lines->ahead && !lines->from) fetch_from_to(next_in, 0, w->n * 2 * (int64_t)w->real);
        if (lines->ahead && !lines->to) fetch_from_to(next_out, 0, w->n * 2 * (int64_t)w->real);
        w->small(to, from, w->turns, inverse, factor);
    }
}

enum { SHORT_BYTES = 4096 }; /* of short lines that go through an edge's room together */

static int64_t short_lines(const within *w)
{
    const int64_t fitting = SHORT_BYTES / (w->n * 2 * (int64_t)w->real);
    return fitting > 1 ? fitting : 1;
}

size_t within_edge_bytes(const within *w)
{
    if (w->whole || w->small) return (size_t)(short_lines(w) * w->n) * 2 * w->real;
    return (size_t)(w->group * w->lanes * within_larger(w->rows, w->columns)) * 2 * w->real;
}

/* Short lines with an edge on one side at least, through its room. */
static void run_short_edges(const within *w, void *out, const void *in, int inverse, double factor,
                            const within_lines *lines)
{
    const int64_t most = short_lines(w), step = w->n * 2 * (int64_t)w->real;
    for (int64_t i = 0; i < lines->count; i += most) {
        const int64_t left = lines->count - i;
        const line_piece piece = {.at = lines->room,
                                  .pitch = 2 * w->n,
                                  .planes = 1,
                                  .rows = left < most ? left : most,
                                  .count = w->n,
                                  .line = i,
                                  .line_step = 1};
        const within_lines part = {.count = piece.rows,
                                   .out_step = lines->to ? step : lines->out_step,
                                   .in_step = lines->from ? step : lines->in_step,
                                   .ahead = lines->ahead,
                                   .from = lines->from,
                                   .to = lines->to};
        if (lines->from) lines->from->move(lines->from, &piece);
        run_short(w, lines->to ? lines->room : (char *)out + i * lines->out_step,
                  lines->from ? lines->room : (const char *)in + i * lines->in_step, inverse, factor, &part);
        if (lines->to) lines->to->move(lines->to, &piece);
    }
}

void within_run_lines(const within *w, void *out, const void *in, void *work, int inverse, double factor,
                      const within_lines *lines)
{
    if (w->whole || w->small) {
        (lines->from || lines->to ? run_short_edges : run_short)(w, out, in, inverse, factor, lines);
        return;
    }
    char *to = out;
    const char *from = in;
    for (int64_t i = 0; i < lines->count; i++, to += lines->out_step, from += lines->in_step) {
        const within_line l = {.out = lines->to ? NULL : to,
                               .in = lines->from ? NULL : from,
                               .next_out = lines->to || !lines->ahead ? NULL : moved(to, lines->out_step),
                               .next_in = lines->from || !lines->ahead ? NULL : moved(from, lines->in_step),
                               .number = i};
        run_matrix(w, &l, work, inverse, factor, lines);
    }
}

void within_run(const within *w, void *out, const void *in, void *work, int inverse, double factor)
{
    within_run_lines(w, out, in, work, inverse, factor, &(within_lines){.count = 1});
}
