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
#include "fft/cpu/simd_single/plan.h"
#include <string.h>
#include "fft/cpu/line/prefetch.h"

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

/* The stages behind the first one, of vectors of columns in cells. */
static void finish_columns(const within *w, char *cells, int64_t vectors)
{
    const within_chain *c = &w->along_columns;
    const int64_t lanes = w->lanes;
    for (int64_t v = 0; v < vectors; v++, cells += within_cells(w, w->column_height)) {
        int64_t done = c->factors.radix[0];
        for (int i = 1; i < c->factors.count; done *= c->factors.radix[i++])
            w->kernels->stage[c->factors.radix[i]](cells, c->turns[i], w->rows, done);
        if (w->rows < lanes) memset(cells + within_cells(w, w->rows), 0, within_cells(w, lanes - w->rows));
    }
}

/* Vectors of columns, from `in`, whose rows are `row` numbers apart, to cells. */
static void transform_columns(const within *w, char *cells, const char *in, int64_t row, char *padding,
                              int inverse, int64_t vectors, const within_weights *weights, int64_t half)
{
    const within_chain *c = &w->along_columns;
    const int64_t lanes = w->lanes;
    if (w->padded && row < lanes) {
        copy_rows(w, padding, lanes, in, row, row, w->rows);
        in = padding;
        row = lanes;
    }
    w->kernels->first[weights ? weights->kind : WEIGH_NONE][c->factors.radix[0]](
        cells, in, c->groups, w->rows, row, w->columns, inverse,
        (within_group){vectors, w->column_height, half}, weights);
    finish_columns(w, cells, vectors);
}

/* The stages before the last one, of vectors of rows in cells. */
static void begin_rows(const within *w, char *cells, int64_t vectors)
{
    const within_chain *c = &w->along_rows;
    for (int64_t v = 0; v < vectors; v++) {
        int64_t done = 1;
        for (int i = 0; i < c->factors.count - 1; done *= c->factors.radix[i++])
            w->kernels->stage[c->factors.radix[i]](cells + within_cells(w, v * w->row_width), c->turns[i],
                                                   w->columns, done);
    }
}

static const void *last_turns(const within *w, int inverse)
{
    const within_chain *c = &w->along_rows;
    return inverse ? c->conjugate : c->turns[c->factors.count - 1];
}

static int last_radix(const within *w)
{
    const within_factors *f = &w->along_rows.factors;
    return f->radix[f->count - 1];
}

