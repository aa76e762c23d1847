/* SPDX-License-Identifier: BSD-3-Clause */
/* Between memory and a few points of lines in the nearest cache, multiplied on the way; compiled for each
 * precision and instruction set. All factors commute, so that scalars are one factor and an array that is the
 * same for all neighbours of a row goes into the row's. */
#include "fft/cpu/access/callback.h"

#include "base/simd.h"
#include "fft/cpu/access/move.h"
#include "fft/cpu/line/prefetch.h"

enum {
    ROWS = 128, /* whose scalars are made together */
    BLOCK = 256 /* points that are converted together */
};
enum { NONE, REAL_ONES, COMPLEX_ONES }; /* scalars, or an array */
enum { FROM_CELLS = 1, TO_CELLS = 2 };

#if VECTOR_REALS == 16
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define RE_TWICE 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14
#define IM_TWICE 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15
#define MINUS_PLUS -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1
#elif VECTOR_REALS == 8
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define ZIP_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define ZIP_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define RE_TWICE 0, 0, 2, 2, 4, 4, 6, 6
#define IM_TWICE 1, 1, 3, 3, 5, 5, 7, 7
#define MINUS_PLUS -1, 1, -1, 1, -1, 1, -1, 1
#elif VECTOR_REALS == 4
#define EVENS 0, 2, 4, 6
#define ODDS 1, 3, 5, 7
#define ZIP_LOW 0, 4, 1, 5
#define ZIP_HIGH 2, 6, 3, 7
#define RE_TWICE 0, 0, 2, 2
#define IM_TWICE 1, 1, 3, 3
#define MINUS_PLUS -1, 1, -1, 1
#else /* 2 */
#define EVENS 0, 2
#define ODDS 1, 3
#define ZIP_LOW 0, 2
#define ZIP_HIGH 1, 3
#define RE_TWICE 0, 0
#define IM_TWICE 1, 1
#define MINUS_PLUS -1, 1
#endif

/* Planes of rows of points; steps from row to row and from plane to plane, in reals. */
typedef struct strip {
    const REAL *from, *array, *scalar;
    REAL *to;
    int64_t from_step, array_step, scalar_step, to_step;
    int64_t from_plane, array_plane, scalar_plane, to_plane;
    int64_t planes, rows, count;
    REAL sign;                        /* of the array's imaginary parts */
    int64_t prefetch, array_prefetch; /* bytes; 0: memory is not far */
    bool out;
} strip;

typedef struct cell {
    vector re, im;
} cell;

/* ---- a cell, and a vector of interleaved points ---- */

INLINE cell unzipped(vector a, vector b)
{
    return (cell){__builtin_shufflevector(a, b, EVENS), __builtin_shufflevector(a, b, ODDS)};
}

INLINE cell load_points(const REAL *at, int64_t count)
{
    return unzipped(load_some(at, 2 * count), load_some(at + IN_VECTOR, 2 * count - IN_VECTOR));
}

INLINE void store_points(REAL *at, cell x, int64_t count)
{
    store_some(at, __builtin_shufflevector(x.re, x.im, ZIP_LOW), 2 * count);
    store_some(at + IN_VECTOR, __builtin_shufflevector(x.re, x.im, ZIP_HIGH), 2 * count - IN_VECTOR);
}

