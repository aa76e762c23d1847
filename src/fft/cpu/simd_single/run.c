/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines one after another: as codelets, in vectors of pairs, as small matrices of one function each, packed,
 * or as matrices (matrix.c); from and to memory, or callbacks. */
#include "fft/cpu/simd_single/matrix.h"

/* The transposed matrix by blocks, a row of cells, and space for vectors where lines
 * have less. */
static size_t matrix_bytes(const simd_single *w)
{
    if (w->codelet || w->small) return 0;
    const int64_t padding = w->padded ? simd_single_larger(w->rows, w->columns) : 0;
    return simd_single_cells(w, w->column_blocks * w->column_height + w->group * w->row_width + padding);
}

size_t simd_single_work_bytes(const simd_single *w)
{
    const size_t matrix = matrix_bytes(w), paired = w->paired ? simd_single_paired_work_bytes(w->paired) : 0;
    return matrix > paired ? matrix : paired;
}

bool simd_single_rotates(const simd_single *w)
{
    return !w->codelet && !w->padded && !(w->small && !w->small->moved);
}

/* Transforms a line by one function */
static void run_small(const simd_single *w, const simd_single_line *l, int inverse, double factor,
                      const simd_single_lines *lines)
{
    const int64_t rotate[2] = {lines->rotate_in, lines->rotate_out},
                  halves[2] = {simd_single_half(w, rotate[0]), simd_single_half(w, rotate[1])};
    simd_single_prefetch_next(w, l, 0, w->n * 2 * (int64_t)w->real);
    if (simd_single_is_moved(w, rotate[0]) || simd_single_is_moved(w, rotate[1])) {
        w->small->moved(l->out, l->in, w->twiddles, inverse, factor, rotate);
        return;
    }
    w->small->run[l->weights[0].kind][l->weights[1].kind](l->out, l->in, w->twiddles, inverse, factor,
                                                          l->weights, halves);
}

static void run_paired(const simd_single *w, const simd_single_line *l, void *work, int inverse,
                       double factor, int ends)
{
    simd_single_prefetch_next(w, l, 0, w->n * 2 * (int64_t)w->real);
    simd_single_paired_run(w->paired, l->out, l->in, work, inverse, factor, ends);
}

/* ---- lines ---- */

static const void *moved(const void *at, int64_t bytes)
{
    return (const void *)((uintptr_t)at + (uintptr_t)bytes);
}

/* Whether the callback's factors say all, and its points can be multiplied in registers: with a real factor
 * for each line in the line's factor. */
static bool can_multiply(const simd_single *w, const line_callback *callback)
{
    const line_weights *a = callback ? callback->weights : NULL;
    return a && !w->codelet && !w->padded &&
           (!a->at || a->point == (a->real ? 1 : 2) || (a->point == 0 && a->real));
}

/* The factor that is the same for a line's points. */
static double line_factor(const simd_single *w, const line_weights *a, int64_t line)
{
    if (!a || !a->at || a->point) return 1;
    return w->real == sizeof(double) ? ((const double *)a->at)[line * a->line]
                                     : (double)((const float *)a->at)[line * a->line];
}

/* Returns the weights of the first line. */
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

/* Lines in memory as they are */
static bool are_unchanged(const simd_single_lines *lines)
{
    return !lines->from && !lines->to && !(lines->rotate_in | lines->rotate_out);
}

static bool is_half(const simd_single *w, int64_t rotate)
{
    return rotate && 2 * rotate == w->n;
}

