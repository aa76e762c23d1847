/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a case, lowest first, from K. Aatish and B. Zhang (Three Dimensional Fast Fourier Transform
 * CUDA Implementation, 2012) upwards. */
#include <stdio.h>
#include <stdarg.h>
#include "ladder.h"

enum { STOCKHAM, IN_TIME, IN_FREQUENCY, FROM_REVERSED };
enum { FAST, ACCURATE, TABLE };

typedef struct rungs {
    ladder_rung *list;
    int count;
    const ladder_case *c;
} rungs;

static int log2_of(int n)
{
    int bits = 0;
    while (1 << bits < n) bits++;
    return bits;
}

static ladder_rung *add(rungs *r, int row, const char *name, ...) __attribute__((format(printf, 3, 4)));
static ladder_rung *add(rungs *r, int row, const char *name, ...)
{
    va_list arguments;
    ladder_rung *rung = &r->list[r->count++];
    *rung = (ladder_rung){.row = row};
    va_start(arguments, name);
    vsnprintf(rung->name, sizeof rung->name, name, arguments);
    va_end(arguments);
    return rung;
}

/* ---- rows ---- */

/* What ladder_rows.krn can be asked for. first: strides below it are done (FROM_REVERSED). */
typedef struct rows_choice {
    int height, thread_rows, flow, first, twiddle;
    bool scrambled, shuffle, pre;
} rows_choice;

/* The document's own: fast functions, decimation in time, put in order at the end. */
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

static void rows_step(ladder_rung *rung, const ladder_case *c, const rows_choice *w)
{
    ladder_step *s = &rung->step[rung->steps++];
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
    rung->passes++;
}

static void warp_step(ladder_rung *rung, const ladder_case *c)
{
    enum { ITEMS = 128 };
    ladder_step *s = &rung->step[rung->steps++];
    snprintf(s->key, sizeof s->key,
             "ladder_warp REAL=float LANE=REAL ITEMS=%d N=%d LOG_N=%d POINTS=%d TWIDDLE=%d", ITEMS, c->n,
             log2_of(c->n), c->n / 32, TABLE);
    s->groups = c->rows / (ITEMS / 32);
    s->in_place = true;
    rung->passes++;
}

static void item_step(ladder_rung *rung, const ladder_case *c)
{
    enum { ITEMS = 64 };
    ladder_step *s = &rung->step[rung->steps++];
    snprintf(s->key, sizeof s->key, "ladder_item REAL=float LANE=REAL ITEMS=%d N=%d LOG_N=%d TWIDDLE=%d",
             ITEMS, c->n, log2_of(c->n), FAST);
    s->groups = c->rows / ITEMS;
    s->in_place = true;
    rung->passes++;
}

static void add_rows(rungs *r, int row, const char *name, rows_choice w)
{
    if (!fits(r->c, &w)) return;
    ladder_rung *rung = add(r, row, "%s, H = %d", name, w.height);
    rung->scrambled = w.scrambled;
    rows_step(rung, r->c, &w);
}

static void add_heights(rungs *r, int row, const char *name, rows_choice w, int most)
{
    for (; w.height <= most; w.height *= 2) add_rows(r, row, name, w);
}

static void add_1d(rungs *r)
{
    rows_choice w = document(1);
    if (r->c->n <= 256 && r->c->rows % 64 == 0) item_step(add(r, 6, "a thread a row"), r->c);
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
    if (r->c->n >= 32 && r->c->rows % 4 == 0) warp_step(add(r, 15, "a warp a row, no shared memory"), r->c);
}

/* ---- cubes ---- */

/* Axis i of the output is axis a[i] of the input. */
static void turn_step(ladder_rung *rung, const ladder_case *c, int a0, int a1, int a2)
{
    enum { ITEMS = 256 };
    ladder_step *s = &rung->step[rung->steps++];
    snprintf(s->key, sizeof s->key,
             "ladder_turn REAL=float LANE=REAL ITEMS=%d N=%d LOG_N=%d TWIDDLE=%d A0=%d A1=%d A2=%d", ITEMS,
             c->n, log2_of(c->n), FAST, a0, a1, a2);
    s->groups = c->rows * c->n / 1024;
    if (!a0) s->groups = c->rows / 32;
    s->shared_bytes = a0 ? sizeof(float) * 2 * 32 * 33 : 0;
    s->params = (struct ladder_params){{c->n, c->n, c->n, 0}};
    rung->passes++;
}