INLINE cell cell_times(cell x, cell y)
{
    return (cell){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

/* `count` points (lanes): all of them where the compiler sees that they are IN_VECTOR. */
INLINE void do_cell(const strip *s, const REAL *from, const REAL *array, const REAL *scalar, REAL *to,
                    int64_t count, const int mode, const int scalars, const int arrays)
{
    cell x = mode & FROM_CELLS ? (cell){load(from), load(from + IN_VECTOR)} : load_points(from, count);
    if (arrays == REAL_ONES) {
        const vector w = load_some(array, count);
        x = (cell){x.re * w, x.im * w};
    }
    if (arrays == COMPLEX_ONES) {
        const cell w = load_points(array, count);
        x = cell_times(x, (cell){w.re, w.im * s->sign});
    }
    if (scalars == REAL_ONES) x = (cell){x.re * scalar[0], x.im * scalar[0]};
    if (scalars == COMPLEX_ONES)
        x = (cell){x.re * scalar[0] - x.im * scalar[1], x.re * scalar[1] + x.im * scalar[0]};
    if (mode & TO_CELLS) {
        store(to, x.re);
        store(to + IN_VECTOR, x.im);
    } else
        store_points(to, x, count);
}

INLINE vector vector_times(vector v, vector re, vector im)
{
    return v * re + swapped(v) * im;
}

/* `reals` of a vector of interleaved points, i reals on. */
INLINE void do_vector(const strip *s, const REAL *from, const REAL *array, const REAL *scalar, REAL *to,
                      int64_t reals, const int scalars, const int arrays)
{
    const vector minus_plus = {MINUS_PLUS};
    vector v = load_some(from, reals);
    if (arrays == REAL_ONES) {
        half w = {0};
        if (reals >= IN_VECTOR)
            w = load_half(array);
        else
            for (int64_t i = 0; i < reals / 2; i++) w[i] = array[i];
        v *= each_twice(w);
    }
    if (arrays == COMPLEX_ONES) {
        const vector w = load_some(array, reals);
        v = vector_times(v, __builtin_shufflevector(w, w, RE_TWICE),
                         __builtin_shufflevector(w, w, IM_TWICE) * (minus_plus * s->sign));
    }
    if (scalars == REAL_ONES) v *= scalar[0];
    if (scalars == COMPLEX_ONES) v = v * scalar[0] + swapped(v) * (minus_plus * scalar[1]);
    store_some(to, v, reals);
}

/* ---- rows ---- */

/* The place of a row. */
typedef struct spot {
    const REAL *from, *array, *scalar;
    REAL *to;
} spot;

INLINE void row_of_cells(const strip *s, spot at, const int mode, const int scalars, const int arrays)
{
    if (s->count == IN_VECTOR)
        do_cell(s, at.from, at.array, at.scalar, at.to, IN_VECTOR, mode, scalars, arrays);
    else
        do_cell(s, at.from, at.array, at.scalar, at.to, s->count, mode, scalars, arrays);
}

INLINE void row_of_points(const strip *s, spot at, const int scalars, const int arrays)
{
    const int64_t reals = 2 * s->count;
    const int per_row_count = arrays == REAL_ONES ? 2 : 1; /* reals of points for one of the array */
    int64_t i = 0;
    for (; i + IN_VECTOR <= reals; i += IN_VECTOR) {
        if (s->prefetch) prefetch_far(s->out ? at.to + i : at.from + i, s->prefetch);
        if (arrays && s->array_prefetch) prefetch_far(at.array + i / per_row_count, s->array_prefetch);
        do_vector(s, at.from + i, at.array + i / per_row_count, at.scalar, at.to + i, IN_VECTOR, scalars,
                  arrays);
    }
    if (i < reals)
        do_vector(s, at.from + i, at.array + i / per_row_count, at.scalar, at.to + i, reals - i, scalars,
                  arrays);
}

INLINE void do_rows(const strip *strips, const int cells, const int mode, const int scalars, const int arrays)
{
    const strip s = *strips;
    for (int64_t plane = 0; plane < s.planes; plane++) {
        spot at = {s.from + plane * s.from_plane, arrays ? s.array + plane * s.array_plane : NULL,
                   scalars ? s.scalar + plane * s.scalar_plane : NULL, s.to + plane * s.to_plane};
        for (int64_t r = 0; r < s.rows; r++) {
            if (cells)
                row_of_cells(&s, at, mode, scalars, arrays);
            else
                row_of_points(&s, at, scalars, arrays);
            at.from += s.from_step;
            at.array += arrays ? s.array_step : 0;
            at.scalar += scalars ? s.scalar_step : 0;
            at.to += s.to_step;
        }
    }
}

#define STRIP(NAME, ...)             \
    static void NAME(const strip *s) \
    {                                \
        do_rows(s, __VA_ARGS__);     \
    }
#define STRIPS(NAME, CELLS, MODE)                          \
    STRIP(NAME##_00, CELLS, MODE, NONE, NONE)              \
    STRIP(NAME##_01, CELLS, MODE, NONE, REAL_ONES)         \
    STRIP(NAME##_02, CELLS, MODE, NONE, COMPLEX_ONES)      \
    STRIP(NAME##_10, CELLS, MODE, REAL_ONES, NONE)         \
    STRIP(NAME##_11, CELLS, MODE, REAL_ONES, REAL_ONES)    \
    STRIP(NAME##_12, CELLS, MODE, REAL_ONES, COMPLEX_ONES) \
    STRIP(NAME##_20, CELLS, MODE, COMPLEX_ONES, NONE)      \
    STRIP(NAME##_21, CELLS, MODE, COMPLEX_ONES, REAL_ONES) \
    STRIP(NAME##_22, CELLS, MODE, COMPLEX_ONES, COMPLEX_ONES)
STRIPS(numbers, false, 0)
STRIPS(from_cells, true, FROM_CELLS)
STRIPS(into_cells, true, TO_CELLS)
STRIPS(in_cells, true, FROM_CELLS | TO_CELLS)

#define TABLE(NAME)                                                           \
    {                                                                         \
        {NAME##_00, NAME##_01, NAME##_02}, {NAME##_10, NAME##_11, NAME##_12}, \
        {                                                                     \
            NAME##_20, NAME##_21, NAME##_22                                   \
        }                                                                     \
    }
typedef void strip_run(const strip *s);
static strip_run *const run_strip[4][3][3] = {TABLE(numbers), TABLE(from_cells), TABLE(into_cells),
                                              TABLE(in_cells)};

/* ---- a part of a piece: rows of neighbours that all have elements ---- */

typedef struct part {
    REAL *buffer;
    int64_t planes, rows, count;
    int64_t line, element; /* of the first point */
} part;

/* Arrays whose elements differ between neighbours, and the others. */
typedef struct factors {
    int per_point_count, per_row_count;
    const callback_array *per_point[ARGAND_MAX_ACCESSORS], *per_row[ARGAND_MAX_ACCESSORS];
} factors;

static factors sort_arrays(const access_callback *e, const line_piece *p)
{
    factors f;
    f.per_point_count = f.per_row_count = 0;
    for (int i = 0; i < e->arrays; i++) {
        const callback_array *a = &e->array[i];
        if (p->lines ? a->line : a->point)
            f.per_point[f.per_point_count++] = a;
        else
            f.per_row[f.per_row_count++] = a;
    }
    return f;
}

static int64_t array_place(const callback_array *a, int64_t line, int64_t element)
{
    return line * a->line + element * a->point;
}

static int kind_of(REAL re, REAL im)
{
    return im != 0 ? COMPLEX_ONES : re != 1 ? REAL_ONES : NONE;
}

/* The rows' scalars, times an array's element each. */
static void scale_scalars(REAL *buffer, const callback_array *a, const line_piece *p, const part *t)
{
    const REAL *plane = (const REAL *)a->at + array_place(a, t->line, t->element),
               sign = a->conjugate ? -1 : 1;
    const int64_t step = array_place(a, p->line_step, p->point_step);
    for (int64_t k = 0; k < t->planes; k++, plane += array_place(a, p->plane_lines, p->plane_step)) {
        const REAL *w = plane;
        for (int64_t r = 0; r < t->rows; r++, w += step, buffer += 2) {
            const REAL re = buffer[0], im = buffer[1], w_im = a->real ? 0 : sign * w[1];
            buffer[0] = re * w[0] - im * w_im;
            buffer[1] = re * w_im + im * w[0];
        }
    }
}

/* The scalar of every row, into `buffer` where they differ. */
static int set_scalars(strip *s, REAL *buffer, const access_callback *e, const factors *f,
                       const line_piece *p, const part *t)
{
    bool real = e->scalar.im == 0;
    for (int64_t r = 0; r < (f->per_row_count ? t->planes * t->rows : 1); r++) {
        buffer[2 * r] = (REAL)e->scalar.re;
        buffer[2 * r + 1] = (REAL)e->scalar.im;
    }
    for (int i = 0; i < f->per_row_count; i++) {
        scale_scalars(buffer, f->per_row[i], p, t);
        real = real && f->per_row[i]->real;
    }
    s->scalar = buffer;
    s->scalar_step = f->per_row_count ? 2 : 0;
    s->scalar_plane = t->rows * s->scalar_step;
    return !real ? COMPLEX_ONES : f->per_row_count ? REAL_ONES : kind_of(buffer[0], 0);
}

static int set_array(strip *s, const access_callback *e, const callback_array *a, const line_piece *p,
                     const part *t)
{
    s->array_prefetch = array_place(a, e->prefetch_lines, e->prefetch_points) * (int64_t)sizeof(REAL);
    s->array = (const REAL *)a->at + array_place(a, t->line, t->element);
    s->array_step = array_place(a, p->line_step, p->point_step);
    s->array_plane = array_place(a, p->plane_lines, p->plane_step);
    s->sign = a->conjugate ? -1 : 1;
    return a->real ? REAL_ONES : COMPLEX_ONES;
}

static void set_buffer(strip *s, const line_piece *p, const part *t)
{
    s->planes = t->planes;
    s->rows = t->rows;
    s->count = t->count;
    s->from = s->to = t->buffer;
    s->from_step = s->to_step = p->pitch;
    s->from_plane = s->to_plane = p->plane_pitch;
}

/* All arrays but the first, in the buffer. */
static void multiply_more(const access_callback *e, const factors *f, const line_piece *p, const part *t)
{
    for (int i = 1; i < f->per_point_count; i++) {
        strip s = {.prefetch = 0};
        set_buffer(&s, p, t);
        const int arrays = set_array(&s, e, f->per_point[i], p, t);
        run_strip[p->cells ? FROM_CELLS | TO_CELLS : 0][NONE][arrays](&s);
    }
}

/* Bytes in memory. */
static int64_t place(const access_callback *e, int64_t line, int64_t element)
{
    return line * e->line + element * e->point;
}

/* Whether memory has interleaved points of the transform's own type side by side. */
static bool is_plain(const access_callback *e, const line_piece *p)
{
    const argand_type plain = sizeof(REAL) == 4 ? ARGAND_C32 : ARGAND_C64;
    return e->type == plain && (p->lines ? e->line : e->point) == 2 * (int64_t)sizeof(REAL);
}

/* Rows that are lines are moved together, and the next ones then. */
static int64_t prefetch_distance(const access_callback *e, const line_piece *p)
{
    return place(e, e->prefetch_lines, e->prefetch_points) * (p->line_step ? p->rows : 1);
}

static int64_t in_reals(int64_t bytes)
{
    return bytes / (int64_t)sizeof(REAL);
}

static void load_rows(const access_callback *e, const factors *f, const line_piece *p, const part *t)
{
    REAL scalars[2 * ROWS], converted[2 * BLOCK];
    char *const at = e->at + place(e, t->line, t->element);
    const int64_t step = place(e, p->line_step, p->point_step);
    strip s;
    set_buffer(&s, p, t);
    s.out = false;
    s.prefetch = 0;
    if (is_plain(e, p)) {
        s.from = (const REAL *)(const void *)at;
        s.from_step = in_reals(step);
        s.from_plane = in_reals(place(e, p->plane_lines, p->plane_step));
        s.prefetch = prefetch_distance(e, p);
    } else {
        const access_lines from = {at, e->type, e->imaginary, p->lines ? e->line : e->point, step};
        VARIANT(access_read)(&(access_buffer){converted, 2 * t->count, 2, 0}, 0, &from, t->rows, t->count);
        s.from = converted;
        s.from_step = 2 * t->count;
    }
    const int scalar = set_scalars(&s, scalars, e, f, p, t),
              arrays = f->per_point_count ? set_array(&s, e, f->per_point[0], p, t) : NONE;
    run_strip[p->cells ? TO_CELLS : 0][scalar][arrays](&s);
    if (f->per_point_count > 1) multiply_more(e, f, p, t);
}

static void store_rows(const access_callback *e, const factors *f, const line_piece *p, const part *t)
{
    REAL scalars[2 * ROWS], converted[2 * BLOCK];
    char *const at = e->at + place(e, t->line, t->element);
    const int64_t step = place(e, p->line_step, p->point_step);
    const bool plain = is_plain(e, p);
    strip s;
    if (f->per_point_count > 1) multiply_more(e, f, p, t);
    set_buffer(&s, p, t);
    s.out = true;
    s.prefetch = plain ? prefetch_distance(e, p) : 0;
    s.to = plain ? (REAL *)(void *)at : converted;
    s.to_step = plain ? in_reals(step) : 2 * t->count;
    s.to_plane = in_reals(place(e, p->plane_lines, p->plane_step));
    const int scalar = set_scalars(&s, scalars, e, f, p, t),
              arrays = f->per_point_count ? set_array(&s, e, f->per_point[0], p, t) : NONE;
    run_strip[p->cells ? FROM_CELLS : 0][scalar][arrays](&s);
    if (plain) return;
    const access_lines to = {at, e->type, e->imaginary, p->lines ? e->line : e->point, step};
    VARIANT(access_write)(&to, &(access_buffer){converted, 2 * t->count, 2, 0}, 0, t->rows, t->count, 1);
}

/* Rows that all have elements, some at a time. */
static void move_rows(const access_callback *e, const factors *f, const line_piece *p, const part *all,
                      bool out)
{
    const bool plain = is_plain(e, p);
    const int64_t most_count = plain || BLOCK > all->count ? all->count : BLOCK,
                  most = plain ? (f->per_row_count ? ROWS : INT64_MAX) : BLOCK / most_count;
    if (plain && all->rows <= most / all->planes) {
        (out ? store_rows : load_rows)(e, f, p, all);
        return;
    }
    part t = *all;
    t.planes = 1;
    for (int64_t k = 0; k < all->planes; k++)
        for (int64_t i = 0; i < all->count; i += most_count)
            for (int64_t r = 0; r < all->rows; r += most) {
                t.buffer = all->buffer + k * p->plane_pitch + r * p->pitch + 2 * i;
                t.rows = all->rows - r < most ? all->rows - r : most;
                t.count = all->count - i < most_count ? all->count - i : most_count;
                t.line = all->line + k * p->plane_lines + r * p->line_step + (p->lines ? i : 0);
                t.element = all->element + k * p->plane_step + r * p->point_step + (p->lines ? 0 : i);
                (out ? store_rows : load_rows)(e, f, p, &t);
            }
}

/* ---- where an array covers the points, and where not ---- */

static void clear_rows(const line_piece *p, const part *t)
{
    const size_t bytes = (size_t)(p->cells ? 2 * IN_VECTOR : 2 * t->count) * sizeof(REAL);
    for (int64_t r = 0; r < t->rows; r++) memset(t->buffer + r * p->pitch, 0, bytes);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* One plane */
static void move_plane(const access_callback *e, const factors *f, const line_piece *p, int64_t plane,
                       bool out)
{
    const int64_t per_point_count = p->lines ? 1 : p->count, covered = e->window.count,
                  first = e->n - e->window.first + p->point + plane * p->plane_step;
    part t = {.planes = 1};
    for (int64_t row = 0, in_row = 0; row < p->rows;) {
        /* from point in_row of the row on: as many as are covered, or not, and rows like it */
        const int64_t x = (first + row * p->point_step + in_row) % e->n;
        const bool inside = x < covered;
        const int64_t left = (inside ? covered : e->n) - x, here = smaller(left, per_point_count - in_row);
        const int64_t alike = !p->point_step           ? p->rows
                              : here < per_point_count ? 1
                                                       : (left - per_point_count) / p->point_step + 1;
        t.buffer = (REAL *)p->at + plane * p->plane_pitch + row * p->pitch + 2 * in_row;
        t.rows = smaller(alike, p->rows - row);
        t.count = p->lines ? p->count : here;
        t.line = p->line + plane * p->plane_lines + row * p->line_step;
        t.element = x;
        if (inside)
            move_rows(e, f, p, &t, out);
        else if (!out)
            clear_rows(p, &t);
        in_row += here;
        if (in_row < per_point_count) continue;
        in_row = 0;
        row += t.rows;
    }
}

static void move_piece(const access_callback *e, const line_piece *p, bool out)
{
    const factors f = sort_arrays(e, p);
    if (e->window.count == e->n && e->window.first == 0) {
        const part all = {p->at, p->planes, p->rows, p->count, p->line, p->point};
        move_rows(e, &f, p, &all, out);
        return;
    }
    for (int64_t plane = 0; plane < p->planes; plane++) move_plane(e, &f, p, plane, out);
}

void VARIANT(access_callback_load)(const line_callback *callback, const line_piece *piece)
{
    move_piece((const access_callback *)callback, piece, false);
}

void VARIANT(access_callback_store)(const line_callback *callback, const line_piece *piece)
{
    move_piece((const access_callback *)callback, piece, true);
}