/* Returns true for lines that are as they are, or moved by half. */
static bool are_paired(const simd_single *w, const simd_single_lines *lines, int *ends)
{
    const bool in = is_half(w, lines->rotate_in), out = is_half(w, lines->rotate_out);
    *ends = (in ? SIMD_SINGLE_IN_MOVED : 0) | (out ? SIMD_SINGLE_OUT_MOVED : 0);
    return w->paired && !lines->from && !lines->to && (in || !lines->rotate_in) &&
           (out || !lines->rotate_out) && simd_single_paired_moves(w->paired, *ends);
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
    int ends;
    const bool paired = are_paired(w, lines, &ends);
    if (to && to->im == 0) factor *= to->re;
    for (; l.index < lines->count; l.index++) {
        if (in_memory && lines->prefetch) l.next_in = moved(l.in, lines->in_step);
        if (out_memory && lines->prefetch) l.next_out = moved(l.out, lines->out_step);
        for (int i = 0; i < 2 && lines->prefetch; i++)
            if (weights_step[i]) l.next_weights[i] = moved(l.weights[i].at, weights_step[i]);
        const double f = factor * line_factor(w, from, l.index) * line_factor(w, to, l.index);
        if (paired)
            run_paired(w, &l, work, inverse, f, ends);
        else if (w->small)
            run_small(w, &l, inverse, f, lines);
        else
            simd_single_run_matrix(w, &l, work, inverse, f, lines);
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
    if (w->codelet || w->small) return (size_t)(short_lines(w) * w->n) * 2 * w->real;
    return (size_t)(w->group * w->lanes * simd_single_larger(w->rows, w->columns)) * 2 * w->real;
}

/* Lines that are a codelet each: several together, then the rest. */
static void run_codelets(const simd_single *w, char *out, const char *in, int inverse, double factor,
                         const simd_single_lines *lines)
{
    simd_single_lines rest; /* all that codelets look at */
    const int64_t done = lines->count < w->together ? 0 : lines->count / w->together * w->together;
    if (done) w->codelet_of_many(out, in, inverse, factor, lines);
    if (done == lines->count) return;
    rest.count = lines->count - done;
    rest.out_step = lines->out_step;
    rest.in_step = lines->in_step;
    w->codelet(out + done * lines->out_step, in + done * lines->in_step, inverse, factor, &rest);
}

/* Short lines at callbacks, through their buffer. */
static void run_short_callbacks(const simd_single *w, char *out, const char *in, void *work, int inverse,
                                double factor, const simd_single_lines *lines)
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
        if (w->codelet)
            run_codelets(w, to, from, inverse, factor, &part);
        else
            run_lines(w, to, from, work, inverse, factor, &part);
        if (lines->to) lines->to->move(lines->to, &piece);
    }
}

/* Whether callbacks move points: where weights are not all, and those of a short line whose other end is
 * rotated. */
static bool callbacks_move(const simd_single *w, const simd_single_lines *lines)
{
    const bool rotated = w->small && ((!lines->from && simd_single_is_moved(w, lines->rotate_in)) ||
                                      (!lines->to && simd_single_is_moved(w, lines->rotate_out)));
    return (lines->from && (rotated || !can_multiply(w, lines->from))) ||
           (lines->to && (rotated || !can_multiply(w, lines->to)));
}

/* Prefetches lines of a later call into the second-level cache: several lines are as many short streams,
 * which the hardware does not follow. */
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
    if (w->paired || !w->packed || lines->from || lines->to || lines->rotate_in || lines->rotate_out)
        return 0;
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

/* Lines as they are, in a cache */
static bool are_plain(const simd_single_lines *lines)
{
    return are_unchanged(lines) && !lines->prefetch && lines->team.threads < 2;
}

static void run_small_alone(const simd_single *w, void *out, const void *in, int inverse, double factor)
{
    static const simd_single_weights none[2];
    static const int64_t unmoved[2];
    w->small->run[WEIGHTS_NONE][WEIGHTS_NONE](out, in, w->twiddles, inverse, factor, none, unmoved);
}

/* One line as it is, for which the questions of others took longer than its transform */
static bool is_alone(const simd_single *w, const simd_single_lines *lines)
{
    return (w->paired || w->small) && lines->count == 1 && are_plain(lines);
}

static void run_rest(const simd_single *w, char *out, const char *in, void *work, int inverse, double factor,
                     const simd_single_lines *lines)
{
    if ((w->paired || !w->small) && w->group == 1 && are_plain(lines)) {
        for (int64_t i = 0; i < lines->count; i++)
            simd_single_run(w, out + i * lines->out_step, in + i * lines->in_step, work, inverse, factor);
        return;
    }
    simd_single_lines rest = *lines;
    const int64_t done = run_packed(w, out, in, inverse, factor, lines);
    rest.count -= done;
    run_lines(w, out + done * lines->out_step, in + done * lines->in_step, work, inverse, factor, &rest);
}

void simd_single_run_lines(const simd_single *w, void *out, const void *in, void *work, int inverse,
                           double factor, const simd_single_lines *lines)
{
    if (is_alone(w, lines))
        simd_single_run(w, out, in, work, inverse, factor);
    else if ((w->codelet || w->small) && callbacks_move(w, lines))
        run_short_callbacks(w, out, in, work, inverse, factor, lines);
    else if (w->codelet)
        run_codelets(w, out, in, inverse, factor, lines);
    else
        run_rest(w, out, in, work, inverse, factor, lines);
}

void simd_single_run(const simd_single *w, void *out, const void *in, void *work, int inverse, double factor)
{
    static const simd_single_lines one = {.count = 1};
    if (w->paired)
        simd_single_paired_run(w->paired, out, in, work, inverse, factor, 0);
    else if (w->small)
        run_small_alone(w, out, in, inverse, factor);
    else if (w->codelet)
        w->codelet(out, in, inverse, factor, &one);
    else if (w->group == 1)
        simd_single_run_alone(w, out, in, work, inverse, factor);
    else
        run_lines(w, out, in, work, inverse, factor, &one);
}
