/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of n = rows columns points as a matrix of rows x columns (Gentleman
 * and Sande 1966; Bailey, J. Supercomputing 4:23, 1990), for the sake of SIMD:
 * the transforms of its columns run side by side in the lanes of vectors,
 * whatever their radices; the result is multiplied by twiddles and transposed,
 * LANES x LANES points at a time in registers; then the rows' transforms run
 * side by side, and their results k, k + 1, ... are neighbours in memory. So
 * one pass over registers shuffles, all stages have twiddles that are the same in
 * all lanes, and lengths need no factor in common with LANES: the last vector
 * of columns overlaps the one before.
 *
 *   j = j1 columns + j2, k = k1 + rows k2:
 *   X[k] = sum_j2 w_columns^(j2 k2) ( w_n^(j2 k1) sum_j1 w_rows^(j1 k1) x[j] )
 */
#include "fft/cpu/simd_single/matrix.h"

#include <omp.h>
#include <string.h>

/* Lines of `count` points from one distance to another */
static void copy_rows(const simd_single *w, char *to, int64_t to_row, const char *from, int64_t from_row,
                      int64_t count, int64_t rows)
{
    const size_t point_bytes = 2 * w->real;
    for (int64_t i = 0; i < rows; i++)
        memcpy(to + (size_t)(i * to_row) * point_bytes, from + (size_t)(i * from_row) * point_bytes,
               (size_t)count * point_bytes);
}

/* Returns how many whole vectors of `count` lines there are from vector i on, up to a group; the last one
 * may not be whole. */
static int64_t group_from(const simd_single *w, int64_t i, int64_t count)
{
    const int64_t whole = count / w->lanes - i;
    return whole < 1 ? 1 : whole < w->group ? whole : w->group;
}

/* The stages behind the first one, of vectors of columns in cells. */
static void finish_columns(const simd_single *w, char *cells, int64_t vectors)
{
    const simd_single_chain *c = &w->column_chain;
    const int64_t lanes = w->lanes;
    for (int64_t v = 0; v < vectors; v++, cells += simd_single_cells(w, w->column_height)) {
        int64_t done = c->factors.radix[0];
        for (int i = 1; i < c->factors.count; done *= c->factors.radix[i++])
            w->kernels->stage[c->factors.radix[i]](cells, c->twiddles[i], w->rows, done);
        if (w->rows < lanes)
            memset(cells + simd_single_cells(w, w->rows), 0, simd_single_cells(w, lanes - w->rows));
    }
}

/* Vectors of columns, from `in`, whose rows have stride `row` (points), to cells. */
static void transform_columns(const simd_single *w, char *cells, const char *in, int64_t row, char *padding,
                              int inverse, int64_t vectors, const simd_single_weights *weights, int64_t half)
{
    const simd_single_chain *c = &w->column_chain;
    const int64_t lanes = w->lanes;
    if (w->padded && row < lanes) {
        copy_rows(w, padding, lanes, in, row, row, w->rows);
        in = padding;
        row = lanes;
    }
    w->kernels->first[weights ? weights->kind : WEIGHTS_NONE][c->factors.radix[0]](
        cells, in, c->groups, w->rows, row, w->columns, inverse,
        (simd_single_group){vectors, w->column_height, half}, weights);
    finish_columns(w, cells, vectors);
}

/* The stages before the last one, of vectors of rows in cells. */
static void begin_rows(const simd_single *w, char *cells, int64_t vectors)
{
    const simd_single_chain *c = &w->row_chain;
    for (int64_t v = 0; v < vectors; v++) {
        int64_t done = 1;
        for (int i = 0; i < c->factors.count - 1; done *= c->factors.radix[i++])
            w->kernels->stage[c->factors.radix[i]](cells + simd_single_cells(w, v * w->row_width),
                                                   c->twiddles[i], w->columns, done);
    }
}

static const void *last_twiddles(const simd_single *w, int inverse)
{
    const simd_single_chain *c = &w->row_chain;
    return inverse ? c->conjugate : c->twiddles[c->factors.count - 1];
}

static int last_radix(const simd_single *w)
{
    const simd_single_factors *f = &w->row_chain.factors;
    return f->radix[f->count - 1];
}

