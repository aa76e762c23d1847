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
#include "fft/cpu/simd_single/plan.h"
#include <string.h>
#include "fft/cpu/line/prefetch.h"

/* Lines of `count` points from one distance to another */
static void copy_rows(const simd_single *w, char *to, int64_t to_row, const char *from, int64_t from_row,
                      int64_t count, int64_t rows)
{
    const size_t point_bytes = 2 * w->real;
    for (int64_t i = 0; i < rows; i++)
        memcpy(to + (size_t)(i * to_row) * point_bytes, from + (size_t)(i * from_row) * point_bytes,
               (size_t)count * point_bytes);
}

/* The transposed matrix by blocks, a row of cells, and space for vectors where lines
 * have less. */
size_t simd_single_work_bytes(const simd_single *w)
{
    if (w->whole || w->small) return 0;
    const int64_t padding = w->padded ? simd_single_larger(w->rows, w->columns) : 0;
    return simd_single_cells(w, w->column_blocks * w->column_height + w->group * w->row_width + padding);
}

/* How many whole vectors of `count` lines there are from vector i on, up to a group; the last one may not be
 * whole. */
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

/* Vectors of columns, from `in`, whose rows are `row` points apart, to cells. */
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

/* Vectors of rows, from cells to `out`, where results of the same row are `row` points apart. */
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

/* ---- a line ---- */

/* Bytes of lines that a processor fetches by itself, as they follow each other so closely that they are one
 * stream to it; and of those that the nearest cache can fetch while one is computed, asked for as a whole or
 * block by block. */
enum { NOT_FETCHED = 512, FETCHED_NEAR_AT_ONCE = 1536, FETCHED_NEAR = 2047 };

/* One line: memory and its weights, or where it is NULL a callback; and the next one's memory, to be fetched
 * meanwhile, or NULL. */
typedef struct simd_single_line {
    char *out;
    const char *in, *next_out, *next_in;
    simd_single_weights weights[2]; /* of `in` and of `out` */
    const char *next_weights[2];
    int64_t index;
} simd_single_line;

static inline __attribute__((always_inline)) void prefetch_part(const char *at, int64_t from, int64_t to,
                                                                bool near)
{
    if (!at) return;
    if (near)
        prefetch_near_range(at, from, to);
    else
        prefetch_range(at, from, to);
}

/* From one byte to another of the next line, and of its weights */
static inline __attribute__((always_inline)) void
prefetch_next(const simd_single *w, const simd_single_line *l, int64_t from, int64_t to)
{
    const int64_t bytes = w->n * 2 * (int64_t)w->real;
    if (bytes <= NOT_FETCHED) return;
    const bool near = bytes <= (w->small ? FETCHED_NEAR_AT_ONCE : FETCHED_NEAR);
    prefetch_part(l->next_in, from, to, near);
    prefetch_part(l->next_out, from, to, near);
    for (int i = 0; i < 2; i++) {
        const int shift = l->weights[i].kind == WEIGHTS_REAL;
        prefetch_part(l->next_weights[i], from >> shift, to >> shift, near);
    }
}

/* The share of the next line that goes with blocks i to i + count of all blocks of columns and rows */
static inline __attribute__((always_inline)) void
prefetch_share(const simd_single *w, const simd_single_line *l, int64_t i, int64_t count)
{
    const int64_t bytes = w->n * 2 * (int64_t)w->real, blocks = w->column_blocks + w->row_blocks,
                  from = i * bytes / blocks, to = (i + count) * bytes / blocks;
    prefetch_next(w, l, from, to);
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

/* Numbers that a callback moves: `rows` of them at points first, first + step and so on, `vectors` wide. */
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

bool simd_single_rotates(const simd_single *w)
{
    return !w->whole && !w->padded;
}

/* Reals by which the halves of a line are moved: a rotation by half a line is one of the points of the first
 * and of the last butterfly. */
static int64_t half_of(const simd_single *w, int64_t rotate)
{
    return rotate && 2 * rotate == w->n && simd_single_rotates_half(w) ? w->n : 0;
}

static bool is_moved(const simd_single *w, int64_t rotate)
{
    return rotate && !half_of(w, rotate);
}

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
    if (is_moved(w, lines->rotate_in)) {
        read_moved(w, l, cells, inverse, first, vectors, lines->rotate_in);
        return;
    }
    const char *in = l->in + (size_t)first * 2 * w->real;
    const int64_t half = half_of(w, lines->rotate_in);
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
    if (is_moved(w, lines->rotate_out)) {
        write_moved(w, l, cells, inverse, first, vectors, lines->rotate_out);
        return;
    }
    char *out = l->out + (size_t)first * 2 * w->real;
    const int64_t half = half_of(w, lines->rotate_out);
    const simd_single_weights weights = weights_from(w, &l->weights[1], first);
    transform_rows(w, out, w->rows, cells, padding, inverse, vectors, &weights, half);
}