static void row_step(ladder_rung *rung, const ladder_case *c, bool warp, int height)
{
    const rows_choice w = document(height);
    if (warp)
        warp_step(rung, c);
    else
        rows_step(rung, c, &w);
}

/* 3 transforms and 4 transposes: rows along x, y, z; then back from (z, x, y), by two transposes or by one.
 */
static void add_transposed(rungs *r, int passes, bool warp, int height)
{
    ladder_rung *rung = add(r, 12, warp ? "%d passes, a warp a row" : "%d passes, H = %d", passes, height);
    row_step(rung, r->c, warp, height);
    turn_step(rung, r->c, 1, 0, 2);
    row_step(rung, r->c, warp, height);
    turn_step(rung, r->c, 2, 1, 0);
    row_step(rung, r->c, warp, height);
    if (passes == 7) {
        turn_step(rung, r->c, 1, 0, 2);
        turn_step(rung, r->c, 0, 2, 1);
    } else {
        turn_step(rung, r->c, 1, 2, 0);
    }
}

/* Each transform also does the first log2 height stages along the next axis, whose lines come next to it by
 * the transpose. */
static void add_column_stages(rungs *r, int height)
{
    rows_choice w = document(height);
    ladder_rung *rung = add(r, 13, "6 passes, next axis begun, H = %d", height);
    for (int axis = 0; axis < 3; axis++) {
        w.flow = axis == 0 ? IN_TIME : FROM_REVERSED;
        w.first = axis == 0 ? 1 : height;
        w.pre = axis < 2;
        rows_step(rung, r->c, &w);
        turn_step(rung, r->c, 1, 2, 0);
    }
}

/* ladder_box.krn: columns along an axis by tiles, or planes of axes 0 and 1. */
static void box_step(ladder_rung *rung, const ladder_case *c, int axis, bool plane)
{
    enum { WIDTH = 16 };
    const int r1 = 1 << log2_of(c->n) / 2, r2 = c->n / r1, items = plane ? 512 : WIDTH * r2;
    ladder_step *s = &rung->step[rung->steps++];
    snprintf(s->key, sizeof s->key,
             "ladder_box REAL=float LANE=REAL ITEMS=%d N=%d LOG_N=%d TWIDDLE=%d R1=%d R2=%d AXIS=%d PLANE=%d "
             "WIDTH=%d",
             items, c->n, log2_of(c->n), TABLE, r1, r2, axis, plane, WIDTH);
    s->groups = plane ? c->n : c->rows / WIDTH;
    s->shared_bytes = (size_t)8 * (size_t)c->n * (size_t)((plane ? c->n : WIDTH) + 1);
    s->in_place = true;
    rung->passes++;
}

/* A butterfly has at most 16 points, and a plane must fit into a group. */
static void add_boxes(rungs *r)
{
    if (r->c->n > 256) return;
    ladder_rung *rung = add(r, 12, "3 passes, columns by tiles");
    warp_step(rung, r->c);
    box_step(rung, r->c, 1, false);
    box_step(rung, r->c, 2, false);
    if (r->c->n > 128) return;
    rung = add(r, 12, "2 passes, planes and tiles");
    box_step(rung, r->c, 1, true);
    box_step(rung, r->c, 2, false);
}

static void add_3d(rungs *r)
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

int ladder_rungs(ladder_rung *list, const ladder_case *c)
{
    rungs r = {list, 0, c};
    if (c->rank == 1)
        add_1d(&r);
    else
        add_3d(&r);
    for (int in_place = 0; in_place < 2; in_place++) {
        const char *where = in_place ? ", in place" : "";
        ladder_rung *rung = add(&r, 16, "argand_fft%s", where);
        rung->way = LADDER_ARGAND;
        rung->in_place = in_place;
        rung = add(&r, 16, "cuFFT%s", where);
        rung->way = LADDER_CUFFT;
        rung->in_place = in_place;
    }
    return r.count;
}