/* Vectors of rows, from cells to `out`, where results of the same row have stride `row` (points). */
static void transform_rows(const simd_single *w, char *out, int64_t row, char *cells, char *padding,
                           int inverse, int64_t vectors, const simd_single_weights *weights, int64_t half)
{
    const int64_t lanes = w->lanes;
    const int radix = last_radix(w);
    const void *twiddles = last_twiddles(w, inverse);
    const simd_single_group group = {vectors, w->row_width, half};
    begin_rows(w, cells, vectors);
    if (w->padded && row < lanes) {
        w->kernels->last[WEIGHTS_NONE][radix](padding, cells, twiddles, w->columns, lanes, lanes, inverse,
                                              group, NULL);
        copy_rows(w, out, w->rows, padding, lanes, w->rows, w->columns);
    } else {
        w->kernels->last[weights ? weights->kind : WEIGHTS_NONE][radix](out, cells, twiddles, w->columns, row,
                                                                        w->rows, inverse, group, weights);
    }
}

/* Block `block` of rows from the transposed matrix */
static void transpose_block(const simd_single *w, char *cells, const char *matrix, int64_t block,
                            double factor)
{
    const int64_t row = simd_single_begin(w, block, w->rows);
    const int32_t *places = w->row_chain.places;
    for (int64_t i = 0; i < w->column_blocks; i++) {
        const int64_t column = simd_single_begin(w, i, w->columns);
        const char *from = matrix + simd_single_cells(w, i * w->column_height + row),
                   *twiddles = (const char *)w->twiddles;
        if (w->coarse_twiddles)
            w->kernels->transpose_coarse(
                cells, places + column, from, twiddles + simd_single_cells(w, column),
                (const char *)w->coarse_twiddles + (size_t)(block * w->row_width + column) * 2 * w->real,
                factor);
        else
            w->kernels->transpose(cells, places + column, from,
                                  twiddles + simd_single_cells(w, block * w->row_width + column));
    }
    if (!w->coarse_twiddles && factor != 1) w->kernels->scale(cells, w->row_width, factor);
}

/* The share of the next line that goes with blocks i to i + count of all blocks of columns and rows */
static inline __attribute__((always_inline)) void
prefetch_share(const simd_single *w, const simd_single_line *l, int64_t i, int64_t count)
{
    const int64_t bytes = w->n * 2 * (int64_t)w->real, blocks = w->column_blocks + w->row_blocks,
                  from = i * bytes / blocks, to = (i + count) * bytes / blocks;
    simd_single_prefetch_next(w, l, from, to);
}

/* The same from another point on. */
static simd_single_weights weights_from(const simd_single *w, const simd_single_weights *all, int64_t point)
{
    simd_single_weights some = *all;
    if (all->kind < WEIGHTS_REAL) return some;
    const int64_t reals = all->kind == WEIGHTS_COMPLEX ? 2 : 1;
    some.at = (const char *)all->at + (size_t)(point * reals) * w->real;
    return some;
}

/* Elements that a callback moves: `rows` of them at points first, first + step and so on, `vectors` wide. */
static line_piece piece_of(const simd_single *w, const simd_single_line *l, void *buffer, int64_t first,
                           int64_t step, int64_t rows, int64_t vectors)
{
    const int64_t width = vectors * w->lanes;
    return (line_piece){.at = buffer,
                        .pitch = 2 * width,
                        .planes = 1,
                        .rows = rows,
                        .count = step < width ? step : width,
                        .line = l->index,
                        .point = first,
                        .point_step = step};
}

/* ---- rotated lines ---- */

/* The matrix of a rotated line begins at another row and column of memory: vectors from point `first` of a
 * row of `width` on. Returns the point of the row where they are in memory. */
static int64_t shift_of(const simd_single *w, simd_single_shift *shift, int64_t first, int64_t rotate,
                        int64_t width, int64_t rows, int64_t vectors)
{
    int64_t place = first + rotate % width, row = rotate / width;
    if (place >= width) {
        place -= width;
        row = row + 1 < rows ? row + 1 : 0;
    }
    const int64_t each = width < w->lanes ? width : w->lanes, meant = vectors > 1 ? vectors * each : each;
    shift->rows = row;
    shift->before_end = place + meant > width ? width - place : 0;
    return place;
}