/* As a matrix */
static void run_matrix(const simd_single *w, const simd_single_line *l, void *work, int inverse,
                       double factor, const simd_single_lines *lines)
{
    char *matrix = work, *cells = matrix + simd_single_cells(w, w->column_blocks * w->column_height),
         *padding = cells + simd_single_cells(w, w->group * w->row_width);
    for (int64_t i = 0, vectors; i < w->column_blocks; i += vectors) {
        vectors = group_from(w, i, w->columns);
        prefetch_share(w, l, i, vectors);
        read_columns(w, lines, l, matrix + simd_single_cells(w, i * w->column_height), padding, inverse,
                     simd_single_begin(w, i, w->columns), vectors);
    }
    for (int64_t i = 0, vectors; i < w->row_blocks; i += vectors) {
        vectors = group_from(w, i, w->rows);
        prefetch_share(w, l, w->column_blocks + i, vectors);
        for (int64_t v = 0; v < vectors; v++)
            transpose_block(w, cells + simd_single_cells(w, v * w->row_width), matrix, i + v, factor);
        write_rows(w, lines, l, cells, padding, inverse, simd_single_begin(w, i, w->rows), vectors);
    }
}

/* As a whole */
static void run_small(const simd_single *w, const simd_single_line *l, int inverse, double factor,
                      const simd_single_lines *lines)
{
    const int64_t rotate[2] = {lines->rotate_in, lines->rotate_out},
                  halves[2] = {half_of(w, rotate[0]), half_of(w, rotate[1])};
    prefetch_next(w, l, 0, w->n * 2 * (int64_t)w->real);
    if (is_moved(w, rotate[0]) || is_moved(w, rotate[1])) {
        w->small->moved(l->out, l->in, w->twiddles, inverse, factor, rotate);
        return;
    }
    w->small->run[l->weights[0].kind][l->weights[1].kind](l->out, l->in, w->twiddles, inverse, factor,
                                                          l->weights, halves);
}

/* ---- lines ---- */

static const void *moved(const void *at, int64_t bytes)
{
    return (const void *)((uintptr_t)at + (uintptr_t)bytes);
}

/* A rotation by half a line is one of the points of the first and of the last butterfly, where they are even.
 */
bool simd_single_rotates_half(const simd_single *w)
{
    if (w->whole || w->padded) return false;
    if (w->small) return w->rows % 2 == 0;
    const simd_single_factors *first = &w->column_chain.factors, *last = &w->row_chain.factors;
    return first->radix[0] % 2 == 0 && last->radix[last->count - 1] % 2 == 0;
}

/* Whether the callback's weights say all, and its points can be multiplied in registers: with a real number
 * for each line in the line's factor. */
static bool can_multiply(const simd_single *w, const line_callback *callback)
{
    const line_weights *a = callback ? callback->weights : NULL;
    return a && !w->whole && !w->padded &&
           (!a->at || a->point == (a->real ? 1 : 2) || (a->point == 0 && a->real));
}

/* The factor that is the same for a line's points. */
static double line_factor(const simd_single *w, const line_weights *a, int64_t line)
{
    if (!a || !a->at || a->point) return 1;
    return w->real == sizeof(double) ? ((const double *)a->at)[line * a->line]
                                     : (double)((const float *)a->at)[line * a->line];
}

