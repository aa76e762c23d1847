/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a case, from the first, by K. Aatish and B. Zhang (Three Dimensional Fast Fourier Transform
 * CUDA Implementation, 2012), to the last. */
#include <stdio.h>
#include <stdarg.h>
#include "ladder.h"

enum { STOCKHAM, IN_TIME, IN_FREQUENCY, FROM_REVERSED };
enum { FAST, ACCURATE, TABLE };

typedef struct steps {
    ladder_step *list;
    int count;
    const ladder_case *c;
} steps;

static int log2_of(int n)
{
    int bits = 0;
    while (1 << bits < n) bits++;
    return bits;
}

static ladder_step *add(steps *r, int row, const char *name, ...) __attribute__((format(printf, 3, 4)));
static ladder_step *add(steps *r, int row, const char *name, ...)
{
    va_list arguments;
    ladder_step *step = &r->list[r->count++];
    *step = (ladder_step){.row = row};
    va_start(arguments, name);
    vsnprintf(step->name, sizeof step->name, name, arguments);
    va_end(arguments);
    return step;
}

/* ---- rows ---- */

/* Variant of ladder_rows.krn. first: stages of strides below it are already done (FROM_REVERSED). */
typedef struct rows_choice {
    int height, thread_rows, flow, first, twiddle;
    bool scrambled, shuffle, pre;
} rows_choice;

/* Returns the document's variant: fast functions, decimation in time, results reordered at the end. */
static rows_choice document(int height)
{
    return (rows_choice){.height = height, .thread_rows = 1, .flow = IN_TIME, .first = 1};
}

static bool fits(const ladder_case *c, const rows_choice *w)
{
    const int64_t bytes = (int64_t)8 * w->height * c->n;
    return w->height % w->thread_rows == 0 && c->rows % w->height == 0 && w->thread_rows * c->n <= 1024 &&
           bytes <= 227 << 10;
}

static void rows_launch(ladder_step *step, const ladder_case *c, const rows_choice *w)
{
    ladder_launch *s = &step->launch[step->launches++];
    snprintf(s->key, sizeof s->key,
             "ladder_rows REAL=float LANE=REAL ITEMS=%d N=%d LOG_N=%d HEIGHT=%d LOG_HEIGHT=%d THREAD_ROWS=%d "
             "FLOW=%d "
             "FIRST=%d "
             "ORDERED=%d TWIDDLE=%d SHUFFLE=%d PRE=%d",
             w->thread_rows * c->n, c->n, log2_of(c->n), w->height, log2_of(w->height), w->thread_rows,
             w->flow, w->first, !w->scrambled, w->twiddle, w->shuffle, w->pre);
    s->groups = c->rows / w->height;
    s->shared_bytes = (size_t)8 * (size_t)w->height * (size_t)c->n;
    s->in_place = !w->pre;
    step->passes++;
}

static void warp_launch(ladder_step *step, const ladder_case *c)
{
    enum { ITEMS = 128 };
    ladder_launch *s = &step->launch[step->launches++];
    snprintf(s->key, sizeof s->key,
             "ladder_warp REAL=float LANE=REAL ITEMS=%d N=%d LOG_N=%d POINTS=%d TWIDDLE=%d", ITEMS, c->n,
             log2_of(c->n), c->n / 32, TABLE);
    s->groups = c->rows / (ITEMS / 32);
    s->in_place = true;
    step->passes++;
}

static void item_launch(ladder_step *step, const ladder_case *c)
{
    enum { ITEMS = 64 };
    ladder_launch *s = &step->launch[step->launches++];
    snprintf(s->key, sizeof s->key, "ladder_item REAL=float LANE=REAL ITEMS=%d N=%d LOG_N=%d TWIDDLE=%d",
             ITEMS, c->n, log2_of(c->n), FAST);
    s->groups = c->rows / ITEMS;
    s->in_place = true;
    step->passes++;
}

static void add_rows(steps *r, int row, const char *name, rows_choice w)
{
    if (!fits(r->c, &w)) return;
    ladder_step *step = add(r, row, "%s, H = %d", name, w.height);
    step->scrambled = w.scrambled;
    rows_launch(step, r->c, &w);
}

static void add_heights(steps *r, int row, const char *name, rows_choice w, int most)
{
    for (; w.height <= most; w.height *= 2) add_rows(r, row, name, w);
}

static void add_1d(steps *r)
{
    rows_choice w = document(1);
    if (r->c->n <= 256 && r->c->rows % 64 == 0) item_launch(add(r, 6, "a thread a row"), r->c);
    add_rows(r, 7, "2012, a block a row", w);
    add_heights(r, 8, "2012", document(2), 64);
    w.flow = IN_FREQUENCY;
    add_heights(r, 2, "in frequency", w, 16);
    for (int rows = 2; rows <= 4; rows *= 2) {
        w = document(rows);
        w.thread_rows = rows;
        add_heights(r, 10, rows == 2 ? "2 N threads" : "4 N threads", w, 64);
    }
    for (int height = 4; height <= 16; height *= 4) {
        w = document(height);
        w.scrambled = true;
        add_rows(r, 3, "left scrambled", w);
        w = document(height);
        w.flow = STOCKHAM;
        add_rows(r, 3, "Stockham", w);
        w = document(height);
        w.twiddle = ACCURATE;
        add_rows(r, 4, "accurate sin, cos", w);
        w.twiddle = TABLE;
        add_rows(r, 4, "twiddles from a table", w);
        w.shuffle = true;
        add_rows(r, 15, "shuffles below 32", w);
    }
    if (r->c->n >= 32 && r->c->rows % 4 == 0) warp_launch(add(r, 15, "a warp a row, no shared memory"), r->c);
}