/* Vectors of rows, from cells to `out`, where results of the same row are `row` numbers apart. */
static void transform_rows(const within *w, char *out, int64_t row, char *cells, char *padding, int inverse,
                           int64_t vectors, const within_weights *weights, int64_t half)
{
    const int64_t lanes = w->lanes;
    const int radix = last_radix(w);
    const void *turns = last_turns(w, inverse);
    const within_group group = {vectors, w->row_width, half};
    begin_rows(w, cells, vectors);
    if (w->padded && row < lanes) {
        w->kernels->last[WEIGH_NONE][radix](padding, cells, turns, w->columns, lanes, lanes, inverse, group,
                                            NULL);
        copy_rows(w, out, w->rows, padding, lanes, w->rows, w->columns);
    } else {
        w->kernels->last[weights ? weights->kind : WEIGH_NONE][radix](out, cells, turns, w->columns, row,
                                                                      w->rows, inverse, group, weights);
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

/* Bytes of lines that a processor fetches by itself, as they follow each other so closely that they are one
 * stream to it; and of those that the nearest cache can fetch while one is computed, asked for as a whole or
 * block by block. */
enum { NOT_FETCHED = 512, FETCHED_NEAR_AT_ONCE = 1536, FETCHED_NEAR = 2047 };

/* One line: memory and its weights, or where it is NULL an edge; and the next one's memory, to be fetched
 * meanwhile, or NULL. */
typedef struct within_line {
    char *out;
    const char *in, *next_out, *next_in;
    within_weights weights[2]; /* of `in` and of `out` */
    const char *next_weights[2];
    int64_t number;
} within_line;

static inline __attribute__((always_inline)) void fetch_part(const char *at, int64_t from, int64_t to,
                                                             bool near)
{
    if (!at) return;
    if (near)
        fetch_near_from_to(at, from, to);
    else
        fetch_from_to(at, from, to);
}

/* From one byte to another of the next line, and of its weights */
static inline __attribute__((always_inline)) void fetch_next(const within *w, const within_line *l,
                                                             int64_t from, int64_t to)
{
    const int64_t bytes = w->n * 2 * (int64_t)w->real;
    if (bytes <= NOT_FETCHED) return;
    const bool near = bytes <= (w->small ? FETCHED_NEAR_AT_ONCE : FETCHED_NEAR);
    fetch_part(l->next_in, from, to, near);
    fetch_part(l->next_out, from, to, near);
    for (int i = 0; i < 2; i++) {
        const int shift = l->weights[i].kind == WEIGH_REAL;
        fetch_part(l->next_weights[i], from >> shift, to >> shift, near);
    }
}

/* The share of the next line that goes with blocks i to i + count of all blocks of columns and rows */
static inline __attribute__((always_inline)) void fetch_share(const within *w, const within_line *l,
                                                              int64_t i, int64_t count)
{
    const int64_t bytes = w->n * 2 * (int64_t)w->real, blocks = w->column_blocks + w->row_blocks,
                  from = i * bytes / blocks, to = (i + count) * bytes / blocks;
    fetch_next(w, l, from, to);
}

/* The same from another number on. */
static within_weights weights_from(const within *w, const within_weights *all, int64_t number)
{
    within_weights some = *all;
    if (all->kind < WEIGH_REAL) return some;
    const int64_t reals = all->kind == WEIGH_COMPLEX ? 2 : 1;
    some.at = (const char *)all->at + (size_t)(number * reals) * w->real;
    return some;
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

/* ---- rotated lines ---- */

bool within_rotates(const within *w)
{
    return !w->whole && !w->padded;
}

/* Reals by which the halves of a line are moved: a rotation by half a line is one of the points of the first
 * and of the last butterfly. */
static int64_t half_of(const within *w, int64_t rotate)
{
    return rotate && 2 * rotate == w->n && within_turns_half(w) ? w->n : 0;
}

static bool is_moved(const within *w, int64_t rotate)
{
    return rotate && !half_of(w, rotate);
}

/* The matrix of a rotated line begins at another row and column of memory: vectors from number `first` of a
 * row of `width` on. Returns the number of the row where they are in memory. */
static int64_t shift_of(const within *w, within_shift *shift, int64_t first, int64_t rotate, int64_t width,
                        int64_t rows, int64_t vectors)
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

static void read_moved(const within *w, const within_line *l, char *cells, int inverse, int64_t first,
                       int64_t vectors, int64_t rotate)
{
    const within_chain *c = &w->along_columns;
    within_shift shift = {.begin = (char *)l->in};
    const int64_t place = shift_of(w, &shift, first, rotate, w->columns, w->rows, vectors);
    if (shift.before_end && vectors > 1) { /* one at a time where one of them passes the end of a row */
        for (int64_t v = 0; v < vectors; v++)
            read_moved(w, l, cells + within_cells(w, v * w->column_height), inverse, first + v * w->lanes, 1,
                       rotate);
        return;
    }
    w->kernels->first_moved[c->factors.radix[0]](cells, l->in + (size_t)place * 2 * w->real, c->groups,
                                                 w->rows, w->columns, w->columns, inverse,
                                                 (within_group){vectors, w->column_height, 0}, &shift);
    finish_columns(w, cells, vectors);
}

static void write_moved(const within *w, const within_line *l, char *cells, int inverse, int64_t first,
                        int64_t vectors, int64_t rotate)
{
    within_shift shift = {.begin = l->out};
    const int64_t place = shift_of(w, &shift, first, rotate, w->rows, w->columns, vectors);
    if (shift.before_end && vectors > 1) {
        for (int64_t v = 0; v < vectors; v++)
            write_moved(w, l, cells + within_cells(w, v * w->row_width), inverse, first + v * w->lanes, 1,
                        rotate);
        return;
    }
    begin_rows(w, cells, vectors);
    w->kernels->last_moved[last_radix(w)](l->out + (size_t)place * 2 * w->real, cells, last_turns(w, inverse),
                                          w->columns, w->rows, w->rows, inverse,
                                          (within_group){vectors, w->row_width, 0}, &shift);
}

/* ---- a line's blocks ---- */

/* Vectors of columns from column `first` on, from memory or an edge. */
static void read_columns(const within *w, const within_lines *lines, const within_line *l, char *cells,
                         char *padding, int inverse, int64_t first, int64_t vectors)
{
    if (!l->in) {
        const line_piece piece = piece_of(w, l, lines->room, first, w->columns, w->rows, vectors);
        lines->from->move(lines->from, &piece);
        transform_columns(w, cells, lines->room, vectors * w->lanes, NULL, inverse, vectors, NULL, 0);
        return;
    }
    if (is_moved(w, lines->rotate_in)) {
        read_moved(w, l, cells, inverse, first, vectors, lines->rotate_in);
        return;
    }
    const char *in = l->in + (size_t)first * 2 * w->real;
    const int64_t half = half_of(w, lines->rotate_in);
    const within_weights weights = weights_from(w, &l->weights[0], first);
    transform_columns(w, cells, in, w->columns, padding, inverse, vectors, &weights, half);
}

static void write_rows(const within *w, const within_lines *lines, const within_line *l, char *cells,
                       char *padding, int inverse, int64_t first, int64_t vectors)
{
    if (!l->out) {
        const line_piece piece = piece_of(w, l, lines->room, first, w->rows, w->columns, vectors);
        transform_rows(w, lines->room, vectors * w->lanes, cells, NULL, inverse, vectors, NULL, 0);
        lines->to->move(lines->to, &piece);
        return;
    }
    if (is_moved(w, lines->rotate_out)) {
        write_moved(w, l, cells, inverse, first, vectors, lines->rotate_out);
        return;
    }
    char *out = l->out + (size_t)first * 2 * w->real;
    const int64_t half = half_of(w, lines->rotate_out);
    const within_weights weights = weights_from(w, &l->weights[1], first);
    transform_rows(w, out, w->rows, cells, padding, inverse, vectors, &weights, half);
}

/* As a matrix */
static void run_matrix(const within *w, const within_line *l, void *work, int inverse, double factor,
                       const within_lines *lines)
{
    char *turned = work, *cells = turned + within_cells(w, w->column_blocks * w->column_height),
         *padding = cells + within_cells(w, w->group * w->row_width);
    for (int64_t i = 0, vectors; i < w->column_blocks; i += vectors) {
        vectors = group_from(w, i, w->columns);
        fetch_share(w, l, i, vectors);
        read_columns(w, lines, l, turned + within_cells(w, i * w->column_height), padding, inverse,
                     within_begin(w, i, w->columns), vectors);
    }
    for (int64_t i = 0, vectors; i < w->row_blocks; i += vectors) {
        vectors = group_from(w, i, w->rows);
        fetch_share(w, l, w->column_blocks + i, vectors);
        for (int64_t v = 0; v < vectors; v++)
            turn_block(w, cells + within_cells(w, v * w->row_width), turned, i + v, factor);
        write_rows(w, lines, l, cells, padding, inverse, within_begin(w, i, w->rows), vectors);
    }
}

/* As a whole */
static void run_small(const within *w, const within_line *l, int inverse, double factor,
                      const within_lines *lines)
{
    const int64_t rotate[2] = {lines->rotate_in, lines->rotate_out},
                  halves[2] = {half_of(w, rotate[0]), half_of(w, rotate[1])};
    fetch_next(w, l, 0, w->n * 2 * (int64_t)w->real);
    if (is_moved(w, rotate[0]) || is_moved(w, rotate[1])) {
        w->small->moved(l->out, l->in, w->turns, inverse, factor, rotate);
        return;
    }
    w->small->run[l->weights[0].kind][l->weights[1].kind](l->out, l->in, w->turns, inverse, factor,
                                                          l->weights, halves);
}

/* ---- lines ---- */

static const void *moved(const void *at, int64_t bytes)
{
    return (const void *)((uintptr_t)at + (uintptr_t)bytes);
}

/* A rotation by half a line is one of the points of the first and of the last butterfly, where they are even.
 */
bool within_turns_half(const within *w)
{
    if (w->whole || w->padded) return false;
    if (w->small) return w->rows % 2 == 0;
    const within_factors *first = &w->along_columns.factors, *last = &w->along_rows.factors;
    return first->radix[0] % 2 == 0 && last->radix[last->count - 1] % 2 == 0;
}

/* Whether the edge's weights say all, and its numbers can be weighed in registers: with a real number for
 * each line in the line's factor. */
static bool weighs(const within *w, const line_edge *edge)
{
    const line_weights *a = edge ? edge->weights : NULL;
    return a && !w->whole && !w->padded &&
           (!a->at || a->point == (a->real ? 1 : 2) || (a->point == 0 && a->real));
}

/* The factor that is the same for a line's numbers. */
static double line_factor(const within *w, const line_weights *a, int64_t line)
{
    if (!a || !a->at || a->point) return 1;
    return w->real == sizeof(double) ? ((const double *)a->at)[line * a->line]
                                     : (double)((const float *)a->at)[line * a->line];
}

/* Of the first line. */
static within_weights weights_of(const line_weights *a)
{
    if (!a) return (within_weights){WEIGH_NONE};
    const bool each = a->at && a->point;
    return (within_weights){.kind = each         ? (a->real ? WEIGH_REAL : WEIGH_COMPLEX)
                                    : a->im != 0 ? WEIGH_ALL
                                                 : WEIGH_NONE,
                            .at = a->at,
                            .sign = a->conjugate ? -1 : 1,
                            .re = a->re,
                            .im = a->im};
}

/* Lines in memory or, where they are not short, at edges that do more than weigh. */
static void run_lines(const within *w, char *out, const char *in, void *work, int inverse, double factor,
                      const within_lines *lines)
{
    const line_weights *from = weighs(w, lines->from) ? lines->from->weights : NULL,
                       *to = weighs(w, lines->to) ? lines->to->weights : NULL;
    const int64_t weights_step[2] = {from && from->at ? from->line * (int64_t)w->real : 0,
                                     to && to->at ? to->line * (int64_t)w->real : 0};
    const bool in_memory = !lines->from || from, out_memory = !lines->to || to;
    within_line l = {.out = out_memory ? out : NULL,
                     .in = in_memory ? in : NULL,
                     .weights = {weights_of(from), weights_of(to)}};
    if (to && to->im == 0) factor *= to->re;
    for (; l.number < lines->count; l.number++) {
        if (in_memory && lines->ahead) l.next_in = moved(l.in, lines->in_step);
        if (out_memory && lines->ahead) l.next_out = moved(l.out, lines->out_step);
        for (int i = 0; i < 2 && lines->ahead; i++)
            if (weights_step[i]) l.next_weights[i] = moved(l.weights[i].at, weights_step[i]);
        const double f = factor * line_factor(w, from, l.number) * line_factor(w, to, l.number);
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

/* Short lines at edges, through their room. */
static void run_short_edges(const within *w, char *out, const char *in, int inverse, double factor,
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
                                   .rotate_in = lines->from ? 0 : lines->rotate_in,
                                   .rotate_out = lines->to ? 0 : lines->rotate_out};
        char *to = lines->to ? lines->room : out + i * lines->out_step;
        const char *from = lines->from ? lines->room : in + i * lines->in_step;
        if (lines->from) lines->from->move(lines->from, &piece);
        if (w->whole)
            w->whole(to, from, inverse, factor, &part);
        else
            run_lines(w, to, from, NULL, inverse, factor, &part);
        if (lines->to) lines->to->move(lines->to, &piece);
    }
}

/* Whether edges move numbers: where weights are not all, and those of a short line whose other end is
 * rotated. */
static bool edges_move(const within *w, const within_lines *lines)
{
    const bool rotated = w->small && ((!lines->from && is_moved(w, lines->rotate_in)) ||
                                      (!lines->to && is_moved(w, lines->rotate_out)));
    return (lines->from && (rotated || !weighs(w, lines->from))) ||
           (lines->to && (rotated || !weighs(w, lines->to)));
}

/* Lines that come some calls later, to the second-level cache: several lines are as many streams, and short
 * ones. */
static inline __attribute__((always_inline)) void fetch_several(const within *w, const char *at, int64_t step)
{
    enum { LATER = 3 }; /* from 2 to 8 it makes little difference */
    for (int64_t i = 0; i < w->at_a_time; i++)
        fetch_from_to(moved(at, (LATER * w->at_a_time + i) * step), 0, w->n * 2 * (int64_t)w->real);
}

/* Short lines that nothing else happens to, several at a time; how many. */
static int64_t run_several(const within *w, char *out, const char *in, int inverse, double factor,
                           const within_lines *lines)
{
    enum { FETCHED = 256 }; /* bytes of a line from which on fetches gain */
    const bool ahead = lines->ahead && w->n * 2 * (int64_t)w->real >= FETCHED;
    int64_t done = 0;
    if (!w->several || lines->from || lines->to || lines->rotate_in || lines->rotate_out) return 0;
    for (; done + w->at_a_time <= lines->count; done += w->at_a_time) {
        const int64_t to = done * lines->out_step, from = done * lines->in_step;
        if (ahead) {
            fetch_several(w, in + from, lines->in_step);
            fetch_several(w, out + to, lines->out_step);
        }
        w->several(out + to, in + from, w->turns, inverse, factor, lines->out_step, lines->in_step);
    }
    return done;
}

static void run_rest(const within *w, char *out, const char *in, void *work, int inverse, double factor,
                     const within_lines *lines)
{
    within_lines rest = *lines;
    const int64_t done = run_several(w, out, in, inverse, factor, lines);
    rest.count -= done;
    run_lines(w, out + done * lines->out_step, in + done * lines->in_step, work, inverse, factor, &rest);
}

/* One short line as it is, for which the questions of others took longer than its transform. */
static bool is_alone(const within *w, const within_lines *lines)
{
    return w->small && lines->count == 1 && !lines->from && !lines->to && !lines->ahead &&
           !(lines->rotate_in | lines->rotate_out);
}

void within_run_lines(const within *w, void *out, const void *in, void *work, int inverse, double factor,
                      const within_lines *lines)
{
    static const within_weights none[2];
    static const int64_t unmoved[2];
    if (is_alone(w, lines))
        w->small->run[WEIGH_NONE][WEIGH_NONE](out, in, w->turns, inverse, factor, none, unmoved);
    else if ((w->whole || w->small) && edges_move(w, lines))
        run_short_edges(w, out, in, inverse, factor, lines);
    else if (w->whole)
        w->whole(out, in, inverse, factor, lines);
    else
        run_rest(w, out, in, work, inverse, factor, lines);
}

void within_run(const within *w, void *out, const void *in, void *work, int inverse, double factor)
{
    within_run_lines(w, out, in, work, inverse, factor, &(within_lines){.count = 1});
}