/* Of the first line. */
static simd_single_weights weights_of(const line_weights *a)
{
    if (!a) return (simd_single_weights){WEIGHTS_NONE};
    const bool each = a->at && a->point;
    return (simd_single_weights){.kind = each         ? (a->real ? WEIGHTS_REAL : WEIGHTS_COMPLEX)
                                         : a->im != 0 ? WEIGHTS_ONE
                                                      : WEIGHTS_NONE,
                                 .at = a->at,
                                 .sign = a->conjugate ? -1 : 1,
                                 .re = a->re,
                                 .im = a->im};
}

/* Lines in memory or, where they are not short, at callbacks that do more than multiply. */
static void run_lines(const simd_single *w, char *out, const char *in, void *work, int inverse, double factor,
                      const simd_single_lines *lines)
{
    const line_weights *from = can_multiply(w, lines->from) ? lines->from->weights : NULL,
                       *to = can_multiply(w, lines->to) ? lines->to->weights : NULL;
    const int64_t weights_step[2] = {from && from->at ? from->line * (int64_t)w->real : 0,
                                     to && to->at ? to->line * (int64_t)w->real : 0};
    const bool in_memory = !lines->from || from, out_memory = !lines->to || to;
    simd_single_line l = {.out = out_memory ? out : NULL,
                          .in = in_memory ? in : NULL,
                          .weights = {weights_of(from), weights_of(to)}};
    if (to && to->im == 0) factor *= to->re;
    for (; l.index < lines->count; l.index++) {
        if (in_memory && lines->prefetch) l.next_in = moved(l.in, lines->in_step);
        if (out_memory && lines->prefetch) l.next_out = moved(l.out, lines->out_step);
        for (int i = 0; i < 2 && lines->prefetch; i++)
            if (weights_step[i]) l.next_weights[i] = moved(l.weights[i].at, weights_step[i]);
        const double f = factor * line_factor(w, from, l.index) * line_factor(w, to, l.index);
        if (w->small)
            run_small(w, &l, inverse, f, lines);
        else
            run_matrix(w, &l, work, inverse, f, lines);
        if (in_memory) l.in += lines->in_step;
        if (out_memory) l.out += lines->out_step;
        for (int i = 0; i < 2; i++)
            if (weights_step[i]) l.weights[i].at = moved(l.weights[i].at, weights_step[i]);
    }
}

enum { SHORT_BYTES = 4096 }; /* of short lines that go through a callback's buffer together */

static int64_t short_lines(const simd_single *w)
{
    const int64_t fitting = SHORT_BYTES / (w->n * 2 * (int64_t)w->real);
    return fitting > 1 ? fitting : 1;
}

size_t simd_single_callback_bytes(const simd_single *w)
{
    if (w->whole || w->small) return (size_t)(short_lines(w) * w->n) * 2 * w->real;
    return (size_t)(w->group * w->lanes * simd_single_larger(w->rows, w->columns)) * 2 * w->real;
}

/* Short lines at callbacks, through their buffer. */
static void run_short_callbacks(const simd_single *w, char *out, const char *in, int inverse, double factor,
                                const simd_single_lines *lines)
{
    const int64_t most = short_lines(w), step = w->n * 2 * (int64_t)w->real;
    for (int64_t i = 0; i < lines->count; i += most) {
        const int64_t left = lines->count - i;
        const line_piece piece = {.at = lines->buffer,
                                  .pitch = 2 * w->n,
                                  .planes = 1,
                                  .rows = left < most ? left : most,
                                  .count = w->n,
                                  .line = i,
                                  .line_step = 1};
        const simd_single_lines part = {.count = piece.rows,
                                        .out_step = lines->to ? step : lines->out_step,
                                        .in_step = lines->from ? step : lines->in_step,
                                        .rotate_in = lines->from ? 0 : lines->rotate_in,
                                        .rotate_out = lines->to ? 0 : lines->rotate_out};
        char *to = lines->to ? lines->buffer : out + i * lines->out_step;
        const char *from = lines->from ? lines->buffer : in + i * lines->in_step;
        if (lines->from) lines->from->move(lines->from, &piece);
        if (w->whole)
            w->whole(to, from, inverse, factor, &part);
        else
            run_lines(w, to, from, NULL, inverse, factor, &part);
        if (lines->to) lines->to->move(lines->to, &piece);
    }
}