static void read_moved(const simd_single *w, const simd_single_line *l, char *cells, int inverse,
                       int64_t first, int64_t vectors, int64_t rotate)
{
    const simd_single_chain *c = &w->column_chain;
    simd_single_shift shift = {.begin = (char *)l->in};
    const int64_t place = shift_of(w, &shift, first, rotate, w->columns, w->rows, vectors);
    if (shift.before_end && vectors > 1) { /* one at a time where one of them passes the end of a row */
        for (int64_t v = 0; v < vectors; v++)
            read_moved(w, l, cells + simd_single_cells(w, v * w->column_height), inverse,
                       first + v * w->lanes, 1, rotate);
        return;
    }
    w->kernels->first_moved[c->factors.radix[0]](cells, l->in + (size_t)place * 2 * w->real, c->groups,
                                                 w->rows, w->columns, w->columns, inverse,
                                                 (simd_single_group){vectors, w->column_height, 0}, &shift);
    finish_columns(w, cells, vectors);
}

static void write_moved(const simd_single *w, const simd_single_line *l, char *cells, int inverse,
                        int64_t first, int64_t vectors, int64_t rotate)
{
    simd_single_shift shift = {.begin = l->out};
    const int64_t place = shift_of(w, &shift, first, rotate, w->rows, w->columns, vectors);
    if (shift.before_end && vectors > 1) {
        for (int64_t v = 0; v < vectors; v++)
            write_moved(w, l, cells + simd_single_cells(w, v * w->row_width), inverse, first + v * w->lanes,
                        1, rotate);
        return;
    }
    begin_rows(w, cells, vectors);
    w->kernels->last_moved[last_radix(w)](l->out + (size_t)place * 2 * w->real, cells,
                                          last_twiddles(w, inverse), w->columns, w->rows, w->rows, inverse,
                                          (simd_single_group){vectors, w->row_width, 0}, &shift);
}

/* ---- a line's blocks ---- */

/* Vectors of columns from column `first` on, from memory or a callback. */
static void read_columns(const simd_single *w, const simd_single_lines *lines, const simd_single_line *l,
                         char *cells, char *padding, int inverse, int64_t first, int64_t vectors)
{
    if (!l->in) {
        const line_piece piece = piece_of(w, l, lines->buffer, first, w->columns, w->rows, vectors);
        lines->from->move(lines->from, &piece);
        transform_columns(w, cells, lines->buffer, vectors * w->lanes, NULL, inverse, vectors, NULL, 0);
        return;
    }
    if (simd_single_is_moved(w, lines->rotate_in)) {
        read_moved(w, l, cells, inverse, first, vectors, lines->rotate_in);
        return;
    }
    const char *in = l->in + (size_t)first * 2 * w->real;
    const int64_t half = simd_single_half(w, lines->rotate_in);
    const simd_single_weights weights = weights_from(w, &l->weights[0], first);
    transform_columns(w, cells, in, w->columns, padding, inverse, vectors, &weights, half);
}

static void write_rows(const simd_single *w, const simd_single_lines *lines, const simd_single_line *l,
                       char *cells, char *padding, int inverse, int64_t first, int64_t vectors)
{
    if (!l->out) {
        const line_piece piece = piece_of(w, l, lines->buffer, first, w->rows, w->columns, vectors);
        transform_rows(w, lines->buffer, vectors * w->lanes, cells, NULL, inverse, vectors, NULL, 0);
        lines->to->move(lines->to, &piece);
        return;
    }
    if (simd_single_is_moved(w, lines->rotate_out)) {
        write_moved(w, l, cells, inverse, first, vectors, lines->rotate_out);
        return;
    }
    char *out = l->out + (size_t)first * 2 * w->real;
    const int64_t half = simd_single_half(w, lines->rotate_out);
    const simd_single_weights weights = weights_from(w, &l->weights[1], first);
    transform_rows(w, out, w->rows, cells, padding, inverse, vectors, &weights, half);
}