/* ---- cubes ---- */

/* Adds a transpose: axis i of the output is axis a[i] of the input. */
static void transpose_launch(ladder_step *step, const ladder_case *c, int a0, int a1, int a2)
{
    enum { ITEMS = 256 };
    ladder_launch *s = &step->launch[step->launches++];
    snprintf(s->key, sizeof s->key,
             "ladder_transpose REAL=float LANE=REAL ITEMS=%d N=%d LOG_N=%d TWIDDLE=%d A0=%d A1=%d A2=%d",
             ITEMS, c->n, log2_of(c->n), FAST, a0, a1, a2);
    s->groups = c->rows * c->n / 1024;
    if (!a0) s->groups = c->rows / 32;
    s->shared_bytes = a0 ? sizeof(float) * 2 * 32 * 33 : 0;
    s->params = (struct ladder_params){{c->n, c->n, c->n, 0}};
    step->passes++;
}

static void row_launch(ladder_step *step, const ladder_case *c, bool warp, int height)
{
    const rows_choice w = document(height);
    if (warp)
        warp_launch(step, c);
    else
        rows_launch(step, c, &w);
}

/* Adds 3 transforms and 4 transposes: rows along x, y, z; then two transposes, or one, back from (z, x,
 * y). */
static void add_transposed(steps *r, int passes, bool warp, int height)
{
    ladder_step *step = add(r, 12, warp ? "%d passes, a warp a row" : "%d passes, H = %d", passes, height);
    row_launch(step, r->c, warp, height);
    transpose_launch(step, r->c, 1, 0, 2);
    row_launch(step, r->c, warp, height);
    transpose_launch(step, r->c, 2, 1, 0);
    row_launch(step, r->c, warp, height);
    if (passes == 7) {
        transpose_launch(step, r->c, 1, 0, 2);
        transpose_launch(step, r->c, 0, 2, 1);
    } else {
        transpose_launch(step, r->c, 1, 2, 0);
    }
}

/* Adds a step whose transforms also do the first log2 height stages along the next axis. The previous
 * transpose makes the lines of that axis adjacent. */
static void add_column_stages(steps *r, int height)
{
    rows_choice w = document(height);
    ladder_step *step = add(r, 13, "6 passes, next axis begun, H = %d", height);
    for (int axis = 0; axis < 3; axis++) {
        w.flow = axis == 0 ? IN_TIME : FROM_REVERSED;
        w.first = axis == 0 ? 1 : height;
        w.pre = axis < 2;
        rows_launch(step, r->c, &w);
        transpose_launch(step, r->c, 1, 2, 0);
    }
}

/* Adds a launch of ladder_tile.krn: columns along an axis in tiles, or planes of axes 0 and 1. */
static void tile_launch(ladder_step *step, const ladder_case *c, int axis, bool plane)
{
    enum { WIDTH = 16 };
    const int r1 = 1 << log2_of(c->n) / 2, r2 = c->n / r1, items = plane ? 512 : WIDTH * r2;
    ladder_launch *s = &step->launch[step->launches++];
    snprintf(
        s->key, sizeof s->key,
        "ladder_tile REAL=float LANE=REAL ITEMS=%d N=%d LOG_N=%d TWIDDLE=%d R1=%d R2=%d AXIS=%d PLANE=%d "
        "WIDTH=%d",
        items, c->n, log2_of(c->n), TABLE, r1, r2, axis, plane, WIDTH);
    s->groups = plane ? c->n : c->rows / WIDTH;
    s->shared_bytes = (size_t)8 * (size_t)c->n * (size_t)((plane ? c->n : WIDTH) + 1);
    s->in_place = true;
    step->passes++;
}

/* Adds steps with ladder_tile.krn. A butterfly has at most 16 points, and a plane must fit into a group. */
static void add_boxes(steps *r)
{
    if (r->c->n > 256) return;
    ladder_step *step = add(r, 12, "3 passes, columns by tiles");
    warp_launch(step, r->c);
    tile_launch(step, r->c, 1, false);
    tile_launch(step, r->c, 2, false);
    if (r->c->n > 128) return;
    step = add(r, 12, "2 passes, planes and tiles");
    tile_launch(step, r->c, 1, true);
    tile_launch(step, r->c, 2, false);
}

static void add_3d(steps *r)
{
    const int heights[] = {4, 8, 16};
    if (r->c->n > 1024 || r->c->n < 32) return;
    for (int i = 0; i < 3; i++) {
        if (16 * r->c->n * 8 > 227 << 10) break;
        add_transposed(r, 7, false, heights[i]);
        add_transposed(r, 6, false, heights[i]);
        add_column_stages(r, heights[i]);
    }
    add_transposed(r, 7, true, 0);
    add_transposed(r, 6, true, 0);
    add_boxes(r);
}

/* ---- all ---- */

int ladder_steps(ladder_step *list, const ladder_case *c)
{
    steps r = {list, 0, c};
    if (c->rank == 1)
        add_1d(&r);
    else
        add_3d(&r);
    for (int in_place = 0; in_place < 2; in_place++) {
        const char *where = in_place ? ", in place" : "";
        ladder_step *step = add(&r, 16, "argand_fft%s", where);
        step->engine = LADDER_ARGAND;
        step->in_place = in_place;
        step = add(&r, 16, "cuFFT%s", where);
        step->engine = LADDER_CUFFT;
        step->in_place = in_place;
    }
    return r.count;
}