/* Whether callbacks move points: where weights are not all, and those of a short line whose other end is
 * rotated. */
static bool callbacks_move(const simd_single *w, const simd_single_lines *lines)
{
    const bool rotated = w->small && ((!lines->from && is_moved(w, lines->rotate_in)) ||
                                      (!lines->to && is_moved(w, lines->rotate_out)));
    return (lines->from && (rotated || !can_multiply(w, lines->from))) ||
           (lines->to && (rotated || !can_multiply(w, lines->to)));
}

/* Lines that come some calls later, to the second-level cache: several lines are as many streams, and short
 * ones. */
static inline __attribute__((always_inline)) void prefetch_packed(const simd_single *w, const char *at,
                                                                  int64_t step)
{
    enum { LATER = 3 }; /* from 2 to 8 it makes little difference */
    for (int64_t i = 0; i < w->packed_lines; i++)
        prefetch_range(moved(at, (LATER * w->packed_lines + i) * step), 0, w->n * 2 * (int64_t)w->real);
}

/* Short lines that nothing else happens to, several at a time; how many. */
static int64_t run_packed(const simd_single *w, char *out, const char *in, int inverse, double factor,
                          const simd_single_lines *lines)
{
    enum { FETCHED = 256 }; /* bytes of a line from which on fetches gain */
    const bool prefetch = lines->prefetch && w->n * 2 * (int64_t)w->real >= FETCHED;
    int64_t done = 0;
    if (!w->packed || lines->from || lines->to || lines->rotate_in || lines->rotate_out) return 0;
    for (; done + w->packed_lines <= lines->count; done += w->packed_lines) {
        const int64_t to = done * lines->out_step, from = done * lines->in_step;
        if (prefetch) {
            prefetch_packed(w, in + from, lines->in_step);
            prefetch_packed(w, out + to, lines->out_step);
        }
        w->packed(out + to, in + from, w->twiddles, inverse, factor, lines->out_step, lines->in_step);
    }
    return done;
}

static void run_rest(const simd_single *w, char *out, const char *in, void *work, int inverse, double factor,
                     const simd_single_lines *lines)
{
    simd_single_lines rest = *lines;
    const int64_t done = run_packed(w, out, in, inverse, factor, lines);
    rest.count -= done;
    run_lines(w, out + done * lines->out_step, in + done * lines->in_step, work, inverse, factor, &rest);
}

/* One short line as it is, for which the questions of others took longer than its transform. */
static bool is_alone(const simd_single *w, const simd_single_lines *lines)
{
    return w->small && lines->count == 1 && !lines->from && !lines->to && !lines->prefetch &&
           !(lines->rotate_in | lines->rotate_out);
}

void simd_single_run_lines(const simd_single *w, void *out, const void *in, void *work, int inverse,
                           double factor, const simd_single_lines *lines)
{
    static const simd_single_weights none[2];
    static const int64_t unmoved[2];
    if (is_alone(w, lines))
        w->small->run[WEIGHTS_NONE][WEIGHTS_NONE](out, in, w->twiddles, inverse, factor, none, unmoved);
    else if ((w->whole || w->small) && callbacks_move(w, lines))
        run_short_callbacks(w, out, in, inverse, factor, lines);
    else if (w->whole)
        w->whole(out, in, inverse, factor, lines);
    else
        run_rest(w, out, in, work, inverse, factor, lines);
}

void simd_single_run(const simd_single *w, void *out, const void *in, void *work, int inverse, double factor)
{
    simd_single_run_lines(w, out, in, work, inverse, factor, &(simd_single_lines){.count = 1});
}