/* Vectors of columns from vector i on to the transposed matrix, a group of them; how many */
static int64_t columns_from(const simd_single *w, const simd_single_line *l, char *matrix, char *padding,
                            int inverse, const simd_single_lines *lines, int64_t i)
{
    const int64_t vectors = group_from(w, i, w->columns);
    prefetch_share(w, l, i, vectors);
    read_columns(w, lines, l, matrix + simd_single_cells(w, i * w->column_height), padding, inverse,
                 simd_single_begin(w, i, w->columns), vectors);
    return vectors;
}

/* Vectors of rows from there */
static int64_t rows_from(const simd_single *w, const simd_single_line *l, const char *matrix, char *cells,
                         int inverse, double factor, const simd_single_lines *lines, int64_t i)
{
    const int64_t vectors = group_from(w, i, w->rows);
    char *padding = cells + simd_single_cells(w, w->group * w->row_width);
    prefetch_share(w, l, w->column_blocks + i, vectors);
    for (int64_t v = 0; v < vectors; v++)
        transpose_block(w, cells + simd_single_cells(w, v * w->row_width), matrix, i + v, factor);
    write_rows(w, lines, l, cells, padding, inverse, simd_single_begin(w, i, w->rows), vectors);
    return vectors;
}

/* Long lines have many groups, none of which is padded. The last vector writes rows that the one before has
 * written as well, so that it comes behind all others. */
static void run_together(const simd_single *w, const simd_single_line *l, char *matrix, size_t cells,
                         int inverse, double factor, const simd_single_lines *lines)
{
    const int64_t columns = w->columns / w->lanes, rows = w->rows / w->lanes;
#pragma omp parallel for num_threads(lines->team.threads) schedule(static)
    for (int64_t i = 0; i < columns; i += w->group) columns_from(w, l, matrix, NULL, inverse, lines, i);
    if (columns < w->column_blocks) columns_from(w, l, matrix, NULL, inverse, lines, columns);
#pragma omp parallel for num_threads(lines->team.threads) schedule(static)
    for (int64_t i = 0; i < rows; i += w->group)
        rows_from(w, l, matrix, matrix + cells + lines->team.apart * (size_t)omp_get_thread_num(), inverse,
                  factor, lines, i);
    if (rows < w->row_blocks) rows_from(w, l, matrix, matrix + cells, inverse, factor, lines, rows);
}

static bool is_shared(const simd_single *w, const simd_single_line *l, const simd_single_lines *lines)
{
    enum { LEAST = 65536 }; /* points, for which threads are worth being called */
    return lines->team.threads > 1 && w->n >= LEAST && l->in && l->out && !w->padded;
}

void simd_single_run_alone(const simd_single *w, char *out, const char *in, void *work, int inverse,
                           double factor)
{
    char *matrix = work, *cells = matrix + simd_single_cells(w, w->column_blocks * w->column_height),
         *padding = cells + simd_single_cells(w, w->row_width);
    for (int64_t i = 0; i < w->column_blocks; i++)
        transform_columns(w, matrix + simd_single_cells(w, i * w->column_height),
                          in + (size_t)simd_single_begin(w, i, w->columns) * 2 * w->real, w->columns, padding,
                          inverse, 1, NULL, 0);
    for (int64_t i = 0; i < w->row_blocks; i++) {
        transpose_block(w, cells, matrix, i, factor);
        transform_rows(w, out + (size_t)simd_single_begin(w, i, w->rows) * 2 * w->real, w->rows, cells,
                       padding, inverse, 1, NULL, 0);
    }
}

/* Transforms a line as a matrix */
void simd_single_run_matrix(const simd_single *w, const simd_single_line *l, void *work, int inverse,
                            double factor, const simd_single_lines *lines)
{
    char *matrix = work, *cells = matrix + simd_single_cells(w, w->column_blocks * w->column_height),
         *padding = cells + simd_single_cells(w, w->group * w->row_width);
    if (is_shared(w, l, lines)) {
        run_together(w, l, matrix, (size_t)(cells - matrix), inverse, factor, lines);
        return;
    }
    for (int64_t i = 0; i < w->column_blocks;) i += columns_from(w, l, matrix, padding, inverse, lines, i);
    for (int64_t i = 0; i < w->row_blocks;) i += rows_from(w, l, matrix, cells, inverse, factor, lines, i);
}
